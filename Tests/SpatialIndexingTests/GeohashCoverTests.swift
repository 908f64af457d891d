import Geodesy
import SpatialIndexing
import Testing
import NearbyTestSupport

@Suite struct GeohashCoverTests {
  /// A box of at most a few dozen degrees, often with an edge on a border of cells or at ±180.
  private func randomBox(using generator: inout SeededGenerator) -> BoundingBox {
    func latitude() -> Double {
      Bool.random(using: &generator)
        ? Double(Int.random(in: -16...16, using: &generator)) * 5.625
        : Double.random(in: -90...90, using: &generator)
    }
    func longitude() -> Double {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: return 180
      case 1: return -180
      case 2: return Double(Int.random(in: -16...16, using: &generator)) * 11.25
      default: return Double.random(in: -180...180, using: &generator)
      }
    }
    let (a, b) = (latitude(), latitude())
    return BoundingBox(unchecked: min(a, b), longitude(), max(a, b), longitude())
  }

  @Test(arguments: UInt64(0)..<300)
  func `every cell is judged as by looking at all`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let box = randomBox(using: &generator)
    for precision in 1...2 {
      let cover = GeohashCover(of: box, precision: precision)
      let cells = Array(cover)
      #expect(cells.count == cover.count)
      #expect(cells == cells.sorted())
      // The judge: a cell is in the cover when the box holds one of its positions by either name.
      let expected = try allCells(precision: precision).filter { holds(box, $0) }
      #expect(cells == expected, "\(box)")
    }
  }

  private func allCells(precision: Int) throws -> [Geohash] {
    let first = try "0123456789bcdefghjkmnpqrstuvwxyz".map { try Geohash(String($0)) }
    return precision == 1 ? first : first.flatMap(\.children)
  }

  /// Whether some position of the box has this cell, writing the antimeridian both ways.
  private func holds(_ box: BoundingBox, _ cell: Geohash) -> Bool {
    let area = cell.box
    let rows = area.south <= box.north && (box.south < area.north || area.north == 90)
    let west = area.west, east = area.east
    func meets(_ low: Double, _ high: Double) -> Bool {
      west <= high && (low < east || east == 180 && low == 180)
    }
    var columns =
      box.west <= box.east
      ? meets(box.west, box.east) : meets(box.west, 180) || meets(-180, box.east)
    if [box.west, box.east].contains(where: { abs($0) == 180 }) {
      columns = columns || west == -180 || east == 180
    }
    return rows && columns
  }

  @Test(arguments: UInt64(0)..<100)
  func `every position of the box lies in a cell`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let corner = PointSet.anywhere(using: &generator)
    let size = Double.random(in: 0...0.02, using: &generator)
    let west = seed.isMultiple(of: 3) ? 180 - size / 2 : corner.longitude
    let east = Coordinate.wrappedLongitude(west + size)
    let south = min(corner.latitude, 90 - size)
    let box = try BoundingBox(south: south, west: west, north: south + size, east: east)
    let cells = Set(GeohashCover(of: box, precision: 7))
    #expect(cells.count == GeohashCover(of: box, precision: 7).count)
    for _ in 0..<200 {
      let longitude = west + Double.random(in: 0...size, using: &generator)
      let position = PointSet.legal(
        Double.random(in: south...(south + size), using: &generator),
        Coordinate.wrappedLongitude(longitude))
      guard box.contains(position) else { continue }
      #expect(cells.contains(Geohash(position, precision: 7)))
    }
  }

  @Test func `a box with an edge at 180 is covered on both sides`() throws {
    let box = try BoundingBox(south: 1, west: 170, north: 2, east: 180)
    let cells = GeohashCover(of: box, precision: 3).map(\.text)
    #expect(cells.contains(try Geohash(latitude: 1, longitude: 180, precision: 3).text))
    #expect(cells.contains(try Geohash(latitude: 1, longitude: -180, precision: 3).text))
    let other = try BoundingBox(south: 1, west: -180, north: 2, east: -170)
    #expect(
      GeohashCover(of: other, precision: 3).contains(
        try Geohash(latitude: 1, longitude: 180, precision: 3)))
  }

  @Test func `the world's cells are counted without making them`() {
    #expect(GeohashCover(of: .world, precision: 12).count == 1 << 60)
    #expect(GeohashCover(of: .world, precision: 1).map(\.text).joined().count == 32)
    var first = GeohashCover(of: .world, precision: 12).makeIterator()
    #expect(first.next()?.text == "000000000000")
    #expect(first.next()?.text == "000000000001")
  }
}

@Suite struct GeohashCircleCoverTests {
  @Test(arguments: PointSet.allCases, [10.0, 3_000, 800_000, 9_000_000])
  func `every position within the radius lies in a cell`(
    pointSet: PointSet, meters: Double
  ) throws {
    let precision = meters < 100 ? 8 : meters < 10_000 ? 6 : 3
    var generator = SeededGenerator(seed: UInt64(meters))
    for seed in UInt64(0)..<4 {
      let center = pointSet.sample(100, seed: seed).origin
      let cells = Set(
        GeohashCircleCover(around: center, radius: .meters(meters), precision: precision))
      #expect(cells.contains(Geohash(center, precision: precision)))
      var insideCount = 0
      for _ in 0..<300 {
        // On a sphere, and so only roughly at this distance: the geodesic judges.
        let position = destination(
          from: center, meters: meters * Double.random(in: 0.9...1.01, using: &generator),
          bearing: Double.random(in: 0...360, using: &generator))
        guard Geodesic.inverse(from: center, to: position).distance <= .meters(meters) else {
          continue
        }
        #expect(cells.contains(Geohash(position, precision: precision)), "\(center) \(position)")
        insideCount += 1
      }
      #expect(insideCount > 200)
    }
  }

  /// Along a great circle of the mean sphere.
  private func destination(from start: Coordinate, meters: Double, bearing: Double) -> Coordinate {
    let angle = meters / 6_371_008.7714
    let latitude = radians(start.latitude), course = radians(bearing)
    let sineOfEnd =
      sine(latitude) * cosine(angle) + cosine(latitude) * sine(angle) * cosine(course)
    let longitude =
      radians(start.longitude)
      + arcTangent(
        y: sine(course) * sine(angle) * cosine(latitude),
        x: cosine(angle) - sine(latitude) * sineOfEnd)
    return PointSet.legal(
      degrees(arcSine(min(1, max(-1, sineOfEnd)))),
      Coordinate.wrappedLongitude(degrees(longitude)))
  }

  @Test func `a circle leaves out what is clearly beyond it`() throws {
    let center = PointSet.legal(37.5666, 126.9784)
    let cells = Array(GeohashCircleCover(around: center, radius: .kilometers(2), precision: 6))
    // 12.6 km² in cells of 0.59 km² each, and those on the rim.
    #expect((21...45).contains(cells.count))
    #expect(cells == cells.sorted())
  }

  @Test func `a circle around a pole has every column, and infinity every cell`() {
    let pole = PointSet.legal(90, 0)
    let cells = Array(GeohashCircleCover(around: pole, radius: .kilometers(10), precision: 3))
    #expect(cells.count == 256)
    #expect(
      Array(GeohashCircleCover(around: pole, radius: .infinity, precision: 2)).count == 1_024)
    let point = GeohashCircleCover(around: PointSet.legal(0, 180), radius: .zero, precision: 1)
    #expect(Set(point.map(\.text)) == ["8", "2", "x", "r"])
  }
}
