// Sines, cosines and the angles made of them. The only file that imports a platform's mathematics
// library: all others call these functions, so the core builds wherever Swift does and needs no
// Foundation.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(WASILibc)
  import WASILibc
#elseif canImport(ucrt)
  import ucrt
#endif

/// The sine of an angle in radians.
@inline(__always) package func sine(_ radians: Double) -> Double { sin(radians) }

/// The cosine of an angle in radians.
@inline(__always) package func cosine(_ radians: Double) -> Double { cos(radians) }

/// The angle whose sine is `value`, in radians; `value` in −1…1.
@inline(__always) package func arcSine(_ value: Double) -> Double { asin(value) }

/// The angle whose tangent is `value`, in radians.
@inline(__always) package func arcTangent(_ value: Double) -> Double { atan(value) }

/// The angle of the point (x, y) as seen from the origin, in radians, −π…π.
@inline(__always) package func arcTangent(y: Double, x: Double) -> Double { atan2(y, x) }

/// The length of the hypotenuse of a right triangle, without overflow.
@inline(__always) package func hypotenuse(_ x: Double, _ y: Double) -> Double { hypot(x, y) }

/// The hyperbolic sine.
@inline(__always) package func hyperbolicSine(_ value: Double) -> Double { sinh(value) }

/// The hyperbolic cosine.
@inline(__always) package func hyperbolicCosine(_ value: Double) -> Double { cosh(value) }

/// The number whose hyperbolic sine is `value`.
@inline(__always) package func areaHyperbolicSine(_ value: Double) -> Double { asinh(value) }

/// The number whose hyperbolic tangent is `value`; `value` in −1…1.
@inline(__always) package func areaHyperbolicTangent(_ value: Double) -> Double { atanh(value) }

/// Converts degrees to radians.
@inline(__always) package func radians(_ degrees: Double) -> Double { degrees * (Double.pi / 180) }

/// Converts radians to degrees.
@inline(__always) package func degrees(_ radians: Double) -> Double { radians * (180 / Double.pi) }

// MARK: - Angles

/// The sine and the cosine of an angle, outside the type, in which these words mean its members.
///
/// The module's name would not do: the benchmarks compile these sources once more, under another one.
@inline(__always)
private func unitAngle(_ radians: Double) -> UnitAngle {
  UnitAngle(sine: sine(radians), cosine: cosine(radians))
}

/// An angle stored as its sine and cosine: the geodesic formulas turn, mirror and compare angles
/// without needing radians.
struct UnitAngle {
  var sine: Double
  var cosine: Double

  static let zero = UnitAngle(sine: 0, cosine: 1)
  static let right = UnitAngle(sine: 1, cosine: 0)

  @inline(__always)
  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  /// The direction of the point (x, y), which must not be the origin.
  @inline(__always)
  init(y: Double, x: Double) {
    let length = (x * x + y * y).squareRoot()
    self.init(sine: y / length, cosine: x / length)
  }

  @inline(__always)
  init(radians: Double) { self = unitAngle(radians) }

  /// An angle of 0…180 degrees, given as a number plus a much smaller remainder.
  ///
  /// The angle is first reduced to at most 45° by exact subtractions, so multiples of 90° get their
  /// exact sines and cosines.
  @inline(__always)
  init(degrees angle: Double, rest: Double = 0) {
    if angle <= 45 {
      self.init(radians: radians(UnitAngle.snapped(angle + rest)))
    } else if angle <= 135 {
      let complement = UnitAngle(radians: radians(UnitAngle.snapped(90 - angle - rest)))
      self.init(sine: complement.cosine, cosine: complement.sine)
    } else {
      let supplement = UnitAngle(radians: radians(UnitAngle.snapped(180 - angle - rest)))
      self.init(sine: supplement.sine, cosine: -supplement.cosine)
    }
  }

  /// A latitude, −90…90 degrees.
  @inline(__always)
  init(latitude: Double) {
    self.init(degrees: abs(latitude))
    if latitude < 0 { sine = -sine }
  }

  /// The reduced latitude β of a geodetic latitude in degrees, tan β = (1 − f) tan φ; exactly a
  /// right angle at the poles.
  @inline(__always)
  init(reducedLatitude latitude: Double) {
    let geodetic = UnitAngle(latitude: latitude)
    self.init(y: (1 - WGS84.flattening) * geodetic.sine, x: geodetic.cosine)
  }

