import Geodesy
import Testing
import NearbyTestSupport

/// An independent judge: polygons and points of whole numbers, so that nothing is ever rounded.
///
/// It looks north along the meridian, where the library looks along the parallel.
struct WholeNumberJudge {
  typealias Point = (x: Int, y: Int)
  enum Side { case inside, border, outside }

  static func side(of p: Point, in ring: [Point]) -> Side {
    var isInside = false
    for (index, a) in ring.enumerated() {
      let b = ring[(index + 1) % ring.count]
      let cross = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
      let isBetween =
        min(a.x, b.x) <= p.x && p.x <= max(a.x, b.x) && min(a.y, b.y) <= p.y
        && p.y <= max(a.y, b.y)
      if cross == 0 && isBetween { return .border }
      if (a.x <= p.x) != (b.x <= p.x) {
        // North of the point when the edge, at the point's x, lies above it.
        let isAbove = a.x < b.x ? cross < 0 : cross > 0
        if isAbove { isInside.toggle() }
      }
    }
    return isInside ? .inside : .outside
  }

  static func contains(_ p: Point, outer: [Point], holes: [[Point]]) -> Bool {
    side(of: p, in: outer) != .outside && holes.allSatisfy { side(of: p, in: $0) != .inside }
  }
}

@Suite struct PolygonTests {
  /// A position whose degrees are eighths, and so exact, `shift` degrees farther east.
  private func vertex(_ point: WholeNumberJudge.Point, shift: Double) throws -> PolygonVertex {
    try PolygonVertex(
      latitude: Double(point.y) / 8,
      longitude: Coordinate.wrappedLongitude(Double(point.x) / 8 + shift))
  }

  private func position(_ point: WholeNumberJudge.Point, shift: Double) throws -> Coordinate {
    try Coordinate(
      latitude: Double(point.y) / 8, wrappingLongitude: Double(point.x) / 8 + shift)
  }

  private func ring(
    of count: Int, in range: ClosedRange<Int>, using generator: inout SeededGenerator
  ) -> [WholeNumberJudge.Point] {
    (0..<count).map { _ in
      (Int.random(in: range, using: &generator), Int.random(in: range, using: &generator))
    }
  }

