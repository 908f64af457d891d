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
