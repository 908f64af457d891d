import Geodesy
import SpatialIndexing
import Testing
import NearbyTestSupport

@Suite struct GeohashTests {
  private let cityHall = PointSet.legal(37.5666, 126.9784)

  @Test func `the example of the documentation is true`() throws {
    let cell = Geohash(cityHall, precision: 6)
    #expect(cell.text == "wydm9q")
    #expect(cell.parent?.text == "wydm9")
    #expect(cell.box.contains(cityHall))
    #expect(BinaryGeohash(cityHall, bitCount: 52).bits == 4_074_323_245_314_951)
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<5)
  func `the box of a cell holds the position it was made from`(
    pointSet: PointSet, seed: UInt64
  ) throws {
    for position in pointSet.sample(300, seed: seed).points {
      let wrong = try (1...64).filter { bitCount in
        let cell = BinaryGeohash(position, bitCount: bitCount)
        let box = cell.box
        let isHeld =
          box.south <= position.latitude && (position.latitude < box.north || box.north == 90)
          && box.west <= position.longitude && position.longitude < box.east
        return try !isHeld || BinaryGeohash(bits: cell.bits, bitCount: bitCount) != cell
      }
      #expect(wrong.isEmpty, "\(position) at \(wrong) bits")
    }
  }

  @Test(arguments: UInt64(0)..<200)
  func `a text keeps its cell, and a cell its text`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for precision in 1...12 {
      let cell = Geohash(PointSet.anywhere(using: &generator), precision: precision)
      #expect(cell.precision == precision && cell.text.count == precision)
      #expect(try Geohash(cell.text) == cell)
      #expect(try Geohash(cell.text.uppercased()) == cell)
      let corner = cell.box
      #expect(
        try Geohash(latitude: corner.south, longitude: corner.west, precision: precision) == cell)
    }
  }

  @Test func `a border belongs to the cell above, and the next number below to the cell below`()
    throws
  {
    // Every border of the rows of 2^5 and of 2^16, and its closest neighbors among the numbers.
    for bits in [5, 16] {
      for row in 1..<(1 << bits) {
        let border = 180 * Double(row) / Double(1 << bits) - 90
        let below = BinaryGeohash(PointSet.legal(border.nextDown, 0), bitCount: 2 * bits)
        let at = BinaryGeohash(PointSet.legal(border, 0), bitCount: 2 * bits)
        guard at.box.south == border && below.box.north == border else {
          Issue.record("\(border) at \(bits) bits")
          continue
        }
      }
    }
    for tiny in [-Double.leastNonzeroMagnitude, -1e-300, -1e-20] {
      #expect(Geohash(PointSet.legal(tiny, tiny), precision: 12).text == "7zzzzzzzzzzz")
    }
    #expect(Geohash(PointSet.legal(-0.0, -0.0), precision: 12).text == "s00000000000")
  }

  @Test func `180 written as 180 is in the last column, and as a coordinate in the first`() throws {
    #expect(try Geohash(latitude: 0, longitude: 180, precision: 4).text == "xbpb")
    #expect(Geohash(PointSet.legal(0, 180), precision: 4).text == "8000")
    #expect(try Geohash("xbpb").neighbor(.east)?.text == "8000")
    #expect(try Geohash(latitude: 90, longitude: 180, precision: 3).text == "zzz")
    #expect(try Geohash(latitude: -90, longitude: -180, precision: 3).text == "000")
  }

  @Test func `each character divides its cell into 32 children in the order of their names`() throws
  {
    let cell = try Geohash("wyd")
    let children = cell.children
    #expect(children.map(\.text) == "0123456789bcdefghjkmnpqrstuvwxyz".map { "wyd\($0)" })
    #expect(children.allSatisfy { $0.parent == cell && cell.contains($0) && !$0.contains(cell) })
    #expect(children == children.sorted() && cell < children[0])
    #expect(try Geohash("w").parent == nil)
    #expect(try Geohash("wydm9qabcdef".replacing("a", with: "b")).children.isEmpty)
  }

  @Test func `the order is that of the texts`() {
    var generator = SeededGenerator(seed: 7)
    let cells = (0..<500).map { _ in
      Geohash(
        PointSet.anywhere(using: &generator), precision: Int.random(in: 1...3, using: &generator))
    }
    #expect(cells.sorted().map(\.text) == cells.map(\.text).sorted())
  }

  @Test func `52 bits keep their cell`() throws {
    let bits = BinaryGeohash(cityHall, bitCount: 52).bits
    #expect(try BinaryGeohash(bits: bits, bitCount: 52).box.contains(cityHall))
    #expect(throws: GeohashError.integerOutOfRange(1 << 52, bitCount: 52)) {
      try BinaryGeohash(bits: 1 << 52, bitCount: 52)
    }
    #expect(BinaryGeohash.sortedSetScore(of: PointSet.legal(85.06, 0)) == nil)
  }
}

