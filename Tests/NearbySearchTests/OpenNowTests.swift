import BusinessHours
import Geodesy
import LocationFiltering
import MapAnnotations
import NearbySearch
import Synchronization
import NearbyTestSupport
import SpatialIndexing
import Testing

@Suite struct OpenNowTests {
  /// Around instants at which clocks change, on a holiday and on any day.
  private static let starts: [Instant] = [
    1_774_742_000, 1_792_880_000, 1_795_338_000, 1_766_660_000, 1_767_225_000,
  ]

  /// The condition of one of six seeds, each about an instant of its own: without the optimizer hours are too slow
  /// for all of them at once.
  private static func condition(_ seed: UInt64) -> OpenCondition {
    let start = starts[Int(seed) % starts.count]
    var generator = SeededGenerator(seed: seed)
    let instant = start + Int64.random(in: 0..<200_000, using: &generator)
    let journey = Journey(departure: instant)
    let all = [
      OpenCondition(at: instant, showsUnknown: false), OpenCondition(at: instant),
      OpenCondition(at: instant, stay: 1800, showsUnknown: false),
      OpenCondition(at: instant, stay: 14_400), OpenCondition(arriving: journey),
      OpenCondition(arriving: journey, stay: 1200, showsUnknown: false),
    ]
    return all[Int(seed) % all.count]
  }

