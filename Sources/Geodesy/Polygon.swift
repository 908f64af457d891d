/// An area inside an outer ring and outside its holes.
///
///     let park = try Polygon(outer: corners)
///     park.contains(bench)
///
/// Edges are straight in longitude and latitude (RFC 7946 §3.1.1), not geodesics: an edge between
/// two positions on one parallel runs along the parallel. The polygon includes its borders, also
/// those of holes. Where a ring crosses itself, a position is inside when the ring surrounds it an
/// odd number of times (even-odd rule). Rings may run clockwise or counterclockwise.
///
/// ±180° is one meridian: a polygon with an edge at 180 contains positions stored at −180. Two
/// consecutive vertices more than 180° of longitude apart are joined across ±180°, so polygons that
/// were not cut there, as RFC 7946 §3.1.9 asks, are understood; a longer edge needs a vertex in
/// between. An edge from −180 to 180 exactly goes once round the Earth. A ring round a pole must be
/// cut at ±180° and led to the pole and back; otherwise it is refused.
public struct Polygon: Hashable, Sendable {
  /// The latitudes that the outer ring spans, stored here so that comparing them does not touch the rings.
  fileprivate let latitudes: ClosedRange<Double>
  /// One reference, so that copying a polygon counts one reference instead of one for each array.
  fileprivate let rings: PolygonRings

  var outer: PolygonRing { rings.outer }
  var holes: [PolygonRing] { rings.holes }

  /// Makes a polygon from the vertices of its rings.
  ///
  /// - Parameters:
  ///   - outer: At least three different vertices; the first may be repeated at the end.
  ///   - holes: Rings of the same form. Whether they lie inside `outer` is not checked.
  /// - Throws: `PolygonError` when a ring has fewer than three different vertices or goes round a
  ///   pole.
  /// - Complexity: O(*n*) time; about 25 bytes for each vertex and 300 for each ring.
  public init(
    outer: [PolygonVertex], holes: [[PolygonVertex]] = []
  ) throws(PolygonError) {
    let outer = try PolygonRing(outer, number: 0)
    var inner: [PolygonRing] = []
    for (offset, hole) in holes.enumerated() {
      inner.append(try PolygonRing(hole, number: offset + 1))
    }
    latitudes = outer.latitudes
    rings = PolygonRings(outer: outer, holes: inner)
  }

  /// Makes a polygon without holes from positions.
  ///
  /// A position at ±180° has the longitude −180. An area that touches ±180° from the west and is
  /// wider than 180° needs vertices at 180: use `init(outer:holes:)` with `PolygonVertex`.
  ///
  /// - Throws: `PolygonError`, as `init(outer:holes:)` does.
  public init(outer: [Coordinate]) throws(PolygonError) {
    try self.init(outer: outer.map(PolygonVertex.init))
  }

  /// The vertices of the outer ring, with the first repeated at the end.
  ///
  /// - Complexity: O(*n*).
  public var outerVertices: [PolygonVertex] { outer.closedVertices }

  /// The vertices of the holes, each ring with its first vertex repeated at the end.
  ///
  /// - Complexity: O(*n*).
  public var holeVertices: [[PolygonVertex]] { holes.map(\.closedVertices) }
}

extension Polygon: Area {
  /// Whether a position lies in the polygon or on its border.
  ///
  /// Exact: rounding never moves a position across an edge. A pole lies at the longitude it was
  /// made with.
  ///
  /// - Complexity: Where no edge is near, a coarse picture of the ring answers. Elsewhere only the edges of one band of
  ///   latitude are read: tens of nanoseconds for the outline of a country. O(*n*) in the vertices if most edges
  ///   span most of the latitudes, as in a zigzag.
  public func contains(_ position: Coordinate) -> Bool { rings.contains(position) }

