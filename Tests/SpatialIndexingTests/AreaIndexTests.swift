import Geodesy
import NearbyTestSupport
import SpatialIndexing
import Testing

/// Areas found by the positions that lie in them.
@Suite struct AreaIndexTests {
  /// Who judges: every area is asked about every position.
  private func expect(
    _ index: AreaIndex, at positions: [Coordinate], _ comment: Comment? = nil
  ) -> Int {
    var found = 0
    let sizes = index.areas.map(\.squareMeters)
    for position in positions {
      let expected = index.areas.indices.filter { index.areas[$0].contains(position) }
      #expect(index.areas(containing: position) == expected, comment)
      let smallest = expected.min { (sizes[$0], $0) < (sizes[$1], $1) }
      #expect(index.smallestArea(containing: position) == smallest, comment)
      found += expected.count
    }
    return found
  }

  private func box(
    _ south: Double, _ west: Double, _ north: Double, _ east: Double
  ) throws -> Polygon {
    try Polygon(
      outer: [(south, west), (south, east), (north, east), (north, west)].map {
        try PolygonVertex(latitude: $0.0, longitude: $0.1)
      })
  }

  /// A star of some corners around a place, which may reach over ±180°.
  private func star(
    around center: Coordinate, using generator: inout SeededGenerator
  ) throws -> Polygon {
    let reach = Double.random(in: 0.01...8, using: &generator)
    let count = Int.random(in: 3...60, using: &generator)
    return try Polygon(
      outer: (0..<count).map { corner in
        let angle = 2 * Double.pi * Double(corner) / Double(count)
        let length = reach * Double.random(in: 0.2...1, using: &generator)
        return try Coordinate(
          latitude: min(90, max(-90, center.latitude + length * sine(angle))),
          wrappingLongitude: center.longitude + length * cosine(angle))
      })
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<2)
  func `the areas at a position are those that contain it`(pointSet: PointSet, seed: UInt64) throws
  {
    var generator = SeededGenerator(seed: seed)
    let (points, _) = pointSet.sample(200, seed: seed)
    var areas: [MultiPolygon] = []
    while areas.count < 80 {
      let parts = try (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        try star(around: points[Int.random(in: 0..<200, using: &generator)], using: &generator)
      }
      areas.append(MultiPolygon(parts))
    }
    // Their corners, too, which lie on borders.
    let corners = areas.flatMap { $0.polygons.prefix(1).map(\.boundingBox) }.map {
      Coordinate(unchecked: $0.south, $0.west)
    }
    let found = expect(AreaIndex(areas), at: points + corners, "\(pointSet), seed \(seed)")
    #expect(found > 0)
  }

  /// On a lattice of whole degrees nothing is rounded, and the judge counts in integers.
  @Test(arguments: UInt64(0)..<20)
  func `holes, overlaps and borders are as whole numbers have them`(seed: UInt64) throws {
    typealias Box = (south: Int, west: Int, north: Int, east: Int)
    var generator = SeededGenerator(seed: seed)
    func box(in outer: Box) -> Box {
      let south = Int.random(in: outer.south..<outer.north - 1, using: &generator)
      let west = Int.random(in: outer.west..<outer.east - 1, using: &generator)
      return (
        south, west, Int.random(in: south + 1...outer.north, using: &generator),
        Int.random(in: west + 1...outer.east, using: &generator)
      )
    }
    func ring(_ box: Box) throws -> [PolygonVertex] {
      try [
        (box.south, box.west), (box.south, box.east), (box.north, box.east), (box.north, box.west),
      ]
      .map { try PolygonVertex(latitude: Double($0.0), longitude: Double($0.1)) }
    }
    let plates = (0..<12).map { _ in (outer: box(in: (0, 0, 20, 20)), hole: box(in: (0, 0, 20, 20)))
    }
    let index = AreaIndex(
      try plates.map { plate in
        MultiPolygon([try Polygon(outer: ring(plate.outer), holes: [ring(plate.hole)])])
      })
    for y in 0...20 {
      for x in 0...20 {
        let expected = plates.indices.filter { place in
          let (outer, hole) = plates[place]
          return outer.south <= y && y <= outer.north && outer.west <= x && x <= outer.east
            && !(hole.south < y && y < hole.north && hole.west < x && x < hole.east)
        }
        #expect(
          index.areas(containing: try Coordinate(latitude: Double(y), longitude: Double(x)))
            == expected, "\(y),\(x) of seed \(seed)")
      }
    }
  }

  @Test func `±180 and the poles are places like others`() throws {
    let index = AreaIndex([
      MultiPolygon([try box(-5, 170, 5, -170)]), MultiPolygon([try box(-5, 170, 5, 180)]),
      MultiPolygon([try box(-5, -180, 5, -170)]), MultiPolygon([try box(-90, -180, -60, 180)]),
      MultiPolygon([]),
    ])
    func areas(_ latitude: Double, _ longitude: Double) throws -> [Int] {
      index.areas(containing: try Coordinate(latitude: latitude, longitude: longitude))
    }
    #expect(try areas(0, 180) == [0, 1, 2])
    #expect(try areas(0, -180) == [0, 1, 2])
    #expect(try areas(0, 175) == [0, 1])
    #expect(try areas(5, -170) == [0, 2])
    #expect(try areas(0, 0).isEmpty)
    #expect(try areas(-90, 12) == [3])
    #expect(try areas(-60, -180) == [3])
    #expect(
      index.smallestArea(containing: try Coordinate(latitude: 0, longitude: 180)) == 1,
      "of equal ones the first")
    #expect(AreaIndex([]).areas(containing: try Coordinate(latitude: 0, longitude: 0)).isEmpty)
  }

  @Test func `an area whose parts touch is named once`() throws {
    let index = AreaIndex([
      MultiPolygon([try box(0, 0, 1, 1), try box(1, 0, 2, 1), try box(0.5, 0.5, 1.5, 1.5)])
    ])
    let middle = try Coordinate(latitude: 1, longitude: 0.75)
    #expect(index.areas(containing: middle) == [0])
    #expect(index.smallestArea(containing: middle) == 0)
  }
}
