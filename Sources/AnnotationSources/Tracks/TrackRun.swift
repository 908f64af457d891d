import GPXCoding
import GeoJSONCoding
import Geodesy
import LocationFiltering
import TrackImport

/// A track as it arrives: from a file, or from standard input, each piece as soon as it is there.
package enum TrackInput {
  /// Hands over the fixes of a track, those of one piece of its text together, and of GPX the text
  /// that they stand in.
  ///
  /// - Parameters:
  ///   - keepsSource: Whether the text is wanted; nil is handed over otherwise, and for other formats.
  ///   - remark: Takes what a person should know.
  /// - Returns: How many of what there were.
  @discardableResult
  package static func read(
    _ file: FileName, _ options: TrackOptions, keepsSource: Bool = false,
    remark: (String) -> Void,
    _ receive: ([TrackPoint], TrackReader.Source?) throws(ReportedError) -> Void
  ) throws(ReportedError) -> TrackCounts {
    var options = options
    options.source = file.isStandardInput ? "standard input" : file.text
    let reader = TrackReader(options)
    reader.keepsSource = keepsSource
    try Files.pieces(of: file) { (bytes) throws(ReportedError) in
      let points: [TrackPoint]
      do throws(TrackError) { points = try reader.read(bytes) } catch { throw reported(error) }
      try receive(points, reader.takeSource())
    }
    let last: [TrackPoint]
    do throws(TrackError) { last = try reader.finish() } catch {
      // What is said of the fixes before an error does not depend on the pieces in which they came.
      if !error.points.isEmpty { try receive(error.points, reader.takeSource()) }
      throw reported(error)
    }
    try receive(last, reader.takeSource())
    if let cut = reader.counts.cut {
      remark(
        "warning: xml-cut-off: \(options.source) was cut off in line \(grouped(cut.line)); "
          + "the fixes before that are read")
    }
    let wrapped = reader.counts.wrappedFeatures
    if wrapped > 0 {
      remark(
        "note: lon-wrapped: \(grouped(wrapped)) of \(options.source)'s features \(wrapped == 1 ? "runs" : "run") on "
          + "past ±180°; read as crossing the antimeridian")
    }
    return reader.counts
  }

  private static func reported(_ error: TrackError) -> ReportedError {
    ReportedError(error, fault: error.isUsage ? .usage : .badData)
  }
}

// MARK: - What is written of it

/// How a judged track is written.
package enum TrackOutputFormat: String, CaseIterable {
  case table, jsonl, json, csv, gpx, geojson, html
}

