import AnnotationImport
import MapAnnotations
import NearbyTestSupport
import Testing

/// Published files, and what their descriptions say is in them.
@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct RealDataTests {
  private func read(
    _ path: String, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportResult {
    try importing(SharedFiles.bytes(path), named: path, change)
  }

  @Test(arguments: ["ko-a-utf8", "ja-a-utf8"])
  func `a byte order mark changes nothing`(name: String) throws {
    let plain = try read("conformance/csv/encodings/\(name).csv")
    let marked = try read("conformance/csv/encodings/\(name)bom.csv")
    #expect(plain.report == marked.report)
    #expect(plain.report.placed > 0)
    #expect(plain.annotations.map(\.id) == marked.annotations.map(\.id))
    #expect(plain.annotations.map(\.properties) == marked.annotations.map(\.properties))
    #expect(plain.annotations.map(\.coordinate) == marked.annotations.map(\.coordinate))
  }

  @Test func `stations are read with their own ids`() throws {
    let result = try read("data/jp-stations/station.csv")
    #expect(result.report.records == 9_372)
    #expect(result.report.placed == 9_372)
    let hakodate = try #require(result.annotations.first)
    #expect(hakodate.id == 1)
    #expect(hakodate.name == "函館")
    #expect(hakodate.coordinate == PointSet.legal(41.773709, 140.726413))
    #expect(hakodate.properties["closed_date"] == "NULL")
    #expect(result.annotations.columns.count == 12)
  }

  @Test func `airports have three devices without a fix, and no header`() throws {
    let result = try read("data/openflights-airports/airports-extended.dat") {
      $0.hasHeader = false
      ($0.idField, $0.nameField) = ("1", "2")
      ($0.latitudeField, $0.longitudeField) = ("7", "8")
    }
    #expect(result.report.records == 12_668)
    #expect(result.report.rejected == ["null-island": 3])
    #expect(result.annotations.first?.name == "Goroka Airport")
  }

  @Test func `cities are read from packed and unquoted tab-separated values`() throws {
    let result = try read("data/geonames-cities/cities15000.tsv.gz") {
      $0.hasHeader = false
      ($0.idField, $0.nameField) = ("1", "2")
      ($0.latitudeField, $0.longitudeField) = ("5", "6")
    }
    #expect(result.report.records == 22_841)
    #expect(result.report.placed == 22_841)
    #expect(result.annotations.count { $0.properties["9"] == "KR" } == 120)
  }

  @Test func `towns without a position are kept unplaced`() throws {
    let report = try read("data/jp-towns/jp-towns-east.csv.gz").report
    #expect(report.records == 155_366)
    #expect(report.placed == 155_141)
    #expect(report.unplaced == 225)
  }

  @Test(arguments: [
    ("digital_coupon", 548, " MASUYA", 138.32222, 34.866937),
    ("tourism_shops", 72, "ヤマクニ水産焼津さかなセンター店", 138.3028146, 34.88019874),
    ("voucher_retail", 365, "愛清館八楠薬局", 138.3017597, 34.87859369),
  ])
  func `shops of a city are read with longitude before or behind latitude`(
    file: String, count: Int, name: String, longitude: Double, latitude: Double
  ) throws {
    let result = try read("data/jp-yaizu-deals/\(file).csv")
    #expect(result.report.placed == count)
    #expect(result.annotations.first?.name == name)
    #expect(result.annotations.first?.coordinate == PointSet.legal(latitude, longitude))
  }

  @Test func `earthquakes keep the ids of their features`() throws {
    let result = try read("data/usgs-earthquakes/all_week_2018-02.geojson")
    #expect(result.report.placed == 1_707)
    #expect(result.annotations.last?.featureID == "uw61345682")
  }
}