  /// At 0, across ±180 and touching it: every point of a small lattice, for rings that cross
  /// themselves, turn back and repeat vertices.
  @Test(arguments: UInt64(0)..<150, [0.0, 180, -179, 90])
  func `every point of a lattice is judged as in whole numbers`(seed: UInt64, shift: Double) throws
  {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 3...9, using: &generator)
    let outer = ring(of: count, in: -8...8, using: &generator)
    let hole = ring(of: 3, in: -4...4, using: &generator)
    guard Set(outer.map { [$0.x, $0.y] }).count >= 3, Set(hole.map { [$0.x, $0.y] }).count >= 3
    else { return }
    let polygon = try Polygon(
      outer: outer.map { try vertex($0, shift: shift) },
      holes: [hole.map { try vertex($0, shift: shift) }])
    let box = polygon.boundingBox
    var misjudged: [Coordinate] = []
    for x in -9...9 {
      for y in -9...9 {
        let place = try position((x, y), shift: shift)
        let expected = WholeNumberJudge.contains((x, y), outer: outer, holes: [hole])
        if polygon.contains(place) != expected || (expected && !box.contains(place)) {
          misjudged.append(place)
        }
      }
    }
    #expect(misjudged.isEmpty, "\(outer) without \(hole)")
  }

  @Test(arguments: UInt64(0)..<100, [0.0, 180])
  func `a box is called covered or disjoint only when all its positions agree`(
    seed: UInt64, shift: Double
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let outer = ring(of: 5, in: -40...40, using: &generator)
    let hole = ring(of: 3, in: -10...10, using: &generator)
    guard
      let polygon = try? Polygon(
        outer: outer.map({ try vertex($0, shift: shift) }),
        holes: [hole.map { try vertex($0, shift: shift) }])
    else { return }
    let region = Region(name: "test", polygons: [polygon])
    var certain = 0
    for _ in 0..<40 {
      let (x, y) = (
        Int.random(in: -50...50, using: &generator), Int.random(in: -50...50, using: &generator)
      )
      let size = Int.random(in: 0...6, using: &generator)
      let southWest = try position((x, y), shift: shift)
      let northEast = try position((x + size, y + size), shift: shift)
      let box = try BoundingBox(
        south: southWest.latitude, west: southWest.longitude, north: northEast.latitude,
        east: northEast.longitude)
      let relation = polygon.relation(to: box)
      #expect(region.relation(to: box) == relation)
      #expect(MultiPolygon([polygon]).relation(to: box) == relation)
      guard relation != .unknown else { continue }
      certain += 1
      let agree = (x...(x + size)).allSatisfy { px in
        (y...(y + size)).allSatisfy { py in
          let isInside = WholeNumberJudge.contains((px, py), outer: outer, holes: [hole])
          return isInside == (relation == .covers)
        }
      }
      #expect(agree, "\(relation) \(box) \(outer)")
    }
    // A helper that always answers unknown would pass the rest.
    #expect(certain >= 10)
  }

  @Test func `a box well inside is covered and one in a hole is disjoint`() throws {
    let polygon = try square(from: -10, to: 10, holeFrom: -5, to: 5)
    #expect(
      polygon.relation(to: try BoundingBox(south: 6, west: -9, north: 9, east: 9)) == .covers)
    #expect(
      polygon.relation(to: try BoundingBox(south: -4, west: -4, north: 4, east: 4)) == .disjoint)
    #expect(
      polygon.relation(to: try BoundingBox(south: -6, west: -4, north: 4, east: 4)) == .unknown)
    #expect(
      polygon.relation(to: try BoundingBox(south: 20, west: -4, north: 30, east: 4)) == .disjoint)
    #expect(polygon.relation(to: .world) == .unknown)
  }

  private func square(
    from low: Double, to high: Double, holeFrom innerLow: Double, to innerHigh: Double
  ) throws -> Polygon {
    func corners(_ low: Double, _ high: Double) throws -> [PolygonVertex] {
      try [(low, low), (high, low), (high, high), (low, high), (low, low)].map {
        try PolygonVertex(latitude: $0.1, longitude: $0.0)
      }
    }
    return try Polygon(outer: corners(low, high), holes: [corners(innerLow, innerHigh)])
  }

  @Test func `the border of a hole belongs to the polygon and its inside does not`() throws {
    let polygon = try square(from: -10, to: 10, holeFrom: -5, to: 5)
    #expect(polygon.contains(PointSet.legal(5, 0)) && polygon.contains(PointSet.legal(-5, -5)))
    #expect(!polygon.contains(PointSet.legal(5.0.nextDown, 0)))
    #expect(polygon.contains(PointSet.legal(10, 10)))
    #expect(!polygon.contains(PointSet.legal(10.0.nextUp, 10)))
  }

  @Test func `an edge is straight in longitude and latitude`() throws {
    // The great circle between the upper corners passes 74° north, the edge stays at 60.
    let polygon = try Polygon(
      outer: [(50.0, -70.0), (50, 70), (60, 70), (60, -70)].map {
        try Coordinate(latitude: $0.0, longitude: $0.1)
      })
    #expect(polygon.contains(PointSet.legal(60, 0)))
    #expect(!polygon.contains(PointSet.legal(60.001, 0)))
    #expect(!polygon.contains(PointSet.legal(49.999, 0)))
  }
}

@Suite struct PolygonAntimeridianTests {
  private func polygon(_ corners: [(longitude: Double, latitude: Double)]) throws -> Polygon {
    try Polygon(
      outer: corners.map { try PolygonVertex(latitude: $0.latitude, longitude: $0.longitude) })
  }

  @Test func `a polygon with an edge at 180 holds positions kept at -180`() throws {
    let east = try polygon([(170, 0), (180, 0), (180, 10), (170, 10)])
    #expect(east.contains(PointSet.legal(5, 180)) && east.contains(PointSet.legal(5, -180)))
    #expect(!east.contains(PointSet.legal(5, -179.999)))
    let west = try polygon([(-180, 0), (-170, 0), (-170, 10), (-180, 10)])
    #expect(west.contains(PointSet.legal(5, 180)) && !west.contains(PointSet.legal(5, 179.999)))
    // From positions, which write -180.
    let corners = [(0.0, 170.0), (0, 180), (10, 180), (10, 170)]
    let folded = try Polygon(
      outer: corners.map { try Coordinate(latitude: $0.0, longitude: $0.1) })
    #expect(folded.contains(PointSet.legal(5, 175)) && folded.contains(PointSet.legal(5, 180)))
    #expect(!folded.contains(PointSet.legal(5, 0)))
  }

