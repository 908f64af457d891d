import CKernels
import Geodesy

/// The origin of a walk, in the forms in which nodes and positions are compared with it.
///
/// It knows the whole Earth: poles, antimeridian and opposite side are places like any other. What
/// lies near most origins is compared faster by `LocalMetric`.
struct NearestOrigin {
  /// What chords and geodesics may be off by together, in meters.
  ///
  /// Positions in space are right to some 2 nm and geodesics to 15 nm. A margin of 100 nm costs
  /// nothing, because whatever lies inside it is measured and compared exactly.
  static let margin = 1e-7

  let coordinate: Coordinate
  let lines: LineOrigin
  private let globe: nearby_globe

  init(_ coordinate: Coordinate) {
    self.coordinate = coordinate
    lines = LineOrigin(coordinate)
    let place = ECEFPosition(coordinate)
    globe = nearby_globe(
      axis_distance: Float((place.x * place.x + place.y * place.y).squareRoot()),
      z: Float(place.z), longitude: Float(coordinate.longitude),
      equatorial_radius: Float(WGS84.equatorialRadius),
      eccentricity_squared: Float(WGS84.eccentricitySquared), margin: NearestOrigin.floatMargin)
  }

  /// What a chord that is computed in floats below may be off by, in meters.
  ///
  /// Edges in degrees are right to 2⁻¹⁷ (0.9 m), the polynomials to 4·10⁻⁷ and each of some ten
  /// operations to 2⁻²⁴, of a radius that is 6.4 Mm: together less than 10 m.
  private static let floatMargin: Float = 16

  /// Lower bounds for the squared chords to the positions of sixteen nodes; infinite for lanes
  /// without a node.
  ///
  /// With ρ the distance from the axis and g the angle between meridians, the squared chord is
  /// (z − z′)² + (ρ − ρ′)² + 4ρρ′ sin²(g/2). In a box, the nearest z, the least g and then the
  /// nearest ρ may be chosen one by one, which gives no more than any of its positions has.
  @inline(__always)
  func leastSquaredChords(to group: NodeGroup) -> SIMD16<Float> {
    withUnsafePointer(to: globe) { globe in
      var squares = SIMD16<Float>()
      nearby_least_squared_chords(
        globe, group.south, group.west, group.north, group.east, &squares)
      return squares
    }
  }

  /// Upper bounds for the squared chords to the positions of sixteen nodes; infinite for lanes
  /// without a node.
  @inline(__always)
  func greatestSquaredChords(to group: NodeGroup) -> SIMD16<Float> {
    withUnsafePointer(to: globe) { globe in
      var squares = SIMD16<Float>()
      nearby_greatest_squared_chords(
        globe, group.south, group.west, group.north, group.east, &squares)
      return squares
    }
  }

  /// The squared chords that a geodesic of some length may have.
  ///
  /// Below the range a position is nearer than that length for certain, above it farther; inside it
  /// only the geodesic can tell.
  static func shell(around geodesic: Double) -> ClosedRange<Double> {
    guard geodesic >= 0 else { return -1 ... -1 }
    guard geodesic < longestGeodesic else {
      return Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    }
    let short = max(0, ChordBracket.shortestChord(geodesic: geodesic) - margin)
    let long = ChordBracket.longestChord(geodesic: geodesic) + margin
    return short * short...long * long
  }

  /// A length in meters that no geodesic reaches, however it is rounded.
  static let longestGeodesic = WGS84.longestDistance + 1

  /// The longest squared chord that may belong to a geodesic no longer than one with this chord.
  ///
  /// With c the chord, the geodesic is at most 2R₁ asin(c/2R₁), and chords of geodesics so long are
  /// at most 2R₂ sin(R₁/R₂ · asin(c/2R₁)) = c (1 + c² (1 − R₁²/R₂²)/24R₁² + …) =
  /// c (1 + 2.072e-17 c² + …). Up to 1,000 km the further terms are under 1 % of that one.
  @inline(__always)
  static func squaredReach(past squaredChord: Double) -> Double {
    let chord = squaredChord.squareRoot()
    let reach =
      squaredChord < 1e12
      ? chord * (1 + 2.2e-17 * squaredChord)
      : ChordBracket.longestChord(geodesic: ChordBracket.longestGeodesic(chord: chord))
    return (reach + margin) * (reach + margin)
  }
}
