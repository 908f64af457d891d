import NearbyKit
import Testing

@Suite struct `Examples of MapAnnotations` {
  private func ownKind() throws {
    struct Cafe: Annotation {
      let id: AnnotationID
      let coordinate: Coordinate?
      var kind: AnnotationKind? { "cafe" }
    }
    let cafes = [
      Cafe(id: 1, coordinate: try Coordinate(latitude: 37.5721, longitude: 126.9690)),
      Cafe(id: 2, coordinate: nil),  // not placed yet
    ]
    let index = AnnotationIndex(cafes)
    print(index.placedCount, index.unplacedCount)  // 1 1
  }

  @Test func `add a kind`() throws {
    #expect(try PrintedLines.of(ownKind) == ["1 1"])
  }

  private func onePlace() {
    let coupon = Deal(
      BasicAnnotation(id: "coupon-12", placeID: "xn0w8p", name: "MASUYA"), terms: "1,000 yen off")
    let voucher = Deal(BasicAnnotation(id: "voucher-7", placeID: "xn0w8p", name: "MASUYA"))
    print(coupon.id == voucher.id, coupon.placeID == voucher.placeID)  // false true
    print(coupon.kind == voucher.kind)  // true
  }

  @Test func `share a place`() {
    #expect(PrintedLines.of(onePlace) == ["false true", "true"])
  }

  private func difference() {
    let before = Deal(BasicAnnotation(id: 1, name: "MASUYA"), terms: "1,000 yen off")
    let now = Deal(BasicAnnotation(id: 1, name: "MASUYA"), terms: "2,000 yen off")
    print(AnnotationDiff(from: [before], to: [now]).updated.count)  // 1
    let byName = AnnotationDiff(from: [before], to: [now]) { $0.name == $1.name }
    print(byName.isEmpty)  // true
  }

  @Test func `say what has changed`() {
    #expect(PrintedLines.of(difference) == ["1", "true"])
  }

  private func order() {
    let ids: [AnnotationID] = ["b", "10", "007", "7", "-3", "a"]
    print(ids.sorted().map(\.text).joined(separator: " "))  // -3 7 10 007 a b
  }

  @Test func `order ids`() {
    #expect(PrintedLines.of(order) == ["-3 7 10 007 a b"])
  }

  private func whatIsOn() {
    let deal = BasicAnnotation(id: "d", properties: ["dates": "15, 月曜日, 20261224, !2026-11-30"])
    let cinema = BasicAnnotation(
      id: "c", properties: ["sessions": "2026-11-22 10:30-12:40,14:00 하얼빈; 2026-11-24 25:10 심야"])
    let sunday = CalendarDate("2026-11-22")!
    print(deal.holds(on: sunday)!, deal.holds(in: .tomorrow, today: sunday)!)
    print(cinema.calendar.sessions(on: sunday))
    print(cinema.calendar.firstDay(onOrAfter: CalendarDate("2026-11-23")!)!)
    // false true
    // [10:30–12:40 하얼빈, 14:00 하얼빈]
    // 2026-11-24
  }

  private func closedDown() throws {
    let mart = BasicAnnotation(
      id: 1, name: "용산마트", openingHours: "10:00-22:00",
      properties: ["영업상태명": "폐업", "폐업일자": "2015-08-27"])
    let record = mart.business
    print(record.status(on: CalendarDate("2015-08-26")!).words ?? "in business")
    print(record.status(on: CalendarDate("2026-11-23")!).words ?? "in business")
    let noon = LocalTime(year: 2026, month: 11, day: 23, hour: 12)
    print(record.applied(to: try OpeningHours("10:00-22:00"))!.state(at: noon))
    // in business
    // closed down 2015-08-27
    // closed
  }

  @Test func `say what has closed down`() throws {
    #expect(
      try PrintedLines.of(closedDown) == ["in business", "closed down 2015-08-27", "closed"])
  }

  @Test func `say what is on`() {
    #expect(
      PrintedLines.of(whatIsOn) == ["false true", "[10:30–12:40 하얼빈, 14:00 하얼빈]", "2026-11-24"])
  }
}
