import GPXCoding
import GeoJSONCoding
import Geodesy
import MapAnnotations
import SourceFetching
import TrackImport

/// A cleaned track on its way into GeoJSON, in memory that does not grow with it: a line for each part,
/// with its times in `coordTimes`; a point for a part of one.
///
/// A line ends where it would cross ±180°, and another begins on the other side. RFC 7946 §3.1.9 would
/// have both go on to exactly ±180°; but each position of a line is a fix, also when the file is read as
/// a track, and nobody measured one there. The box stands before the features and the times of a line
/// behind its positions, so that what is written before them waits in spools.
package struct TrackLines {
  private var box = GrowingBox()
  private var last: CleanTrack.Point?
  /// How many points the open line has.
  private var count = 0
  private var isTimed = false
  /// The feature of the open line, and its times.
  private var feature = JSONWriter()
  private var times = JSONWriter()
  private var hasFeature = false
  private let features = Spool()
  private let lineTimes = Spool()

  /// Takes the next point.
  package mutating func add(_ point: CleanTrack.Point) throws(ReportedError) {
    if let last {
      let crosses = abs(last.coordinate.longitude - point.coordinate.longitude) > 180
      if last.part != point.part || crosses { try endLine() }
    }
    box.add(point.coordinate)
    if count == 1, let last { try beginLine(last) }
    if count >= 1 { try append(point) }
    count += 1
    last = point
  }

  package mutating func finish(to sink: OutputSink) throws(ReportedError) {
    try endLine()
    var writer = GeoJSONWriter(.featureCollection)
    writer.begin(bbox: box.box)
    try sink.write(writer.takeBytes())
    try features.drain { (bytes) throws(ReportedError) in try sink.write(bytes) }
    writer.end()
    try sink.write(writer.takeBytes())
  }

  // MARK: One feature

  private mutating func beginFeature() throws(ReportedError) {
    try features.append(Array((hasFeature ? ",\n" : "\n").utf8))
    hasFeature = true
    feature = JSONWriter()
    feature.beginObject()
    feature.member("type", "Feature")
    feature.name("geometry")
  }

  private mutating func beginLine(_ first: CleanTrack.Point) throws(ReportedError) {
    try beginFeature()
    feature.beginObject()
    feature.member("type", "LineString")
    feature.name("coordinates")
    feature.beginArray()
    times = JSONWriter()
    times.beginArray()
    isTimed = false
    try append(first)
  }

  private mutating func append(_ point: CleanTrack.Point) throws(ReportedError) {
    feature.position(TrackLines.position(of: point))
    if let time = TrackLines.time(of: point) {
      isTimed = true
      times.string(time)
    } else {
      times.null()
    }
    try features.append(feature.bytes)
    feature.removeAll()
    try lineTimes.append(times.bytes)
    times.removeAll()
  }

  private mutating func endLine() throws(ReportedError) {
    guard count > 0, let last else { return }
    if count == 1 {
      try beginFeature()
      feature.geometry(.point(TrackLines.position(of: last)))
    } else {
      feature.endArray()
      feature.endObject()
      times.endArray()
      try lineTimes.append(times.bytes)
    }
    feature.name("properties")
    feature.beginObject()
    feature.member("part", .integer(last.part))
    if count == 1, let time = TrackLines.time(of: last) {
      feature.member("time", .string(time))
    } else if count > 1, isTimed {
      feature.name("coordTimes")
    }
    try features.append(feature.bytes)
    feature.removeAll()
    try lineTimes.drain { (bytes) throws(ReportedError) in
      if isTimed { try features.append(bytes) }
    }
    feature.endObject()
    feature.endObject()
    try features.append(feature.bytes)
    count = 0
  }

  private static func position(of point: CleanTrack.Point) -> Position {
    Position(
      longitude: point.coordinate.longitude, latitude: point.coordinate.latitude,
      altitude: point.elevation.flatMap { $0.isFinite ? $0 : nil })
  }

  private static func time(of point: CleanTrack.Point) -> String? {
    point.time.flatMap(GPXTime.text)
  }
}

/// Bytes that are wanted only once all of them are there: in memory while they are few, then in a
/// file without a name, which is gone with the program however it ends.
private final class Spool {
  private var bytes: [UInt8] = []
  /// Everything before `bytes`; nil while all fit into memory.
  private var file: TemporaryFile?

  func append(_ more: [UInt8]) throws(ReportedError) {
    bytes += more
    guard bytes.count > OutputSink.chunk else { return }
    do throws(SystemFailure) {
      let file: TemporaryFile
      if let held = self.file { file = held } else { file = try TemporaryFile() }
      self.file = file
      try bytes.withUnsafeBufferPointer { (bytes) throws(SystemFailure) in
        try file.append(UnsafeRawBufferPointer(bytes))
      }
    } catch {
      throw Spool.failed(error)
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Hands over all bytes, some at a time, and forgets them.
  func drain(_ receive: ([UInt8]) throws(ReportedError) -> Void) throws(ReportedError) {
    if let file {
      for start in stride(from: 0, to: file.byteCount, by: OutputSink.chunk) {
        let piece: [UInt8]
        do throws(SystemFailure) {
          piece = try file.bytes(start..<min(start + OutputSink.chunk, file.byteCount))
        } catch {
          throw Spool.failed(error)
        }
        try receive(piece)
      }
      self.file = nil
    }
    if !bytes.isEmpty { try receive(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }

  private static func failed(_ failure: SystemFailure) -> ReportedError {
    ReportedError(
      "write-failed",
      "no temporary file: \(failure.message); set TMPDIR to a folder with room",
      fault: .inputOutput)
  }
}
