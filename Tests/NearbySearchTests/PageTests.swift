import Geodesy
import MapAnnotations
import SpatialIndexing
import NearbyTestSupport
import Testing

@testable import NearbySearch

/// Pages of random annotations, many of them in one place or with one price, beside a plain sort.
@Suite struct PageTests {
  private static let origin = Coordinate(unchecked: 37.5, 127)

  private static func annotation(
    _ id: Int, _ generator: inout SeededGenerator
  ) -> BasicAnnotation {
    let prices: [PropertyValue?] = ["9", "10", "10.0", .number("2"), "x", "y", "", nil, true]
    var properties = Properties()
    if let price = prices.randomElement(using: &generator) ?? nil {
      properties.append("price", price)
    }
    return BasicAnnotation(
      id: AnnotationID(id),
      coordinate: Coordinate(
        unchecked: 37.5 + Double(Int.random(in: -8...8, using: &generator)) * 0.001,
        127 + Double(Int.random(in: -8...8, using: &generator)) * 0.001),
      properties: properties)
  }

  private static let orders: [ResultOrder] = [
    .distance, ResultOrder(.distance, isDescending: true), .id,
    ResultOrder(.id, isDescending: true), ResultOrder(.field(.property("price"))),
    ResultOrder(.field(.property("price")), isDescending: true),
    ResultOrder(.field(.property("price")), band: .meters(200)),
    ResultOrder(.field(.property("price")), isDescending: true, band: .meters(333)),
    ResultOrder(.field(.common(.latitude))), ResultOrder(.id, band: .meters(500)),
    ResultOrder(.id, band: ResultOrder.leastBand),
    ResultOrder(.id, isDescending: true, ties: [ResultOrder.Tie(.property("price"))]),
    ResultOrder(
      .field(.common(.latitude)), ties: [ResultOrder.Tie(.property("price"), isDescending: true)]),
    ResultOrder(
      .field(.property("price")), isDescending: true, band: .meters(900),
      ties: [
        ResultOrder.Tie(.common(.longitude)),
        ResultOrder.Tie(.common(.latitude), isDescending: true),
      ]),
    ResultOrder(.distance, ties: [ResultOrder.Tie(.property("price"))]),
    ResultOrder(
      .distance, isDescending: true, ties: [ResultOrder.Tie(.property("price"), isDescending: true)]
    ),
  ]

  /// The plain way: a number for where the price belongs, everything in one array, sorted whole.
  private static func sorted(_ items: [BasicAnnotation], _ order: ResultOrder) -> [BasicAnnotation]
  {
    func price(_ item: BasicAnnotation, _ isDescending: Bool) -> (Int, Double, String) {
      switch item.property("price") {
      case .string("x"), .string("y"): (2, 0, item.property("price")?.text ?? "")
      case .bool: (1, 0, "")
      case nil, .string(""): (isDescending ? -9 : 9, 0, "")
      case let value: (0, value?.number ?? 0, "")
      }
    }
    /// Whether the left one comes first by a field; nil where they are equal.
    func precedes(
      _ left: BasicAnnotation, _ right: BasicAnnotation, _ field: Condition.Field,
      _ isDescending: Bool
    ) -> Bool? {
      let (first, second) = isDescending ? (right, left) : (left, right)
      switch field {
      case .property("price"):
        let prices = (price(first, isDescending), price(second, isDescending))
        return prices.0 == prices.1 ? nil : prices.0 < prices.1
      case .common(.latitude):
        let degrees = (first.coordinate!.latitude, second.coordinate!.latitude)
        return degrees.0 == degrees.1 ? nil : degrees.0 < degrees.1
      default:
        let degrees = (first.coordinate!.longitude, second.coordinate!.longitude)
        return degrees.0 == degrees.1 ? nil : degrees.0 < degrees.1
      }
    }
    return items.sorted { left, right in
      let distances = [left, right].map { origin.distance(to: $0.coordinate!).meters }
      if let band = order.band?.meters {
        let bands = distances.map { ($0 / band).rounded(.down) }
        if bands[0] != bands[1] { return bands[0] < bands[1] }
      }
      switch order.key {
      case .id: return (left.id < right.id) != order.isDescending
      case .distance:
        if distances[0] != distances[1] {
          return (distances[0] < distances[1]) != order.isDescending
        }
      case .field(let field):
        if let answer = precedes(left, right, field, order.isDescending) { return answer }
      }
      for tie in order.ties {
        if let answer = precedes(left, right, tie.field, tie.isDescending) { return answer }
      }
      return distances[0] != distances[1] ? distances[0] < distances[1] : left.id < right.id
    }
  }

