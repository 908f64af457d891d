import CKernels
import Geodesy

/// The Earth near an origin: squared chords by a few multiplications of floats, with a proved error.
///
/// With ρ the distance from the axis, the squared chord between two positions is
///
///     c² = m² + 4 ρ₁ρ₂ sin²(Δλ/2)
///
/// where m is the chord between their latitudes on one meridian. Near the origin, m² is close to
/// M² Δφ² (1 + μ Δφ), M the meridian's radius of curvature and μ = M′/M, and ρ₂ to ρ₁ (1 − τ Δφ),
/// τ = M sin φ / ρ₁. That gives a position's *flat* squared chord
///
///     d² = M² Δφ² (1 + μ Δφ) + ρ₁² (1 − τ Δφ) Δλ².
///
/// For a node, the gaps to the edges of its box in latitude and longitude stand for Δφ and Δλ, and
/// the small terms are left out.
///
/// How far that may be trusted ends at `squaredReach`: farther away, across the antimeridian or
/// round a pole, `NearestOrigin` knows more.
///
/// What flat squared chords may be off by: let c or d be at most D, δ = 1.1 D/R₁ and ω the greatest
/// |Δλ| there is. Then |Δφ| ≤ δ, because c is no shorter than the chord of R₁ |Δφ| on a circle of the
/// least radius of curvature R₁.
///
/// - The arc between the latitudes is ∫M dφ. As M = a (1 − e²) W⁻³ with W² = 1 − e² sin²φ, we have
///   |μ| = 3e² |sin φ cos φ|/W² ≤ 0.0102 and |M″|/M ≤ 0.021, so the arc is M Δφ (1 + μΔφ/2) to
///   within 0.0035 δ² of itself, its square M²Δφ²(1 + μΔφ) to 0.0072 δ², and the chord under it
///   takes away at most (arc/R₁)²/12 ≤ 0.086 δ² of the square. Together less than 0.1 δ².
/// - ρ′ = −M sin φ and |ρ″| = |M cos φ + M′ sin φ| ≤ 1.012 a, so ρ₂ differs from ρ₁ (1 − τΔφ) by at
///   most 0.506 a δ²; relative to it that is 0.506 (a/ρ₁) δ² / (1 − τδ).
/// - 4 sin²(Δλ/2) lies between Δλ² (1 − ω²/12) and Δλ².
///
/// So |c² − d²| ≤ p d², p the sum of the three. For nodes, which leave the small terms out,
/// c² ≥ (1 − ν) d² with ν = max(0.0103 δ + 0.1 δ², τδ + 0.506 (a/ρ₁) δ²) + ω²/12.
struct LocalMetric {
  /// What the kernels compute with.
  let kernel: nearby_metric

  /// By what p grows per squared meter, and ν per meter and per squared meter.
  private let positionError: Float, nodeSlope: Float, nodeError: Float
  /// No flat chord beyond this, squared, says anything; 0 where none does.
  let squaredReach: Float

