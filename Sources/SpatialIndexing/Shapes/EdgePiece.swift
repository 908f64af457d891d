import Geodesy

/// An edge or a part of one, with quickly computed bounds.
///
/// The nearest point is found on parts that span at most a quarter of a degree on either axis.
///
/// An edge is straight in longitude and latitude. As a curve r(s) in space, s from 0 to 1, it bends
/// away from its chord by at most max |r″| / 8. With Δφ and Δλ in radians,
///
///     r″ = r_φφ Δφ² + 2 r_φλ ΔφΔλ + r_λλ Δλ²,
///     |r_φφ| = M √(1 + (M′/M)²) ≤ 6,400,100 m,  |r_φλ| = M |sin φ|,  |r_λλ| = N cos φ,
///
/// M ≤ N ≤ a²/b = 6,399,594 m being the radii of curvature. `sag` is that bound with 6,410 km for
/// all of them.
package struct EdgePiece: Sendable {
  /// The ends in space, in meters.
  package let start, end: ECEFPosition
  /// The ends in degrees; longitudes are unrolled.
  package let startLatitude, startLongitude, endLatitude, endLongitude: Double
  /// The maximum deviation of the edge from its chord, in meters.
  package let sag: Double
  /// An upper bound of the length, in meters.
  package let greatestLength: Double

  package init(
    start: (latitude: Double, longitude: Double), end: (latitude: Double, longitude: Double)
  ) {
    startLatitude = start.latitude
    startLongitude = start.longitude
    endLatitude = end.latitude
    endLongitude = end.longitude
    self.start = EdgePiece.space(start.latitude, start.longitude)
    self.end = EdgePiece.space(end.latitude, end.longitude)
    let north = radians(abs(end.latitude - start.latitude))
    let east = radians(abs(end.longitude - start.longitude))
    let crossesEquator = start.latitude * end.latitude <= 0
    let leastLatitude = crossesEquator ? 0 : min(abs(start.latitude), abs(end.latitude))
    let widest = cosine(radians(leastLatitude))
    sag =
      EdgePiece.radius * (north * north + 2 * north * east + widest * east * east) / 8
      + EdgePiece.rounding
    greatestLength = EdgePiece.radius * (north + widest * east) + EdgePiece.rounding
  }

  /// The longest span of a piece, in degrees on either axis.
  private static let longest = 0.25

  /// Whether it has to be halved before its nearest point can be found.
  var isLong: Bool {
    max(abs(endLatitude - startLatitude), abs(endLongitude - startLongitude)) > EdgePiece.longest
  }

  /// The two halves.
  var halves: (EdgePiece, EdgePiece) {
    let middle = (
      latitude: startLatitude + (endLatitude - startLatitude) / 2,
      longitude: startLongitude + (endLongitude - startLongitude) / 2
    )
    return (
      EdgePiece(start: (startLatitude, startLongitude), end: middle),
      EdgePiece(start: middle, end: (endLatitude, endLongitude))
    )
  }

  /// Whether a position lies on the piece; exact.
  func contains(_ position: Coordinate) -> Bool {
    position.isOnEdge(from: (startLatitude, startLongitude), to: (endLatitude, endLongitude))
  }

  /// Calls `body` with the piece, or with the parts of a long one in order from its start.
  ///
  /// Parts that fail the test are left out whole.
  package func forEachPiece(where isChosen: (EdgePiece) -> Bool, _ body: (EdgePiece) -> Void) {
    guard isLong else { return body(self) }
    let (first, second) = halves
    for half in [first, second] where isChosen(half) {
      half.forEachPiece(where: isChosen, body)
    }
  }

  /// An upper bound for radii of curvature and second derivatives of positions, in meters.
  static let radius = 6_410_000.0
  /// A generous bound for the rounding of positions in space, in meters.
  static let rounding = 1e-7

  private static func space(_ latitude: Double, _ longitude: Double) -> ECEFPosition {
    ECEFPosition(latitude: latitude, longitude: Coordinate.wrappedLongitude(longitude))
  }

  /// The position at a fraction of the piece's length.
  package func position(at fraction: Double) -> Coordinate {
    Coordinate(
      unchecked: startLatitude + (endLatitude - startLatitude) * fraction,
      Coordinate.wrappedLongitude(startLongitude + (endLongitude - startLongitude) * fraction))
  }

  /// The distance in space from a position to the chord, in meters: the edge is nearer or farther by
  /// at most `sag`.
  @inline(__always)
  package func chordDistance(to position: ECEFPosition) -> Double {
    Capsule(from: start, to: end, reach: 0).nearest(to: position).squaredDistance.squareRoot()
  }

  /// The middle of the chord, and the radius of the piece around it, in meters.
  @inline(__always)
  package var ball: (middle: ECEFPosition, reach: Double) {
    let middle = ECEFPosition(
      x: (start.x + end.x) / 2, y: (start.y + end.y) / 2, z: (start.z + end.z) / 2)
    return (middle, start.squaredChord(to: end).squareRoot() / 2 + sag)
  }

  /// The distance on the ground from an origin to the nearest point of the piece, in meters.
  ///
  /// Over so short a piece, the distance falls and then rises.
  package func distance(from origin: LineOrigin) -> Double {
    func distance(_ fraction: Double) -> Double { origin.distance(to: position(at: fraction)) }
    return min(distance(0), distance(1), leastPlace(in: 0...1, of: distance).value)
  }

  /// The distance by the point beside the foot on the chord, if that is certainly as near to a tenth of
  /// a millimeter.
  ///
  /// Half the squared distance d² to the point r(s) has the derivative (r − p)·r′. At the foot of the
  /// chord c, to which p − c is normal, that is no more than 4 sag d + sag (ℓ + 4 sag), as r is within
  /// sag of c and r′ within 4 sag of c′. Its second derivative is |r′|² + (r − p)·r″, no less than ℓ²/2
  /// where 8 sag (d + ℓ) ≤ ℓ²/4. So the nearest point lies no farther along than w = 8 sag d/ℓ + 3 sag,
  /// and is nearer by w²/d at most.
  package func shownDistance(from place: ECEFPosition, _ origin: LineOrigin) -> Double {
    let chord = Capsule(from: start, to: end, reach: 0)
    let foot = chord.nearest(to: place)
    let length = start.squaredChord(to: end).squareRoot()
    let away = foot.squaredDistance.squareRoot()
    let width = sag * (8 * away / max(length, 1e-3) + 3)
    let isCertain = 32 * sag * (away + length) <= length * length && width * width <= 1e-4 * away
    return isCertain
      ? origin.distance(to: position(at: foot.fraction)) : distance(from: origin)
  }

  // MARK: The nearest place

  /// The point of the piece nearest to an origin, as a fraction of its length, and its distance in meters.
  ///
  /// The chord to a point of the piece falls and then rises along it, and is nearly a parabola, so three parabolas,
  /// each through three points ten times closer together, find its minimum. The geodesic's minimum is beside that,
  /// by less than 10 m within 1,000 km, which changes it by less than 0.1 mm. Beyond, `GroundBalls` picks the
  /// nearest of nine points, and a parabola through geodesics the point beside it; on the far half of the Earth that
  /// is mostly an end. Near the antipode none of this holds, and the whole piece is searched.
  ///
  /// - Complexity: some 0.1 µs within 100 km, 1 µs within 1,000 km, 4 µs beyond.
  func nearest(
    from origin: LineOrigin, at place: ECEFPosition, _ ground: GroundBalls
  ) -> (fraction: Double, distance: Double) {
    let chord = Capsule(from: start, to: end, reach: 0)
    let foot = chord.nearest(to: place)
    guard foot.squaredDistance < EdgePiece.near * EdgePiece.near else {
      return farNearest(from: origin, ground) ?? nearestAllAlong(from: origin)
    }
    func squaredChord(_ fraction: Double) -> Double {
      origin.squaredChord(
        latitude: startLatitude + (endLatitude - startLatitude) * fraction,
        longitude: Coordinate.wrappedLongitude(
          startLongitude + (endLongitude - startLongitude) * fraction))
    }
    func distance(_ fraction: Double) -> Double { origin.distance(to: position(at: fraction)) }
    var fraction = foot.fraction
    for step in [0.1, 0.01, 0.001] {
      guard let vertex = EdgePiece.lowest(beside: fraction, step, squaredChord) else {
        return nearestAllAlong(from: origin)
      }
      fraction = vertex
    }
    var best = (fraction: fraction, distance: distance(fraction))
    for end in [0.0, 1] where abs(best.fraction - end) < 0.01 {
      best = min(best, (end, distance(end))) { $0.distance < $1.distance }
    }
    return best
  }

  /// The distance in meters up to which the least chord tells where the least geodesic is.
  private static let near = 1_000_000.0

  /// The nearest point as seen from far away; nil if the piece comes near the antipode.
  private func farNearest(
    from origin: LineOrigin, _ ground: GroundBalls
  ) -> (fraction: Double, distance: Double)? {
    func distance(_ fraction: Double) -> Double { origin.distance(to: position(at: fraction)) }
    let parts = 8
    var about: [Double] = []
    about.reserveCapacity(parts + 1)
    for part in 0...parts {
      let place = position(at: Double(part) / Double(parts))
      guard let distance = ground.distance(to: ECEFPosition(place)) else { return nil }
      about.append(distance)
    }
    let lowest = about.indices.min { about[$0] < about[$1] } ?? 0
    var best = (fraction: Double(lowest) / Double(parts), distance: Double.infinity)
    if lowest > 0, lowest < parts {
      let step = 1 / Double(parts)
      let start = EdgePiece.vertex(
        best.fraction, step, about[lowest - 1], about[lowest], about[lowest + 1])
      let vertex = EdgePiece.lowest(beside: start, 0.05, distance) ?? start
      best = (vertex, distance(vertex))
    } else {
      // The minimum may still lie between this end and the next of the nine.
      let end = best.fraction
      best.distance = distance(end)
      if let vertex = EdgePiece.lowest(beside: end, 0.05, distance), vertex != end {
        best = min(best, (vertex, distance(vertex))) { $0.distance < $1.distance }
      }
    }
    for end in [0, parts]
    where end != lowest && about[end] - about[lowest] < EdgePiece.uncertainty {
      let fraction = Double(end) / Double(parts)
      best = min(best, (fraction, distance(fraction))) { $0.distance < $1.distance }
    }
    return best
  }

  /// An upper bound, in meters, for the error of differences of `GroundBalls` distances to points of one
  /// piece.
  private static let uncertainty = 10.0

  /// The fraction, from 0 to 1, where a parabola through three values at even steps is lowest, if it
  /// bends upward.
  private static func vertex(
    _ middle: Double, _ step: Double, _ before: Double, _ here: Double, _ after: Double
  ) -> Double {
    let bend = before - 2 * here + after
    guard bend > 0 else { return middle }
    return Swift.min(Swift.max(middle + step * (before - after) / (2 * bend), 0), 1)
  }

  /// The fraction, from 0 to 1, where a parabola through three values of a function is lowest; nil if
  /// there is none.
  @inline(__always)
  private static func lowest(
    beside fraction: Double, _ step: Double, _ value: (Double) -> Double
  ) -> Double? {
    let middle = min(max(fraction, step), 1 - step)
    let before = value(middle - step), here = value(middle), after = value(middle + step)
    guard before - 2 * here + after > 0 else {
      // Flat to the last digit: a piece of no length, or one so far that it makes no difference.
      return abs(before - after) <= 1e-9 * here ? middle : nil
    }
    return vertex(middle, step, before, here, after)
  }

  private func nearestAllAlong(from origin: LineOrigin) -> (fraction: Double, distance: Double) {
    func distance(_ fraction: Double) -> Double { origin.distance(to: position(at: fraction)) }
    var best = (fraction: 0.0, distance: distance(0))
    best = min(best, (1, distance(1))) { $0.distance < $1.distance }
    let parts = 16
    for part in 0..<parts {
      let range = Double(part) / Double(parts)...Double(part + 1) / Double(parts)
      let found = leastPlace(in: range, of: distance)
      best = min(best, (found.place, found.value)) { $0.distance < $1.distance }
    }
    return best
  }
}

/// The lesser of two by an order.
private func min<Element>(
  _ a: Element, _ b: Element, by isLess: (Element, Element) -> Bool
) -> Element { isLess(b, a) ? b : a }
