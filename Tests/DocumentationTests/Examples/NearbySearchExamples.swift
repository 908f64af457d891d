import AnnotationImport
import Foundation
import NearbyKit
import NearbyTestSupport
import Testing

@Suite struct `Examples of NearbySearch` {
  private let shops: ImportedAnnotations
  private let cityHall: Coordinate

  init() throws {
    let parts = try ["cinemas.csv", "deals.csv", "marts.csv"].map { name in
      let file = SharedFiles.packageRoot.appending(path: "Data/\(name)")
      return try AnnotationImporter().read([UInt8](try Data(contentsOf: file)), named: name)
        .annotations
    }
    shops = ImportedAnnotations(joining: parts)
    cityHall = try Coordinate(latitude: 37.5666, longitude: 126.9784)
  }

  private func query() {
    let index = AnnotationIndex(shops)
    let answer = index.nearest(3, to: cityHall, within: .kilometers(2), kinds: [.cinema, .mart]) {
      $0.properties["brand"]?.text != "홈플러스"
    }
    for near in answer {
      print(near.annotation.name ?? "?", near.distance, near.bearing ?? 0)
    }
  }

  @Test func `find what a predicate lets pass`() throws {
    let judged = shops.filter {
      ($0.kind == .cinema || $0.kind == .mart) && $0.properties["brand"]?.text != "홈플러스"
    }.compactMap { shop in
      shop.coordinate.map { (name: shop.name ?? "?", meters: cityHall.distance(to: $0).meters) }
    }.sorted { $0.meters < $1.meters }.prefix(3)
    let lines = PrintedLines.of(query)
    #expect(lines.count == 3 && judged.count == 3)
    for (line, shop) in zip(lines, judged) {
      // The name may hold spaces; after it come the distance, its unit and the bearing.
      let words = line.split(separator: " ")
      #expect(words.dropLast(3).joined(separator: " ") == shop.name)
      let meters = try #require(Double(words[words.count - 3]))
      #expect(abs(meters - shop.meters) <= 20e-9)
    }
  }

  private func oneQuery() throws {
    var query = NearbyQuery(from: cityHall, limit: 2)
    query.distances = DistanceRange(within: .kilometers(5))
    query.condition = try Condition(parsing: "kind = 'cinema' and name is not null")
    let answer = try AnnotationIndex(shops).answer(query)
    print(answer.map(\.annotation.id.text), answer.plan.map { "\($0)" } ?? "")
  }

