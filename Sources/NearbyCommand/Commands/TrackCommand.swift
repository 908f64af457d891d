#if CommandLine
  import ArgumentParser
  import GPXCoding
  import GeoJSONCoding
  import Geodesy
  import LocationFiltering
  import TrackImport

  /// `nearby track FILE`: what a gate says of each fix, and what is left of the track.
  struct TrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "track",
      abstract: "Judge each fix of a track: accepted, held or rejected, and why.",
      discussion: """
        Reads GPX, NMEA, rows of a log or GeoJSON, and detects which. - is standard input, \
        answered fix by fix as it arrives. Accepted fixes count. Held fixes are good, but no \
        reason to search again. Rejected fixes are not trusted. With gpx or geojson, writes the \
        cleaned track: the fixes that are not rejected. From GPX to GPX everything else is kept, \
        byte for byte.

          nearby track walk.gpx --gate 300m --max-speed 12m/s --explain
          nearby track walk.gpx --gate careful --hindsight -o clean.gpx
          nearby track walk.gpx --html -o walk.html
          gpspipe -r | nearby track - --gate 300m --region KR
        """)

    @Argument(
      help: ArgumentHelp("The track, or - for standard input.", valueName: "file"),
      completion: .file())
    var file: String

    @OptionGroup(title: "Gate") var gate: GateOptions

    @OptionGroup(title: "Input") var reading: TrackReadingOptions

    @Option(
      help: ArgumentHelp("table, jsonl, json, csv, gpx, geojson or html.", valueName: "format"),
      completion: .words(of: TrackOutputFormat.self))
    var format: String?

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("Write to this file; its extension sets the format.", valueName: "file"),
      completion: .file())
    var output: String?

    @Flag(help: "Write a web page with the track and the rejected fixes, as --format html does.")
    var html = false

    @Flag(
      help: "Print all reasons, and which setting would have changed the verdict.")
    var explain = false

    @Flag(help: "Show only the summary and the map.")
    var summary = false

    @Flag(help: "Leave out the map below the table.")
    var noMap = false

    @Flag(help: "In gpx and geojson, write only accepted fixes.")
    var acceptedOnly = false

    @Option(
      help: ArgumentHelp(
        "In gpx and geojson, move each fix toward where someone moving at this speed probably was.",
        valueName: "speed"))
    var smooth: String?

    @OptionGroup(title: "Map") var map: MapOptions

    func run() throws {
      let output = try OutputFiles.claim(output)
      let plan = try map.plan(onTerminal: Console.showsOnTerminal(output))
      let format =
        html ? .html : try TrackOutputFormat.asked(format, for: output) ?? .table
      let smoother = try smooth.map { (text) throws(CommandError) in
        TrackSmoother(speed: try parseSpeed(text, option: "--smooth"))
      }
      if smoother != nil || acceptedOnly, format != .gpx, format != .geojson {
        throw CommandError(
          "bad-format",
          "\(smoother != nil ? "--smooth" : "--accepted-only") is about the cleaned track; "
            + "say --format gpx or --format geojson", status: .usage)
      }
      let judge = TrackJudge(
        try gate.policy(), hasHindsight: gate.hindsight,
        usualAccuracy: try gate.usualAccuracy(), explains: explain, now: try gate.clock())
      let options = try reading.options()
      // Verdicts are written while it is read.
      ReadFiles.note(FileName(argument: file))
      let sink = try OutputSink(output)
      var run = TrackRun(
        judge: judge, format: format, explains: explain, listsFixes: !summary,
        drawsMap: format == .table && !noMap, sink: sink,
        width: Console.width(onTerminal: Console.showsOnTerminal(output)))
      run.title = FileName(argument: file).title
      run.clean = CleanTrack(keepsAcceptedOnly: acceptedOnly, smoother: smoother)
      let counts = try TrackInput.read(
        FileName(argument: file), options, keepsSource: format == .gpx
      ) { (points, source) throws(CommandError) in try run.take(points, source) }
      try run.finish(counts, map: noMap ? nil : plan)
      try sink.finish()
    }
  }

  /// How a judged track is written.
  enum TrackOutputFormat: String, WrittenFormat { case table, jsonl, json, csv, gpx, geojson, html }

  /// One track on its way from its fixes to what is written of them.
  private struct TrackRun {
    var judge: TrackJudge
    let format: TrackOutputFormat
    let explains: Bool
    /// Whether each fix has its line in the table.
    let listsFixes: Bool
    /// Whether the believed way is kept for the map.
    let drawsMap: Bool
    let sink: OutputSink
    let width: Int
    var clean = CleanTrack(keepsAcceptedOnly: false)
    private var tally: TrackTally
    private var map = TrackMap()
    private var page = TrackPage()
    /// What a page is called.
    var title = ""
    private var json = JSONWriter()
    private var gpx = GPXTrackWriter()
    /// The source itself, where it is GPX and GPX is written.
    private var copy: TrackCopy?
    private var features = TrackFeatures()
    private var hasBegun = false

    init(
      judge: TrackJudge, format: TrackOutputFormat, explains: Bool, listsFixes: Bool,
      drawsMap: Bool, sink: OutputSink, width: Int
    ) {
      self.judge = judge
      self.format = format
      self.explains = explains
      self.listsFixes = listsFixes
      self.drawsMap = drawsMap
      tally = TrackTally(keepsSpeeds: format == .table || format == .json)
      self.sink = sink
      self.width = width
    }

    private var text: TrackText { TrackText(width: width, explains: explains) }

    /// Judges fixes and writes at once what can be said of them.
    ///
    /// - Parameter source: The text they stand in, if that is to be kept.
    mutating func take(
      _ points: [TrackPoint], _ source: TrackReader.Source?
    ) throws(CommandError) {
      if let source {
        copy = copy ?? TrackCopy()
        copy?.append(source.bytes, points)
      }
      try write(points.compactMap { judge.judge($0) })
      if let source, let bytes = copy?.takeBytes(settledCount: source.settledCount) {
        try sink.write(bytes)
      }
    }

    private mutating func write(_ points: [JudgedPoint]) throws(CommandError) {
      var bytes: [UInt8] = []
      for judged in points {
        tally.add(judged)
        switch format {
        case .table:
          if drawsMap { map.add(judged) }
          if listsFixes { bytes += (begin() + text.lines(of: judged)).utf8 }
        case .html:
          if judged.isRejected {
            page.add(
              rejected: judged.point, number: judged.number,
              why: judged.reasons.map(\.sentence).joined(separator: ", "))
          } else if !judged.isDoubted {
            page.add(believed: judged.point)
          }
        case .csv:
          bytes += begin().utf8
          CSVText.append(TrackJSON.cells(of: judged), to: &bytes)
        case .jsonl:
          TrackJSON.write(judged, explains: explains, to: &json)
          json.endLine()
        case .json:
          if !hasBegun { beginJSON() }
          TrackJSON.write(judged, explains: explains, to: &json)
        case .gpx:
          clean.add(judged)
          bytes += takeGPX()
        case .geojson:
          clean.add(judged)
          for case let point? in clean.takeDecisions() { try features.add(point) }
        }
        if format == .jsonl || format == .json {
          bytes += json.bytes
          json.removeAll()
        }
        if bytes.count > OutputSink.chunk {
          try sink.write(bytes)
          bytes = []
        }
      }
      if !bytes.isEmpty { try sink.write(bytes) }
    }

    /// What stands before the first fix; nothing before the others.
    private mutating func begin() -> String {
      if hasBegun { return "" }
      hasBegun = true
      guard format == .csv else { return text.header }
      var bytes: [UInt8] = []
      CSVText.append(TrackJSON.columns, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }

    /// What can be written of the cleaned track: a doubted fix waits until it is known to be right.
    private mutating func takeGPX() -> [UInt8] {
      guard copy == nil else {
        for decision in clean.takeDecisions() { copy?.decide(decision) }
        return []
      }
      if !hasBegun { gpx.begin() }
      hasBegun = true
      for case let point? in clean.takeDecisions() {
        gpx.write(
          point.coordinate, part: point.part, elevation: point.elevation, time: point.time,
          accuracy: point.accuracy)
      }
      return gpx.takeBytes()
    }

    private mutating func beginJSON() {
      hasBegun = true
      json.beginObject()
      json.name("verdicts")
      json.beginArray()
    }

    mutating func finish(_ counts: TrackCounts, map plan: MapPlan?) throws {
      try write(judge.finish())
      switch format {
      case .table:
        var ending = (hasBegun ? "\n" : "") + text.summary(tally, counts)
        if let plan, let picture = try map.draw(plan) { ending += "\n" + picture }
        try sink.write(Array(ending.utf8))
      case .html: try sink.write(page.bytes(titled: title))
      case .csv: try sink.write(Array(begin().utf8))
      case .jsonl: break
      case .json:
        if !hasBegun { beginJSON() }
        json.endArray()
        json.name("summary")
        TrackJSON.write(tally, to: &json)
        json.endObject()
        json.endLine()
        try sink.write(json.bytes)
      case .gpx:
        clean.finish()
        var ending = takeGPX()
        if copy == nil { gpx.end() }
        ending += copy?.takeBytes(settledCount: nil) ?? gpx.takeBytes()
        try sink.write(ending)
      case .geojson:
        for case let point? in clean.takeDecisions() { try features.add(point) }
        try features.finish(to: sink)
      }
      remark()
    }

    /// What a reader of the results should know who does not see the summary.
    private func remark() {
      let rejected = tally.count("rejected")
      if rejected > 0, format != .table, format != .json {
        Console.remark(
          "note: \(grouped(rejected)) of \(grouped(tally.summary.fixes)) fixes rejected: "
            + tally.reasonList("rejected"))
      }
      if let unread = tally.unreadTimes.remark(of: tally.summary.fixes) { Console.remark(unread) }
      let limit = GatePolicy.careful.greatestSpeed ?? .infinity
      if tally.greatestBelievedSpeed > limit {
        Console.remark(
          "note: believed steps imply more than \(plainDecimal(limit)) m/s; "
            + "--max-speed auto rejects what does not fit the track")
      }
    }
  }
#endif
