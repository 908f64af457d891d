import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

/// The polygons of Natural Earth's countries at 1:110 million hold the positions that a test in
/// the plane says, islands of the sea and holes among them.
@Suite struct CountryTests {
  private static func regions() throws -> [Region] {
    let bytes = try SharedFiles.bytes("data/natural-earth/ne_110m_admin_0_countries.json")
    return try GeoJSONReader().features(in: bytes).map { feature in
      let code = feature.properties?["ADM0_A3"]?.text
      let parts = try #require(feature.geometry?.polygons)
      return Region(name: try #require(code), polygons: try parts.map { try Polygon($0) })
    }
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `every position lies in the country that is expected, and in no other`() throws {
    let regions = try Self.regions()
    #expect(regions.count == 177)
    let rows = try SharedFiles.rows("data/natural-earth/expected-country-110m.csv")
    #expect(rows.count == 318)
    var found = 0
    for row in rows {
      let position = try Coordinate(
        latitude: try #require(row["lat"].flatMap(Double.init)),
        longitude: try #require(row["lon"].flatMap(Double.init)))
      let expected = row["adm0_a3"] ?? ""
      let countries = regions.filter { $0.contains(position) }.map(\.name)
      #expect(countries == (expected.isEmpty ? [] : [expected]), "\(row)")
      found += countries.count
      for region in regions where region.name == expected {
        #expect(region.distance(to: position) == .zero)
      }
    }
    // The rest is sea.
    #expect(found == 114)
  }
}
