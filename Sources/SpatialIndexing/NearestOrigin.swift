import Geodesy

/// The origin of a walk, in the forms in which nodes and positions are compared with it.
struct NearestOrigin {
  /// What chords and geodesics may be off by together, in meters.
  ///
  /// Positions in space are right to some 2 nm and geodesics to 15 nm. A margin of 100 nm costs
  /// nothing, because whatever lies inside it is measured and compared exactly.
  static let margin = 1e-7

  let coordinate: Coordinate
  let place: ECEFPosition
  private let lowerPlace: SIMD3<Float>
  private let upperPlace: SIMD3<Float>

  init(_ coordinate: Coordinate) {
    self.coordinate = coordinate
    place = ECEFPosition(coordinate)
    lowerPlace = SIMD3(
      KDTreeBuilder.roundedDown(place.x), KDTreeBuilder.roundedDown(place.y),
      KDTreeBuilder.roundedDown(place.z))
    upperPlace = SIMD3(
      KDTreeBuilder.roundedUp(place.x), KDTreeBuilder.roundedUp(place.y),
      KDTreeBuilder.roundedUp(place.z))
  }

  /// Lower bounds for the squared chords to the positions of sixteen nodes; infinite for lanes
  /// without a node.
  ///
  /// The boxes are rounded outward and the origin both ways; the factor covers the rounding of
  /// the six operations here, each within 2⁻²⁴.
  @inline(__always)
  func leastSquaredChords(to bounds: UnsafePointer<SIMD16<Float>>) -> SIMD16<Float> {
    let zero = SIMD16<Float>.zero
    let x = greater(
      greater(bounds[NodeGroup.minX] - upperPlace.x, lowerPlace.x - bounds[NodeGroup.maxX]),
      zero)
    let y = greater(
      greater(bounds[NodeGroup.minY] - upperPlace.y, lowerPlace.y - bounds[NodeGroup.maxY]),
      zero)
    let z = greater(
      greater(bounds[NodeGroup.minZ] - upperPlace.z, lowerPlace.z - bounds[NodeGroup.maxZ]),
      zero)
    return (x * x + y * y + z * z) * (1 - 1e-6)
  }

  /// Upper bounds for the squared chords to the positions of sixteen nodes; infinite for lanes
  /// without a node.
  @inline(__always)
  func greatestSquaredChords(to bounds: UnsafePointer<SIMD16<Float>>) -> SIMD16<Float> {
    let x = greater(
      upperPlace.x - bounds[NodeGroup.minX], bounds[NodeGroup.maxX] - lowerPlace.x)
    let y = greater(
      upperPlace.y - bounds[NodeGroup.minY], bounds[NodeGroup.maxY] - lowerPlace.y)
    let z = greater(
      upperPlace.z - bounds[NodeGroup.minZ], bounds[NodeGroup.maxZ] - lowerPlace.z)
    return (x * x + y * y + z * z) * (1 + 1e-6)
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
