import AnnotationImport
import Geodesy
import MapAnnotations
import Testing

@Suite struct BadRowTests {
  private static let good = "good,37.5,127\n"

  @Test func `the first row without a position is named`() throws {
    let report = try importing("name,lat,lon\na,1,2\nb,,\nc,,\n").report
    #expect(report.unplaced == 2)
    #expect(report.warnings == [:])
    #expect(
      report.examples["row-no-coordinate"]
        == "shops.csv:3: both coordinates are empty; the row is kept, unplaced")
  }

  @Test func `a limit is quoted as it was given`() {
    let error = importError("lat,lon\n1,2\n91,91\n") { $0.rejectLimit = .percent(1) }
    #expect(error?.description.contains("`rejectLimit` allows 1%. First: ") == true)
  }

  /// A row of `name,lat,lon` and the code and sentence it must give.
  @Test(arguments: [
    ("a,37.5", "row-fields", "shops.csv:2 (byte 13): 2 fields, header has 3; row skipped"),
    (
      "\"a,37.5,127", "row-quote",
      "shops.csv:2: quote opened here never closes; reading continues at the next record"
    ),
    (
      "\"b\" x,37.5,127", "row-quote",
      "shops.csv:2: text follows a closing quote; write \"\" for a quote inside quotes"
    ),
    ("a,\"37,5\",127", "not-a-number", "shops.csv:2: \"37,5\" is not a number; use a dot"),
    (
      "a,nan,127", "not-a-number",
      "shops.csv:2: \"nan\" is not a number; write degrees, such as 37.5"
    ),
    (
      "a,37.5,inf", "not-a-number",
      "shops.csv:2: \"inf\" is not a number; write degrees, such as 37.5"
    ),
    (
      "a,200,127", "lat-range",
      "shops.csv:2: latitude 200 is outside -90…90; give degrees north, negative in the south"
    ),
    (
      "a,37.5,-180.5", "lon-range",
      "shops.csv:2: longitude -180.5 is outside -180…180; give degrees east, negative in the west"
    ),
    (
      "a,1e400,3", "not-a-number",
      "shops.csv:2: \"1e400\" is not a number; write degrees, such as 37.5"
    ),
    (
      "a,127.03,37.50", "lat-lon-swapped",
      "shops.csv:2: latitude 127.03 is outside -90…90; these look swapped: try latitude 37.5, "
        + "longitude 127.03"
    ),
    (
      "a,,0.00000", "row-half-coordinate",
      "shops.csv:2: latitude is empty, longitude is 0.00000; give both or neither"
    ),
    (
      "a,37.5,NULL", "row-half-coordinate",
      "shops.csv:2: longitude is empty, latitude is 37.5; give both or neither"
    ),
    (
      "a,0.0004,-0.0004", "null-island",
      "shops.csv:2: 0.0004,-0.0004 is what devices send when they have no fix; if it is meant, "
        + "pass `allowsNullIsland`"
    ),
    (
      "a,450000.12,200000", "crs-unknown",
      "shops.csv:2: latitude 450000.12, longitude 200000 are meters, not degrees; "
        + "name their CRS with `crs` EPSG:n"
    ),
  ])
  func `a bad row is rejected and says why`(row: String, code: String, sentence: String) throws {
    let result = try importing("name,lat,lon\n\(row)\n\(BadRowTests.good)")
    #expect(result.report.rejected == [code: 1])
    #expect(result.report.examples[code] == sentence)
    #expect(result.annotations.map(\.name) == ["good"])
    #expect(result.annotations.first?.id == 2)
    #expect(result.annotations.first?.origin == RecordOrigin(source: "shops.csv", record: 2))
  }

  @Test func `an opening quote on a later line does not close the one before`() throws {
    let result = try importing("name,lat,lon\n\"b,37.5,127\n\"c\",37.5,127\n")
    #expect(
      result.report.examples["row-quote"]
        == "shops.csv:2: quote opened here never closes; reading continues at the next record")
    #expect(result.annotations.map(\.name) == ["c"])
  }

  @Test func `a row at the threshold of null island is placed`() throws {
    let result = try importing("lat,lon\n0.0005,0\n0,-0.0005\n")
    #expect(result.report.placed == 2)
  }

  @Test func `null island is a warning where it is allowed`() throws {
    let result = try importing("lat,lon\n0,0\n") { $0.allowsNullIsland = true }
    #expect(result.report.placed == 1)
    #expect(result.report.warnings == ["null-island": 1])
  }

  @Test(arguments: [",", "\\N,\\N", "NULL,null", " ,\t"])
  func `a row with neither coordinate is kept unplaced`(cells: String) throws {
    let result = try importing("name,lat,lon\nA,\(cells)\n")
    #expect(result.report.unplaced == 1)
    #expect(result.report.rejected.isEmpty)
    #expect(result.annotations.map(\.coordinate) == [nil])
  }

  @Test
  func `a row of empty cells is left out, whatever its length, and the others keep their numbers`()
    throws
  {
    let rows = "A,37.5,127\n,,\n \n\"\",\t,\n,,,,,\nB,,\n,,\n"
    let result = try importing("name,lat,lon\n" + rows)
    #expect(result.report.records == 2 && result.report.unplaced == 1)
    #expect(result.report.rejected.isEmpty)
    #expect(result.annotations.map(\.origin?.record) == [1, 2])
    #expect(result.report.remarks == ["shops.csv: 5 rows of empty cells are left out"])
    let unplaced = try importing("name,memo\nA,b\n,\n") { $0.requiresPositions = false }
    #expect(unplaced.report.records == 1)
    #expect(unplaced.report.remarks == ["shops.csv: 1 row of empty cells is left out"])
    #expect(importError("name,memo\nA,b\n,\n")?.report?.records == 1)
    // A stray quote and a text are not nothing.
    #expect(try importing("name,lat,lon\nA,1,2\n\"\n").report.rejected == ["row-quote": 1])
  }

  @Test func `a row with neither coordinate is rejected by a strict import`() {
    let error = importError("name,lat,lon\nA,1,2\nB,,\n") { $0.isStrict = true }
    #expect(error?.code == "row-no-coordinate")
    #expect(error?.report?.rejected == ["row-no-coordinate": 1])
    #expect(
      error?.description
        == "shops.csv: 1 of 2 rows rejected: 1 row-no-coordinate; `isStrict` allows none. First: "
        + "shops.csv:3: both coordinates are empty; fill them in, or leave `isStrict` out to keep "
        + "the row unplaced")
  }

  @Test func `a position outside the region is rejected with its distance`() throws {
    let korea = Region(
      name: "KR", boxes: [try BoundingBox(south: 33, west: 124, north: 39, east: 132)])
    let result = try importing("lat,lon\n48.85,2.35\n37.5,127\n") { $0.region = korea }
    #expect(result.report.rejected == ["outside-region": 1])
    #expect(
      result.report.examples["outside-region"]
        == "shops.csv:2: 48.85,2.35 is 8,711 km outside KR; correct it or widen `region`")
  }

  @Test func `a position that lies in the region once exchanged is said to look swapped`() throws {
    let britain = Region(
      name: "-8,50,2,60", boxes: [try BoundingBox(south: 50, west: -8, north: 60, east: 2)])
    let result = try importing("lat,lon\n-0.13,51.5\n51.5,-0.13\n") { $0.region = britain }
    #expect(
      result.report.examples["outside-region"]
        == "shops.csv:2: -0.13,51.5 is 7,267 km outside -8,50,2,60, and inside it if exchanged: "
        + "these look swapped; correct it or widen `region`")
  }

  @Test func `an empty region is infinitely far from everything`() {
    let error = importError("lat,lon\n48.85,2.35\n") { $0.region = Region(name: "KR") }
    #expect(error?.code == "outside-region")
    #expect(error?.report?.examples["outside-region"]?.contains("is far outside KR") == true)
  }

  @Test func `a source in metres is an error that names the candidates`() {
    let error = importError("좌표정보(X),좌표정보(Y)\n200000,450000\n,\n198765.4,451234.5\n")
    #expect(error?.code == "crs-unknown")
    #expect(error?.blame == .data)
    #expect(
      error?.description
        == "shops.csv: numbers like 200000,450000 are meters, not degrees. Candidates: Korean TM "
        + "EPSG:5174, 5181, 5186, 2097, 5176, 5183, 5187 (5174 lands at 37.5523,127.0008; "
        + "away from there 5181 313 m, 5186 100 km, 2097 255 m, 5176 177 km, 5183 177 km, "
        + "5187 204 km); or a UTM zone (EPSG:326zz) or the grid of another country; "
        + "pass the right one as `crs` EPSG:n")
  }

  @Test func `a repeated id is a warning, and both rows stay`() throws {
    let result = try importing("id,lat,lon\n7,1,2\n8,1,2\nx,1,2\n7,1,3\nx,1,4\n7,1,5\n")
    #expect(result.report.warnings == ["duplicate-id": 3])
    #expect(
      result.report.examples["duplicate-id"]
        == "shops.csv:5: id 7 was already used; both rows are kept")
    #expect(result.annotations.map(\.id) == ["7", "8", "x", "7", "x", "7"])
    #expect(!result.annotations.idsAscend)
  }

  @Test func `a remark before a row does not move its line`() throws {
    let result = try importing("id,lat,lon\n7,1,2\n#\n7,1,3\n#\n,1,4\n") { $0.comment = [0x23] }
    let examples = result.report.examples
    #expect(examples["duplicate-id"]?.hasPrefix("shops.csv:4: ") == true)
    #expect(examples["no-id"]?.hasPrefix("shops.csv:6: ") == true)
  }

  @Test func `when every row is rejected the most frequent code is the error's`() {
    let error = importError("lat,lon\n127,37\n126,36\n1\n")
    #expect(error?.code == "lat-lon-swapped")
    #expect(
      error?.description.hasPrefix(
        "shops.csv: 3 of 3 rows rejected: 2 lat-lon-swapped, 1 row-fields; shops.csv:2: ") == true)
  }

  @Test func `if nearly all rows are swapped the columns to exchange are named`() throws {
    let rows = "a,126.9791,37.573\nb,126.9976,37.5641\nc,127.0473,37.5172\n"
    let advice = "; nearly all rows look swapped: use `latitudeField` 경도 `longitudeField` 위도"
    let table = "name,위도,경도\n\(rows)"
    #expect(importError(table)?.description.hasSuffix(advice) == true)
    // A row without a position changes nothing, a good one of four does.
    let report = try importing("\(table)d,,\n").report
    #expect(report.examples["lat-lon-swapped"]?.hasSuffix(advice) == true)
    let mixed = try importing("\(table)d,37.5,127\n").report
    #expect(mixed.examples["lat-lon-swapped"]?.hasSuffix("longitude 126.9791") == true)
    let read = try importing(table) { ($0.latitudeField, $0.longitudeField) = ("경도", "위도") }
    #expect(read.report.placed == 3)
    // A name of several words is one for the shell, too.
    let words = importError("shop title,my lat,$lon\n\(rows)") {
      ($0.latitudeField, $0.longitudeField) = ("my lat", "$lon")
    }
    #expect(
      words?.description.hasSuffix(#"`latitudeField` "\$lon" `longitudeField` "my lat""#) == true)
  }

  @Test func `more rejects than the limit are an error with reasons ranked`() throws {
    let text =
      "lat,lon\n" + String(repeating: "1,2\n", count: 296)
      + String(repeating: "127,37\n", count: 1_190) + String(repeating: "1\n", count: 14)
    for limit in [RejectLimit.count(1_203), .percent(80.2)] {
      let error = importError(text) { $0.rejectLimit = limit }
      #expect(error?.code == "lat-lon-swapped")
      #expect(
        error?.description.hasPrefix(
          "shops.csv: 1,204 of 1,500 rows rejected: 1,190 lat-lon-swapped, 14 row-fields; ")
          == true)
    }
    for limit in [RejectLimit.count(1_204), .percent(80.3)] {
      #expect(try importing(text) { $0.rejectLimit = limit }.report.rejectedCount == 1_204)
    }
  }

  @Test func `rejected records are handed over as they were written`() throws {
    var rejected: [RejectedRecord] = []
    let text = "lat,lon,name\r\n1,2,a\r\n\"9\"\"1\",2,\"b\r\nc\"\r\n\r\n,3,\"d\r\n1,2,e\r\n"
    _ = try AnnotationImporter().read(Array(text.utf8), named: "-", format: .csv) {
      rejected.append($0)
    }
    #expect(rejected.map(\.record) == [2, 3])
    #expect(rejected.map(\.line) == [3, 6])
    #expect(
      rejected.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "\"9\"\"1\",2,\"b\r\nc\"", ",3,\"d",
      ])
    for reject in rejected {
      let start = try #require(reject.byteOffset)
      #expect(Array(Array(text.utf8)[start...].prefix(reject.bytes.count)) == reject.bytes)
    }
  }

  @Test func `a rejected record has the byte of the source where it begins, or none`() throws {
    func rejected(_ bytes: [UInt8], _ name: String) throws -> [RejectedRecord] {
      var rejected: [RejectedRecord] = []
      _ = try AnnotationImporter().read(bytes, named: name) { rejected.append($0) }
      return rejected
    }
    let utf16 = "lat,lon\n1,2\n3\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let converted = try #require(try rejected([0xFF, 0xFE] + utf16, "a.csv").first)
    #expect(converted.byteOffset == nil)
    #expect(converted.sentence == "a.csv:3: 1 field, header has 2; row skipped")
    let gpx = "<gpx>\n<wpt lat=\"1\" lon=\"2\"/>\n<wpt lat=\"x\" lon=\"2\"/></gpx>"
    let point = try #require(try rejected(Array(gpx.utf8), "a.gpx").first)
    #expect(point.byteOffset == 29)
    #expect(String(decoding: point.bytes, as: UTF8.self) == "<wpt lat=\"x\" lon=\"2\"/>")
  }

  @Test func `the names of schema.org for valid dates are read`() throws {
    let result = try importing("lat,lon,validFrom,validThrough\n1,2,2026-01-01,2026-01-31\n")
    #expect(
      result.annotations.map(\.validDates) == [
        [DateSpan(first: CalendarDate("2026-01-01"), last: CalendarDate("2026-01-31"))]
      ])
  }

  @Test func `a date that is none is a warning and says nothing`() throws {
    let result = try importing(
      """
      lat,lon,valid_from,valid_until
      1,2,2026-01-01,2026-01-31
      1,2,20260201,
      1,2,soon,2026-03-01
      1,2,2026-03-02,2026-03-01
      1,2,,NULL
      1,2,2026.1.5,2026년 1월 31일
      1,2,2026/01,2026-01-31 23:59
      """)
    #expect(result.report.warnings == ["valid-dates": 2])
    #expect(
      result.annotations.map(\.validDates) == [
        [DateSpan(first: CalendarDate("2026-01-01"), last: CalendarDate("2026-01-31"))],
        [DateSpan(first: CalendarDate("2026-02-01"), last: nil)],
        [DateSpan(first: nil, last: CalendarDate("2026-03-01"))], [], [],
        [DateSpan(first: CalendarDate("2026-01-05"), last: CalendarDate("2026-01-31"))],
        [DateSpan(first: CalendarDate("2026-01-01"), last: CalendarDate("2026-01-31"))],
      ])
  }
}
