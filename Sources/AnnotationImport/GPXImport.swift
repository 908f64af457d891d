import GPXCoding
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// The points of a GPX file that become annotations.
public enum GPXPointChoice: String, CaseIterable, Hashable, Sendable {
  /// Waypoints; the default.
  case waypoints
  /// Route points.
  case routes
  /// Track points.
  case tracks
  /// All points, in the order of the file.
  case all

  func includes(_ role: GPXPoint.Role) -> Bool {
    switch (self, role) {
    case (.all, _), (.waypoints, .waypoint), (.routes, .routePoint), (.tracks, .trackPoint): true
    default: false
    }
  }
}

/// One reading of a GPX source: its points are written as GeoJSON features, each on the line of its
/// point, and then imported.
///
/// So memory holds the features instead of the file, and line numbers are those of the file.
struct GPXImport {
  private let text: [UInt8]
  private let source: String
  private let options: ImportOptions

  init(_ text: [UInt8], source: String, options: ImportOptions) {
    self.text = text
    self.source = source
    self.options = options
  }

  func run(_ observer: ImportObserver) throws(ImportError) -> ImportResult {
    let choice = options.gpxPoints ?? .waypoints
    var features = FeatureLines()
    var problems: [Int: RowProblem] = [:]
    // Where each point is written, for those that are rejected.
    var starts = RowOffsets(), ends = RowOffsets()
    let document: GPXDocument
    do throws(GPXError) {
      document = try GPXReader().read(text) { point in
        guard choice.includes(point.role) else { return }
        features.append(point)
        if observer.onReject != nil {
          starts.append(point.byteOffset)
          ends.append(point.byteEnd)
        }
        if let problem = GPXImport.problem(with: point) { problems[features.count] = problem }
      }
    } catch {
      throw ImportError(
        source,
        error.reason == .emptyInput
          ? .empty : .geoJSON(code: error.code, message: error.description))
    }
    var options = options
    // GPX allows no other CRS.
    options.crs = .wgs84
    var reading = GeoJSONImport(
      features.collection, source: source, framing: .document, options: options)
    reading.problems = problems
    reading.emptyRemark = GPXImport.emptyRemark(choice, document)
    var onReject: ((RejectedRecord) -> Void)?
    if let receive = observer.onReject {
      onReject = { record in
        let point = record.record - 1
        receive(
          RejectedRecord(
            source: record.source, record: record.record, line: record.line,
            byteOffset: observer.hasSourceOffsets ? starts[point] : nil,
            problem: record.problem, bytes: Array(text[starts[point]..<ends[point]])))
      }
    }
    return try reading.run(
      ImportObserver(
        onReject: onReject, onProgress: observer.onProgress, hasSourceOffsets: false))
  }

  /// Why a point cannot be placed; nil if it has two numbers, or neither attribute.
  private static func problem(with point: GPXPoint) -> RowProblem? {
    let latitude = point.latitudeText ?? "", longitude = point.longitudeText ?? ""
    switch (latitude.isEmpty, longitude.isEmpty) {
    case (true, true): return nil
    case (true, false): return .halfCoordinate(empty: .latitude, other: longitude)
    case (false, true): return .halfCoordinate(empty: .longitude, other: latitude)
    case (false, false):
      if point.latitude == nil { return .position(.notANumber(latitude)) }
      return point.longitude == nil ? .position(.notANumber(longitude)) : nil
    }
  }

  private static func emptyRemark(_ choice: GPXPointChoice, _ document: GPXDocument) -> String {
    let others: [(name: GPXPointChoice, count: Int)] = [
      (.waypoints, document.waypoints), (.routes, document.routePoints),
      (.tracks, document.trackPoints),
    ]
    let there = others.filter { $0.count > 0 && $0.name != choice }
    guard let largest = there.max(by: { $0.count < $1.count }) else {
      return "a GPX file without points; add some"
    }
    return "no \(choice.rawValue), but \(grouped(largest.count)) points of "
      + "\(largest.name.rawValue); say `gpxPoints` \(largest.name.rawValue) to read them"
  }
}

/// Points as GeoJSON features, each on the line of its point.
private struct FeatureLines {
  private(set) var count = 0
  private var bytes = Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8)
  private var line = 1
  private var writer = JSONWriter()

  /// The features as one collection.
  var collection: [UInt8] { bytes + Array("]}".utf8) }

  mutating func append(_ point: GPXPoint) {
    if count > 0 { bytes.append(UInt8(ascii: ",")) }
    count += 1
    if point.line > line {
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: point.line - line))
      line = point.line
    }
    writer.removeAll()
    var position: Position?
    if let latitude = point.latitude, let longitude = point.longitude {
      position = Position(longitude: longitude, latitude: latitude, altitude: point.elevation)
    }
    writer.feature(
      Feature(geometry: position.map { .point($0) }, properties: FeatureLines.properties(point)))
    writer.endLine()
    bytes.append(contentsOf: writer.bytes.dropLast())
  }

  private static func properties(_ point: GPXPoint) -> Properties {
    var properties = Properties()
    for field in point.fields {
      let isNumber = field.name == "ele" && point.elevation != nil
      properties.append(field.name, isNumber ? .number(field.text) : .string(field.text))
    }
    switch point.role {
    case .waypoint: break
    case .routePoint(let route):
      properties.append("route", .integer(route))
      if let name = point.groupName { properties.append("route_name", .string(name)) }
    case .trackPoint(let track, let segment):
      properties.append("track", .integer(track))
      properties.append("segment", .integer(segment))
      if let name = point.groupName { properties.append("track_name", .string(name)) }
    }
    return properties
  }
}