  @Test func `a ring that jumps over 180 is taken across it`() throws {
    let fiji = try polygon([(177, -20), (-178, -20), (-178, -12), (177, -12)])
    #expect(fiji.contains(PointSet.legal(-15, 179)) && fiji.contains(PointSet.legal(-15, -179)))
    #expect(fiji.contains(PointSet.legal(-15, 180)) && !fiji.contains(PointSet.legal(-15, 0)))
    #expect(fiji.boundingBox == (try BoundingBox(south: -20, west: 177, north: -12, east: -178)))
  }

  @Test func `an edge from -180 to 180 goes once round`() throws {
    let band = try polygon([(-180, -60), (180, -60), (180, 60), (-180, 60)])
    #expect(band.contains(PointSet.legal(0, 0)) && band.contains(PointSet.legal(60, 123)))
    #expect(!band.contains(PointSet.legal(61, 0)))
    #expect(band.boundingBox.width == 360)
    // Antarctica as RFC 7946 cuts it: along 180 to the pole and back along -180.
    let cap = try polygon([
      (-180, -70), (-90, -65), (0, -70), (90, -65), (180, -70), (180, -90), (-180, -90),
    ])
    #expect(cap.contains(PointSet.legal(-90, 33)) && cap.contains(PointSet.legal(-80, 180)))
    #expect(cap.contains(PointSet.legal(-66, 90)) && !cap.contains(PointSet.legal(-66, 0)))
    #expect(
      cap.relation(to: try BoundingBox(south: -85, west: 170, north: -80, east: -170)) != .disjoint)
  }

  @Test func `a long edge with a vertex on its way stays on its side`() throws {
    let wide = try polygon([
      (-170, 0), (0, 0), (170, 0), (170, 10), (0, 10), (-170, 10),
    ])
    #expect(wide.contains(PointSet.legal(5, 0)) && !wide.contains(PointSet.legal(5, 175)))
  }

  @Test func `a MultiPolygon holds what one of its parts holds`() throws {
    let parts = MultiPolygon([
      try polygon([(170, 0), (180, 0), (180, 10), (170, 10)]),
      try polygon([(-180, 0), (-170, 0), (-170, 10), (-180, 10)]),
    ])
    for longitude in [170.0, 175, 180, -180, -175, -170] {
      #expect(parts.contains(PointSet.legal(5, longitude)))
    }
    #expect(!parts.contains(PointSet.legal(5, 169)) && parts.boundingBoxes.count == 2)
    #expect(
      parts.relation(to: try BoundingBox(south: 1, west: 171, north: 2, east: 172)) == .covers)
  }
}

@Suite struct PolygonErrorTests {
  @Test func `fewer than three different vertices are refused, and the ring is named`() throws {
    let a = PolygonVertex(PointSet.legal(0, 0)), b = PolygonVertex(PointSet.legal(1, 1))
    let c = PolygonVertex(PointSet.legal(0, 1))
    #expect(throws: PolygonError.tooFewVertices(distinct: 0, ring: 0)) {
      try Polygon(outer: [PolygonVertex]())
    }
    #expect(throws: PolygonError.tooFewVertices(distinct: 2, ring: 0)) {
      try Polygon(outer: [a, b, a, b, a])
    }
    let error = PolygonError.tooFewVertices(distinct: 1, ring: 1)
    #expect(throws: error) { try Polygon(outer: [a, b, c], holes: [[a, a, a, a]]) }
    #expect(error.code == "polygon-vertices")
    #expect(error.description == "the polygon's hole 1 has 1 different vertex; give at least 3")
  }

  @Test func `a ring round a pole is refused`() throws {
    let ring = try [-150.0, -50, 50, 150].map {
      try PolygonVertex(latitude: -70, longitude: $0)
    }
    #expect(throws: PolygonError.windsRoundPole(ring: 0)) { try Polygon(outer: ring) }
    #expect(PolygonError.windsRoundPole(ring: 0).code == "polygon-pole")
    #expect(PolygonError.windsRoundPole(ring: 0).description.contains("cut it at ±180"))
  }

  @Test func `a vertex that is no position is refused`() {
    #expect(throws: CoordinateError.latitudeOutOfRange(91)) {
      try PolygonVertex(latitude: 91, longitude: 200)
    }
  }
}
