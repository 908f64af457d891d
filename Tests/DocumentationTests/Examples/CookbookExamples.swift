import AnnotationImport
import Foundation
import NearbyKit
import NearbyTestSupport
import Testing

/// What the articles of NearbyKit's cookbook show.
@Suite struct `Examples of the cookbook` {
  private let cinemas: ImportedAnnotations
  private let cityHall: Coordinate
  private let campus: Coordinate
  private let osaka: Coordinate
  private let umeda: Coordinate
  private let deals: [BasicAnnotation]

  init() throws {
    let name = "cinemas.csv"
    let file = SharedFiles.packageRoot.appending(path: "Data/\(name)")
    cinemas = try AnnotationImporter().read([UInt8](try Data(contentsOf: file)), named: name)
      .annotations
    cityHall = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    campus = try Coordinate(latitude: 37.5178, longitude: 126.8865)
    osaka = try Coordinate(latitude: 34.7024, longitude: 135.4959)
    umeda = try Coordinate(latitude: 34.7039, longitude: 135.4963)
    deals = [
      BasicAnnotation(id: 1, coordinate: osaka), BasicAnnotation(id: 2, coordinate: osaka),
      BasicAnnotation(id: 3, coordinate: umeda),
    ]
  }

  private func cinemasOnTheWay() {
    let index = AnnotationIndex(cinemas)
    let session = NearbySession(.cinema300m) { index.nearest(3, to: $0) }
    print(session.anchor == nil)
    session.standIn(at: cityHall)
    print(session.anchor == .standIn)
    for minute in 0..<4 {
      let latitude = 37.57 + Double(minute) * 0.002
      let update = session.take(
        Fix(latitude: latitude, longitude: 126.97, time: Double(minute) * 60))
      print(update.verdict.name, update.verdict.reasons.map(\.description))
    }
    if let nearest = session.answer?[0] {
      let distance = DistanceText(nearest.distance, in: .korean)
      let walk = WalkingTime(of: nearest.distance)
      print(distance?.description ?? "", walk?.text(in: .korean) ?? "")
    }
    // true
    // true
    // accepted ["the first fix"]
    // held ["moved 222 m of 300 m"]
    // accepted ["moved 444 m of 300 m"]
    // held ["moved 222 m of 300 m"]
    // 224m 도보 3분
  }

  @Test func `follow somebody to the nearest cinemas`() {
    let promised = """
      true
      true
      accepted ["the first fix"]
      held ["moved 222 m of 300 m"]
      accepted ["moved 444 m of 300 m"]
      held ["moved 222 m of 300 m"]
      224m 도보 3분
      """
    #expect(PrintedLines.of(cinemasOnTheWay).joined(separator: "\n") == promised)
  }

  private func filmsOfADay() {
    let cinema = BasicAnnotation(
      id: 1, properties: ["sessions": "2026-11-24 10:30,19:00 하얼빈; 2026-11-24 14:00 가타카"])
    let calendar = cinema.calendar
    let day = calendar.firstDay(onOrAfter: CalendarDate("2026-11-22")!)!
    for film in Session.byTitle(calendar.sessions(on: day), session: { $0 }) {
      print(day, film.title ?? "?", film.elements)
    }
    // 2026-11-24 하얼빈 [10:30 하얼빈, 19:00 하얼빈]
    // 2026-11-24 가타카 [14:00 가타카]
  }

  @Test func `list the films of a day`() {
    let promised = """
      2026-11-24 하얼빈 [10:30 하얼빈, 19:00 하얼빈]
      2026-11-24 가타카 [14:00 가타카]
      """
    #expect(PrintedLines.of(filmsOfADay).joined(separator: "\n") == promised)
  }

  private func marts() {
    var gate = LocationGate(.mart0005deg)
    let fixes: [(Double, Double)] = [(0, 0), (37.5, 127), (37.5, 127.0004), (37.5005, 127.0004)]
    print(fixes.map { gate.judge(Fix(latitude: $0.0, longitude: $0.1)).name })
    let mart = WrittenHours("10:00~23:00", closingDays: "매월 둘째·넷째 일요일, 설날·추석 당일")
    for today in ["2026-11-22", "2026-11-23", "2027-02-01"] {
      let first = CalendarDate(today)!.dayNumber
      if let closed = mart.hours.nextClosing(from: first, days: 366).closed {
        print(today, CalendarDate(dayNumber: closed)!)
      }
    }
    let zooms = [1.0, 2, 4, 8].compactMap { kilometers in
      MapFit(
        of: BoundingBox(around: cityHall, radius: .kilometers(kilometers)), width: 390, height: 844
      ).map { Int($0.zoom) }
    }
    print(zooms)
    // ["rejected", "accepted", "held", "accepted"]
    // 2026-11-22 2026-11-22
    // 2026-11-23 2026-12-13
    // 2027-02-01 2027-02-07
    // [13, 12, 11, 10]
  }

  @Test func `tell when marts close`() {
    let promised = """
      ["rejected", "accepted", "held", "accepted"]
      2026-11-22 2026-11-22
      2026-11-23 2026-12-13
      2027-02-01 2027-02-07
      [13, 12, 11, 10]
      """
    #expect(PrintedLines.of(marts).joined(separator: "\n") == promised)
  }

