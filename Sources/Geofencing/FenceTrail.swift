import Geodesy
import SpatialIndexing

/// The path from the previous fix as straight lines in space.
///
/// With these lines most fences are found to be far from the path, or crossed, without a geodesic.
///
/// On a curve of length ℓ with curvature at most κ, each point is within κℓ²/8 of a point on its chord, and vice versa:
/// the difference of curve and chord is 0 at both ends and its second derivative at most κ. A geodesic has the normal
/// curvature of the ellipsoid, at most 1/R₁; so over 300 m it deviates from its chord by 1.8 mm, over 8 km by 1.3 m.
struct FenceTrail {
  /// The first line; the reach of a line is the maximum distance of the path from it.
  private let first: Capsule
  private let others: [Capsule]
  /// The length of the path, in meters.
  private let length: Double

  /// Longer paths are cut, in meters: up to this length few fences are near enough to a line to
  /// need a closer test.
  private static let longestLine = 8_000.0
  private static let mostLines = 64
  /// Farther centers, and paths of longer lines, are left to geodesics, in meters.
  private static let greatestReach = 20_000.0
  private static let greatestLength = longestLine * Double(mostLines)
  /// Much more than the error of points in space, in meters.
  private static let rounding = 1e-7

  /// - Parameters:
  ///   - path: Called if the path is longer than one line.
  ///   - length: An upper bound of the path's length, in meters.
  init(
    from start: ECEFPosition, to end: ECEFPosition, length: Double, path: () -> FencePath
  ) {
    let count = min(
      FenceTrail.mostLines, max(1, Int((length / FenceTrail.longestLine).rounded(.up))))
    let reach = FenceTrail.reach(ofLine: length / Double(count))
    self.length = length
    guard count > 1 else {
      first = Capsule(from: start, to: end, reach: reach)
      others = []
      return
    }
    let path = path()
    let corners = (0...count).map { number in
      ECEFPosition(path.position(at: path.length * (Double(number) / Double(count))))
    }
    let lines = zip(corners, corners.dropFirst()).map {
      Capsule(from: $0, to: $1, reach: reach)
    }
    first = lines[0]
    others = Array(lines.dropFirst())
  }

  /// A placeholder for a path that is not needed.
  static let nowhere = FenceTrail(
    from: ECEFPosition(x: 0, y: 0, z: 0), to: ECEFPosition(x: 0, y: 0, z: 0), length: 0
  ) { preconditionFailure("a path of no length is one line") }

  private static func reach(ofLine length: Double) -> Double {
    length * length / (8 * WGS84.smallestCurvatureRadius) + rounding
  }

  /// Whether the path has more than one line.
  var isCut: Bool { !others.isEmpty }

  /// The lines in their order.
  @inline(__always)
  func forEachLine(_ body: (Capsule) -> Void) {
    body(first)
    for line in others { body(line) }
  }

  /// Whether the path may enter a ball, as far as lines can tell; false is certain.
  @inline(__always)
  func mayTouch(_ center: ECEFPosition, _ radius: Double) -> Bool {
    FenceTrail.touches(first, center, radius)
      || others.contains { FenceTrail.touches($0, center, radius) }
  }

  @inline(__always)
  static func touches(_ line: Capsule, _ center: ECEFPosition, _ radius: Double) -> Bool {
    let reach = radius + line.reach
    return line.nearest(to: center).squaredDistance <= reach * reach
  }

  /// Whether the path comes within a circle.
  enum Passing {
    case apart
    /// Certain, at this distance from its center in meters, and at this position.
    case within(distance: Double, position: Coordinate)
    case unknown
  }

  func passing(_ circle: FenceIndex.BorderCircle) -> Passing {
    var line = first
    var nearest = first.nearest(to: circle.place)
    for other in others {
      let found = other.nearest(to: circle.place)
      if found.squaredDistance < nearest.squaredDistance { (line, nearest) = (other, found) }
    }
    let chord = nearest.squaredDistance.squareRoot()
    let least = max(0, chord - line.reach)
    if least > circle.radius || ChordBracket.geodesics(chord: least).shortest > circle.radius {
      return .apart
    }
    guard chord < FenceTrail.greatestReach, length <= FenceTrail.greatestLength,
      ChordBracket.geodesics(chord: chord + line.reach).longest <= circle.radius
    else { return .unknown }
    let place = line.place(
      beside: nearest.fraction, squaredDistance: nearest.squaredDistance)
    return .within(distance: LineOrigin(place).distance(to: circle.center), position: place)
  }
}

extension Capsule {
  /// The position on the ground where a geodesic of at most a few kilometers, whose chord the line
  /// is, comes nearest to a center.
  ///
  /// The geodesic lies above its chord, sideways by some micrometers at most. It is inclined to the
  /// chord by (ℓ/2 − s)/R, and the center lies d²/2R below the ground at the foot, which moves the
  /// foot by the product.
  ///
  /// - Parameters:
  ///   - fraction: The position of the foot on the chord.
  ///   - squaredDistance: The squared distance from the center.
  fileprivate func place(beside fraction: Double, squaredDistance: Double) -> Coordinate {
    let radius = WGS84.meanRadius
    let shift = (0.5 - fraction) * squaredDistance / (2 * radius * radius)
    let foot = place(at: min(1, max(0, fraction - shift)))
    // Up to the ellipsoid along its gradient, by one Newton step: F = (x² + y²)/a² + z²/b² = 1.
    let perA = 1 / (WGS84.equatorialRadius * WGS84.equatorialRadius)
    let perB = 1 / (WGS84.polarRadius * WGS84.polarRadius)
    let (gx, gy, gz) = (foot.x * perA, foot.y * perA, foot.z * perB)
    let deficit = 1 - (foot.x * gx + foot.y * gy + foot.z * gz)
    let rise = deficit / (2 * (gx * gx + gy * gy + gz * gz))
    return ECEFPosition(x: foot.x + rise * gx, y: foot.y + rise * gy, z: foot.z + rise * gz)
      .placeUnder
  }
}
