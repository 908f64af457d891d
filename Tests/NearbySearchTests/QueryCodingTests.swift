import BusinessHours
import Foundation
import Geodesy
import MapAnnotations
import NearbyTestSupport
import SpatialIndexing
import Testing

@testable import NearbySearch

@Suite struct `Encoded queries` {
  /// A query of every part, those that other tests do not search with included.
  private static func query(_ generator: inout SeededGenerator) throws -> NearbyQuery {
    let points = PointSet.allCases.randomElement(using: &generator)!
    let (items, isOpen, origin) = try QueryWorld.world(
      10, points, seed: UInt64.random(in: 0...9, using: &generator))
    var query = try QueryWorld.question(items, isOpen, origin, using: &generator).query
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    let names = ["a&b=c", "", "café", "100 %+#", "a,b", "\"", "\u{301}x", "id", "not", "rating"]
    func field() -> Condition.Field {
      chance(50)
        ? .property(names.randomElement(using: &generator)!)
        : .common(Condition.Field.Common.allCases.randomElement(using: &generator)!)
    }
    if chance(30) {
      query.kinds = Set(
        names.shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator)).map {
          AnnotationKind(rawValue: $0)
        })
    }
    if chance(30) {
      // A condition has no field without a name, nor a number that equals a text.
      let asked = Condition.Field.property(
        names.filter { $0 != "" }.randomElement(using: &generator)!)
      query.condition = .all([
        .comparison(.field(asked), .equal, .literal(.text("50 %&+='\u{301}"))),
        .not(.isNull(asked)),
      ])
    }
    if chance(20), case .polygons(let polygons) = query.area {
      let hole = polygons.polygons[0].outerVertices
      query.area = .polygons(
        MultiPolygon(
          chance(50) ? [] : [try Polygon(outer: hole, holes: [hole]), polygons.polygons[0]]))
    }
    if chance(20) {
      query.clip = try BoundingBox(
        south: Double.random(in: -90...0, using: &generator),
        west: Double.random(in: -180...180, using: &generator),
        north: Double.random(in: 0...90, using: &generator),
        east: Double.random(in: -180...180, using: &generator))
    }
    let instant = Instant(
      milliseconds: Int64.random(in: -9_000_000_000_000...9_000_000_000_000, using: &generator))
    if chance(30) {
      query.open = OpenCondition(
        arriving: Journey(
          departure: instant, speed: Double.random(in: 0.001...40, using: &generator),
          detour: Double.random(in: 1...3, using: &generator)),
        stay: Int64.random(in: 0...9_000, using: &generator), showsUnknown: chance(50))
    } else if chance(30) {
      query.open = OpenCondition(at: instant, stay: chance(50) ? 600 : 0, showsUnknown: chance(50))
    }
    let day = CalendarDate("2026-11-23")!.adding(
      days: Int.random(in: -9_000...9_000, using: &generator))!
    let choices: [QueryDates.Choice] = [
      .next, .segment(.all), .segment(.tomorrow), .segment(.thisMonth), .segment(.on(day)),
      .segment(.during(day...day)), .segment(.during(day...day.endOfMonth)),
    ]
    if chance(50) {
      query.dates = QueryDates(choices.randomElement(using: &generator)!, today: day)
    }
    if chance(50) {
      query.order = ResultOrder(
        [.id, .distance, .field(field())].randomElement(using: &generator)!,
        isDescending: chance(50),
        band: chance(30) ? .meters(Double.random(in: 0.001...1e6, using: &generator)) : nil,
        ties: (0..<Int.random(in: 0...2, using: &generator)).map { _ in
          ResultOrder.Tie(field(), isDescending: chance(50))
        })
    }
    if chance(30) { query.facets = [field(), field()] }
    if chance(20) { query.after = "Ab-_9" }
    return query
  }

  @Test(arguments: [
    ("bbox=-0,-0,20,20", "bbox=0,0,20,20"), ("clip=-20,-20,-0,-0", "clip=-20,-20,0,0"),
    ("lat=-0&lon=-0&within=-0&beyond=-0", "lat=0&lon=0&within=0&beyond=0"),
    ("area=-0,-0,1,-0,-0,1", "area=0,0,1,0,0,1"),
  ])
  func `are equal with one text and the same cursors if a number is -0`(
    given: String, plain: String
  ) throws {
    let query = try NearbyQuery(parsing: given), other = try NearbyQuery(parsing: plain)
    #expect(query == other && query.hashValue == other.hashValue)
    #expect(query.text == other.text)
    #expect(query.pagesText == other.pagesText)
  }

  @Test(arguments: UInt64(0)..<20)
  func `come back from their text and from JSON`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let query = try Self.query(&generator)
      let text = query.text
      let read = try NearbyQuery(parsing: text)
      #expect(read == query, "\(text)")
      #expect(read.text == text)
      // An address can carry it, and gives it back.
      let address = try #require(URLComponents(string: "https://a.b/find?\(text)"))
      #expect(address.percentEncodedQuery == (text.isEmpty ? nil : text) || text.isEmpty, "\(text)")
      #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "+") })
      // In any order of its parameters it says the same.
      let shuffled = text.split(separator: "&").shuffled(using: &generator)
      let polygons = text.split(separator: "&").filter { $0.hasPrefix("area=") }.count
      let mixed = try NearbyQuery(parsing: shuffled.joined(separator: "&"))
      #expect(mixed == query || polygons > 1, "\(text)")
      let json = try JSONEncoder().encode(query)
      #expect(try JSONDecoder().decode(NearbyQuery.self, from: json) == query, "\(text)")
      // Every page has the same words, whatever the page and the clock.
      var other = query
      other.limit = 7
      other.after = "B"
      other.open = query.open?.asked(at: 5)
      #expect(other.pagesText == query.pagesText)
    }
  }

  @Test func `are written in the words of the command line`() throws {
    var query = try NearbyQuery(from: Coordinate(latitude: 37.5666, longitude: 126.9784), limit: 3)
    #expect(query.text == "lat=37.5666&lon=126.9784&k=3")
    query.kinds = [.mart, "약국"]
    query.distances = DistanceRange(beyond: .meters(100.5), within: .kilometers(2))
    query.condition = try Condition(parsing: "rating >= 4.5")
    query.order = ResultOrder(
      .field(.property("rating")), isDescending: true, band: .meters(200),
      ties: [ResultOrder.Tie(.common(.name))])
    query.dates = QueryDates(.segment(.thisMonth), today: CalendarDate("2026-11-23")!)
    query.open = OpenCondition(at: 1_795_435_200, stay: 600, showsUnknown: false)
    #expect(
      query.text
        == "lat=37.5666&lon=126.9784&within=2000&beyond=100.5&kind=mart&kind=%EC%95%BD%EA%B5%AD"
        + "&where=rating%20%3E%3D%204.5&open=1795435200&stay=600&hours-unknown=hide"
        + "&on=this-month&today=2026-11-23&sort=rating:desc,name&bucket=200&k=3")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    #expect(String(decoding: try encoder.encode(query), as: UTF8.self) == "\"\(query.text)\"")
    #expect(NearbyQuery().text == "")
    #expect(try NearbyQuery(parsing: "") == NearbyQuery())
    // What people write themselves.
    #expect(
      try NearbyQuery(parsing: "k=3&lon=126.97840&lat=37.5666&kind=약국&where=a%3d1").kinds
        == ["약국"])
    #expect(
      try NearbyQuery(parsing: "sort=rating:DESC,%20name:asc")
        == NearbyQuery(parsing: "sort=rating:desc,name"))
  }

  @Test(arguments: [
    ("lat=37.5", "missing-position lat: it says nothing without lon"),
    ("lon=37.5", "missing-position lon: it says nothing without lat"),
    ("lat=91&lon=200", "lat-range lat: latitude 91 is outside -90…90"),
    ("lat=127&lon=37", "lat-lon-swapped lat: latitude 127 is outside -90…90; these look swapped"),
    ("lat=nan&lon=0", "not-a-number lat: \"nan\" is not a number; write degrees"),
    ("lat=0x1&lon=0", "not-a-number lat: \"0x1\" is not a number; write degrees"),
    ("lat=1&lat=2&lon=0", "query-parameter lat: it is given 2 times"),
    ("lat&lon=0", "query-parameter lat: it has no value; write lat="),
    ("limit=3", "query-parameter limit: no query has it"), ("=", "query-parameter : no query"),
    ("k=-1", "bad-k k: \"-1\" cannot be read; write a whole number"),
    ("k=3&", "query-parameter : no query"),
    ("where=a%20%3D", "where-syntax where: column 4: the condition ends too early"),
    ("where=%", "query-value where: \"%\" is not percent-encoded"),
    ("kind=%C3", "query-value kind: \"%C3\" is not percent-encoded"),
    ("kind&kind=a", "query-value kind: one of them has no value"),
    ("bbox=1,2,3", "bad-bbox bbox: \"1,2,3\" is not a box; write west,south,east,north"),
    ("clip=1,2,3,x", "not-a-number clip: \"x\" is not a number"),
    ("bbox=0,5,1,-5", "bbox-order bbox: south 5 lies north of north -5"),
    ("bbox=0,0,1,1&area", "query-parameter bbox: there is also an area"),
    ("area=0,1,2", "query-value area: a ring has 3 numbers"),
    ("area=0,1,2,3", "polygon-vertices area: the polygon's outer ring has 2 different"),
    ("area=0,x", "query-value area: \"x\" is not a number"),
    ("area=0,200", "lon-range area: longitude 200 is outside"),
    ("open=noon", "bad-time open: \"noon\" cannot be read; write seconds"),
    ("open=arrival", "query-parameter open: arrival needs depart"),
    ("open=arrival&depart=0&speed=0", "bad-speed speed: nobody gets anywhere at 0.0 m/s"),
    ("open=arrival&depart=0&detour=0.5", "bad-detour detour: a detour of 0.5 is not one from 1"),
    ("open=arrival&depart=0&detour=101", "bad-detour detour: a detour of 101.0 is not one from 1"),
    ("open=5&speed=1", "missing-open speed: it says nothing without open=arrival"),
    ("stay=5", "missing-open stay: it says nothing without open"),
    ("open=1&stay=-5", "bad-duration stay: \"-5\" cannot be read; write whole seconds from 0"),
    ("on=today", "query-parameter on: it needs today"),
    ("today=2026-11-23", "missing-on today"),
    ("on=noon&today=2026-11-23", "bad-date on: \"noon\" cannot be read; write next, or today"),
    ("on=today&today=2026-02-30", "bad-date today: \"2026-02-30\" cannot be read"),
    ("bucket=5", "missing-sort bucket: it says nothing without sort"),
    ("sort=a&bucket=0", "bad-bucket bucket: \"0\" cannot be read; write meters, at least"),
    ("sort=:desc", "bad-sort sort: \":desc\" cannot be read"),
    ("sort=a,,b", "bad-sort sort: \"a,,b\" cannot be read"),
    ("per-kind=yes", "query-value per-kind: it has no value"),
  ]) func `that are none are errors with the value and what to do`(text: String, words: String) {
    do throws(QueryTextError) {
      _ = try NearbyQuery(parsing: text)
      Issue.record("\(text) is a query")
    } catch {
      let said = "\(error.code) \(error.parameter): \(error.message)"
      #expect(said.hasPrefix(words), "\(said)")
      #expect(error.description == "parameter \(error.parameter): \(error.message)")
    }
  }

  @Test(arguments: [
    ("where=a%20%3D", "parameter where: column 4: the condition ends too early"),
    ("lat=91&lon=200", "parameter lat: latitude 91 is outside"),
    ("on=noon&today=2026-11-23", "parameter on: \"noon\" cannot be read; write next"),
  ]) func `in JSON that are none are errors, too`(text: String, words: String) throws {
    do {
      _ = try JSONDecoder().decode(NearbyQuery.self, from: Data("\"\(text)\"".utf8))
      Issue.record("\(text) is a query")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.underlyingError is QueryTextError)
      #expect(context.debugDescription.hasPrefix(words), "\(context.debugDescription)")
    }
  }

  @Test func `say no condition that cannot be read back`() {
    var query = NearbyQuery()
    for condition: Condition in [
      .all([]), .membership(.field(.common(.kind)), []),
      .comparison(.field(.common(.latitude)), .less, .literal(.text("x"))),
    ] {
      query.condition = condition
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(query) }
    }
  }

  @Test(arguments: UInt64(0)..<6)
  func `have answers that come back, too`(seed: UInt64) throws {
    let points = PointSet.allCases[Int(seed) % PointSet.allCases.count]
    let (items, isOpen, origin) = try QueryWorld.world(44, points, seed: seed)
    let index = AnnotationIndex(items)
    var generator = SeededGenerator(seed: seed)
    let context = QueryContext<BasicAnnotation>(
      hours: HoursReader(setting: HoursSetting(utcOffset: { _ in 0 })), columns: ["rating"])
    func back<Value: Codable>(_ value: Value) throws -> Value {
      try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
    for _ in 0..<40 {
      let query = try QueryWorld.question(items, isOpen, origin, using: &generator).query
      let answer = try index.answer(query, in: context)
      #expect(try back(answer) == answer, "\(query.text)")
      for result in answer.prefix(2) { #expect(try back(result) == result) }
      // As of a database of which a server is silent, and a replica was asked.
      let lacking = answer.lacking((["seoul", "busan"], .meters(5_000)), in: query, lag: 2.5)
      #expect(try back(lacking) == lacking)
      #expect(lacking != answer)
      #expect(lacking.missing?.names == ["busan", "seoul"])
      #expect(lacking.replicaLag == 2.5)
      // Measured from elsewhere, it is as incomplete, and says what it said.
      let measured = lacking.measured(from: origin)
      #expect(measured.missing == lacking.missing && measured.replicaLag == 2.5)
      #expect(measured.next == answer.next && measured.matched == answer.matched)
      let isByDistance = query.origin != nil && query.order == nil && !query.isPerKind
      #expect(
        lacking.missing?.certainCount
          == (isByDistance ? answer.filter { $0.distance < .meters(5_000) }.count : 0))
      #expect(lacking.validRadius == (query.origin == nil ? answer.validRadius : .zero))
    }
    // On arrival, what is passed over is told, too.
    var query = NearbyQuery(from: origin, limit: 2)
    query.open = OpenCondition(arriving: Journey(departure: 1_795_435_200), showsUnknown: false)
    let answer = try index.answer(query, in: context)
    #expect(try back(answer) == answer)
    let text =
      #"{"results":[{"annotation":{"id":"1"},"distance":5},{"annotation":{"id":"2"},"#
      + #""openStatus":{"instant":1,"state":"open"}}]}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(NearbyAnswer<BasicAnnotation>.self, from: Data(text.utf8))
    }
    let state = #"[{"instant":1,"state":"ajar"}]"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([OpenStatus].self, from: Data(state.utf8))
    }
  }

  @Test func `an answer that is valid anywhere is so wherever it is measured from`() throws {
    // Without an origin nobody knows how far away that is.
    let text = #"{"results":[],"validRadius":"inf"}"#
    let answer = try JSONDecoder().decode(NearbyAnswer<BasicAnnotation>.self, from: Data(text.utf8))
    let measured = answer.measured(from: PointSet.legal(37.57, 126.97))
    #expect(measured.validRadius == .infinity && measured.isEmpty)
  }
}
