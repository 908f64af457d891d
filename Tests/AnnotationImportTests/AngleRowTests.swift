import Geodesy
import MapAnnotations
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

  /// Blanks and marks that tables and pages put around numbers.
  static let copied = [
    "37.5\u{3000}", "37.5\u{A0}", "\u{200B}37.5", "\u{FEFF}37.5", "37.5\u{200E}", "３７．５", "３７.5",
  ]

  @Test(arguments: copied)
  func `a number is read with the signs that people copy with it`(text: String) throws {
    let result = try importing("id,lat,lon\n1,\(text),−127.5\n2,\(text),\u{3000}\n")
    #expect(result.annotations[0].coordinate == Coordinate(unchecked: 37.5, -127.5))
    #expect(result.report.warnings["angle-text"] == 1)
    #expect(result.report.rejected == ["row-half-coordinate": 1])
    // However many blanks there are.
    for blanks in ["\u{3000}", "\u{A0}"].map({ String(repeating: $0, count: 20) }) {
      let empty = try importing("id,lat,lon\n1,\(text),127\n2,\(blanks),\(blanks)\n")
      #expect(empty.report.rejected.isEmpty && empty.annotations[1].coordinate == nil)
    }
    let feed = try importing(
      #"[{"name": "가", "lat": "\#(text)", "lng": "−127.5"}]"#, named: "a.json")
    #expect(feed.annotations[0].coordinate == Coordinate(unchecked: 37.5, -127.5))
  }

  @Test func `signs that people copy stand around decimal commas and meters, too`() throws {
    let commas = try importing("id;lat;lon\n1;37,51;127,02\n2;37,5\u{3000};127,25\n")
    #expect(commas.annotations[1].coordinate == Coordinate(unchecked: 37.5, 127.25))
    let transform = try CRS(epsg: 5179).toWGS84
    let meters = try importing("id,x,y\n1,953901,1952032\n2,953901\u{A0},1952032\n") {
      $0.crs = .transformed("EPSG:5179", transform)
    }
    #expect(meters.annotations[1].coordinate == meters.annotations[0].coordinate)
  }

  @Test func `one number in a column of whole positions is not both coordinates`() throws {
    let report = try importing(
      "id,좌표\n1,\"37.512, 127.123\"\n2,37.5\u{3000}\n3,37.5°\n4,\"36.512, 128.123\"\n"
    ) {
      ($0.latitudeField, $0.longitudeField) = ("좌표", "좌표")
    }.report
    #expect(report.placed == 2)
    #expect(report.rejectedCount == 2)
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
