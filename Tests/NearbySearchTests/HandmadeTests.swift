import BusinessHours
import Foundation
import Geodesy
import LocationFiltering
import MapAnnotations
import NearbySearch
import Testing

/// What previews and tests of an app make by hand, with nothing but what is public.
@Suite struct HandmadeTests {
  private let shop = Mart(BasicAnnotation(id: 7, coordinate: Coordinate(unchecked: 37.5, 127)))
  private let here = Coordinate(unchecked: 37.6, 127)

  @Test func `an update and its reason read as those of a session`() {
    let reason = GateReason(.moved, 41.24, of: 300, unit: .meters)
    let update = NearbySession<Mart>.Update(verdict: .held([reason]), change: nil)
    #expect(Array(update.verdict.reasons) == [reason] && update.change == nil)
    #expect("\(reason)" == "moved 41.2 m of 300 m" && reason.unit == "m")
  }

  @Test func `a result has its open status`() {
    let status = OpenStatus(instant: Instant(seconds: 0), state: .open)
    let result = NearbyResult(shop, distance: .meters(5), from: here, openStatus: status)
    #expect(result.openStatus == status && result.annotation == shop)
    #expect(NearbyResult(shop, distance: .meters(5), from: here).openStatus == nil)
  }

  @Test func `spans of hours`() {
    let answer = HoursAnswer(state: .closed, comment: "renovation")
    let span = HoursSpan(start: Instant(seconds: 0), end: Instant(seconds: 60), answer: answer)
    #expect(span.answer.state == .closed && span.answer.comment == "renovation")
    #expect(span.answer.rule == nil)
  }

  @Test(arguments: [
    (#"{"results": [], "matched": -3}"#, "nothing matches -3 times"),
    (
      #"{"results": [], "missing": {"names": ["seoul"], "certainCount": -9}}"#,
      "-9 results cannot be certain"
    ),
  ])
  func `counts below 0 are refused when decoded`(json: String, words: String) throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(NearbyAnswer<BasicAnnotation>.self, from: Data(json.utf8))
    }
    #expect("\(try #require(error))".contains(words))
    let sound = json.replacing("-", with: "")
    _ = try JSONDecoder().decode(NearbyAnswer<BasicAnnotation>.self, from: Data(sound.utf8))
  }
}