  @Test(arguments: orders, [1, 3, 7, 40])
  func `pages together are the sorted whole`(order: ResultOrder, size: Int) throws {
    var generator = SeededGenerator(seed: 11)
    let items = (0..<60).map { Self.annotation($0, &generator) }.shuffled(using: &generator)
    let index = AnnotationIndex(items)
    for outer in [Distance.infinity, .meters(700)] {
      let wanted = Self.sorted(items, order).filter {
        Self.origin.distance(to: $0.coordinate!) <= outer && $0.id != 7
      }
      var query = Self.query(order, size, within: outer)
      query.condition = try Condition(parsing: "id != '7'")
      var found: [BasicAnnotation] = []
      repeat {
        let page = try index.answer(query)
        #expect(page.count == size || page.next == nil)
        found += page.annotations
        query.after = page.next
      } while query.after != nil && found.count <= items.count
      #expect(found.map(\.id) == wanted.map(\.id), "\(order)")
      // A list of all that match gives the same pages.
      query.after = ""
      let listed = try AnnotationScan(wanted.shuffled(using: &generator)).answer(query)
      #expect(listed.annotations.map(\.id) == Array(wanted.prefix(size)).map(\.id))
      #expect((listed.next == nil) == (wanted.count <= size))
    }
  }

  /// Points, lines and areas with their vertices on one grid, so that many have the same nearest point.
  private static func shapes(
    _ count: Int, _ generator: inout SeededGenerator
  ) throws -> [BasicAnnotation] {
    var items: [BasicAnnotation] = []
    for number in 0..<count {
      let north = Int.random(in: -2...2, using: &generator)
      let east = Int.random(in: -2...2, using: &generator)
      let corners = [(0, 0), (1, 2), (2, -1)].map { rows, columns in
        Coordinate(
          unchecked: 37.5 + Double(north + rows) * 0.01, 127 + Double(east + columns) * 0.01)
      }
      var shape: GroundShape?
      if number % 3 == 1 { shape = GroundShape(lines: [Polyline(Array(corners.prefix(2)))]) }
      if number % 3 == 2 { shape = GroundShape(area: MultiPolygon([try Polygon(outer: corners)])) }
      items.append(
        BasicAnnotation(id: AnnotationID(number), coordinate: corners[0], shape: shape))
    }
    return items.shuffled(using: &generator)
  }

  private static func pages(
    _ search: some AnnotationSearching<BasicAnnotation>, _ first: NearbyQuery
  ) throws -> [[BasicAnnotation]] {
    var query = first
    var pages: [[BasicAnnotation]] = []
    repeat {
      let page = try search.answer(query)
      pages.append(Array(page.annotations))
      query.after = page.next
    } while query.after != nil && pages.count <= 100
    return pages
  }

  private static func ids(
    _ search: some AnnotationSearching<BasicAnnotation>, _ first: NearbyQuery
  ) throws -> [AnnotationID] {
    try pages(search, first).joined().map(\.id)
  }