  /// The relation of the polygon to a box; `covers` and `disjoint` are certain.
  ///
  /// - Complexity: O(*n*) in the vertices; O(1) for most boxes that are far from the ring.
  public func relation(to box: BoundingBox) -> AreaRelation {
    switch outer.side(of: box) {
    case .outside: return .disjoint
    case .border: return .unknown
    case .inside: break
    }
    var relation = AreaRelation.covers
    for hole in holes {
      switch hole.side(of: box) {
      case .outside: continue
      case .border: relation = .unknown
      case .inside: return .disjoint
      }
    }
    return relation
  }

  /// The smallest box that contains the polygon; it crosses the antimeridian when the polygon does.
  public var boundingBox: BoundingBox {
    let goesRound = outer.easternmost.x - outer.westernmost.x >= 360
    return BoundingBox(
      unchecked: outer.latitudes.lowerBound, goesRound ? -180 : outer.westernmost.longitude,
      outer.latitudes.upperBound, goesRound ? 180 : outer.easternmost.longitude)
  }

  /// The one bounding box.
  public var boundingBoxes: [BoundingBox] { [boundingBox] }
}

/// The rings of a polygon, shared by its copies.
fileprivate final class PolygonRings: Hashable, Sendable {
  let outer: PolygonRing
  let holes: [PolygonRing]

  init(outer: PolygonRing, holes: [PolygonRing]) {
    self.outer = outer
    self.holes = holes
  }

  func contains(_ position: Coordinate) -> Bool {
    guard outer.side(of: position) != .outside else { return false }
    for place in holes.indices where holes[place].side(of: position) == .inside { return false }
    return true
  }

  static func == (a: PolygonRings, b: PolygonRings) -> Bool {
    a === b || a.outer == b.outer && a.holes == b.holes
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(outer)
    hasher.combine(holes)
  }
}

/// Several polygons taken as one area: a country with its islands.
public struct MultiPolygon: Hashable, Sendable {
  /// The polygons, in the order given.
  public let polygons: [Polygon]

  /// Makes an area of polygons, which may overlap.
  public init(_ polygons: [Polygon]) { self.polygons = polygons }
}

extension MultiPolygon: Area {
  /// Whether a position lies in one of the polygons or on its border.
  ///
  /// - Complexity: O(*m*) in the polygons: those at other latitudes cost about ten instructions
  ///   each, and the rest what each polygon costs.
  public func contains(_ position: Coordinate) -> Bool {
    // Compare latitudes by index: copying a polygon would count its reference.
    for place in polygons.indices
    where polygons[place].latitudes.contains(position.latitude) {
      if polygons[place].contains(position) { return true }
    }
    return false
  }

  /// The relation of all polygons together to a box; `covers` and `disjoint` are certain.
  public func relation(to box: BoundingBox) -> AreaRelation {
    AreaRelation.union(polygons.lazy.map { $0.relation(to: box) })
  }

  /// The box of each polygon.
  public var boundingBoxes: [BoundingBox] { polygons.map(\.boundingBox) }
}

extension Polygon {
  /// The area of the polygon without its holes, in square meters on WGS 84.
  ///
  /// Edges are straight in longitude and latitude, as for `contains(_:)`. Where a ring crosses
  /// itself, parts surrounded clockwise and counterclockwise have opposite signs.
  ///
  ///     let largest = districts.max { $0.squareMeters < $1.squareMeters }
  ///
  /// - Returns: Accurate to a millionth; never negative.
  /// - Complexity: O(*n*) in the vertices, about 50 ns each.
  public var squareMeters: Double {
    max(0, outer.squareMeters - holes.reduce(0) { $0 + $1.squareMeters })
  }
}

extension MultiPolygon {
  /// The sum of the areas of the polygons, in square meters on WGS 84; where polygons overlap, the
  /// ground counts once for each.
  public var squareMeters: Double { polygons.reduce(0) { $0 + $1.squareMeters } }
}

