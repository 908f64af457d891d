import Geodesy

/// The shortest line between two fixes, which is where somebody is taken to have gone.
struct FencePath {
  let start, end: Coordinate
  /// In meters.
  let length: Double
  /// At the start, in degrees.
  private let azimuth: Double

  init(from start: Coordinate, to end: Coordinate) {
    self.start = start
    self.end = end
    let line = Geodesic.inverse(from: start, to: end)
    length = line.distance.meters
    azimuth = line.azimuth1
  }

  /// The place so many meters along.
  func position(at along: Double) -> Coordinate {
    if along <= 0 { return start }
    if along >= length { return end }
    return start.destination(bearing: azimuth, distance: .meters(along))
  }

  /// The place so many meters along, and in which direction the path goes on from there.
  private func heading(at along: Double) -> (position: Coordinate, azimuth: Double) {
    let place = Geodesic.direct(
      latitude: start.latitude, longitude: start.longitude, azimuth: azimuth, distance: along)
    return (Coordinate(unchecked: place.latitude, place.longitude), place.azimuth)
  }

  /// The parts of the path that are no longer than this, in meters, so that the distance to a fence's
  /// center falls and then rises along each.
  private static let longestPart = 2_000_000.0

  /// The path in parts of at most 2,000 km.
  var parts: [FencePath] {
    let count = Int((length / FencePath.longestPart).rounded(.up))
    guard count > 1 else { return [self] }
    let corners = (0...count).map { position(at: length * Double($0) / Double(count)) }
    return zip(corners, corners.dropFirst()).map { FencePath(from: $0, to: $1) }
  }

  /// Where the path comes nearest to a center: how near, and how far along, in meters.
  ///
  /// The derivative of the distance is −cos of the angle between the path and the line to the center.
  /// In the plane the foot lies cos times the distance ahead; that step, kept between places known to
  /// lie before and behind the foot, converges in three or four rounds.
  ///
  /// - Precondition: the path is at most 2,000 km long, and the center less than 9,000 km away: balls
  ///   of a radius below π b / 2 are convex, so the distance has one minimum.
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
      // A millionth of a meter off the foot is nothing in the distance.
      if abs(next - along) < 1e-7 || high - low < 1e-7 { break }
      along = next
    }
    return best
  }

  /// Whether a path may come within a radius of a center, by the three lengths alone; no for certain.
  ///
  /// The ellipsoid is curved outward everywhere, so a place on one side of a triangle is no nearer to
  /// the opposite corner than in the plane triangle of the same sides.
  ///
  /// Source: V. A. Toponogov, "Riemannian spaces having their curvature bounded below by a positive
  /// number", Uspekhi Mat. Nauk 14, 1959.
  ///
  /// - Parameters:
  ///   - start: From the start of the path to the center, in meters.
  ///   - end: From its end, in meters.
  ///   - length: That of the path, in meters.
  static func mayPass(
    _ radius: Double, start: Double, end: Double, length: Double
  ) -> Bool {
    let (near, far) = (min(start, end), max(start, end))
    // Lengths may be off by a micrometer, and their squares by that many meters.
    let slack = 1e-5 * (near + far + length)
    let squaredReach = radius * radius + slack
    if near * near <= squaredReach { return true }
    // Where the foot lies beyond the nearer end, that end is the nearest place.
    if near * near + length * length <= far * far - slack { return false }
    guard length > 1 else { return true }
    let foot = (near * near + length * length - far * far) / (2 * length)
    return near * near - foot * foot <= squaredReach
  }
}
