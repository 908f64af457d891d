import AnnotationImport
import BusinessHours
import GPXCoding
import GeoJSONCoding
import Geodesy
import GzipReading
import LocationFiltering

/// Reads the fixes of a track, whole or in pieces: GPX, NMEA, rows or GeoJSON, detected from the
/// text.
///
///     let reader = TrackReader()
///     while let bytes = next() { for point in try reader.read(bytes) { judge(point.fix) } }
///     for point in try reader.finish() { judge(point.fix) }
///
/// A fix is passed on when its line or element has ended; for a single GeoJSON text or gzip, only
/// at the end of the text.
///
/// - Complexity: O(*n*) in bytes. Memory for a line or an element; for GeoJSON, the whole text.
public final class TrackReader {
  /// The counts so far.
  public private(set) var counts = TrackCounts()
  private let options: TrackOptions
  private var content = Content.unknown([])
  private var lines = LineBuffer()
  /// The lines of a GeoJSON sequence that are not blank and have no record separator.
  private var plainLineCount = 0
  /// Whether the bytes of GPX are kept until `takeSource()` is called.
  package var keepsSource = false
  private var source: [UInt8] = []

  private enum Content {
    /// The bytes so far, while the format is unknown.
    case unknown([UInt8])
    /// A gzip text, which must be complete first.
    case gzip([UInt8])
    case gpx(GPXStream)
    case nmea(NMEATrack)
    case rows(TrackLog)
    case features(TrackFeatures)
    case document([UInt8])
  }

  /// Makes a reader at the start of a text.
  public init(_ options: TrackOptions = TrackOptions()) { self.options = options }

  /// All fixes of a text.
  ///
  /// - Throws: `TrackError` if the text as a whole is not a track; a broken line becomes the
  ///   `problem` of its point.
  public static func points(
    in bytes: [UInt8], _ options: TrackOptions = TrackOptions()
  ) throws(TrackError) -> (points: [TrackPoint], counts: TrackCounts) {
    let reader = TrackReader(options)
    var points = try reader.read(bytes)
    points += try reader.finish()
    return (points, reader.counts)
  }

  /// Reads the next bytes and returns the fixes that end in them, in order.
  ///
  /// - Throws: `TrackError` if the text as a whole is not a track; if there are fixes before the
  ///   error, they are returned, and the next call throws.
  public func read(_ bytes: [UInt8]) throws(TrackError) -> [TrackPoint] {
    guard case .unknown(var start) = content else { return try readKnown(bytes) }
    start += bytes
    if GzipInflater.isGzip(start) {
      content = .gzip([])
      return try readKnown(start)
    }
    // A single byte may still be the start of gzip or a byte order mark.
    guard start.count > 1,
      let format = options.format ?? TrackFormat.sniffed(from: start, isWhole: false)
    else {
      content = .unknown(start)
      return []
    }
    try begin(format, with: start)
    return try readKnown(start)
  }

  /// Ends the text, and returns the remaining fixes.
  ///
  /// - Throws: `TrackError` if the text is empty, invalid or incomplete, or no row is a fix because the
  ///   options do not fit, with the remaining fixes before the error. GPX that was cut off behind a fix, as of a phone
  ///   whose battery is empty, is read up to there: see ``TrackCounts/cut``.
  public func finish() throws(TrackError) -> [TrackPoint] {
    var points: [TrackPoint] = []
    var text: [UInt8]?
    if case .unknown(let start) = content {
      guard !start.withoutByteOrderMark.allSatisfy(\.isASCIIWhitespace) else {
        throw TrackError(
          "empty-input", "\(options.source): there is nothing here; give a track with content")
      }
      text = start
    } else if case .gzip(let packed) = content {
      do throws(GzipFailure) {
        text = try GzipInflater.unpacked(packed, limit: options.unpackingLimit)
      } catch {
        throw TrackError(error, in: options.source)
      }
    }
    if let text {
      try begin(
        options.format ?? TrackFormat.sniffed(from: text, isWhole: true) ?? .csv, with: text)
      points = try readKnown(text)
    }
    do throws(TrackError) { return try points + readKnown([], isLast: true) } catch {
      var error = error
      error.points = points + error.points
      throw error
    }
  }

