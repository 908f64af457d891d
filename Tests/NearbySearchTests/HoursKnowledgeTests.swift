import SpatialIndexing
import Testing

@testable import NearbySearch

@Suite struct HoursKnowledgeTests {
  @Test func `the window that was not used for longest makes room for another`() {
    let terms = AdmissionTerms(showsUnknown: false, duration: 1)
    func window(_ start: Int64) -> OpenWindow {
      OpenWindow(
        OpenWindow.interval(around: start), terms, of: KDTreeIndex([]),
        hours: PlaceHours(entries: [], numbers: []), coordinate: { _ in nil }, categories: nil)
    }
    let knowledge = HoursKnowledge(count: 0)
    let starts = (0..<4).map { Int64($0) * OpenWindow.length }
    for start in starts.prefix(3) { knowledge.keep(window(start)) }
    // The first is used again, so that the second was not used for longest.
    #expect(knowledge.window(at: starts[0], terms) != nil)
    knowledge.keep(window(starts[3]))
    #expect(
      starts.map { knowledge.window(at: $0, terms) != nil } == [true, false, true, true])
  }
}
