import Geodesy
import MapProjections
import NearbyTestSupport
import Testing

@Suite struct TileAddressTests {
  /// Positions and tiles as mercantile's documentation and OpenStreetMap's wiki ("Slippy map
  /// tilenames") have them, and corners.
  @Test(arguments: [
    (20.6852, -105.1962, 9, "9/106/225"),
    (37.5666, 126.9784, 14, "14/13970/6344"),
    (0, 0, 1, "1/1/1"),
    (85.0511, -180, 30, "30/0/995"),
    (90, 0, 3, "3/4/0"),
    (-90, 180, 3, "3/0/7"),
    (-33.86, 151.21, 0, "0/0/0"),
  ])
  func `a position lies in the tile that others name`(
    latitude: Double, longitude: Double, zoom: Int, name: String
  ) throws {
    let position = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(TileAddress(containing: position, zoom: zoom).description == name)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a tile holds its positions, and its parent all of it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let position = try Coordinate(
        latitude: .random(in: -85...85, using: &random),
        longitude: .random(in: -180..<180, using: &random))
      let zoom = Int.random(in: 1...30, using: &random)
      let tile = TileAddress(containing: position, zoom: zoom)
      let parent = try #require(tile.parent)
      #expect(parent == TileAddress(containing: position, zoom: zoom - 1))
      #expect(parent.children.contains(tile))
      // A border's latitude is right to some 10⁻¹⁴ degrees.
      let box = tile.box
      #expect(box.south - 1e-13 <= position.latitude && position.latitude <= box.north + 1e-13)
      #expect(box.west <= position.longitude && position.longitude <= box.east)
    }
  }

  @Test func `the four children are the tile`() throws {
    let tile = try TileAddress(zoom: 5, x: 27, y: 12)
    let boxes = tile.children.map(\.box)
    #expect(boxes[0].north == tile.box.north && boxes[1].north == tile.box.north)
    #expect(boxes[0].west == tile.box.west && boxes[2].west == tile.box.west)
    #expect(boxes[3].south == tile.box.south && boxes[3].east == tile.box.east)
    #expect(boxes[0].south == boxes[2].north && boxes[0].east == boxes[1].west)
    #expect(tile.children.allSatisfy { $0.parent == tile })
  }

  @Test func `the pyramid has a top and a bottom`() throws {
    let world = try TileAddress(zoom: 0, x: 0, y: 0)
    #expect(world.parent == nil)
    #expect(world.box.west == -180 && world.box.east == 180)
    #expect(abs(world.box.north - 85.051_128_779_806_59) < 1e-13)
    #expect(world.box.south == -world.box.north)
    #expect(try TileAddress(zoom: 30, x: 5, y: 5).children.isEmpty)
  }

  @Test func `numbers that no tile has are refused, and which`() {
    #expect(throws: TileAddressError.zoomOutOfRange(31)) { try TileAddress(zoom: 31, x: 0, y: 0) }
    #expect(throws: TileAddressError.zoomOutOfRange(-1)) { try TileAddress(zoom: -1, x: 0, y: 0) }
    #expect(throws: TileAddressError.columnOutOfRange(8, zoom: 3)) {
      try TileAddress(zoom: 3, x: 8, y: 0)
    }
    #expect(throws: TileAddressError.rowOutOfRange(-1, zoom: 3)) {
      try TileAddress(zoom: 3, x: 0, y: -1)
    }
    #expect(
      TileAddressError.rowOutOfRange(9, zoom: 3).description
        == "row 9 is not in 0 to 7, those of zoom 3; name one that is")
  }

  @Test func `its text is read again, and nothing else is`() throws {
    let tile = try #require(TileAddress("12/3423/1763"))
    #expect(tile == (try TileAddress(zoom: 12, x: 3423, y: 1763)))
    for text in ["", "12", "12/1", "12/1/2/3", "+1/0/0", "1/00/1", "1/2/0", "31/0/0", "1/a/0"] {
      #expect(TileAddress(text) == nil, "\(text)")
    }
  }
}
