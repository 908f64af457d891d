import Geodesy

/// All points within a distance of a line segment in space, which may be a point.
package struct Capsule {
  package let start: ECEFPosition
  /// The vector from the start of the segment to its end, in meters.
  package let x, y, z: Double
  /// The inverse squared length in 1 / m²; 0 for a point.
  package let perSquaredLength: Double
  /// The radius in meters.
  package var reach: Double

  package init(from start: ECEFPosition, to end: ECEFPosition, reach: Double) {
    self.start = start
    (x, y, z) = (end.x - start.x, end.y - start.y, end.z - start.z)
    let squared = x * x + y * y + z * z
    // A segment shorter than rounding is a point.
    perSquaredLength = squared > 1e-20 ? 1 / squared : 0
    self.reach = reach
  }

  /// The nearest point of the segment, as a fraction of its length, and its squared distance.
  @inline(__always)
  package func nearest(to place: ECEFPosition) -> (fraction: Double, squaredDistance: Double) {
    nearest(place.x, place.y, place.z)
  }

  @inline(__always)
  package func nearest(
    _ placeX: Double, _ placeY: Double, _ placeZ: Double
  ) -> (fraction: Double, squaredDistance: Double) {
    let (px, py, pz) = (placeX - start.x, placeY - start.y, placeZ - start.z)
    let along = (px * x + py * y + pz * z) * perSquaredLength
    // Two selections, which need no branch.
    let atLeast = along > 0 ? along : 0
    let fraction = atLeast < 1 ? atLeast : 1
    let (qx, qy, qz) = (px - fraction * x, py - fraction * y, pz - fraction * z)
    return (fraction, qx * qx + qy * qy + qz * qz)
  }

  /// The point of the segment at a fraction of its length.
  package func place(at fraction: Double) -> ECEFPosition {
    ECEFPosition(
      x: start.x + fraction * x, y: start.y + fraction * y, z: start.z + fraction * z)
  }
}

/// Eight balls in space in single precision, tested at once.
///
/// Slack makes up for single precision: it lengthens their radii, and the reach of what they are
/// compared with.
struct EightBalls: BitwiseCopyable {
  var x = SIMD8<Float>(repeating: .nan), y = SIMD8<Float>(repeating: .nan)
  var z = SIMD8<Float>(repeating: .nan), radius = SIMD8<Float>(repeating: .nan)

  /// The relative error of a length.
  ///
  /// Coordinates and the results of a dozen operations are each rounded by a relative 2⁻²⁴.
  static let slackFactor = 1e-5

  /// Makes eight empty balls.
  init() {}

  /// Makes eight balls from their centers, in meters from the common origin, and radii; NaN for
  /// none.
  init(_ x: SIMD8<Float>, _ y: SIMD8<Float>, _ z: SIMD8<Float>, radii: SIMD8<Float>) {
    (self.x, self.y, self.z) = (x, y, z)
    radius = radii * Float(1 + EightBalls.slackFactor)
  }

  /// A lower bound of the distance from a position to each ball, in meters; NaN for none, negative
  /// inside.
  ///
  /// - Parameter slack: The error of the balls' coordinates, and of the position's.
  @inline(__always)
  func leastChords(to position: ECEFPosition, slack: Double) -> SIMD8<Float> {
    let px = x - Float(position.x), py = y - Float(position.y), pz = z - Float(position.z)
    let distance = (px * px + py * py + pz * pz).squareRoot()
    return distance * Float(1 - EightBalls.slackFactor) - radius - Float(2 * slack)
  }