  init(_ origin: Coordinate) {
    let (sine, cosine) = LocalMetric.sineAndCosine(radians(origin.latitude))
    let e2 = WGS84.eccentricitySquared
    let inverse = 1 / (1 - e2 * sine * sine).squareRoot()
    let squaredInverse = inverse * inverse
    let meridian = WGS84.equatorialRadius * (1 - e2) * squaredInverse * inverse
    let parallel = WGS84.equatorialRadius * inverse * cosine
    let perDegree = Double.pi / 180

    let narrowness = WGS84.equatorialRadius / parallel
    let tangent = meridian * sine / WGS84.equatorialRadius * narrowness
    let squaredMeridian = meridian * meridian * (perDegree * perDegree)
    let squaredParallel = parallel * parallel * (perDegree * perDegree)
    let scaledLatitude = origin.latitude * 1e7, scaledLongitude = origin.longitude * 1e7
    let latitude = Int32(truncatingIfNeeded: Int(scaledLatitude))
    let longitude = Int32(truncatingIfNeeded: Int(scaledLongitude))
    kernel = nearby_metric(
      latitude: latitude, longitude: longitude,
      latitude_rest: Float(scaledLatitude - Double(latitude)),
      longitude_rest: Float(scaledLongitude - Double(longitude)),
      degrees_latitude: origin.latitude, degrees_longitude: origin.longitude,
      south: KDTreeBuilder.roundedDown(origin.latitude),
      north: KDTreeBuilder.roundedUp(origin.latitude),
      west: KDTreeBuilder.roundedDown(origin.longitude),
      east: KDTreeBuilder.roundedUp(origin.longitude),
      meridian: Float(squaredMeridian), parallel: Float(squaredParallel),
      meridian_term: Float(3 * e2 * sine * cosine * squaredInverse * perDegree * squaredMeridian),
      parallel_term: Float(tangent * perDegree * squaredParallel))

    // δ = 1.1 D/R₁. Within reach 1 − τδ − curve δ² is at least 0.4, and Δλ² ≤ 1.44 (a/ρ₁)² δ²/0.4.
    let delta = 1.1 / WGS84.smallestCurvatureRadius
    let curve = 0.506 * narrowness
    let wide = 1.44 / 0.4 / 12 * narrowness * narrowness
    let growth = (0.1 + curve / 0.4 + wide) * (delta * delta)
    positionError = Float(growth)
    nodeSlope = Float(max(0.0103, abs(tangent)) * delta)
    nodeError = Float((0.1 + curve + wide) * (delta * delta))

    // Far enough from the pole that ρ keeps half its length and more, and from the antimeridian that
    // no shorter way leads across it; p no more than a quarter. Within 1 km of a pole the cosine is
    // not known well enough.
    let toSeam = 0.55 * min(1, radians(180 - abs(origin.longitude)))
    let reach = parallel < 1_000 ? 0 : parallel * min(0.4, toSeam)
    squaredReach = Float(min(reach * reach, 0.25 / growth))
  }

  /// The sine and cosine of −π/2…π/2, right to 10⁻⁹, by their Taylor polynomials.
  @inline(__always)
  private static func sineAndCosine(_ x: Double) -> (Double, Double) {
    let t = x * x
    let t2 = t * t
    let sineHigh = (1 / 362_880 - t * (1 / 39_916_800)) + t2 * (1 / 6_227_020_800)
    let sine = x * ((1 - t * (1 / 6)) + t2 * ((1 / 120 - t * (1 / 5_040)) + t2 * sineHigh))
    let cosineHigh =
      (1 / 40_320 - t * (1 / 3_628_800)) + t2 * (1 / 479_001_600 - t * (1 / 87_178_291_200))
    let cosine = (1 - t * 0.5) + t2 * ((1 / 24 - t * (1 / 720)) + t2 * cosineHigh)
    return (sine, cosine)
  }

  /// The greatest flat squared chord of a position that may be nearer than one with this.
  ///
  /// The one has c² ≤ (1 + p) d², so any that is no farther has a flat square of at most
  /// (1 + p)/(1 − p) d² ≤ (1 + 4p) d². One square millimeter more covers the rounding of what is
  /// less than a meter away, and geodesics that are equal over unequal chords.
  @inline(__always)
  func positionLimit(upTo squared: Float) -> Float {
    squared * (1 + 4 * LocalMetric.rounding + squared * (4 * positionError)) + 1e-6
  }

  /// The greatest flat squared gap of a node that may hold a position nearer than one with this flat
  /// squared chord: (1 + p)/(1 − ν) d².
  @inline(__always)
  func nodeLimit(upTo squared: Float) -> Float {
    let position = squared * positionError + LocalMetric.rounding
    let node = squared.squareRoot() * nodeSlope + squared * nodeError + LocalMetric.rounding
    return squared * (1 + position) / (1 - node) + 1e-6
  }

  /// A flat squared chord up to which positions are nearer than one with this squared chord; negative
  /// when none is for certain.
  func innerPositionLimit(upTo squared: Float) -> Float {
    squared * (1 - 2 * (squared * positionError + LocalMetric.rounding)) - 1e-6
  }

  /// The flat square of the farthest corner up to which a node lies nearer than this squared chord.
  func innerNodeLimit(upTo squared: Float) -> Float {
    let node = squared.squareRoot() * nodeSlope + squared * nodeError + LocalMetric.rounding
    return squared * (1 - node) - 1e-6
  }

  /// What the rounding of a dozen operations on floats, and of the constants, comes to.
  private static let rounding: Float = 2e-6
}
