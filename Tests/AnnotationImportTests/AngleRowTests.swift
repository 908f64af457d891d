import MapProjections
import NearbyTestSupport
import Testing

@testable import AnnotationImport

/// Rows whose positions are angles in degrees, minutes and seconds.
@Suite struct AngleRowTests {
  @Test func `rows are placed by their angles, and how is said`() throws {
    let result = try importing(
      "名称,北緯,東経\n灯台,３５度４０分５２秒,139°46′01″\n岬,35.5,E139.30.00\n裏,E139.30.00,N35.30.00\n山,35°40′,x\n"
        + "島,0°0′0″,0°0′0″\n")
    #expect(result.report.placed == 2)
    #expect(
      result.report.rejected == ["lat-lon-swapped": 1, "not-a-number": 1, "null-island": 1])
    #expect(result.annotations[0].coordinate?.latitude == 128_452 / 3600.0)
    #expect(result.annotations[1].coordinate?.longitude == 139.5)
    #expect(result.report.warnings["angle-text"] == 2)
    #expect(
      result.report.examples["angle-text"]?.hasPrefix(
        "shops.csv:2: ３５度４０分５２秒, 139°46′01″ is read as 35.68111") == true)
  }

  @Test func `angles are on the datum that is named, and in feeds, too`() throws {
    let transform = try CRS(epsg: 4301).toWGS84
    let tokyo = try importing("名称,緯度,経度\n駅,35°40′41″,139°46′13″\n") {
      $0.crs = .transformed("EPSG:4301", transform)
    }
    let place = try #require(tokyo.annotations[0].coordinate)
    #expect(abs(place.latitude - 35.6813) < 1e-3)
    let feed = try importing(
      #"[{"name": "가", "lat": "37°30′N", "lng": "동경 127도"}, {"lat": "127E", "lng": "37N"}]"#,
      named: "a.json")
    #expect(feed.annotations[0].coordinate?.latitude == 37.5)
    #expect(feed.report.rejected == ["not-a-number": 1])
  }
}