  @Test(arguments: UInt64(0)..<6)
  func `pages of points, lines and areas that share vertices are the sorted whole`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let items = try Self.shapes(36, &generator)
    let origin = Coordinate(
      unchecked: 37.5 + Double.random(in: -0.08...0.08, using: &generator),
      127 + Double.random(in: -0.08...0.08, using: &generator))
    let ranked = try items.map { item -> (id: AnnotationID, meters: Double) in
      let meters = try #require(QueryWorld.meters(from: origin, to: item))
      return (item.id, meters)
    }.sorted { $0.meters == $1.meters ? $0.id < $1.id : $0.meters < $1.meters }
    let wanted = ranked.map(\.id)
    let index = AnnotationIndex(items)
    let live = LiveAnnotationIndex(items).snapshot
    for size in [1, 5, 100] {
      var query = NearbyQuery(from: origin, limit: size)
      query.after = ""
      #expect(try Self.ids(index, query) == wanted, "pages of \(size)")
      #expect(try Self.ids(live, query) == wanted, "live pages of \(size)")
      query.distances.beyond = .meters(1_500)
      let beyond = ranked.filter { $0.meters > 1_500 }.map(\.id)
      #expect(try Self.ids(index, query) == beyond, "pages of \(size) beyond")
      #expect(try Self.ids(live, query) == beyond, "live pages of \(size) beyond")
      #expect(index.nearest(size, to: origin).map(\.id) == Array(wanted.prefix(size)))
      #expect(live.nearest(size, to: origin).map(\.id) == Array(wanted.prefix(size)))
    }
  }

  /// Records in any order, some of which only their names tell apart, as if they had been read several times.
  private static func repeatedRecords(_ generator: inout SeededGenerator) -> [BasicAnnotation] {
    var items: [BasicAnnotation] = []
    for number in 0..<12 {
      var item = annotation(number, &generator)
      for copy in 0..<Int.random(in: 1...4, using: &generator) {
        item.name = "\(number) \(copy)"
        items.append(item)
      }
    }
    return items.shuffled(using: &generator)
  }

  /// Pages have what the whole answer has: each record once, those of one id in the order given.
  private static func checkPages(
    of search: some AnnotationSearching<BasicAnnotation>, _ first: NearbyQuery,
    _ items: [BasicAnnotation]
  ) throws {
    let pages = try Self.pages(search, first)
    var whole = first
    whole.limit = .max
    whole.after = nil
    let found = Array(pages.joined())
    let wanted = try search.answer(whole).annotations
    #expect(found == Array(wanted), "\(first.text)")
    for id in Set(items.map(\.id)) {
      #expect(found.filter { $0.id == id } == items.filter { $0.id == id }, "\(first.text)")
    }
    #expect(found.count == items.count, "\(first.text)")
    #expect(pages.dropLast().allSatisfy { $0.count == first.limit }, "\(first.text)")
    #expect(pages.last?.isEmpty == false, "\(first.text)")
  }

  @Test(arguments: orders, [1, 2, 3, 40])
  func `pages keep records that nothing in the order tells apart`(
    order: ResultOrder, size: Int
  ) throws {
    var generator = SeededGenerator(seed: 15)
    let items = Self.repeatedRecords(&generator)
    let index = AnnotationIndex(items)
    let query = Self.query(order, size)
    #expect(try Self.ids(index, query) == Self.sorted(items, order).map(\.id))
    try Self.checkPages(of: index, query, items)
    try Self.checkPages(of: AnnotationIndex(items, by: .geohash), query, items)
    try Self.checkPages(of: AnnotationScan(items), query, items)
    guard !order.measuresDistance else { return }
    var unmeasured = query
    unmeasured.origin = nil
    try Self.checkPages(of: index, unmeasured, items)
    // Some without a position, which are listed, too.
    let some = items.map { item in
      var item = item
      if item.id < 4 { item.coordinate = nil }
      return item
    }
    try Self.checkPages(of: AnnotationIndex(some), unmeasured, some)
    try Self.checkPages(of: AnnotationScan(some), unmeasured, some)
  }

  @Test func `a cursor counts the results of its place, and does not name their source`() throws {
    // As it was when it did.
    let old = "AsmN2_vt4-uKOgADAAAAATEBB2R1cC5jc3YBz8-zIQ"
    #expect(throws: PageCursorError.malformed) { try PageCursor(old, of: "sort=id") }
    func place(_ origin: RecordOrigin?) -> ResultPlace {
      ResultPlace(band: 0, value: .none, ties: [], distance: nil, id: "1", origin: origin)
    }
    let first = PageCursor(place(nil), shownCount: 1, of: "sort=id")
    let origin = RecordOrigin(source: "/home/me/dup.csv", record: 1)
    #expect(
      PageCursor(place(origin), shownCount: 1, of: "sort=id").description == first.description)
    let place = place(nil)
    for count in [1, 2, 300, Int(UInt32.max)] {
      let cursor = PageCursor(place, shownCount: count, of: "sort=id")
      #expect(try PageCursor(cursor.description, of: "sort=id") == cursor)
    }
    for count in [0, Int(UInt32.max) + 1, .max] {
      let text = PageCursor(place, shownCount: count, of: "sort=id").description
      #expect(throws: PageCursorError.malformed) { try PageCursor(text, of: "sort=id") }
    }
  }

  private static func query(
    _ order: ResultOrder, _ limit: Int, within outer: Distance = .infinity
  ) -> NearbyQuery {
    var query = NearbyQuery(from: origin, limit: limit)
    query.order = order
    query.distances.within = outer
    query.after = ""
    return query
  }

  @Test(arguments: [false, true])
  func `ids that break ties come in the order of ids`(isDescending: Bool) throws {
    let texts = ["9", "10", "-", "007", "b", "null"]
    var items: [BasicAnnotation] = []
    for (place, text) in texts.enumerated() {
      // In no order of distances.
      let latitude = 37.5 + Double(place * 7 % 11) * 0.01
      items.append(
        BasicAnnotation(
          id: AnnotationID(text), coordinate: Coordinate(unchecked: latitude, 127),
          properties: ["price": "1"]))
    }
    items.reverse()
    let wanted: [String] = isDescending ? texts.reversed() : texts
    let tie = ResultOrder.Tie(.common(.id), isDescending: isDescending)
    let index = AnnotationIndex(items)
    let live = LiveAnnotationIndex(items).snapshot
    for origin in [nil, Self.origin] {
      for size in [1, 2, 10] {
        var query = NearbyQuery()
        query.origin = origin
        query.limit = size
        query.order = ResultOrder(.field(.property("price")), ties: [tie])
        query.after = ""
        #expect(try Self.ids(index, query).map(\.text) == wanted)
        #expect(try Self.ids(live, query).map(\.text) == wanted)
      }
    }
  }

  @Test(arguments: orders)
  func `rows added between pages neither repeat nor hide others`(order: ResultOrder) throws {
    var generator = SeededGenerator(seed: 12)
    var items = (0..<60).map { Self.annotation($0 * 10, &generator) }
    let first = items
    var seen: [AnnotationID] = []
    var query = Self.query(order, 4)
    for round in 0..<100 {
      let page = try AnnotationIndex(items).answer(query)
      seen += page.annotations.map(\.id)
      query.after = page.next
      if page.next == nil { break }
      // One more, with an id between those that are there, and one that is shown already goes.
      items.append(Self.annotation(round * 70 + 3, &generator))
    }
    #expect(Set(seen).count == seen.count)
    #expect(Set(first.map(\.id)).isSubset(of: seen))
  }

  @Test(arguments: orders, [1, 4])
  func `records come once in pages though their numbers change in between`(
    order: ResultOrder, size: Int
  ) throws {
    var generator = SeededGenerator(seed: 17)
    // Two sources with the same ids, and in each some records that are there twice.
    var items: [BasicAnnotation] = []
    for source in ["a.csv", "b.csv"] {
      for id in 0..<15 {
        var item = Self.annotation(id, &generator)
        item.origin = RecordOrigin(source: source, record: 0)
        items += Array(repeating: item, count: id.isMultiple(of: 4) ? 2 : 1)
      }
    }
    func counts(_ items: [BasicAnnotation]) -> [String: Int] {
      Dictionary(items.map { ("\($0.id) of \($0.origin?.source ?? "?")", 1) }, uniquingKeysWith: +)
    }
    for hasOrigin in order.measuresDistance ? [true] : [true, false] {
      for isIndexed in [true, false] {
        var query = Self.query(order, size)
        if !hasOrigin { query.origin = nil }
        var seen: [BasicAnnotation] = []
        repeat {
          // As if rows had been put above and between the others.
          var number = 0
          let rows = items.shuffled(using: &generator).map { row in
            number += Int.random(in: 1...3, using: &generator)
            var row = row
            row.origin = RecordOrigin(source: row.origin?.source ?? "?", record: number)
            return row
          }
          let page =
            try isIndexed
            ? AnnotationIndex(rows).answer(query) : AnnotationScan(rows).answer(query)
          seen += page.annotations
          query.after = page.next
        } while query.after != nil && seen.count <= items.count
        #expect(counts(seen) == counts(items), "\(order), indexed: \(isIndexed)")
      }
    }
  }

  @Test func `a cursor of another query, or a changed one, is an error`() throws {
    var generator = SeededGenerator(seed: 13)
    let items = (0..<20).map { Self.annotation($0, &generator) }
    let index = AnnotationIndex(items)
    var query = Self.query(.distance, 5)
    let text = try #require(try index.answer(query).next)
    query.after = text
    var other = query
    other.distances.within = .kilometers(3)
    #expect(throws: QueryError.cursor(.mismatch)) { try index.answer(other) }
    for place in text.indices {
      var changed = text
      changed.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
      for wrong in [changed, String(text[..<place])] where !wrong.isEmpty {
        query.after = wrong
        #expect(throws: QueryError.cursor(.malformed), "\(wrong)") { try index.answer(query) }
      }
    }
    query.after = "é"
    #expect(throws: QueryError.cursor(.malformed)) { try index.answer(query) }
  }

  @Test func `facets count every value exactly`() throws {
    var generator = SeededGenerator(seed: 14)
    let items = (0..<500).map { Self.annotation($0, &generator) }
    var counter = try FacetCounter<BasicAnnotation>([.property("price")], from: nil)
    for item in items { counter.count(item) }
    let facet = try #require(counter.facets.first)
    #expect(facet.counts.map(\.count).reduce(0, +) == 500)
    for count in facet.counts {
      let plain = items.count {
        ($0.property("price")?.text).flatMap { $0.isEmpty ? nil : $0 } == count.value
      }
      #expect(count.count == plain, "\(count)")
    }
    #expect(facet.counts.last?.value == nil)
  }
}
