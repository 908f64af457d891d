import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch
import NearbyTestSupport
import Testing

/// Shops that have closed down among those that have not, and brute force over them.
@Suite struct OutOfBusinessTests {
  /// Monday, 23 November 2026, 12:00 UTC.
  private static let noon: Instant = 1_795_435_200
  private static let columns: [Properties] = [
    [:], ["영업상태명": "영업/정상"], ["영업상태명": "폐업", "폐업일자": "2015-08-27"], ["영업상태명": "휴업"],
    ["disused:shop": "bakery"], ["폐업일자": "2026-11-24"], ["end_date": "2026-11-22"],
    ["end_date": "2026-11-23"], ["shop": "bakery"],
  ]

  private static func shops(_ count: Int, seed: UInt64) -> [BasicAnnotation] {
    var generator = SeededGenerator(seed: seed)
    let center = PointSet.legal(37.5, 127)
    return (0..<count).map { number in
      BasicAnnotation(
        id: AnnotationID(number),
        coordinate: center.destination(
          bearing: .random(in: 0..<360, using: &generator),
          distance: .meters(.random(in: 0..<5_000, using: &generator))),
        openingHours: [nil, "24/7", "Mo-Fr 09:00-18:00"][number % 3],
        properties: columns.randomElement(using: &generator)!)
    }
  }

  /// By the columns alone, and not by what reads them.
  private static func isOut(_ shop: BasicAnnotation) -> Bool {
    let said = shop.properties.entries.map { "\($0.name)=\($0.value.text ?? "")" }
    return ["영업상태명=폐업", "영업상태명=휴업", "disused:shop=bakery", "end_date=2026-11-22"].contains {
      said.contains($0)
    }
  }

  @Test(arguments: [false, true]) func `none that is out of business is among the open`(
    showsUnknown: Bool
  ) throws {
    let shops = Self.shops(600, seed: 3)
    let index = AnnotationIndex(shops)
    let reader = HoursReader<BasicAnnotation>(setting: HoursSetting())
    let condition = OpenCondition(at: Self.noon, showsUnknown: showsUnknown)
    let origin = PointSet.legal(37.5, 127)
    let expected = shops.filter { shop in
      !Self.isOut(shop) && (showsUnknown || shop.openingHours != nil)
    }.sorted { origin.distance(to: $0.coordinate!) < origin.distance(to: $1.coordinate!) }
    #expect(!expected.isEmpty && expected.count < shops.count)

    var query = NearbyQuery(from: origin, limit: 600)
    query.open = condition
    let filtered = try index.answer(query, in: QueryContext(hours: reader))
    #expect(filtered.map(\.annotation.id) == expected.map(\.id))
    // One by one, and then from a window.
    let hours = HoursIndex(index, reader: reader)
    for _ in 0..<2 {
      let found = hours.nearest(600, to: origin, open: condition)
      #expect(found.map(\.annotation.id) == expected.map(\.id))
      for result in found {
        let business = result.openStatus?.business
        let says = result.annotation.properties.entries.map(\.name)
        let staysOpen = [["영업상태명"], ["폐업일자"], ["end_date"]].contains(says)
        #expect(business == (staysOpen ? .inBusiness : .unknown))
      }
      hours.prepare(for: condition)
    }
  }

  @Test func `a status says how a place is closed`() {
    let shop = BasicAnnotation(
      id: 1, openingHours: "24/7", properties: ["영업상태명": "폐업", "폐업일자": "2015-08-27"])
    let reader = HoursReader<BasicAnnotation>(setting: HoursSetting())
    let filter = OpenFilter(OpenCondition(at: Self.noon), reader: reader, from: nil)
    let status = filter.status(of: shop)
    #expect(status.state == .closed)
    #expect(status.business == .closedDown(since: CalendarDate("2015-08-27")))
    #expect(status.opens == nil && status.nextChange == nil)
  }

  @Test func `the last day ends at midnight by the place's clock`() {
    let shop = BasicAnnotation(
      id: 1, openingHours: "24/7", properties: ["폐업일자": "2026-11-24"])
    let seoul = HoursSetting { _ in 9 * 3600 }
    let reader = HoursReader<BasicAnnotation>(setting: seoul)
    let filter = OpenFilter(OpenCondition(at: Self.noon), reader: reader, from: nil)
    // Noon in UTC is 21:00 there.
    #expect(filter.status(of: shop).state == .open)
    #expect(filter.status(of: shop).nextChange == Self.noon + 3 * 3600)
    filter.condition = filter.condition.asked(at: Self.noon + 3 * 3600)
    #expect(filter.status(of: shop).business == .closedDown(since: CalendarDate("2026-11-24")))
    #expect(!filter.includes(shop))
  }
}
