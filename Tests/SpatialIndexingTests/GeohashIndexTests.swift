import Geodesy
import SpatialIndexing
import Testing
import NearbyTestSupport

@Suite struct GeohashIndexTests {
  /// Sizes on both sides of the one where sorting changes its way.
  @Test(arguments: PointSet.allCases, [0, 1, 50, 1_024, 3_000])
  func `cells agree with looking at every position`(pointSet: PointSet, size: Int) throws {
    let (positions, origin) = pointSet.sample(size, seed: 11)
    let index = GeohashIndex(positions)
    #expect(index.count == size)
    for precision in 1...12 {
      let probe = Geohash(origin, precision: precision)
      for cell in [probe] + probe.neighbors {
        let expected = positions.indices.filter { cell.contains(positions[$0]) }
        #expect(index.offsets(in: cell).sorted() == expected)
        #expect(index.count(in: cell) == expected.count)
      }
    }
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<8)
  func `counts of a box agree with looking at every position and add up`(
    pointSet: PointSet, seed: UInt64
  ) throws {
    let (positions, origin) = pointSet.sample(2_000, seed: seed)
    let index = GeohashIndex(positions)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      let sizes: [Double] = [0, 0.01, 1, 60]
      let size = sizes.randomElement(using: &generator) ?? 1
      let box = BoundingBox(
        unchecked: max(-90, origin.latitude - size),
        Coordinate.wrappedLongitude(origin.longitude - size),
        min(90, origin.latitude + size),
        Coordinate.wrappedLongitude(origin.longitude + size))
      let inside = positions.filter(box.contains)
      for precision in [1, 3, 6, 9, 12] {
        let counts = index.cells(in: box, precision: precision)
        var expected: [Geohash: Int] = [:]
        for position in inside {
          expected[Geohash(position, precision: precision), default: 0] += 1
        }
        #expect(
          counts
            == expected.map { GeohashCount(cell: $0.key, count: $0.value) }
            .sorted { $0.cell < $1.cell })
        #expect(counts.reduce(0) { $0 + $1.count } == inside.count)
      }
    }
  }

  @Test func `a position on the antimeridian is counted once`() throws {
    let index = GeohashIndex([PointSet.legal(1, 180), PointSet.legal(1, -180)])
    for box in [
      try BoundingBox(south: 0, west: 170, north: 2, east: 180),
      try BoundingBox(south: 0, west: -180, north: 2, east: -170),
      try BoundingBox(south: 0, west: 170, north: 2, east: -170),
      .world,
    ] {
      let cell = Geohash(PointSet.legal(1, -180), precision: 4)
      #expect(index.cells(in: box, precision: 4) == [GeohashCount(cell: cell, count: 2)])
    }
  }

  @Test func `offsets of equal positions keep the order of the input`() throws {
    let index = GeohashIndex(PointSet.allEqual.sample(2_000, seed: 0).points)
    let cell = Geohash(PointSet.legal(37.5665, 126.978), precision: 12)
    #expect(index.offsets(in: cell) == Array(0..<2_000))
  }

  @Test func `the last cell of all ends the list`() throws {
    let index = GeohashIndex([PointSet.legal(90, 179.999999999), PointSet.legal(-90, -180)])
    #expect(index.offsets(in: try Geohash("zzzzzzz")) == [0])
    #expect(index.offsets(in: try Geohash("0000000")) == [1])
    #expect(index.cells(in: .world, precision: 1).map(\.cell.text) == ["0", "z"])
  }
}