@Suite struct GeohashNeighborTests {
  private static let opposites: [(CompassDirection, CompassDirection)] = [
    (.north, .south), (.northeast, .southwest), (.east, .west), (.southeast, .northwest),
  ]

  @Test(arguments: PointSet.allCases)
  func `neighbors are each other's neighbors and touch`(pointSet: PointSet) throws {
    for position in pointSet.sample(100, seed: 3).points {
      for bitCount in [2, 5, 9, 20, 41, 60, 64] {
        let cell = BinaryGeohash(position, bitCount: bitCount)
        for (direction, back) in Self.opposites {
          for (there, back) in [(direction, back), (back, direction)] {
            if let neighbor = cell.neighbor(there) {
              #expect(neighbor.neighbor(back) == cell)
            } else {
              #expect(cell.box.north == 90 || cell.box.south == -90)
            }
          }
        }
        let east = try #require(cell.neighbor(.east))
        #expect(
          Coordinate.wrappedLongitude(east.box.west - cell.box.east) == 0
            && east.box.south == cell.box.south)
      }
    }
  }

  @Test func `a cell at a pole has five neighbors, none beyond`() throws {
    let north = Geohash(PointSet.legal(90, 12), precision: 5)
    #expect(north.neighbors.count == 5)
    for direction in [CompassDirection.northwest, .north, .northeast] {
      #expect(north.neighbor(direction) == nil)
    }
    let south = Geohash(PointSet.legal(-90, 12), precision: 5)
    #expect(south.neighbors.count == 5 && south.neighbor(.south) == nil)
  }
}

@Suite struct GeohashErrorTests {
  @Test func `a wrong character is named with its place`() {
    #expect(throws: GeohashError.badCharacter("a", at: 1, in: "a4pruyd")) { try Geohash("a4pruyd") }
    #expect(throws: GeohashError.badCharacter("é", at: 4, in: "café".replacing("a", with: "b"))) {
      try Geohash("café".replacing("a", with: "b"))
    }
    let error = GeohashError.badCharacter("!", at: 6, in: "u4pru!")
    #expect(error.code == "geohash-character")
    #expect(
      error.description
        == "\"u4pru!\" is not a geohash: character 6 is \"!\"; use 0-9 and b-z without a, i, l and o"
    )
  }

  @Test func `an empty text and one of 13 characters are refused`() {
    #expect(throws: GeohashError.badLength(0)) { try Geohash("") }
    #expect(throws: GeohashError.badLength(13)) { try Geohash("0123456789bcd") }
    #expect(GeohashError.badLength(13).code == "geohash-length")
    #expect(GeohashError.badLength(0).description.hasPrefix("the geohash is empty"))
  }

  @Test(arguments: [-1, 0, 13]) func `a precision outside 1…12 is refused`(precision: Int) {
    let error = GeohashError.precisionOutOfRange(precision)
    #expect(throws: error) { try Geohash(latitude: 0, longitude: 0, precision: precision) }
    #expect(error.code == "geohash-precision" && error.description.contains("\(precision)"))
  }

  @Test func `degrees that are no position are refused with the code of positions`() {
    let error = GeohashError.position(.latitudeOutOfRange(90.5))
    #expect(throws: error) { try Geohash(latitude: 90.5, longitude: 100, precision: 5) }
    #expect(error.code == "lat-range")
    #expect(throws: GeohashError.self) { try Geohash(latitude: 1, longitude: .nan, precision: 5) }
  }

  @Test func `integers that need more bits are refused`() {
    #expect(throws: GeohashError.self) { try BinaryGeohash(bits: 32, bitCount: 5) }
    #expect(throws: GeohashError.self) { try BinaryGeohash(bits: 0, bitCount: 65) }
    #expect(throws: GeohashError.self) { try BinaryGeohash(bits: 0, bitCount: 0) }
    #expect(throws: Never.self) { try BinaryGeohash(bits: .max, bitCount: 64) }
    #expect(GeohashError.integerOutOfRange(32, bitCount: 5).code == "geohash-integer")
  }
}
