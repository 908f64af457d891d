import Geodesy
import NearbyTestSupport
import Testing

/// `Tests/Vectors/geodesics.csv`, by GeographicLib.
@Suite struct GeodesicVectorTests {
  @Test func `distances agree with GeographicLib's to a tenth of a micrometer`() throws {
    let rows = try Vectors.rows("geodesics.csv")
    #expect(rows.count == 60)
    for row in rows {
      func number(_ column: String) throws -> Double {
        try #require(row[column].flatMap { Double($0) })
      }
      let pair = PositionPair(
        latitude1: try number("lat1"), longitude1: try number("lon1"),
        latitude2: try number("lat2"), longitude2: try number("lon2"))
      let expected = try number("meters")
      for one in [pair, pair.exchanged, pair.latitudesMirrored, pair.longitudesMirrored] {
        #expect(abs(one.distance - expected) <= 0.1e-6, "\(one)")
      }
    }
  }
}
