import NearbySampleData
import NearbyTestSupport
import Testing

@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct `Sample data and its sources` {
  @Test func `cinemas agree with the seeds to the letter, and only the disabled one is left out`()
    throws
  {
    let seeds = DelimitedTable(try SharedFiles.bytes("data/seeds/cinemas_kr.csv")).rows
    let active = seeds.filter { $0["active"] == "true" }
      .sorted { $0["place_id", default: ""] < $1["place_id", default: ""] }
    let cinemas = SampleRow.all(of: SampleData.cinemas)
    #expect(cinemas.count == active.count && active.count == seeds.count - 1)
    for (cinema, seed) in zip(cinemas, active) {
      #expect(cinema["id"] == "cinema-\(seed["place_id", default: ""])")
      for column in ["name", "latitude", "longitude", "address"] {
        #expect(cinema[column] == seed[column], "\(cinema), \(column)")
      }
    }
  }

  @Test func `every mart is in operation in its source, and stands where PROJ puts it`() throws {
    let source = DelimitedTable(
      try SharedFiles.bytes("data/kr-large-stores/seoul-large-stores-2025.cp949.csv"))
    let judge = DelimitedTable(try SharedFiles.bytes("data/kr-large-stores/expected-wgs84.csv"))
    let positions = Dictionary(uniqueKeysWithValues: judge.rows.map { ($0["row"], $0) })

    // 영업/정상 in CP949; its code is 01, and that of 정상영업 beside it 1.
    let inOperation: [UInt8] = [0xBF, 0xB5, 0xBE, 0xF7, 0x2F, 0xC1, 0xA4, 0xBB, 0xF3]
    let licence = 1
    let stateCode = 4
    let state = 5
    let detailCode = 6
    var recordOfLicence: [String: Int] = [:]
    for (record, cells) in source.records.enumerated() {
      let id = "mart-" + String(decoding: cells[licence], as: UTF8.self)
      #expect(recordOfLicence.updateValue(record, forKey: id) == nil, "\(id) is there twice")
    }

    let marts = SampleRow.all(of: SampleData.marts)
    #expect(marts.count >= 200)
    for mart in marts {
      let record = try #require(recordOfLicence[mart["id"]], "\(mart)")
      let cells = source.records[record]
      #expect(cells[state] == inOperation, "\(mart)")
      #expect(cells[stateCode] == Array("01".utf8) && cells[detailCode] == Array("1".utf8))

      let position = try #require(positions[String(record + 1)], "\(mart)")
      let point = try mart.coordinate()
      let latitude = try #require(position["lat"].flatMap(Double.init))
      let longitude = try #require(position["lon"].flatMap(Double.init))
      #expect(abs(point.latitude - latitude) < 1e-7, "\(mart)")
      #expect(abs(point.longitude - longitude) < 1e-7, "\(mart)")
    }
  }

  @Test func `every deal agrees with its source in name and position, and no deal is missing`()
    throws
  {
    let coupons = DelimitedTable(try SharedFiles.bytes("data/jp-yaizu-deals/digital_coupon.csv"))
    let vouchers = DelimitedTable(try SharedFiles.bytes("data/jp-yaizu-deals/voucher_retail.csv"))
    var sources: [String: (name: String, row: [String: String])] = [:]
    for row in coupons.rows {
      sources["deal-coupon-\(row["ソート番号", default: ""])"] = (row["クーポン名", default: ""], row)
    }
    for row in vouchers.rows {
      sources["deal-voucher-\(row["ID", default: ""])"] = (row["店舗名", default: ""], row)
    }

    let deals = SampleRow.all(of: SampleData.deals)
    #expect(Set(deals.map { $0["id"] }).symmetricDifference(sources.keys).isEmpty)
    for deal in deals {
      let (name, row) = try #require(sources[deal["id"]])
      // Two names hold a double blank, which the project's own form does not keep.
      #expect(
        deal["name"].filter { !$0.isWhitespace } == name.filter { !$0.isWhitespace }, "\(deal)")
      let point = try deal.coordinate()
      let latitude = try #require(row["緯度"].flatMap(Double.init))
      let longitude = try #require(row["経度"].flatMap(Double.init))
      #expect(abs(point.latitude - latitude) < 1e-7, "\(deal)")
      #expect(abs(point.longitude - longitude) < 1e-7, "\(deal)")
    }
  }
}