extension PolygonRing {
  /// The area inside the ring, in square meters.
  ///
  /// By Green's theorem it is the sum over the edges of the change in longitude times the mean height of the edge.
  /// Heights are those of the equal-area cylinder, so an edge's mean is an integral of `height` over its latitudes.
  /// Heights are counted from the ring's southernmost latitude: from the equator, the two sides of a house would be
  /// large numbers with a small difference.
  fileprivate var squareMeters: Double {
    let base = PolygonRing.height(sineOfLatitude: sine(radians(latitudes.lowerBound)))
    var sum = 0.0
    forEachEdge { start, end in
      let width = end.x - start.x
      guard width != 0 else { return }
      let middle = radians((start.latitude + end.latitude) / 2)
      let half = radians((end.latitude - start.latitude) / 2)
      var mean = 0.0
      if half == 0 {
        mean = PolygonRing.height(sineOfLatitude: sine(middle))
      } else {
        let rule =
          abs(half) < PolygonRing.shortHalf ? PolygonRing.shortRule : PolygonRing.gaussianRule
        for (node, weight) in rule {
          mean += weight / 2 * PolygonRing.height(sineOfLatitude: sine(middle + half * node))
        }
      }
      sum += radians(width) * (mean - base)
    }
    return abs(sum)
  }

  /// The area between the equator and a parallel, for one radian of longitude, in square meters.
  ///
  /// b² (s + ⅔ e² s³ + ⅗ e⁴ s⁵ + …) with the sine s of the latitude; the omitted terms are less
  /// than 2·10⁻⁷ of it.
  ///
  /// Source: the series of the authalic latitude's q, J. P. Snyder, "Map Projections: A Working
  /// Manual", USGS Professional Paper 1395, 1987, equation 3-12.
  private static func height(sineOfLatitude s: Double) -> Double {
    let squared = s * s
    let e = WGS84.eccentricitySquared
    return WGS84.polarRadius * WGS84.polarRadius * s
      * (1 + e * squared * (2.0 / 3 + e * squared * (3.0 / 5)))
  }

  /// Edges that rise by less than half a degree use the rule of two nodes; this is half of that rise, in radians.
  ///
  /// The error of the rule, from the fourth derivative, is at most half⁴ / 135 of the height, so less than 3·10⁻¹² of
  /// the height; below 80° of latitude less than 10⁻⁹ of the edge's rise.
  private static let shortHalf = 0.004_363
  /// The Gauss-Legendre rule of two nodes.
  private static let shortRule: [(node: Double, weight: Double)] = [
    (-0.577_350_269_189_625_8, 1), (0.577_350_269_189_625_8, 1),
  ]

  /// The Gauss-Legendre rule of five nodes, exact for polynomials of degree nine: accurate to 10⁻⁷
  /// over an edge from pole to pole.
  private static let gaussianRule: [(node: Double, weight: Double)] = [
    (0, 0.568_888_888_888_888_9),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
  ]
}

/// An error in rings that should form a polygon.
public enum PolygonError: CodedError, Hashable {
  /// A ring has fewer than three different vertices; ring 0 is the outer one.
  case tooFewVertices(distinct: Int, ring: Int)
  /// A ring goes round a pole and does not close in longitude; ring 0 is the outer one.
  case windsRoundPole(ring: Int)

  /// The code of the error, for programs.
  public var code: String {
    switch self {
    case .tooFewVertices: "polygon-vertices"
    case .windsRoundPole: "polygon-pole"
    }
  }

  /// One sentence that names the value and says what to do.
  public var description: String {
    switch self {
    case .tooFewVertices(let distinct, let ring):
      """
      \(PolygonError.name(ofRing: ring)) has \(distinct) different \
      \(distinct == 1 ? "vertex" : "vertices"); give at least 3
      """
    case .windsRoundPole(let ring):
      """
      \(PolygonError.name(ofRing: ring)) goes round a pole; cut it at ±180 and take it along the \
      meridian to the pole and back
      """
    }
  }

  static func name(ofRing ring: Int) -> String {
    ring == 0 ? "the polygon's outer ring" : "the polygon's hole \(ring)"
  }
}