  private func begin(_ format: TrackFormat, with start: [UInt8]) throws(TrackError) {
    do throws(ImportError) {
      // Of XML only the first piece may be here, which need not have an element yet.
      try OtherFormat.refuse(start, named: options.source, isNamed: true)
    } catch {
      throw TrackError(error)
    }
    counts.format = format
    content =
      switch format {
      case .gpx: .gpx(GPXStream())
      case .nmea: .nmea(NMEATrack())
      case .csv: .rows(TrackLog(options))
      case .geojsonseq: .features(TrackFeatures(options))
      case .geojson: .document([])
      }
  }

  /// The unpacked text of a GPX file, as far as it has arrived.
  package struct Source {
    /// The bytes since the source was last taken.
    package let bytes: [UInt8]
    /// All track points before this byte of the whole text have been passed on.
    package let settledCount: Int
  }

  /// Returns the new bytes of a GPX file if they are kept; nil for other formats.
  package func takeSource() -> Source? {
    guard keepsSource, case .gpx(let stream) = content else { return nil }
    defer { source = [] }
    return Source(bytes: source, settledCount: stream.settledCount)
  }

  /// Reads bytes of a known format, and what is left when the text ends with them.
  private func readKnown(
    _ bytes: [UInt8], isLast: Bool = false
  ) throws(TrackError) -> [TrackPoint] {
    var points: [TrackPoint] = []
    switch content {
    case .unknown: break
    // Taken out first, so that earlier bytes are not copied for each piece.
    case .gzip(var packed):
      content = .gzip([])
      packed += bytes
      content = .gzip(packed)
    case .document(var text):
      content = .document([])
      text += bytes
      content = .document(text)
      if isLast { points = try self.points(ofDocument: text) }
    case .gpx(let stream):
      if keepsSource { source += bytes }
      points = try self.points(bytes, stream, isLast: isLast)
    case .nmea(var track):
      try lines.read(bytes, isLast: isLast) { (line, number) throws(TrackError) in
        if let point = track.point(line, number: number) { points.append(point) }
      }
      content = .nmea(track)
      if points.isEmpty { try refuseLongLine() }
      if isLast { counts.otherRecords = track.otherLines }
    case .rows(var log):
      try lines.read(bytes, isLast: isLast) { (line, number) throws(TrackError) in
        points += try log.points(line, number: number)
      }
      if isLast { points += try log.finish() }
      content = .rows(log)
      if points.isEmpty { try refuseLongLine() }
    case .features(var features):
      try lines.read(bytes, isLast: isLast) { (line, number) throws(TrackError) in
        points += self.points(line, number, &features)
      }
      content = .features(features)
      if isLast {
        counts.add(features)
        // Until here it was not known that no second line follows.
        if options.format == nil, plainLineCount == 1 { counts.format = .geojson }
        try refuse(features, with: points)
      }
    }
    counts.add(points)
    return points
  }

  /// Refuses a line of a log that may never end, as of `/dev/zero`; a document may be one long line.
  private func refuseLongLine() throws(TrackError) {
    guard lines.waitingByteCount > LineBuffer.longestLine else { return }
    throw TrackError(
      "line-too-long",
      "\(options.source): line \(lines.count + 1) has more than "
        + "\(grouped(LineBuffer.longestLine)) bytes; end each line with a line feed")
  }

  /// The fixes of a GPX file that end in these bytes.
  private func points(
    _ bytes: [UInt8], _ stream: GPXStream, isLast: Bool
  ) throws(TrackError) -> [TrackPoint] {
    var points: [TrackPoint] = []
    do throws(GPXError) {
      points = try stream.read(bytes).compactMap(point)
      guard isLast else { return points }
      let (last, document) = try stream.finish()
      points += last.compactMap(point)
      counts.document = document
    } catch {
      guard error.reason == .cutOff, counts.parts > 0, let tags = stream.closingTags else {
        throw TrackError(error, in: options.source)
      }
      counts.document = stream.document
      counts.cut = TrackCounts.Cut(
        line: error.line, settledCount: stream.settledCount, closingTags: tags)
    }
    return points
  }

