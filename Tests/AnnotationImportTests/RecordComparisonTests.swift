import AnnotationImport
import NearbyTestSupport
import Testing

@Suite struct RecordComparisonTests {
  private func warnings(_ text: String) throws -> ImportReport {
    try importing(text) { $0.comparesRecords = true }.report
  }

  @Test func `the same name at the same position is a record twice`() throws {
    let report = try warnings("name,lat,lon\na,37.5,127\nb,37.5,127\na,37.5,127\na,37.6,127\n")
    #expect(report.warnings == ["duplicate-record": 1])
    #expect(
      report.examples["duplicate-record"]
        == "shops.csv:4: a at 37.5,127.0 was there before; both are kept")
  }

  @Test func `comparing says how far it has come, and only where it is asked for`() throws {
    let rows = 5_000
    let text =
      "name,address,lat,lon\n"
      + (0..<rows).map { "a\($0),서울특별시 중구 세종대로 \($0),37.\(50_000 + $0),127.0\n" }.joined()
    for compares in [false, true] {
      var options = ImportOptions()
      options.comparesRecords = compares
      var told: [Int] = []
      _ = try AnnotationImporter(options: options).read(
        Array(text.utf8), named: "shops.csv",
        onCompare: { done, total in
          #expect(total == rows)
          told.append(done)
        })
      #expect(told == (compares ? [1_024, 2_048, 3_072, 4_096] : []))
    }
  }

  @Test func `one position for many addresses stands for an unknown one`() throws {
    let report = try warnings(
      """
      name,address,lat,lon
      a,서울특별시 중구 세종대로 110,37.5,127
      b,서울특별시 중구 을지로 5,37.5,127
      c,"서울특별시 중구 남대문로 7, 3층",37.5,127
      d,서울특별시 중구 남대문로 7,37.6,127
      e,"서울특별시 중구 남대문로 7, 5층",37.6,127
      """)
    // c, d and e say the same address, and c is elsewhere.
    #expect(report.warnings == ["placeholder-position": 3, "far-from-address": 1])
  }

  @Test func `a province by another name is the same district`() throws {
    let report = try warnings(
      """
      name,address,lat,lon
      a,강원특별자치도 양양군 양양읍 단지길 40,38.08,128.58
      b,강원도 양양군 양양읍 단지길 40,38.08,128.58
      c,부산광역시 중구 단지길 40,35.1,129
      d,서울특별시 중구 단지길 40,35.1,129
      """)
    #expect(report.warnings == ["placeholder-position": 2, "far-from-province": 1])
  }

  @Test func `positions that differ by whole degrees were filled down`() throws {
    let report = try warnings(
      "name,lat,lon\na,37.077811,127.2342546\nb,38.077811,127.2342546\nc,39.5,127\nd,38.5,127\n"
        // Minutes and seconds of arc, and five decimals, coincide on their own.
        + "e,39.483333,127.016667\nf,38.483333,127.016667\ng,39.12345,127.12345\nh,38.12345,127.12345\n"
    )
    #expect(report.warnings == ["fill-down": 2])
  }

  @Test func `a position far from others with its address or district is named`() throws {
    var text = "name,住所,緯度,経度\n"
    for number in 1...6 {
      text += "a\(number),静岡県焼津市本町\(number)丁目,34.86\(number),138.31\(number)\n"
    }
    text += "far,静岡県焼津市栄町2丁目,35.9,139.6\n"
    text += "moved,静岡県焼津市本町1丁目,34.9,138.4\n"
    let report = try warnings(text)
    #expect(
      report.warnings == [
        "far-from-district": 1, "far-from-address": 2, "far-from-province": 1,
      ])
    #expect(report.examples["far-from-district"]?.hasPrefix("shops.csv:8: 35.9,139.6 is ") == true)
  }

  @Test func `an address in a country speaks against a position outside it`() throws {
    let report = try warnings(
      """
      name,address,lat,lon
      a,서울특별시 중구 세종대로 110,34.7,135.5
      b,大阪府大阪市北区梅田1,34.7,135.5
      c,Paris,48.85,2.35
      d,제주특별자치도 제주시 연동 1,32.43,127.14
      """)
    #expect(report.warnings == ["outside-country": 2, "placeholder-position": 2])
    #expect(
      report.examples["outside-country"]?.hasPrefix("shops.csv:2: 34.7,135.5 is ") == true)
  }

  @Test func `nothing is compared unless it is asked for`() throws {
    #expect(try importing("name,lat,lon\na,37.5,127\na,37.5,127\n").report.warnings == [:])
  }

  // MARK: Published files

  /// What their descriptions say, and Python counts of equal names and positions.
  @Test(
    .enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)),
    arguments: [
      ("kr-events/festivals-2023.cp949.csv", "duplicate-record", 102),
      ("kr-events/performances-2025.cp949.csv.gz", "duplicate-record", 628),
      ("kr-events/performances-2025.cp949.csv.gz", "fill-down", 6),
      ("kr-libraries/libraries-2023.cp949.csv", "duplicate-record", 242),
      ("kr-parking/parking-2022.cp949.csv.gz", "duplicate-record", 166),
    ])
  func `what is known to be wrong in published files is found`(
    path: String, code: String, count: Int
  ) throws {
    let report = try importing(SharedFiles.bytes("data/" + path), named: path) {
      $0.comparesRecords = true
    }.report
    #expect(report.warnings[code] == count)
  }
}