  /// A ball around all of them, as stored in single precision.
  var ballAround: (place: ECEFPosition, radius: Double) {
    func middle(_ numbers: SIMD8<Float>) -> Float {
      var least = Float.infinity, greatest = -Float.infinity
      for lane in 0..<8 where !radius[lane].isNaN {
        least = min(least, numbers[lane] - radius[lane])
        greatest = max(greatest, numbers[lane] + radius[lane])
      }
      return least / 2 + greatest / 2
    }
    let (x, y, z) = (middle(x), middle(y), middle(z))
    let px = self.x - x, py = self.y - y, pz = self.z - z
    let reach = (px * px + py * py + pz * pz).squareRoot() + radius
    var most: Float = 0
    for lane in 0..<8 where reach[lane] > most { most = reach[lane] }
    return (
      ECEFPosition(x: Double(x), y: Double(y), z: Double(z)),
      Double(most) * (1 + EightBalls.slackFactor)
    )
  }

  /// Sets one of the eight balls.
  ///
  /// - Parameters:
  ///   - center: The center, in meters from the common origin.
  ///   - radius: In meters.
  mutating func set(
    _ place: Int, _ center: (x: Double, y: Double, z: Double), radius: Double
  ) {
    (x[place], y[place], z[place]) = (Float(center.x), Float(center.y), Float(center.z))
    self.radius[place] = Float(radius * (1 + EightBalls.slackFactor))
  }
}

/// A capsule in single precision, each number repeated eight times.
struct EightfoldCapsule {
  private let startX, startY, startZ, x, y, z, perSquaredLength, reach: SIMD8<Float>

  /// - Parameters:
  ///   - origin: The common origin of the balls.
  ///   - slack: The error of their coordinates, in meters.
  init(_ capsule: Capsule, from origin: ECEFPosition, slack: Double) {
    func eight(_ number: Double) -> SIMD8<Float> { SIMD8(repeating: Float(number)) }
    startX = eight(capsule.start.x - origin.x)
    startY = eight(capsule.start.y - origin.y)
    startZ = eight(capsule.start.z - origin.z)
    (x, y, z) = (eight(capsule.x), eight(capsule.y), eight(capsule.z))
    perSquaredLength = eight(capsule.perSquaredLength)
    let length =
      (capsule.x * capsule.x + capsule.y * capsule.y + capsule.z * capsule.z).squareRoot()
    reach = eight(capsule.reach + (capsule.reach + length) * EightBalls.slackFactor + slack)
  }

  /// The balls among eight that it touches, and perhaps some that it nearly touches.
  @inline(__always)
  func touched(_ balls: EightBalls) -> EightChoices {
    let px = balls.x - startX, py = balls.y - startY, pz = balls.z - startZ
    var along = (px * x + py * y + pz * z) * perSquaredLength
    along.replace(with: 0, where: along .< 0)
    along.replace(with: 1, where: along .> 1)
    let qx = px - along * x, qy = py - along * y, qz = pz - along * z
    let reach = balls.radius + reach
    return EightChoices(qx * qx + qy * qy + qz * qz .<= reach * reach)
  }
}

/// A choice among eight lanes, which yields their numbers from either end.
package struct EightChoices: Sequence, IteratorProtocol {
  /// The lowest bit of one byte per lane.
  private var bytes: UInt64

  @inline(__always)
  init(_ mask: SIMDMask<SIMD8<Int32>>) {
    // All bits of a lane are alike, so a quarter of it is enough; the compiler packs them in two steps.
    let halves = unsafeBitCast(mask, to: SIMD16<Int16>.self).evenHalf
    let quarters = unsafeBitCast(halves, to: SIMD16<Int8>.self).evenHalf
    bytes = UInt64(littleEndian: unsafeBitCast(quarters, to: UInt64.self)) & 0x0101_0101_0101_0101
  }

  /// Removes and returns the first number.
  @inline(__always)
  package mutating func next() -> Int? {
    guard bytes != 0 else { return nil }
    let place = bytes.trailingZeroBitCount / 8
    bytes &= bytes &- 1
    return place
  }

  /// Removes and returns the last number.
  @inline(__always)
  package mutating func popLast() -> Int? {
    guard bytes != 0 else { return nil }
    let bit = 63 &- bytes.leadingZeroBitCount
    bytes ^= 1 &<< UInt64(truncatingIfNeeded: bit)
    return bit / 8
  }
}