  /// The reduced latitude, moved off the poles by less than any measurable distance, so that
  /// longitudes and azimuths there keep their meaning as limits.
  @inline(__always)
  init(reducedLatitudeOffPole latitude: Double) {
    self.init(reducedLatitude: latitude)
    // The square root of the smallest normal number: its square does not underflow.
    cosine = max(cosine, 0x1p-511)
  }

  /// Any finite azimuth or longitude in degrees.
  init(turn angle: Double) {
    let wrapped = Coordinate.wrappedLongitude(angle)
    self.init(degrees: abs(wrapped))
    if wrapped < 0 { sine = -sine }
  }

  /// Rounds small angles to multiples of 2⁻⁵⁷ degrees, 0.8 picometers on the ground, so that no
  /// product of their sines can underflow.
  @inline(__always)
  private static func snapped(_ angle: Double) -> Double {
    let grain = 0.0625
    guard abs(angle) < grain else { return angle }
    return angle < 0 ? (grain + angle) - grain : grain - (grain - angle)
  }

  /// The angle in degrees, −180…180, exact at the multiples of 90°.
  var inDegrees: Double {
    let (opposite, adjacent) = (abs(sine), abs(cosine))
    let acute =
      opposite <= adjacent
      ? degrees(arcTangent(y: opposite, x: adjacent))
      : 90 - degrees(arcTangent(y: adjacent, x: opposite))
    let magnitude = cosine < 0 ? 180 - acute : acute
    return sine < 0 ? -magnitude : magnitude
  }

  /// The angle in radians, −π…π.
  @inline(__always)
  var inRadians: Double { arcTangent(y: sine, x: cosine) }

  /// The angle turned forward by another angle.
  @inline(__always)
  func turned(by other: UnitAngle) -> UnitAngle {
    UnitAngle(
      sine: sine * other.cosine + cosine * other.sine,
      cosine: cosine * other.cosine - sine * other.sine)
  }

  /// The angle turned forward by `radians`, an angle whose square is below rounding error.
  @inline(__always)
  func turned(bySmall radians: Double) -> UnitAngle {
    UnitAngle(sine: sine + cosine * radians, cosine: cosine - sine * radians)
  }

  /// The forward angle from this angle to `other`; not normalized.
  @inline(__always)
  func turn(to other: UnitAngle) -> UnitAngle {
    UnitAngle(
      sine: cosine * other.sine - sine * other.cosine,
      cosine: cosine * other.cosine + sine * other.sine)
  }

  /// The forward angle to `other`, for angles known to be 0…π apart; corrects a rounded result outside that range.
  @inline(__always)
  func forwardTurn(to other: UnitAngle) -> UnitAngle {
    var turn = turn(to: other)
    // A negative zero would also reverse a half turn.
    if !(turn.sine > 0) { turn.sine = 0 }
    return turn
  }
}

/// The shorter difference between two longitudes, with more digits than one `Double` holds.
///
/// Near 180° a rounded difference is wrong by a nanometer or two on the ground; `rest` keeps the
/// rounding error. Exchanging the meridians changes only `isWestward`.
struct LongitudeDifference {
  /// 0…180 degrees.
  let magnitude: Double
  /// The rounding error to add to `magnitude`: less than half a unit in the last place before folding.
  let rest: Double
  /// Whether the short way from the first meridian to the second leads west.
  let isWestward: Bool

  /// The longitudes in degrees, −180…180.
  ///
  /// Source: D. E. Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B, for the
  /// exact rounding error of a sum.
  @inline(__always)
  init(from first: Double, to second: Double) {
    let difference = second - first
    let recovered = difference - second
    let error = (second - (difference - recovered)) + (-first - recovered)

    let isNegative = difference < 0
    let unfolded = abs(difference)
    let unfoldedRest = isNegative ? -error : error
    // Both folds are exact: 360 − d, because 180 ≤ d ≤ 360.
    let isFolded = unfolded > 180 || (unfolded == 180 && unfoldedRest > 0)
    magnitude = isFolded ? 360 - unfolded : unfolded
    rest = isFolded ? -unfoldedRest : unfoldedRest
    isWestward = isNegative != isFolded
  }

  /// The difference as an angle.
  @inline(__always)
  var angle: UnitAngle { UnitAngle(degrees: magnitude, rest: rest) }
}
