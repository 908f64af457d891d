import BusinessHours
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import NearbySearch

/// The nearest of an area that holds a good part of everything: a walk finds them, nearest first.
@Suite struct LargeAreaTests {
  @Test(arguments: PointSet.allCases, UInt64(0)..<3)
  func `answers are those of a scan`(points: PointSet, seed: UInt64) throws {
    let (items, isOpen, origin) = try QueryWorld.world(300, points, seed: seed)
    let index = AnnotationIndex(items)
    let scan = AnnotationScan(items)
    let context = QueryContext<BasicAnnotation>(
      hours: HoursReader(setting: HoursSetting(utcOffset: { _ in 0 })), columns: ["rating"])
    var generator = SeededGenerator(seed: seed)
    var walkCount = 0
    for _ in 0..<60 {
      var query = try QueryWorld.question(items, isOpen, origin, using: &generator).query
      query.origin = origin
      query.limit = Int.random(in: 0...4, using: &generator)
      let center = items.compactMap(\.coordinate).randomElement(using: &generator)!
      let radius = [1_000.0, 100_000, 2_000_000, 15_000_000].randomElement(using: &generator)!
      query.area = .box(BoundingBox(around: center, radius: .meters(radius)))
      var pageCount = 0
      repeat {
        let found = try index.answer(query, in: context)
        let wanted = try scan.answer(query, in: context)
        if found.plan?.testsArea == true { walkCount += 1 }
        let said: Comment = "\(query.text) limit \(query.limit) by \(found.plan!)"
        #expect(found.annotations.map(\.id) == wanted.annotations.map(\.id), said)
        #expect(found.next == wanted.next, said)
        #expect(found.map(\.openStatus) == wanted.map(\.openStatus), said)
        #expect(found.validUntil == wanted.validUntil, said)
        #expect(
          found.passedOver.map(\.annotation.id) == wanted.passedOver.map(\.annotation.id), said)
        let radii = [found, wanted].map { $0.validRadius?.meters ?? -1 }
        #expect(abs(radii[0] - radii[1]) < 50e-9, said)
        query.after = query.limit > 0 ? found.next : nil
        pageCount += 1
      } while query.after != nil && pageCount < 4
    }
    #expect(walkCount > 0)
  }

  @Test func `the walk is planned where it passes little else, for few results by distance`() throws
  {
    let places = try (0..<1_000).map { place in
      BasicAnnotation(
        id: AnnotationID(place),
        coordinate: try Coordinate(latitude: 0, longitude: Double(place) / 10))
    }
    let index = AnnotationIndex(places)
    func plan(_ east: Double, _ change: (inout NearbyQuery) -> Void = { _ in }) throws -> String {
      var query = NearbyQuery(from: try Coordinate(latitude: 0, longitude: 1), limit: 3)
      query.area = .box(try BoundingBox(south: -1, west: 0, north: 1, east: east))
      change(&query)
      return "\(try index.answer(query).plan!)"
    }
    #expect(try plan(90) == "nearest first, in the area")
    #expect(
      try plan(90) { $0.condition = try? Condition(parsing: "kind = 'mart' and id != 'a'") }
        == "nearest first, in the area, of kind mart, asking each: id != 'a'")
    #expect(try plan(2) == "what lies in the area")
    #expect(try plan(90) { $0.limit = 300 } == "what lies in the area")
    #expect(try plan(90) { $0.limit = .max } == "what lies in the area")
    #expect(try plan(90) { $0.order = .id } == "what lies in the area")
    #expect(try plan(90) { $0.isPerKind = true } == "what lies in the area")
    #expect(try plan(90) { $0.facets = [.common(.kind)] } == "what lies in the area")
  }
}
