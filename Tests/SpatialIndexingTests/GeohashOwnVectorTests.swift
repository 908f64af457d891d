import SpatialIndexing
import NearbyTestSupport
import Testing

/// `Tests/Vectors/geohashes.csv`, by pygeohash.
@Suite struct GeohashOwnVectorTests {
  @Test func `cells agree with pygeohash's, letter by letter and edge by edge`() throws {
    let rows = try Vectors.rows("geohashes.csv")
    #expect(rows.count == 40)
    for row in rows {
      func number(_ column: String) throws -> Double {
        try #require(row[column].flatMap { Double($0) })
      }
      let text = try #require(row["geohash"])
      let cell = try Geohash(
        latitude: number("lat"), longitude: number("lon"), precision: text.count)
      #expect(cell.text == text)
      let box = try Geohash(text).box
      // Edges are halves of halves, and as such exact in both.
      let (south, north) = (try number("south"), try number("north"))
      #expect(box.south == south && box.north == north, "\(text)")
      // 180 has one name, −180.
      let (west, east) = (try number("west"), try number("east"))
      #expect(box.west == west && (box.east == east || east == 180 && box.east == -180), "\(text)")
    }
  }
}