  private func dealsOfToday() {
    let deals = [
      BasicAnnotation(id: 1, coordinate: osaka, properties: ["dates": "23"]),
      BasicAnnotation(id: 2, coordinate: osaka, properties: ["dates": "月曜日"]),
      BasicAnnotation(id: 3, coordinate: umeda, properties: ["dates": "20261224"]),
    ]
    let map = MapSession(deals)
    let all = map.move(to: MapViewport(center: osaka, zoom: 17, width: 390, height: 844))
    let today = map.setSegment(.days(.today, today: CalendarDate("2026-11-23")!))
    print(all.pins.added.count, today.pins.removed.map(\.id.text), today.pins.kept.count)
    print(map.fanOut().count)
    let gone = map.apply([.remove(2)])
    print(gone.pins.removed.map(\.id.text), map.pins.map(\.id.text))
    // 3 ["3"] 2
    // 2
    // ["2"] ["1"]
  }

  @Test func `show the deals of today`() {
    let promised = """
      3 ["3"] 2
      2
      ["2"] ["1"]
      """
    #expect(PrintedLines.of(dealsOfToday).joined(separator: "\n") == promised)
  }

  private func newestFix() {
    var policy = GatePolicy()
    policy.movement = .meters(100, .exclusive)
    let index = AnnotationIndex(deals)
    let session = NearbySession(policy) { index.nearest(1, to: $0) }
    session.standIn(at: osaka)
    let newest = Fix(umeda, time: 10), older = Fix(osaka, time: 0)
    print(session.take(together: [newest, older]).map(\.verdict.name))
    print(session.answer?[0].annotation.id.text ?? "?", session.anchor == .fix)
    for version in [7, 8, 9] {
      switch SyncDecision(now: .number(version), stored: .number(8)) {
      case .keep(let reason): print("keep:", reason)
      case .apply(let reason): print("take:", reason)
      }
    }
    // ["accepted", "accepted"]
    // 3 true
    // keep: version 7 is older than the stored version 8
    // keep: version 8 is what is stored
    // take: version 9 is newer than 8
  }

  @Test func `take the newest fix and the newest data`() {
    let promised = """
      ["accepted", "accepted"]
      3 true
      keep: version 7 is older than the stored version 8
      keep: version 8 is what is stored
      take: version 9 is newer than 8
      """
    #expect(PrintedLines.of(newestFix).joined(separator: "\n") == promised)
  }

  private func people() throws {
    let map = MapSession([BasicAnnotation]())
    let first = map.request(MapViewport(center: cityHall, zoom: 16, width: 390, height: 844))
    let second = map.request(MapViewport(center: campus, zoom: 16, width: 390, height: 844))
    let people = [
      BasicAnnotation(
        id: "u1", kind: "queue", coordinate: campus,
        properties: ["studylist": .array(["iOS", "Swift"])]),
      BasicAnnotation(
        id: "u2", kind: "requested", coordinate: campus, properties: ["studylist": .array(["요리"])]),
    ]
    print(map.receive(people.prefix(1), for: second)?.pins.added.map(\.id.text) ?? [])
    print(map.receive(people, for: first) == nil, map.pins.count)
    let tagged = try ConditionFilter(
      Condition(parsing: "studylist contains 'swift'"), for: people, from: nil)
    print(people.filter(tagged.includes).map(\.id.text))
    let grid = DegreeGrid(degrees: 0.01)
    let cell = grid.cell(at: campus)
    print(cell, grid.neighbors(of: cell).count, Geohash(campus, precision: 6))
    var policy = GatePolicy()
    policy.leastInterval = 5
    var gate = LocationGate(policy)
    print([0.0, 4, 5].map { gate.judge(Fix(campus, time: $0)).name })
    // ["u1"]
    // true 1
    // ["u1"]
    // 12751,30688 8 wydjrm
    // ["accepted", "held", "accepted"]
  }

  @Test func `drop late answers`() throws {
    let promised = """
      ["u1"]
      true 1
      ["u1"]
      12751,30688 8 wydjrm
      ["accepted", "held", "accepted"]
      """
    #expect(try PrintedLines.of(people).joined(separator: "\n") == promised)
  }

  private func shelves() throws {
    let shelf = [
      ("milk", 1, "2026-11-24"), ("kimchi", 10, "2026-12-01"), ("butter", 1, "2026-11-22"),
      ("ham", 2, "2026-11-24"), ("eggs", 1, "2026-11-24"),
    ].map { name, number, date in
      BasicAnnotation(
        id: AnnotationID(name),
        properties: ["place": "cold", "number": .integer(number), "date": .string(date)])
    }
    var query = NearbyQuery()
    query.condition = try Condition(parsing: "place = 'cold'")
    query.order = ResultOrder(
      .field(.property("number")), ties: [ResultOrder.Tie(.property("date"))])
    query.limit = 2
    query.after = ""
    repeat {
      let page = try AnnotationScan(shelf).answer(query)
      print(page.annotations.map(\.id.text), page.next == nil)
      query.after = page.next
    } while query.after != nil
    // ["butter", "eggs"] false
    // ["milk", "ham"] false
    // ["kimchi"] true
  }

  @Test func `page through shelves`() throws {
    let promised = """
      ["butter", "eggs"] false
      ["milk", "ham"] false
      ["kimchi"] true
      """
    #expect(try PrintedLines.of(shelves).joined(separator: "\n") == promised)
  }
}
