import GPXCoding
import GeoJSONCoding
import Geodesy
import LocationFiltering
import MapAnnotations
import TrackImport

/// The fixes of a track that a gate believes, on their way into a file.
struct CleanTrack {
  /// One that is written, with no more than is written of it: a long track has millions.
  struct Point {
    let coordinate: Coordinate
    let part: Int
    let elevation: Double?
    /// Seconds since 1970; nil without a time or without a date.
    let time: Double?
    let accuracy: Double?

    init(_ coordinate: Coordinate, _ point: TrackPoint) {
      self.coordinate = coordinate
      part = point.part
      elevation = point.elevation
      time = point.isDated ? point.fix.time : nil
      accuracy = point.fix.accuracy
    }
  }

  /// Whether only accepted fixes are kept, and not those that were held.
  let keepsAcceptedOnly: Bool
  private var smoother: TrackSmoother?
  private(set) var points: [Point] = []
  /// Held fixes that contradict those before, until it is known which of them are right.
  private var doubted: [Point] = []

  init(keepsAcceptedOnly: Bool, smoother: TrackSmoother? = nil) {
    self.keepsAcceptedOnly = keepsAcceptedOnly
    self.smoother = smoother
  }

  mutating func add(_ judged: JudgedPoint) {
    guard !judged.isRejected, let coordinate = judged.point.fix.coordinate else {
      doubted = []
      return
    }
    if judged.isDoubted {
      if !keepsAcceptedOnly { doubted.append(Point(coordinate, judged.point)) }
      return
    }
    if judged.isReanchored { points += doubted }
    doubted = []
    let shown = judged.gateVerdict.flatMap { smoother?.smooth(judged.point.fix, $0) }
    if judged.isAccepted || !keepsAcceptedOnly {
      points.append(Point(shown ?? coordinate, judged.point))
    }
  }

  /// Hands over the points that are certain, and forgets them.
  mutating func takePoints() -> [Point] {
    defer { points.removeAll(keepingCapacity: true) }
    return points
  }

  /// A line for each part, with its times in `coordTimes`; a point for a part of one.
  ///
  /// A line ends where it would cross ±180°, and another begins on the other side.
  func geoJSON() -> [UInt8] {
    let positions = points.map(\.coordinate)
    return GeoJSONWriter.bytes(
      of: lines.map(feature), bbox: positions.isEmpty ? nil : BoundingBox(around: positions))
  }

  private var lines: [ArraySlice<Point>] {
    var lines: [ArraySlice<Point>] = []
    var start = 0
    for place in points.indices.dropFirst() {
      let (last, next) = (points[place - 1], points[place])
      let crosses = abs(last.coordinate.longitude - next.coordinate.longitude) > 180
      if last.part != next.part || crosses {
        lines.append(points[start..<place])
        start = place
      }
    }
    if start < points.count { lines.append(points[start...]) }
    return lines
  }

  private func feature(_ line: ArraySlice<Point>) -> Feature {
    let positions = line.map { point in
      Position(
        longitude: point.coordinate.longitude, latitude: point.coordinate.latitude,
        altitude: point.elevation.flatMap { $0.isFinite ? $0 : nil })
    }
    let times = line.map { point in
      point.time.flatMap(GPXTime.text).map(PropertyValue.string) ?? .null
    }
    var properties = Properties()
    properties.append("part", .integer(line.first?.part ?? 1))
    let isTimed = times.contains { $0 != .null }
    if positions.count == 1 {
      if isTimed { properties.append("time", times[0]) }
      return Feature(geometry: .point(positions[0]), properties: properties)
    }
    if isTimed { properties.append("coordTimes", .array(times)) }
    return Feature(geometry: .lineString(positions), properties: properties)
  }
}