  private func points(ofDocument text: [UInt8]) throws(TrackError) -> [TrackPoint] {
    var features = TrackFeatures(options)
    var points: [TrackPoint] = []
    do throws(GeoJSONError) { try read(text, &points, &features) } catch {
      // A single row is no document; in several lines it would be damaged GeoJSON.
      if text.split(separator: 0x0A, maxSplits: 1).count == 1 {
        let rows = self.points(ofRows: text, &features)
        guard rows.isEmpty else {
          try refuse(features, with: rows)
          return rows
        }
      }
      // What stands before the damage is passed on with the error, as from lines and GPX.
      var error = TrackError(error, in: options.source)
      error.points = points
      counts.add(features)
      counts.add(points)
      throw error
    }
    counts.add(features)
    return points
  }

  /// Reads one GeoJSON text; the fixes before an error are kept.
  private func read(
    _ text: [UInt8], _ points: inout [TrackPoint], _ features: inout TrackFeatures
  ) throws(GeoJSONError) {
    try GeoJSONReader(framing: .document).read(text) { record in
      points += features.points(of: record)
      return .readOn
    }
  }

  /// The fixes of one line of a GeoJSON sequence.
  private func points(
    _ line: [UInt8], _ number: Int, _ features: inout TrackFeatures
  ) -> [TrackPoint] {
    var text = line.drop { $0 == 0x1E || $0 == 0x20 || $0 == 0x09 }
    if number == 1 { text = text.withoutByteOrderMark }
    guard !text.isEmpty else { return [] }
    if !line[..<text.startIndex].contains(0x1E) { plainLineCount += 1 }
    let bytes = Array(text)
    // Rows mostly follow rows.
    let triesRowsFirst = features.hasRows
    var points = triesRowsFirst ? self.points(ofRows: bytes, &features) : []
    if points.isEmpty {
      do throws(GeoJSONError) { try read(bytes, &points, &features) } catch {
        points = triesRowsFirst ? [] : self.points(ofRows: bytes, &features)
        if points.isEmpty {
          points = [TrackPoint(TrackProblem(.feature, error.message), line: number)]
        }
      }
    }
    for place in points.indices { points[place].line = number }
    return points
  }

  /// The fixes of lines that are rows in plain JSON; empty for any other text.
  private func points(ofRows text: [UInt8], _ features: inout TrackFeatures) -> [TrackPoint] {
    var points: [TrackPoint] = []
    text.withUnsafeBufferPointer { bytes in
      guard JSONRowReader.areRowLines(bytes) else { return }
      JSONRowReader().readLines(bytes) { row in
        guard case .success(.object(let members)) = row.value else { return }
        points.append(features.point(ofRow: members, line: row.line))
      }
    }
    return points
  }

  /// Throws why no record is a fix, with the last of them, if other options would make rows fixes.
  private func refuse(
    _ features: TrackFeatures, with points: [TrackPoint]
  ) throws(TrackError) {
    guard var refusal = features.refusal else { return }
    refusal.points = points
    counts.add(points)
    throw refusal
  }

  /// The fix of a GPX point; nil for waypoints and route points.
  private func point(_ point: GPXPoint) -> TrackPoint? {
    guard case .trackPoint(let track, let segment) = point.role else { return nil }
    counts.enter(track: track, segment: segment)
    // None of the texts is empty.
    let time = point.text("time")
    // All times of GPX are in UTC.
    let seconds = time.flatMap(GPXTime.seconds)
    let accuracy = ["accuracy", "hacc", "horizontalAccuracy"].lazy
      .compactMap { point.text($0) }.first
    var fix = TrackPoint(
      time: (seconds.map { TrackTime(seconds: $0, hasZone: true) }, time), accuracy: accuracy,
      speed: point.text("speed"), elevation: point.elevation, part: counts.parts, line: point.line)
    fix.setPosition(latitude: point.latitudeText, longitude: point.longitudeText)
    fix.element = point.element
    return fix
  }
}