  @Test func `ask one query, as a value`() throws {
    let judged = shops.filter { $0.kind == .cinema }.compactMap { shop in
      shop.coordinate.map { (id: shop.id.text, meters: cityHall.distance(to: $0).meters) }
    }.sorted { $0.meters < $1.meters }.prefix(2)
    #expect(
      try PrintedLines.of(oneQuery) == [
        "\(judged.map(\.id)) nearest first, within 5000 m, of kind cinema, asking each: "
          + "name is not null"
      ])
  }

  private func queryText() throws {
    let query = try NearbyQuery(parsing: "lat=37.5666&lon=126.9784&kind=cinema&within=5000&k=2")
    print(query.kinds == [.cinema], query.distances.within)  // true 5000.0 m
    print(query.text)  // lat=37.5666&lon=126.9784&within=5000&kind=cinema&k=2
  }

  @Test func `read a query from an address`() throws {
    #expect(
      try PrintedLines.of(queryText) == [
        "true 5000.0 m", "lat=37.5666&lon=126.9784&within=5000&kind=cinema&k=2",
      ])
  }

  private func labels() {
    let index = AnnotationIndex(shops)
    for near in index.nearest(2, to: cityHall) {
      let distance = DistanceText(near.distance, in: .korean)
      let walk = WalkingTime(of: near.distance)
      print(near.annotation.name ?? "?", distance?.description ?? "", walk?.text(in: .korean) ?? "")
    }
  }

  @Test func `label what is found`() {
    let lines = PrintedLines.of(labels)
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasSuffix("분") && $0.contains("m 도보 ") })
  }

  private func whenToAskAgain() throws {
    let index = AnnotationIndex(shops)
    let answer = index.nearest(3, to: cityHall)
    let walker = cityHall.destination(bearing: 90, distance: .meters(2))
    let isStillTheAnswer =
      answer.validRadius.map { cityHall.distance(to: walker) < $0 } ?? true
    if isStillTheAnswer {
      let asked = index.nearest(3, to: walker)
      print(Set(asked.map(\.annotation.id)) == Set(answer.map(\.annotation.id)))  // true
    }
  }

  @Test func `know how long an answer holds`() throws {
    #expect(try PrintedLines.of(whenToAskAgain) == ["true"])
  }

  private func explained() {
    let index = AnnotationIndex(shops)
    let work = index.nearest(3, to: cityHall).statistics
    print(work.leavesRead, "leaves,", work.candidates, "candidates,", work.geodesics, "geodesics")
  }

  @Test func `explain themselves`() {
    let lines = PrintedLines.of(explained)
    let numbers = lines.first?.split(separator: " ").compactMap { Int($0) } ?? []
    #expect(numbers.count == 3)
    #expect(numbers.allSatisfy { $0 < shops.count })
    #expect(numbers.prefix(2).allSatisfy { $0 >= 1 })
  }

  private func live() {
    let moving = LiveAnnotationIndex(shops.map { BasicAnnotation(copying: $0) })
    moving.upsert([BasicAnnotation(id: "Mina", coordinate: cityHall)], expiry: 160)
    let snapshot = moving.snapshot
    moving.remove(["Mina"])
    print(snapshot.nearest(1, to: cityHall, now: 100)[0].annotation.id.text)
    print(moving.snapshot.placedCount == snapshot.placedCount - 1)
  }

  @Test func `keep what a snapshot has seen`() {
    #expect(PrintedLines.of(live) == ["Mina", "true"])
  }

  private func anotherIndex() {
    let old = AnnotationIndex(shops)
    let renewed = AnnotationIndex(shops)
    let session = NearbySession(GatePolicy()) { old.nearest(3, to: $0) }
    session.take(Fix(cityHall))
    let change = session.replaceQuestion { renewed.nearest(3, to: $0) }
    print(change?.number ?? 0, change?.diff.isEmpty == true)  // 2 true
  }

  @Test func `ask an index that was built anew`() {
    #expect(PrintedLines.of(anotherIndex) == ["2 true"])
  }

  private func openNow() throws {
    let origin = try Coordinate(latitude: 37.57, longitude: 126.97)
    let shops = [
      BasicAnnotation(id: "mart", coordinate: origin, openingHours: "10:00-23:00; Su[2,4] off"),
      BasicAnnotation(id: "bar", coordinate: origin, openingHours: "18:00-02:00"),
      BasicAnnotation(id: "kiosk", coordinate: origin, openingHours: "06:00-14:00"),
    ]
    let seoul = HoursSetting(publicHolidays: .korea, utcOffset: { _ in 9 * 3600 })
    let hours = HoursIndex(AnnotationIndex(shops), reader: HoursReader(setting: seoul))
    // Noon of Sunday, 22 November 2026, the fourth of its month.
    let noon = seoul.instant(of: LocalTime(year: 2026, month: 11, day: 22, hour: 12))
    let answer = hours.nearest(3, to: origin, open: OpenCondition(at: noon))
    for near in answer {
      print(near.annotation.id.text, near.openStatus?.state ?? .unknown)
    }
    if let end = answer.validUntil { print(seoul.localTime(at: end).clock.hour) }
    // kiosk open
    // 14
  }

  @Test func `find what is open`() throws {
    #expect(try PrintedLines.of(openNow) == ["kiosk open", "14"])
  }
}
