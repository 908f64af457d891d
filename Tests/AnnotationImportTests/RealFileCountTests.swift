import AnnotationImport
import MapAnnotations
import MapProjections
import NearbyTestSupport
import Testing

/// Every folder of published files imports with the counts that its README gives, told nothing.
@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct RealFileCountTests {
  struct Counts: Sendable, CustomTestStringConvertible {
    let path: String
    let placed: Int
    var unplaced = 0
    var rejected: [String: Int] = [:]

    var testDescription: String { path }
  }

  static let files = [
    Counts(
      path: "uk-postcodes/uk-postcodes-a.csv.gz", placed: 1_370_320,
      rejected: ["row-half-coordinate": 6_699]),
    Counts(path: "geonames-postal/postal-world-a.csv.gz", placed: 636_092),
    Counts(path: "jp-towns/jp-towns-east.csv.gz", placed: 155_141, unplaced: 225),
    Counts(path: "geonames-cities/cities15000.tsv.gz", placed: 22_841),
    Counts(
      path: "openflights-airports/airports-extended.dat", placed: 12_665,
      rejected: ["null-island": 3]),
    Counts(path: "jp-stations/station.csv", placed: 9_372),
    Counts(path: "usgs-earthquakes/all_week_2018-02.geojson", placed: 1_707),
    Counts(
      path: "kr-libraries/libraries-2023.cp949.csv", placed: 3_549, unplaced: 245,
      rejected: ["lat-lon-swapped": 1]),
    Counts(path: "kr-markets/markets-2024.cp949.csv", placed: 1_372, unplaced: 16),
    // 2,477 without coordinates, of which 27 have one of the two.
    Counts(
      path: "kr-parking/parking-2022.cp949.csv.gz", placed: 12_174, unplaced: 2_450,
      rejected: ["row-half-coordinate": 27]),
    Counts(path: "kr-events/festivals-2023.cp949.csv", placed: 1_160, unplaced: 205),
    Counts(path: "kr-events/performances-2025.cp949.csv.gz", placed: 5_922, unplaced: 1_695),
    Counts(path: "kr-subway-elevators/seoul-subway-elevators.cp949.csv", placed: 643),
    Counts(path: "kr-cinemas/multiplex.csv", placed: 403),
    Counts(path: "kr-cinemas/indie.csv", placed: 146),
    Counts(path: "jp-yaizu-deals/digital_coupon.csv", placed: 548),
    Counts(path: "jp-yaizu-deals/voucher_retail.csv", placed: 365),
    Counts(path: "jp-yaizu-deals/tourism_shops.csv", placed: 72),
    Counts(path: "jp-takamatsu/bag_dealers_0098.csv", placed: 532),
    Counts(path: "jp-takamatsu/aed_0002.csv", placed: 514),
    Counts(path: "jp-takamatsu/tourist_facilities_0008.csv", placed: 14),
    Counts(path: "jp-sjis/yanai_tourism.sjis.csv", placed: 1, unplaced: 17),
    // Two rows of empty cells below the seven.
    Counts(path: "jp-sjis/hachijo_onsen.cp932.csv", placed: 7),
    Counts(path: "seeds/cinemas_kr.csv", placed: 26),
    Counts(path: "seeds/marts_kr_sample.csv", placed: 5, unplaced: 3),
    Counts(path: "natural-earth/ne_50m_admin_0_countries.json.gz", placed: 241),
    Counts(path: "natural-earth/ne_110m_admin_0_countries.json", placed: 177),
  ]

  @Test(arguments: files)
  func `a published file imports with the counts of its description`(counts: Counts) throws {
    let report = try importing(SharedFiles.bytes("data/" + counts.path), named: counts.path).report
    #expect(report.placed == counts.placed)
    #expect(report.unplaced == counts.unplaced)
    #expect(report.rejected == counts.rejected)
    #expect(report.records == counts.placed + counts.unplaced + counts.rejected.values.reduce(0, +))
  }

  @Test func `events without columns of coordinates are counted in their error`() throws {
    let path = "data/jp-takamatsu/events_0081.csv"
    let error = importError(try SharedFiles.bytes(path), named: path)
    #expect(error?.code == "no-coordinate-fields")
    #expect(error?.report?.records == 943)
    #expect(error?.report?.unplaced == 943)
  }

  @Test func `stores in meters need no more than their reference system`() throws {
    let path = "data/kr-large-stores/seoul-large-stores-2025.cp949.csv"
    let transform = try CRS(epsg: 5174).toWGS84
    let report = try importing(SharedFiles.bytes(path), named: path) {
      $0.crs = .transformed("EPSG:5174", transform)
    }.report
    #expect(report.placed == 936)
    #expect(report.unplaced == 82)
    #expect(report.rejected == [:])
    let error = importError(try SharedFiles.bytes(path), named: path)
    #expect(error?.code == "crs-unknown")
    #expect(error?.report?.unplaced == 82)
    #expect(error?.report?.rejected == ["crs-unknown": 936])
  }

  /// How many annotations have which status on a day.
  private static func statuses(
    of annotations: ImportedAnnotations, on text: String
  ) throws -> [String: Int] {
    let day = try #require(CalendarDate(text))
    var counts: [String: Int] = [:]
    for annotation in annotations {
      let status = annotation.business.status(on: day)
      #expect(status == BusinessRecord(reading: annotation.properties).status(on: day))
      switch status {
      case .inBusiness: counts["in business", default: 0] += 1
      case .suspended: counts["suspended", default: 0] += 1
      case .closedDown(let since): counts[since == nil ? "closed" : "closed since", default: 0] += 1
      case .unknown: counts["unknown", default: 0] += 1
      }
    }
    return counts
  }

  // Counted with Python's csv by 상세영업상태명, 폐업일자, 인허가취소일자 and 휴업종료일자: of 733 영업/정상 24 are 영업개시전;
  // of 193 폐업 and 12 취소 200 have a day; of 80 휴업 the stated end of one is over in June 2025, of three in
  // November 2026.
  @Test(arguments: [("2025-06-30", 79), ("2026-11-23", 77)])
  func `stores that have closed down are told apart`(day: String, suspended: Int) throws {
    let path = "data/kr-large-stores/seoul-large-stores-2025.cp949.csv"
    let transform = try CRS(epsg: 5174).toWGS84
    let annotations = try importing(SharedFiles.bytes(path), named: path) {
      $0.crs = .transformed("EPSG:5174", transform)
    }.annotations
    #expect(
      try Self.statuses(of: annotations, on: day) == [
        "in business": 709, "suspended": suspended, "closed since": 200, "closed": 5,
        "unknown": 24 + 80 - suspended,
      ])
  }

  // Counted with Python's csv: 384 rows with closed = 1, of which 69 have NULL for closed_date.
  @Test func `stations that have closed are told apart`() throws {
    let path = "data/jp-stations/station.csv"
    let annotations = try importing(SharedFiles.bytes(path), named: path).annotations
    #expect(
      try Self.statuses(of: annotations, on: "2026-11-23") == [
        "closed since": 315, "closed": 69, "unknown": annotations.count - 384,
      ])
  }
}
