import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@Suite struct AnnotationDiffTests {
  private static func items(_ text: String) -> [BasicAnnotation] {
    text.split(separator: " ").map {
      let parts = $0.split(separator: ":")
      return BasicAnnotation(
        id: AnnotationID(String(parts[0])), name: parts.count > 1 ? String(parts[1]) : nil)
    }
  }

  private static func ids(_ items: [BasicAnnotation]) -> String {
    items.map(\.id.text).joined(separator: " ")
  }

  @Test func `what is new, gone, changed and as it was are told apart`() {
    let diff = AnnotationDiff(from: Self.items("a b:x c d"), to: Self.items("e d b:y a"))
    #expect(Self.ids(diff.added) == "e")
    #expect(Self.ids(diff.removed) == "c")
    #expect(diff.updated == Self.items("b:y"))
    #expect(Self.ids(diff.kept) == "d a")
    #expect(!diff.isEmpty)
    #expect(AnnotationDiff(from: Self.items("a b"), to: Self.items("b a")).isEmpty)
  }

  @Test func `a type's own days are compared, too`() {
    struct Offer: Annotation {
      let id: AnnotationID = 1
      var coordinate: Coordinate? { nil }
      let days: String
      var calendar: AnnotationCalendar { AnnotationCalendar(dates: AnnotationDates(days)) }
    }
    let monday = Offer(days: "Mo"), tuesday = Offer(days: "Tu")
    #expect(AnnotationDiff(from: [monday], to: [monday]).isEmpty)
    #expect(AnnotationDiff(from: [monday], to: [tuesday]).updated.count == 1)
  }

  @Test func `of several with one id the first counts`() {
    let diff = AnnotationDiff(from: Self.items("a:1 a:2"), to: Self.items("a:1 a:3 b b"))
    #expect(Self.ids(diff.kept) == "a")
    #expect(Self.ids(diff.added) == "b")
    #expect(diff.removed.isEmpty && diff.updated.isEmpty)
  }

  @Test(arguments: UInt64(0)..<10)
  func `applied to what was, it gives what is`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let sets = (0..<2).map { _ in
        (0..<Int.random(in: 0...12, using: &generator)).map { _ in
          BasicAnnotation(
            id: AnnotationID(Int.random(in: 0..<9, using: &generator)),
            name: Bool.random(using: &generator) ? "x" : "y")
        }
      }
      let diff = AnnotationDiff(from: sets[0], to: sets[1])
      let wanted = Dictionary(sets[1].map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      #expect(diff.applied(to: sets[0]) == wanted, "\(sets)")
      let parts = [diff.added, diff.updated, diff.kept].flatMap { $0 }
      #expect(Set(parts.map(\.id)).count == parts.count)
      #expect(Set(parts.map(\.id)) == Set(wanted.keys))
    }
  }
}
