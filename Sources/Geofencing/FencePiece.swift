import Geodesy

/// A part of an edge, at most a quarter of a degree long, that bounds can be computed for quickly.
///
/// An edge is straight in longitude and latitude. As a curve r(s) in space, s from 0 to 1, it bends
/// away from its chord by at most max |r″| / 8. With Δφ and Δλ in radians,
///
///     r″ = r_φφ Δφ² + 2 r_φλ ΔφΔλ + r_λλ Δλ²,
///     |r_φφ| = M √(1 + (M′/M)²) ≤ 6,400,100 m,  |r_φλ| = M |sin φ|,  |r_λλ| = N cos φ,
///
/// M ≤ N ≤ a²/b = 6,399,594 m being the radii of curvature. `sag` is that with 6,410 km for all.
struct FencePiece: Sendable {
  /// The ends in space, in meters.
  let start, end: ECEFPosition
  /// The ends in degrees; longitudes are unrolled.
  let startLatitude, startLongitude, endLatitude, endLongitude: Double
  /// How far the edge bends away from the chord at most, in meters.
  let sag: Double
  /// No longer than this, in meters.
  let greatestLength: Double

  init(
    start: (latitude: Double, longitude: Double), end: (latitude: Double, longitude: Double)
  ) {
    startLatitude = start.latitude
    startLongitude = start.longitude
    endLatitude = end.latitude
    endLongitude = end.longitude
    self.start = FencePiece.space(start.latitude, start.longitude)
    self.end = FencePiece.space(end.latitude, end.longitude)
    let north = radians(abs(end.latitude - start.latitude))
    let east = radians(abs(end.longitude - start.longitude))
    let crossesEquator = start.latitude * end.latitude <= 0
    let leastLatitude = crossesEquator ? 0 : min(abs(start.latitude), abs(end.latitude))
    let widest = cosine(radians(leastLatitude))
    sag =
      FencePiece.radius * (north * north + 2 * north * east + widest * east * east) / 8
      + FencePiece.rounding
    greatestLength = FencePiece.radius * (north + widest * east) + FencePiece.rounding
  }

  /// No radius of curvature and no second derivative of a position is longer, in meters.
  private static let radius = 6_410_000.0
  /// What positions in space may be wrong by, in meters, many times over.
  private static let rounding = 1e-7

  private static func space(_ latitude: Double, _ longitude: Double) -> ECEFPosition {
    ECEFPosition(latitude: latitude, longitude: Coordinate.wrappedLongitude(longitude))
  }

  /// The place a part of the way along.
  func position(at fraction: Double) -> Coordinate {
    Coordinate(
      unchecked: startLatitude + (endLatitude - startLatitude) * fraction,
      Coordinate.wrappedLongitude(startLongitude + (endLongitude - startLongitude) * fraction))
  }

  /// The distance in space from a position to the chord, in meters: the edge is nearer or farther by
  /// no more than `sag`.
  @inline(__always)
  func chordDistance(to position: ECEFPosition) -> Double {
    let (dx, dy, dz) = (end.x - start.x, end.y - start.y, end.z - start.z)
    let (px, py, pz) = (position.x - start.x, position.y - start.y, position.z - start.z)
    let squaredLength = dx * dx + dy * dy + dz * dz
    let along = px * dx + py * dy + pz * dz
    let fraction =
      along <= 0 ? 0 : along >= squaredLength ? 1 : along / squaredLength
    let (qx, qy, qz) = (px - fraction * dx, py - fraction * dy, pz - fraction * dz)
    return (qx * qx + qy * qy + qz * qz).squareRoot()
  }

  /// The middle of the chord, and how far from it the piece reaches, in meters.
  @inline(__always)
  var ball: (middle: ECEFPosition, reach: Double) {
    let middle = ECEFPosition(
      x: (start.x + end.x) / 2, y: (start.y + end.y) / 2, z: (start.z + end.z) / 2)
    return (middle, start.squaredChord(to: end).squareRoot() / 2 + sag)
  }

  /// The distance on the ground from an origin to the nearest place of the piece, in meters, which
  /// falls and then rises over so short a piece.
  func distance(from origin: LineOrigin) -> Double {
    func distance(_ fraction: Double) -> Double { origin.distance(to: position(at: fraction)) }
    return min(distance(0), distance(1), leastValue(in: 0...1, of: distance))
  }

  /// The same by the place beside the foot on the chord, where that is certain to be as near to a
  /// tenth of a millimeter.
  ///
  /// Half the squared distance d² to the place r(s) has the derivative (r − p)·r′. At the foot of the
  /// chord c, to which p − c is normal, that is no more than 4 sag d + sag (ℓ + 4 sag), as r is within
  /// sag of c and r′ within 4 sag of c′. Its second derivative is |r′|² + (r − p)·r″, no less than ℓ²/2
  /// where 8 sag (d + ℓ) ≤ ℓ²/4. So the nearest place lies no farther along than
  /// w = 8 sag d/ℓ + 3 sag, and is nearer by w²/d at most.
  func shownDistance(from place: ECEFPosition, _ origin: LineOrigin) -> Double {
    let chord = FenceCapsule(from: start, to: end, reach: 0)
    let foot = chord.nearest(to: place)
    let length = start.squaredChord(to: end).squareRoot()
    let away = foot.squaredDistance.squareRoot()
    let width = sag * (8 * away / max(length, 1e-3) + 3)
    let isCertain = 32 * sag * (away + length) <= length * length && width * width <= 1e-4 * away
    return isCertain
      ? origin.distance(to: position(at: foot.fraction)) : distance(from: origin)
  }
}
