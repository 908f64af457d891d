import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

@Suite(.inBothOrders) struct KDTreeAreaTests {
  @Test(arguments: PointSet.allCases, UInt64(0)..<5)
  func `positions in polygons are those that the polygons contain`(
    pointSet: PointSet, seed: UInt64
  ) throws {
    let (points, origin) = pointSet.sample(900, seed: seed)
    let index = judgedIndex(points)
    let judge = BruteForce(points)
    var generator = SeededGenerator(seed: seed)
    var polygons: [Polygon] = []
    for _ in 0..<8 {
      let polygon = try randomPolygon(points, around: origin, using: &generator)
      polygons.append(polygon)
      #expect(index.positions(in: polygon) == judge.positions(in: polygon))
    }
    let islands = MultiPolygon(polygons)
    #expect(index.positions(in: islands) == judge.positions(in: islands))
    let box = BoundingBox(around: origin, radius: .kilometers(50))
    let region = Region(name: "test", boxes: [box], polygons: Array(polygons.prefix(2)))
    #expect(index.positions(in: region) == judge.positions(in: region))
    #expect(index.positions(in: Region(name: "nothing")).isEmpty)
  }

  @Test func `positions on the border count, and those in a hole do not`() throws {
    let points = try (0...10).flatMap { row in
      try (0...10).map { try Coordinate(latitude: Double(row), longitude: Double($0)) }
    }
    let index = judgedIndex(points)
    let outer = try square(from: 1, to: 9), hole = try square(from: 3, to: 7)
    let ring = try Polygon(outer: outer, holes: [hole])
    let expected = points.indices.filter { position in
      let (y, x) = (points[position].latitude, points[position].longitude)
      let isInside = (1...9).contains(y) && (1...9).contains(x)
      let isInHole = (4...6).contains(y) && (4...6).contains(x)
      return isInside && !isInHole
    }
    #expect(index.positions(in: ring) == expected)
    #expect(expected.count == 81 - 9)
  }

  @Test func `a polygon that ends at 180 holds positions kept at −180`() throws {
    let points = try (0..<200).map {
      try Coordinate(latitude: -20 + Double($0) * 0.1, longitude: $0 % 2 == 0 ? 180 : 179)
    }
    let strip = try Polygon(outer: [
      try PolygonVertex(latitude: -21, longitude: 179.5),
      try PolygonVertex(latitude: -21, longitude: 180),
      try PolygonVertex(latitude: 1, longitude: 180),
      try PolygonVertex(latitude: 1, longitude: 179.5),
    ])
    let index = judgedIndex(points)
    #expect(index.positions(in: strip) == points.indices.filter { $0 % 2 == 0 })
  }

  @Test func `an area asks only for its categories`() throws {
    let (points, _) = PointSet.uniform.sample(2_000, seed: 1)
    let categories = points.indices.map { position -> CategorySet in
      position % 3 == 0 ? [] : CategorySet(category: position % 3)
    }
    let index = judgedIndex(points, categories: categories)
    let north = Region(
      name: "north", boxes: [try BoundingBox(south: 0, west: -180, north: 90, east: 180)])
    let all = BruteForce(points).positions(in: north)
    #expect(index.positions(in: north) == all)
    for category in 1...2 {
      let set = CategorySet(category: category)
      #expect(index.positions(in: north, categories: set) == all.filter { $0 % 3 == category })
      #expect(
        index.positions(in: north.boxes[0], categories: set) == all.filter { $0 % 3 == category })
    }
    #expect(index.positions(in: north, categories: CategorySet(category: 40)).isEmpty)
  }

  private func square(from low: Double, to high: Double) throws -> [PolygonVertex] {
    try [(low, low), (low, high), (high, high), (high, low)].map {
      try PolygonVertex(latitude: $0.0, longitude: $0.1)
    }
  }

  /// Three to seven corners, some of them on positions, so that borders run through data.
  private func randomPolygon(
    _ points: [Coordinate], around origin: Coordinate, using generator: inout SeededGenerator
  ) throws -> Polygon {
    while true {
      var corners: [PolygonVertex] = []
      for _ in 0..<Int.random(in: 3...7, using: &generator) {
        if Bool.random(using: &generator), let point = points.randomElement(using: &generator) {
          corners.append(PolygonVertex(point))
        } else {
          let bearing = Double.random(in: 0..<360, using: &generator)
          let meters = Double.random(in: 0...3e5, using: &generator)
          corners.append(
            PolygonVertex(origin.destination(bearing: bearing, distance: .meters(meters))))
        }
      }
      // Rings round a pole and those of fewer than three places are refused; draw again.
      if let polygon = try? Polygon(outer: corners) { return polygon }
      corners = try [(-1.0, -1.0), (-1, 1), (1, 0)].map {
        try PolygonVertex(latitude: $0.0, longitude: $0.1)
      }
      if points.allSatisfy({ $0 == points[0] }) { return try Polygon(outer: corners) }
    }
  }
}
