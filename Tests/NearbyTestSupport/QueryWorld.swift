import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch

/// Annotations and queries of every shape, made from seeds, for everything that answers queries.
package enum QueryWorld {
  /// A query with what each of its parts means, said a second time.
  package struct Question {
    package var query = NearbyQuery()
    /// Whether an annotation counts, but for its distance from the origin.
    package var tests: [(BasicAnnotation) -> Bool] = []
    package var said: [String] = []

    mutating func ask(_ said: String, _ test: @escaping (BasicAnnotation) -> Bool) {
      self.said.append(said)
      tests.append(test)
    }
  }

  /// 2026-11-23, a Monday, at 12:00 UTC.
  package static let noon: Instant = 1_795_435_200
  private static let today = CalendarDate(year: 2026, month: 11, day: 23)!
  /// Hours, and whether a place with them is open at noon on that Monday; nil for not known.
  private static let hours: [(text: String?, isOpen: Bool?)] = [
    ("Mo-Fr 09:00-18:00", true), ("Mo-Fr 13:00-18:00", false), ("Sa,Su 09:00-18:00", false),
    ("24/7", true), (nil, nil), ("off", false),
  ]

  private static func day(_ days: Int) -> DateSpan {
    let day = today.adding(days: days)!
    return DateSpan(first: day, last: day)
  }

  package static func rating(_ item: BasicAnnotation) -> Double? { item.property("rating")?.number }

  /// The shape of an annotation; nil for a point, also where the shape is empty.
  package static func shape(of item: BasicAnnotation) -> GroundShape? {
    item.shape.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A line or an area around a place, two of them, or nothing.
  private static func shape(
    around center: Coordinate, _ number: Int
  ) throws -> GroundShape {
    if number % 10 == 4 { return GroundShape(lines: [Polyline([Coordinate]())]) }
    func beside(_ north: Double, _ east: Double) throws -> Coordinate {
      try Coordinate(
        latitude: min(90, max(-90, center.latitude + north)),
        wrappingLongitude: center.longitude + east)
    }
    let reach = [0.002, 0.05, 1][number % 3]
    let line = Polyline([center, try beside(reach, reach), try beside(reach, -reach / 2)])
    let corners = try [
      beside(-reach, -reach), beside(-reach, reach), beside(reach, reach / 3),
    ]
    // A triangle about a pole may be none.
    let area = (try? Polygon(outer: corners)).map { MultiPolygon([$0]) }
    return GroundShape(lines: number % 2 == 0 ? [line] : [], area: area ?? MultiPolygon([]))
  }

  /// - Parameters:
  ///   - isShaped: Whether some are lines and areas, and some shapes empty.
  ///   - kindCount: How many kinds there are, 3 or more.
  package static func world(
    _ count: Int, _ points: PointSet, seed: UInt64, isShaped: Bool = false, kindCount: Int = 3
  ) throws -> (items: [BasicAnnotation], isOpen: [AnnotationID: Bool], origin: Coordinate) {
    let kinds: [AnnotationKind] =
      [.cinema, .mart, .deal] + (3..<kindCount).map { AnnotationKind(rawValue: "kind \($0)") }
    let (coordinates, origin) = points.sample(count, seed: seed)
    var generator = SeededGenerator(seed: seed)
    var isOpen: [AnnotationID: Bool] = [:]
    let items = try coordinates.enumerated().map { number, coordinate in
      let id = AnnotationID(number % 4 == 3 ? "shop-\(number)" : "\(number)")
      let (text, opens) = hours[Int.random(in: 0..<hours.count, using: &generator)]
      isOpen[id] = opens
      var properties = Properties()
      if number % 5 > 0 {
        properties.append("rating", .integer(Int.random(in: 1...5, using: &generator)))
      }
      return BasicAnnotation(
        id: id, name: number % 3 == 0 ? "Kino \(number)" : nil,
        kind: number % 7 == 6 ? nil : kinds[number % kindCount],
        coordinate: number % 11 == 10 ? nil : coordinate,
        shape: isShaped && number % 2 == 0 && number % 11 != 10
          ? try shape(around: coordinate, number) : nil, openingHours: text,
        validDates: number % 6 == 0
          ? [QueryWorld.day(number % 4 - 2)] : [], properties: properties)
    }
    return (items.shuffled(using: &generator), isOpen, origin)
  }

  package static func question(
    _ items: [BasicAnnotation], _ isOpen: [AnnotationID: Bool], _ origin: Coordinate,
    using generator: inout SeededGenerator
  ) throws -> Question {
    var question = Question()
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    let radius = Distance.meters(
      [300, 5_000, 200_000, 8_000_000].randomElement(using: &generator)!)
    if chance(70) { question.query.origin = origin }
    if chance(40) {
      let box = BoundingBox(around: origin, radius: radius)
      if chance(50) {
        question.query.area = .box(box)
        question.ask("box") { item in
          QueryWorld.shape(of: item)?.meets(box) ?? item.coordinate.map(box.contains) ?? false
        }
      } else if box.west < box.east, box.north < 90, box.south > -90 {
        let corners = [
          (box.south, box.west), (box.south, box.east), (box.north, box.east),
          (box.north, box.west),
        ].map { Coordinate(unchecked: $0, $1) }
        // A triangle is no box.
        let polygon = try Polygon(outer: Array(corners.prefix(chance(50) ? 3 : 4)))
        question.query.area = .polygons(MultiPolygon([polygon]))
        question.ask("polygon") { item in
          QueryWorld.shape(of: item)?.meets(MultiPolygon([polygon]))
            ?? item.coordinate.map(polygon.contains) ?? false
        }
      }
    }
    if chance(15) {
      let clip = BoundingBox(around: origin, radius: .meters(radius.meters / 2))
      question.query.clip = clip
      question.ask("clip") { item in
        QueryWorld.shape(of: item)?.meets(clip) ?? item.coordinate.map(clip.contains) ?? false
      }
    }
    if question.query.origin != nil {
      if chance(40) { question.query.distances.within = radius }
      if chance(25) { question.query.distances.beyond = .meters(radius.meters / 3) }
    }
    if chance(30) {
      let kinds: Set<AnnotationKind> = chance(50) ? [.mart] : [.cinema, .deal]
      question.query.kinds = kinds
      question.ask("kinds") { $0.kind.map(kinds.contains) ?? false }
    }
    try addCondition(to: &question, origin, items, using: &generator)
    if chance(30) {
      let showsUnknown = chance(50)
      question.query.open = OpenCondition(at: noon, showsUnknown: showsUnknown)
      question.ask("open") { isOpen[$0.id] ?? showsUnknown }
    }
    if chance(25) {
      question.query.dates = QueryDates(.segment(.today), today: today)
      question.ask("today") { item in
        item.validDates.isEmpty || item.validDates.contains { $0.contains(today) }
      }
    }
    question.query.limit = [1, 3, 10, .max].randomElement(using: &generator)!
    if chance(30) {
      question.query.isPerKind = true
      return question
    }
    let orders: [ResultOrder?] = [
      nil, nil, .id, ResultOrder(.id, isDescending: true),
      ResultOrder(.field(.property("rating")), isDescending: true),
      ResultOrder(.field(.property("rating")), ties: [ResultOrder.Tie(.common(.kind))]),
      question.query.origin == nil ? nil : ResultOrder(.id, band: .kilometers(3)),
      question.query.origin == nil ? nil : .distance,
    ]
    question.query.order = orders.randomElement(using: &generator)!
    if chance(60) { question.query.after = "" }
    if chance(30) { question.query.facets = [.common(.kind), .property("rating")] }
    return question
  }

  private static func addCondition(
    to question: inout Question, _ origin: Coordinate, _ items: [BasicAnnotation],
    using generator: inout SeededGenerator
  ) throws {
    let some = items.prefix(6).map(\.id)
    var tests: [(String, (BasicAnnotation) -> Bool)] = [
      ("kind = 'mart'", { $0.kind == .mart }),
      ("kind in ('deal', 'cinema')", { [.deal, .cinema].contains($0.kind) }),
      ("'cinema' = kind", { $0.kind == .cinema }),
      ("kind != 'mart'", { $0.kind.map { $0 != .mart } ?? false }),
      ("rating >= 3", { rating($0).map { $0 >= 3 } ?? false }),
      ("not rating = 2", { rating($0).map { $0 != 2 } ?? false }),
      ("(rating is null or rating < 4)", { rating($0).map { $0 < 4 } ?? true }),
      ("name contains 'kino'", { $0.name != nil }),
      ("id = '\(some[0])'", { $0.id == some[0] }),
      (
        "id in (\(some.map { "'\($0)'" }.joined(separator: ", ")))",
        { some.contains($0.id) }
      ),
      ("(kind = 'mart' or kind = 'deal')", { [.mart, .deal].contains($0.kind) }),
    ]
    if question.query.origin != nil {
      func distance(_ item: BasicAnnotation) -> Double? {
        QueryWorld.meters(from: origin, to: item)
      }
      tests += [
        ("distance < 4000", { distance($0).map { $0 < 4_000 } ?? false }),
        ("300000 >= distance", { distance($0).map { $0 <= 300_000 } ?? false }),
        ("distance > 1000.5", { distance($0).map { $0 > 1_000.5 } ?? false }),
        (
          "distance between 100 and 90000",
          { distance($0).map { $0 >= 100 && $0 <= 90_000 } ?? false }
        ),
      ]
    }
    let count = [0, 0, 1, 1, 2, 3].randomElement(using: &generator)!
    let chosen = tests.shuffled(using: &generator).prefix(count)
    guard !chosen.isEmpty else { return }
    question.query.condition = try Condition(
      parsing: chosen.map(\.0).joined(separator: " and "))
    for (text, test) in chosen { question.ask(text, test) }
  }

  /// A shape alone is judged by `ShapeIndexTests`.
  package static func meters(from origin: Coordinate, to item: BasicAnnotation) -> Double? {
    if let shape = shape(of: item) { return shape.nearest(to: origin)?.distance.meters }
    return item.coordinate.map { origin.distance(to: $0).meters }
  }
}