/// Options for reading a track, for what the text does not show.
public struct TrackOptions: Hashable, Sendable {
  /// The name of the text in messages: its file name.
  public var source = "the track"
  /// The format; nil to detect it from the first bytes.
  public var format: TrackFormat?
  /// The latitude column in rows; nil to find it by name, as for the others.
  public var latitudeField: String?
  /// The longitude column.
  public var longitudeField: String?
  /// The time column.
  public var timeField: String?
  /// The accuracy column, in meters.
  public var accuracyField: String?
  /// The zone of times without one in rows and GeoJSON; nil for UTC.
  ///
  /// Of a time that its clocks show twice, the first is meant. GPX and NMEA are always in UTC, and so is a column of
  /// rows whose name says so: `time_utc`, `Time (UTC)`.
  public var zone: ZoneRules?
  /// Whether the first row names the columns; otherwise they are called `1`, `2`, ….
  public var hasHeader = true
  /// The maximum unpacked size of a gzip text, in bytes.
  public var unpackingLimit = UnpackingLimit.standard

  /// Makes options that detect everything.
  public init() {}
}

/// The contents of a track's text, counted.
public struct TrackCounts: Hashable, Sendable {
  /// The format of the text; nil until it is known.
  ///
  /// A line of GeoJSON counts as a sequence until the text ends without a second one.
  public internal(set) var format: TrackFormat?
  /// Fixes, valid or not.
  public internal(set) var fixes = 0
  /// Fixes whose text is broken.
  public internal(set) var broken = 0
  /// Unbroken parts with a fix.
  public internal(set) var parts = 0
  /// NMEA lines that are not sentences with a position, and GeoJSON features with areas.
  public internal(set) var otherRecords = 0
  /// GeoJSON features with lines that continue past ±180°, which are read as crossing the antimeridian.
  public internal(set) var wrappedFeatures = 0
  /// The counts of a GPX file, including waypoints and routes; nil for other formats, and before
  /// the end.
  public internal(set) var document: GPXDocument?
  /// Where a GPX file was cut off, if it was.
  public internal(set) var cut: Cut?

  /// The end of a GPX file that was cut off.
  public struct Cut: Hashable, Sendable {
    /// The line in which it ends, from 1.
    public let line: Int
    /// The byte before which no track point is missing.
    package let settledCount: Int
    /// What ends the elements that are open there.
    package let closingTags: String
  }

  /// The GPX track and segment of the last point, counted from 1.
  private var track = 0, segment = 0

  mutating func enter(track: Int, segment: Int) {
    guard (track, segment) != (self.track, self.segment) else { return }
    (self.track, self.segment) = (track, segment)
    parts += 1
  }

  mutating func add(_ features: TrackFeatures) {
    otherRecords = features.otherFeatures
    wrappedFeatures = features.wrappedFeatures
  }

  mutating func add(_ points: [TrackPoint]) {
    fixes += points.count
    broken += points.count { $0.problem != nil }
    if format != .gpx, let last = points.last { parts = max(parts, last.part) }
  }
}

// MARK: - Lines

/// Splits bytes that arrive in pieces into lines.
package struct LineBuffer {
  /// More bytes than a line has that people or programs read; readers refuse a longer one, which may never end.
  package static let longestLine = 1 << 24
  /// The bytes of the incomplete line.
  private var rest: [UInt8] = []
  /// The number of complete lines.
  package private(set) var count = 0
  /// How many bytes of the incomplete line have come.
  package var waitingByteCount: Int { rest.count }

  package init() {}

  /// Passes on each line that ends in these bytes, without its line break.
  ///
  /// - Parameter isLast: Whether the text ends with them, and so does a last line without a line break.
  package mutating func read<Failure: Error>(
    _ bytes: [UInt8], isLast: Bool, _ receive: ([UInt8], _ line: Int) throws(Failure) -> Void
  ) throws(Failure) {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      rest.append(contentsOf: bytes[start..<end])
      start = end + 1
      try emit(receive)
    }
    rest.append(contentsOf: bytes[start...])
    if isLast, !rest.isEmpty { try emit(receive) }
  }

  /// A carriage return also ends a line, alone or before a line feed.
  private mutating func emit<Failure: Error>(
    _ receive: ([UInt8], _ line: Int) throws(Failure) -> Void
  ) throws(Failure) {
    while rest.last == 0x0D { rest.removeLast() }
    let whole = rest
    rest.removeAll(keepingCapacity: true)
    for line in whole.split(separator: 0x0D, omittingEmptySubsequences: false) {
      count += 1
      try receive(Array(line), count)
    }
  }
}
