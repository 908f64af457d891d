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