/// One track on its way from its fixes to what is written of them.
package struct TrackRun {
  package var judge: TrackJudge
  package let format: TrackOutputFormat
  package let explains: Bool
  /// Whether each fix is in the table or the JSON, and not only the summary.
  package let listsFixes: Bool
  /// Whether the believed way is kept for the map.
  package let drawsMap: Bool
  package let sink: OutputSink
  package let width: Int
  /// The words for what would have given a fix the other verdict.
  package let words: (JudgedPoint.Otherwise) -> [String]
  package var clean = CleanTrack(keepsAcceptedOnly: false)
  private var belief = TrackBelief()
  private var tally: TrackTally
  /// How many fixes were held in doubt, and never confirmed.
  private var doubtedCount = 0
  private var picture: TrackPicture
  /// What a page is called.
  package var title = ""
  private lazy var json = JSONWriter()
  private lazy var gpx = GPXWriter()
  /// The source itself, where it is GPX and GPX is written.
  private var copy: TrackCopy?
  private lazy var features = TrackLines()
  private var hasBegun = false

  package init(
    judge: TrackJudge, format: TrackOutputFormat, explains: Bool, listsFixes: Bool,
    drawsMap: Bool, sink: OutputSink, width: Int,
    words: @escaping (JudgedPoint.Otherwise) -> [String]
  ) {
    self.judge = judge
    self.format = format
    self.explains = explains
    self.listsFixes = listsFixes
    self.drawsMap = drawsMap
    tally = TrackTally(keepsSpeeds: format == .table || format == .json)
    picture = TrackPicture(isMap: format != .html)
    self.sink = sink
    self.width = width
    self.words = words
  }

  private var drawsPicture: Bool { format == .html || format == .table && drawsMap }

  private var text: TrackText { TrackText(width: width, explains: explains, words: words) }

  /// Judges fixes and writes at once what can be said of them.
  ///
  /// - Parameter source: The text they stand in, if that is to be kept.
  package mutating func take(
    _ points: [TrackPoint], _ source: TrackReader.Source?
  ) throws(ReportedError) {
    if let source {
      copy = copy ?? TrackCopy()
      copy?.append(source.bytes, points)
    }
    try write(points.compactMap { judge.judge($0) })
    if let source, let bytes = copy?.takeBytes(settledCount: source.settledCount) {
      try sink.write(bytes)
    }
  }

  private mutating func write(_ points: [JudgedPoint]) throws(ReportedError) {
    var bytes: [UInt8] = []
    for judged in points {
      tally.add(judged)
      if drawsPicture, judged.isRejected {
        picture.add(
          rejected: judged.point, number: judged.number,
          why: judged.sentences.joined(separator: ", "))
      }
      switch format {
      case .table: if listsFixes { bytes += (begin() + text.lines(of: judged)).utf8 }
      case .csv:
        bytes += begin().utf8
        CSVText.append(TrackJSON.cells(of: judged), to: &bytes)
      case .jsonl:
        TrackJSON.write(judged, explains: explains, words: words, to: &json)
        json.endLine()
      case .json:
        guard listsFixes else { break }
        if !hasBegun { beginJSON() }
        TrackJSON.write(judged, explains: explains, words: words, to: &json)
      case .gpx, .geojson, .html: break
      }
      if format == .jsonl || format == .json {
        bytes += json.bytes
        json.removeAll()
      }
      for fix in belief.decide(judged) { bytes += try settle(fix) }
      try sink.writeChunk(&bytes)
    }
    if !bytes.isEmpty { try sink.write(bytes) }
  }

  /// What stands before the first fix; nothing before the others.
  private mutating func begin() -> String {
    if hasBegun { return "" }
    hasBegun = true
    return format == .csv
      ? String(decoding: CSVText.line(TrackJSON.columns), as: UTF8.self) : text.header
  }

  /// Adds a fix to the way once it is known whether it is believed; returns what can be written of it.
  private mutating func settle(_ fix: DecidedFix) throws(ReportedError) -> [UInt8] {
    if fix.isBelieved {
      tally.add(believed: fix.judged)
      if drawsPicture { picture.add(believed: fix.judged.point) }
    } else if !fix.judged.isRejected {
      doubtedCount += 1
    }
    switch format {
    case .gpx: return gpxBytes(clean.point(of: fix))
    case .geojson: if let point = clean.point(of: fix) { try features.add(point) }
    case .table, .csv, .jsonl, .json, .html: break
    }
    return []
  }

  private mutating func gpxBytes(_ point: CleanTrack.Point?) -> [UInt8] {
    guard copy == nil else {
      copy?.decide(point)
      return []
    }
    beginGPX()
    if let point {
      gpx.write(
        point.coordinate, part: point.part, elevation: point.elevation, time: point.time,
        accuracy: point.accuracy)
    }
    return gpx.takeBytes()
  }

  private mutating func beginGPX() {
    if hasBegun { return }
    hasBegun = true
    gpx.begin()
    gpx.beginTrack()
  }

  private mutating func beginJSON() {
    hasBegun = true
    json.beginObject()
    guard listsFixes else { return }
    json.name("verdicts")
    json.beginArray()
  }

  package mutating func finish(_ counts: TrackCounts, map plan: MapPlan?) throws(ReportedError) {
    try write(judge.finish())
    for fix in belief.finish() { try sink.write(settle(fix)) }
    switch format {
    case .table:
      var ending = (hasBegun ? "\n" : "") + text.summary(tally, counts)
      if let plan, let map = try picture.map(plan) { ending += "\n" + map }
      try sink.write(Array(ending.utf8))
    case .html: try sink.write(picture.page(titled: title))
    case .csv: try sink.write(Array(begin().utf8))
    case .jsonl: break
    case .json:
      if !hasBegun { beginJSON() }
      if listsFixes { json.endArray() }
      json.name("summary")
      TrackJSON.write(tally, to: &json)
      json.endObject()
      json.endLine()
      try sink.write(json.bytes)
    case .gpx:
      if copy == nil {
        beginGPX()
        gpx.endTrack()
        gpx.end()
      }
      try sink.write(
        copy?.takeBytes(settledCount: counts.cut?.settledCount) ?? gpx.takeBytes())
      if copy != nil, let cut = counts.cut { try sink.write(Array((cut.closingTags + "\n").utf8)) }
    case .geojson: try features.finish(to: sink)
    }
  }

  /// What a reader of the results should know who does not see the summary.
  package var remarks: [String] {
    var remarks: [String] = []
    let rejected = tally.count(.rejected)
    if rejected > 0, format != .table, format != .json {
      remarks.append(
        "note: \(grouped(rejected)) of \(grouped(tally.summary.fixes)) fixes rejected: "
          + tally.reasonList(.rejected))
    }
    if doubtedCount > 0, format == .gpx || format == .geojson || format == .html {
      remarks.append(
        "note: \(grouped(doubtedCount)) of \(grouped(tally.summary.fixes)) fixes held in doubt and left out"
      )
    }
    remarks += tally.unread.remarks(of: tally.summary.fixes, policy: judge.policy)
    let limit = GatePolicy.careful.greatestSpeed ?? .infinity
    if tally.greatestBelievedSpeed > limit {
      remarks.append(
        "note: believed steps imply more than \(plainDecimal(limit)) m/s; `learnsMotion` rejects what does "
          + "not fit the track; if the log is of several devices, give the fixes of each on their own"
      )
    }
    return remarks
  }
}
