import Geodesy

/// The shortest line between two fixes, the assumed path of the object.
struct FencePath {
  let start, end: Coordinate
  /// In meters.
  let length: Double
  /// The azimuth at the start, in degrees.
  private let azimuth: Double

  init(from start: Coordinate, to end: Coordinate) {
    self.start = start
    self.end = end
    let line = Geodesic.inverse(from: start, to: end)
    length = line.distance.meters
    azimuth = line.azimuth1
  }

  /// The position at a distance in meters along the path.
  func position(at along: Double) -> Coordinate {
    if along <= 0 { return start }
    if along >= length { return end }
    return start.destination(bearing: azimuth, distance: .meters(along))
  }

  /// The position and direction of the path at a distance in meters along it.
  private func heading(at along: Double) -> (position: Coordinate, azimuth: Double) {
    let place = Geodesic.direct(
      latitude: start.latitude, longitude: start.longitude, azimuth: azimuth, distance: along)
    return (Coordinate(unchecked: place.latitude, place.longitude), place.azimuth)
  }

  /// The maximum length of a part in meters, so that along each part the distance to a fence's
  /// center falls and then rises.
  private static let longestPart = 2_000_000.0

  /// The path in parts of at most 2,000 km.
  var parts: [FencePath] {
    let count = Int((length / FencePath.longestPart).rounded(.up))
    guard count > 1 else { return [self] }
    let corners = (0...count).map { position(at: length * Double($0) / Double(count)) }
    return zip(corners, corners.dropFirst()).map { FencePath(from: $0, to: $1) }
  }

  /// The nearest approach of the path to a center: the distance, and how far along it is, in meters.
  ///
  /// The derivative of the distance is −cos of the angle between the path and the line to the center. In the plane the
  /// foot lies cos times the distance ahead. Steps of that length, kept within a bracket around the foot, converge in
  /// three or four iterations.
  ///
  /// - Precondition: The path is at most 2,000 km long, and the center less than 9,000 km away: balls of a radius below
  ///   π b / 2 are convex, so the distance has one minimum.
  func nearestApproach(to center: Coordinate) -> (distance: Double, along: Double) {
    var low = 0.0, high = length
    var best = (distance: start.distance(to: center).meters, along: 0.0)
    let atEnd = end.distance(to: center).meters
    if atEnd < best.distance { best = (atEnd, length) }
    guard length > 0 else { return best }
    var along = min(length, max(0, (length + best.distance - atEnd) / 2))
    for _ in 0..<64 {
      let place = heading(at: along)
      let line = Geodesic.inverse(from: place.position, to: center)
      let distance = line.distance.meters
      if distance < best.distance { best = (distance, along) }
      guard distance > 0 else { break }
      let ahead = distance * cosine(radians(line.azimuth1 - place.azimuth))
      if ahead > 0 { low = along } else { high = along }
      var next = along + ahead
      if !(low < next && next < high) { next = (low + high) / 2 }
      // Being a micrometer off the foot does not affect the distance.
      if abs(next - along) < 1e-7 || high - low < 1e-7 { break }
      along = next
    }
    return best
  }
}