  @Test(arguments: UInt64(0)..<6)
  func `the nearest that are open agree with brute force`(seed: UInt64) throws {
    let world = OpenShops(100, seed: seed)
    let hours = HoursIndex(world.index, reader: world.reader)
    let condition = Self.condition(seed)
    for limit in [1, 3, 10, 1_000] {
      for outer in [Distance.infinity, .meters(1_800)] {
        let expected = world.nearest(limit, condition, within: outer)
        let answers = [
          try world.answer(limit, condition, within: outer),
          hours.nearest(limit, to: world.origin, within: outer, open: condition),
        ]
        for answer in answers {
          #expect(OpenShops.shown(answer) == expected, "\(condition), \(limit), \(outer)")
        }
        #expect(
          answers[0].validUntil == answers[1].validUntil, "\(condition), \(limit), \(outer)")
        #expect(answers[0].validRadius == answers[1].validRadius)
        #expect(
          answers[0].passedOver.map(\.annotation.id) == answers[1].passedOver.map(\.annotation.id)
        )
      }
    }
  }

  @Test func `a closing day in a column of its own counts without a word to the reader`()
    throws
  {
    let setting = HoursSetting(publicHolidays: .korea, utcOffset: { _ in 9 * 3600 })
    let mart = Mart(
      BasicAnnotation(
        id: 1, coordinate: PointSet.legal(37.5, 127), openingHours: "10:00~23:00",
        properties: ["holidays": .array(["2026-11-22 (일)"])]))
    // The fourth Sunday of November.
    let noon = setting.instant(of: LocalTime(year: 2026, month: 11, day: 22, hour: 12))
    func count<Item: Annotation>(_ item: Item, _ edit: (inout HoursReader<Item>) -> Void) -> Int {
      var reader = HoursReader<Item>(setting: setting)
      edit(&reader)
      return HoursIndex(AnnotationIndex([item]), reader: reader)
        .nearest(1, to: PointSet.legal(37.5, 127), open: OpenCondition(at: noon)).count
    }
    #expect(count(mart) { _ in } == 0 && count(AnyAnnotation(mart)) { _ in } == 0)
    #expect(count(mart) { $0.closingDays = { _ in nil } } == 1)
  }

  @Test(arguments: UInt64(0)..<6)
  func `a window gives the same answers as asking one by one`(seed: UInt64) throws {
    let world = OpenShops(200, seed: seed)
    let prepared = HoursIndex(world.index, reader: world.reader)
    let condition = Self.condition(seed)
    prepared.prepare(for: condition)
    let endsWith3 = try Condition(parsing: "id ends with '3'")
    // All through the quarter of an hour, and past its end.
    for minutes in [0, 9, 16] {
      let condition = condition.asked(at: condition.instant + Int64(minutes) * 60)
      for (limit, outer) in [(1, Distance.infinity), (10, .meters(900)), (40, .infinity)] {
        for kinds in [nil, ["kind 0", "kind 2"] as Set<AnnotationKind>] {
          for isAll in [true, false] {
            let other = prepared.nearest(
              limit, to: world.origin, within: outer, kinds: kinds, open: condition,
              where: isAll ? nil : { $0.id.text.hasSuffix("3") })
            let one = try world.answer(
              limit, condition, within: outer, kinds: kinds, where: isAll ? nil : endsWith3)
            #expect(OpenShops.shown(one) == OpenShops.shown(other))
            #expect(one.validUntil == other.validUntil, "\(condition) \(limit) \(outer)")
            #expect(one.validRadius == other.validRadius)
            #expect(one.map(\.openStatus) == other.map(\.openStatus))
          }
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<6)
  func `an answer holds until validUntil, and not at it`(seed: UInt64) throws {
    let world = OpenShops(40, seed: seed)
    let condition = Self.condition(seed)
    for (limit, outer) in [(3, Distance.infinity), (5, .meters(1_500)), (1_000, .infinity)] {
      let answer = try world.answer(limit, condition, within: outer)
      let shown = OpenShops.shown(answer)
      let start = condition.instant
      let end = min(answer.validUntil ?? Instant(milliseconds: .max), start + 6 * 3600)
      func expected(_ instant: Instant) -> [String] {
        world.nearest(limit, condition.asked(at: instant), within: outer)
      }
      #expect(expected(end - 1) == shown, "\(condition), \(limit)")
      var instant = start
      while instant < end {
        guard expected(instant) == shown else {
          Issue.record("\(condition), \(limit): another answer at \(instant), before \(end)")
          break
        }
        instant = instant + 997
      }
      if let end = answer.validUntil {
        #expect(end > start)
        #expect(expected(end) != shown, "\(condition), \(limit), \(outer), \(end)")
      }
    }
  }

  @Test(arguments: UInt64(0)..<6)
  func `a page in any order holds until validUntil, and not at it`(seed: UInt64) throws {
    let world = OpenShops(40, seed: seed)
    let field = Condition.Field(named: "kind")
    let orders = [
      ResultOrder.distance, .id, ResultOrder(.field(field), isDescending: true),
      ResultOrder(.field(field), band: .meters(1_000)),
    ]
    let condition = Self.condition(seed)
    for (number, order) in (orders + [.distance]).enumerated() {
      let eachKind = number == orders.count
      let outer = Distance.meters(number % 2 == 0 ? .infinity : 3_000)
      var query = NearbyQuery(from: world.origin, limit: 3)
      query.distances.within = outer
      if eachKind {
        query.isPerKind = true
      } else {
        query.order = order
        query.after = ""
      }
      func ask(_ instant: Instant) throws -> NearbyAnswer<BasicAnnotation> {
        query.open = condition.asked(at: instant)
        return try world.index.answer(query, in: QueryContext(hours: world.reader))
      }
      func shown(_ instant: Instant) throws -> [String] {
        OpenShops.shown(try ask(instant))
      }
      for page in 0..<(eachKind ? 1 : 2) {
        let start = condition.instant
        let first = try ask(start)
        let validUntil = first.validUntil
        let kept = try shown(start)
        let end = min(validUntil ?? Instant(milliseconds: .max), start + 3 * 3600)
        let steps = stride(from: start.seconds, to: end.seconds, by: 2_999).map(
          Instant.init(seconds:))
        for instant in steps + [end - 1] {
          let isKept = try shown(instant) == kept
          #expect(isKept, "\(condition), \(order), page \(page), at \(instant)")
        }
        if let validUntil {
          #expect(validUntil > start)
          let isOther = try shown(validUntil) != kept
          #expect(isOther, "\(condition), \(order), page \(page), \(validUntil)")
        }
        guard let next = first.next else { break }
        query.after = next
      }
    }
  }

  @Test func `what is passed over on arrival says when it opens`() throws {
    let origin = PointSet.legal(52.52, 13.405)
    func shop(_ id: AnnotationID, _ meters: Double, _ hours: String) -> BasicAnnotation {
      BasicAnnotation(
        id: id, coordinate: origin.destination(bearing: 90, distance: .meters(meters)),
        openingHours: hours)
    }
    let shops = [
      shop("opens late", 499.5, "10:00-20:00"), shop("closes early", 799.5, "08:00-10:05"),
      shop("far and open", 2_999.5, "08:00-22:00"),
    ]
    let utc = HoursReader<BasicAnnotation>(setting: HoursSetting())
    // 09:40, at 1 m/s by ways as long as the geodesic.
    let nine40: Instant = 1_795_340_400
    let journey = Journey(departure: nine40, speed: 1, detour: 1)
    var query = NearbyQuery(from: origin, limit: 2)
    query.open = OpenCondition(arriving: journey, stay: 1200, showsUnknown: false)
    let answer = try AnnotationIndex(shops).answer(query, in: QueryContext(hours: utc))
    #expect(answer.map(\.annotation.id) == ["far and open"])
    #expect(answer[0].openStatus?.instant == nine40 + 3_000)
    #expect(answer.passedOver.map(\.annotation.id) == ["opens late", "closes early"])
    // The first opens 20 minutes after the departure; the other is open, but not for long enough.
    #expect(answer.passedOver[0].openStatus?.opens == nine40 + 1200)
    #expect(answer.passedOver[1].openStatus?.state == .open)
    #expect(answer.passedOver[1].openStatus?.opens == nine40 - 9 * 3600 - 2400 + 32 * 3600)
    // Eight minutes and twenty seconds before that, somebody may set out.
    #expect(answer.validUntil == nine40 + 1200 - 500)
  }

  @Test(arguments: [true, false])
  func `a place opens only where its hours say so, also if unknown hours match`(showsUnknown: Bool)
  {
    // A Monday at noon.
    let noon: Instant = 1_797_249_600
    let condition = OpenCondition(at: noon, showsUnknown: showsUnknown)
    let filter = OpenFilter(
      condition, reader: HoursReader<BasicAnnotation>(setting: HoursSetting()), from: nil)
    func status(_ hours: String) -> OpenStatus {
      filter.status(of: BasicAnnotation(id: 1, openingHours: hours))
    }
    let perhaps = status("Mo off; Tu unknown; We 10:00-18:00")
    #expect(perhaps.state == .closed)
    #expect(perhaps.nextChange == noon + 12 * 3600)
    #expect(perhaps.opens == (showsUnknown ? nil : noon + 46 * 3600))
    #expect(status("Mo off; Tu 10:00-18:00").opens == noon + 22 * 3600)
    #expect(status("unknown; Mo off").opens == nil)
  }

  @Test func `an answer on arrival holds nowhere else, as others may be open there`() throws {
    let start = PointSet.legal(37.5, 127)
    let farther = PointSet.legal(37.5009, 127)
    func shop(_ id: AnnotationID, _ latitude: Double, _ hours: String) -> BasicAnnotation {
      BasicAnnotation(
        id: id, coordinate: PointSet.legal(latitude, 127), openingHours: hours)
    }
    let index = AnnotationIndex([
      shop("a", 37.509, "Mo-Su 09:00-12:16"), shop("b", 37.518, "24/7"), shop("c", 37.545, "24/7"),
    ])
    let reader = HoursReader<BasicAnnotation>(setting: HoursSetting())
    let hours = HoursIndex(index, reader: reader)
    // At noon, it takes 1,007 s to "a", which is too late, and 100 m farther on 906 s.
    let condition = OpenCondition(arriving: Journey(departure: QueryWorld.noon))
    func ask(_ origin: Coordinate) throws -> [NearbyAnswer<BasicAnnotation>] {
      var query = NearbyQuery(from: origin, limit: 1)
      query.open = condition
      return [
        try index.answer(query, in: QueryContext(hours: reader)),
        hours.nearest(1, to: origin, open: condition),
      ]
    }
    for answer in try ask(start) {
      #expect(answer.map(\.id) == ["b"])
      #expect(answer.validRadius == .zero)
    }
    for answer in try ask(farther) { #expect(answer.map(\.id) == ["a"]) }
    let session = NearbySession(GatePolicy()) { hours.nearest(1, to: $0, open: condition) }
    session.take(Fix(start))
    #expect(session.answer?.map(\.id) == ["b"])
    session.take(Fix(farther))
    #expect(session.answer?.map(\.id) == ["a"])
  }

  @Test(arguments: UInt64(0)..<4)
  func `among lines and areas the nearest that are open are those of a query`(
    seed: UInt64
  ) throws {
    let (items, isOpen, origin) = try QueryWorld.world(60, .clustered, seed: seed, isShaped: true)
    #expect(items.contains { $0.shape != nil })
    let index = AnnotationIndex(items)
    let reader = HoursReader<BasicAnnotation>(setting: HoursSetting())
    let hours = HoursIndex(index, reader: reader)
    let ranked = items.compactMap { item in
      QueryWorld.meters(from: origin, to: item).map { (item: item, meters: $0) }
    }.sorted { $0.meters != $1.meters ? $0.meters < $1.meters : $0.item.id < $1.item.id }
    let limit = Distance.meters(ranked[20].meters + 0.5)
    let noon = QueryWorld.noon
    for condition in [
      OpenCondition(at: noon), OpenCondition(at: noon, showsUnknown: false),
      OpenCondition(arriving: Journey(departure: noon), stay: 600),
    ] {
      hours.prepare(for: condition)
      for distances in [
        DistanceRange(), DistanceRange(within: limit), DistanceRange(beyond: limit),
      ] {
        for (count, kinds) in [(1, nil), (7, [.mart, .deal]), (.max, nil)]
          as [(Int, Set<AnnotationKind>?)]
        {
          var query = NearbyQuery(from: origin, limit: count)
          (query.open, query.distances, query.kinds) = (condition, distances, kinds)
          let answer = try index.answer(query, in: QueryContext(hours: reader))
          let found = hours.nearest(
            count, to: origin, within: distances.within, beyond: distances.beyond, kinds: kinds,
            open: condition)
          #expect(found == answer, "\(query.text)")
          guard condition.moment == .instant(noon) else { continue }
          let wanted = ranked.filter { row in
            guard distances.contains(.meters(row.meters)) else { return false }
            if let kinds, !(row.item.kind.map(kinds.contains) ?? false) { return false }
            return isOpen[row.item.id] ?? condition.showsUnknown
          }
          #expect(found.map(\.id) == wanted.prefix(count).map { $0.item.id }, "\(query.text)")
        }
      }
    }
  }

  @Test func `hours that never open, and no hours, say so for ever`() {
    let origin = PointSet.legal(1, 2)
    let shops = ["off", "Feb 30", "1999", nil].enumerated().map { number, text in
      BasicAnnotation(id: AnnotationID(number), coordinate: origin, openingHours: text)
    }
    let reader = HoursReader<BasicAnnotation>(setting: HoursSetting())
    let index = AnnotationIndex(shops)
    for instant in [Instant(milliseconds: .min), 0, 1_795_340_400, Instant(milliseconds: .max)] {
      let hours = HoursIndex(index, reader: reader)
      for condition in [
        OpenCondition(at: instant, showsUnknown: false), OpenCondition(at: instant, stay: .max),
        OpenCondition(arriving: Journey(departure: instant, speed: 1e-9)),
      ] {
        let answer = hours.nearest(5, to: origin, open: condition)
        hours.prepare(for: condition)
        let again = hours.nearest(5, to: origin, open: condition)
        #expect(answer.map(\.annotation.id) == again.map(\.annotation.id))
        if instant >= 0 { #expect(answer.validUntil == again.validUntil) }
        // "Feb 30" is no value, and so unknown as no hours are.
        #expect(answer.count == (condition.showsUnknown ? 2 : 0))
        if instant > 0 { #expect(again.validUntil == nil) }
      }
    }
  }

  @Test func `a session asks again when the answer ends`() {
    let world = OpenShops(60, seed: 7)
    let hours = HoursIndex(world.index, reader: world.reader)
    let session = NearbySession<BasicAnnotation>(GatePolicy()) { origin, now in
      hours.nearest(5, to: origin, open: OpenCondition(at: now, showsUnknown: false))
    }
    let start: Instant = 1_795_338_000
    #expect(session.tick(start) == nil)
    session.take(Fix(world.origin, time: Double(start.seconds)))
    var asked = 1
    for minute in 1...300 {
      let now = start + Int64(minute) * 60
      if session.tick(now.advanced(by: .milliseconds(500))) != nil { asked += 1 }
      guard let answer = session.answer else {
        Issue.record("nothing is shown")
        return
      }
      let expected = world.nearest(5, OpenCondition(at: now, showsUnknown: false))
      guard OpenShops.shown(answer) == expected else {
        Issue.record("\(OpenShops.shown(answer)) at \(now), not \(expected)")
        return
      }
    }
    #expect((2..<100).contains(asked), "\(asked)")
    // A clock that goes back changes nothing.
    #expect(session.tick(start) == nil)
  }

  @Test func `a place that has opened is found by who has come near it`() throws {
    func shop(_ id: AnnotationID, _ longitude: Double, _ hours: String) -> BasicAnnotation {
      BasicAnnotation(id: id, coordinate: PointSet.legal(1, longitude), openingHours: hours)
    }
    let index = AnnotationIndex([
      shop("A", 0, "24/7"), shop("B", 0.2, "24/7"), shop("C", 0.1, "10:00-20:00"),
    ])
    let hours = HoursIndex(index, reader: HoursReader(setting: HoursSetting { _ in 0 }))
    let session = NearbySession<BasicAnnotation>(GatePolicy()) { origin, now in
      hours.nearest(1, to: origin, open: OpenCondition(at: now, showsUnknown: false))
    }
    let nine = 1_795_338_000.0 - 1_795_338_000.0.truncatingRemainder(dividingBy: 86_400) + 9 * 3_600
    session.take(Fix(PointSet.legal(1, 0), time: nine))
    #expect(session.answer?.first?.annotation.id == "A" && session.answer?.validUntil == nil)
    session.take(Fix(PointSet.legal(1, 0.08), time: nine + 7_200))
    #expect(session.answer?.first?.annotation.id == "C")
  }

  @Test func `a fix that is refused or held says what time it is, if that is passed`() throws {
    let world = OpenShops(60, seed: 7)
    let hours = HoursIndex(world.index, reader: world.reader)
    var policy = GatePolicy()
    policy.movement = .meters(100, .exclusive)
    let session = NearbySession<BasicAnnotation>(policy) { origin, now in
      hours.nearest(5, to: origin, open: OpenCondition(at: now, showsUnknown: false))
    }
    let refused = Fix(latitude: 0, longitude: 0), held = Fix(world.origin)
    // Before there is an answer, it asks nothing.
    #expect(session.take(refused, now: 1_795_338_000).change == nil && session.answer == nil)
    session.take(Fix(world.origin), now: 1_795_338_000)
    for (fix, isRejected) in [(refused, true), (held, false), (refused, true)] {
      let end = try #require(session.answer?.validUntil)
      let time = Double(end.seconds)
      #expect(session.take(fix, now: time - 1).change == nil)
      #expect(session.take(fix).change == nil)
      let update = session.take(fix, now: time)
      #expect(!update.verdict.isAccepted && update.verdict.isRejected == isRejected)
      let change = try #require(update.change)
      let expected = world.nearest(5, OpenCondition(at: end, showsUnknown: false))
      #expect(OpenShops.shown(change.answer) == expected)
      #expect(change.answer.origin == world.origin && session.answer == change.answer)
    }
  }

  @Test(arguments: [600, 86_400, 630_720_000] as [Double])
  func `a fix with a time from the future is forgotten when somebody says what time it is`(
    lead: Double
  ) {
    let world = OpenShops(60, seed: 7)
    let hours = HoursIndex(world.index, reader: world.reader)
    let session = NearbySession<BasicAnnotation>(GatePolicy()) { origin, now in
      hours.nearest(5, to: origin, open: OpenCondition(at: now, showsUnknown: false))
    }
    func expected(_ now: Double) -> [String] {
      world.nearest(5, OpenCondition(at: Instant(seconds: Int64(now)), showsUnknown: false))
    }
    let start = 1_795_338_000.0
    session.take(Fix(world.origin, time: start))
    // Fixes alone cannot know better.
    session.take(Fix(world.origin, time: start + lead))
    #expect(session.answer.map(OpenShops.shown) == expected(start + lead))
    session.tick(Instant(seconds: Int64(start) + 60))
    #expect(session.answer.map(OpenShops.shown) == expected(start + 60))
    // The same, said with the next fix.
    session.take(Fix(world.origin, time: start + lead))
    session.take(Fix(world.origin, time: start + 90), now: start + 90)
    #expect(session.answer.map(OpenShops.shown) == expected(start + 90))
    // What was said never goes back.
    #expect(session.tick(Instant(seconds: Int64(start) + 30)) == nil)
    #expect(session.answer.map(OpenShops.shown) == expected(start + 90))
  }

  @Test func `many tasks may ask while windows come and go`() async {
    let world = OpenShops(120, seed: 9)
    let hours = HoursIndex(world.index, reader: world.reader)
    let agreed = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<4 {
        group.addTask {
          for step in 0..<25 {
            let instant: Instant = 1_795_338_000 + Int64((step * 7 + task * 13) % 40) * 300
            let condition = OpenCondition(at: instant, showsUnknown: step.isMultiple(of: 2))
            let one = hours.nearest(10, to: world.origin, open: condition)
            guard let other = try? world.answer(10, condition),
              OpenShops.shown(one) == OpenShops.shown(other), one.validUntil == other.validUntil
            else { return false }
          }
          return true
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(agreed)
  }

  // No journey takes more than a thousand years.
  @Test(
    arguments: [
      (0, 1.4, 31_557_600_000), (.nan, 1.4, 31_557_600_000), (5, .infinity, 31_557_600_000),
      (5, .nan, 31_557_600_000), (1e-300, 1.4, 31_557_600_000), (.infinity, 1.4, 0),
      (-5, 1.4, 0), (2, 1, 500),
    ] as [(Double, Double, Int64)])
  func `a journey ends, whatever its speed`(speed: Double, detour: Double, seconds: Int64) {
    var journey = Journey(departure: 1_795_435_200)
    journey.speed = speed
    journey.detour = detour
    #expect(journey.arrival(after: .kilometers(1)) == journey.departure + seconds)
    // Who is there already needs no time.
    #expect(journey.arrival(after: .zero) == journey.departure)
  }
}
