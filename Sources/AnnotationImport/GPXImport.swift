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

/// One reading of a GPX source: its points become GeoJSON features, each on the line of its point.
///
/// So memory holds the features instead of the file, and line numbers are those of the file.
struct GPXImport {
  let text: [UInt8]
  let source: String
  let options: ImportOptions

  func run(_ observer: ImportObserver) throws(ImportError) -> ImportResult {
    try text.withUnsafeBufferPointer { (bytes) throws(ImportError) -> ImportResult in
      let choice = options.gpxPoints ?? .waypoints
      // GPX allows no other CRS than WGS 84.
      var pass = FeaturePass(
        bytes, source: source, options: options, fields: FeatureFields(options), plane: nil,
        observer: observer)
      var kept = KeptRecords()
      var number = 0
      let document: GPXDocument
      do throws(GPXError) {
        document = try GPXReader().read(text) { point in
          guard choice.includes(point.role) else { return }
          number += 1
          pass.problems[number] = GPXImport.problem(with: point)
          pass.keeps(
            GPXImport.feature(point), record: number, at: point.byteOffset..<point.element.end,
            line: point.line, in: &kept)
        }
      } catch {
        throw ImportError(source, reading: error)
      }
      try pass.finish(GPXImport.emptyRemark(choice, document))
      return pass.result(kept)
    }
  }

  /// Why a point cannot be placed; nil if it has two numbers, or neither attribute.
  private static func problem(with point: GPXPoint) -> RowProblem? {
    if point.latitude != nil, point.longitude != nil { return nil }
    func written(_ text: String?) -> String? { text == "" ? nil : text }
    return .unread(
      latitude: written(point.latitudeText), longitude: written(point.longitudeText),
      isNumber: point.latitude != nil)
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

  private static func feature(_ point: GPXPoint) -> Feature {
    var position: Position?
    if let latitude = point.latitude, let longitude = point.longitude {
      position = Position(longitude: longitude, latitude: latitude, altitude: point.elevation)
    }
    return Feature(geometry: position.map { .point($0) }, properties: properties(point))
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
