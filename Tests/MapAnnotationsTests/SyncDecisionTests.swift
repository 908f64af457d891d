import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@Suite struct SyncDecisionTests {
  @Test func `an equal or lower number means that there is nothing to do`() {
    #expect(SyncDecision(now: .number(3), stored: nil) == .apply(.first))
    #expect(SyncDecision(now: .number(0), stored: nil) == .apply(.first))
    #expect(
      SyncDecision(now: .number(4), stored: .number(3))
        == .apply(.newer(.number(4), than: .number(3))))
    #expect(SyncDecision(now: .number(3), stored: .number(3)) == .keep(.same(.number(3))))
    #expect(
      SyncDecision(now: .number(2), stored: .number(3))
        == .keep(.older(.number(2), than: .number(3))))
  }

  @Test func `entity tags are compared weakly, moments in order, digests for being the same`() {
    #expect(
      SyncDecision(now: .entityTag("W/\"a\""), stored: .entityTag("\"a\""))
        == .keep(.same(.entityTag("W/\"a\""))))
    let early = ContentVersion.modified(Instant(seconds: 5))
    let late = ContentVersion.modified(Instant(seconds: 6))
    for (new, old) in [
      (ContentVersion.entityTag("\"b\""), ContentVersion.entityTag("\"a\"")), (late, early),
      (ContentVersion.digest("ab"), ContentVersion.digest("ac")),
    ] {
      #expect(SyncDecision(now: new, stored: old) == .apply(.newer(new, than: old)))
    }
    #expect(SyncDecision(now: early, stored: late) == .keep(.older(early, than: late)))
    #expect(
      SyncDecision(now: .digest("ab"), stored: .digest("ab")) == .keep(.same(.digest("ab"))))
    #expect(
      SyncDecision(now: .number(1), stored: late) == .apply(.incomparable(.number(1), to: late)))
  }

  @Test(arguments: [
    ContentVersion.number(-3), .number(.max), .entityTag("W/\"a b\""), .digest("00ff"),
    .modified(Instant(milliseconds: -1)),
  ])
  func `a version comes back from its stored form`(version: ContentVersion) {
    #expect(ContentVersion(stored: version.stored) == version)
  }

  @Test func `a feed's version is a whole number, also in quotes, and nothing else`() {
    #expect(ContentVersion(feed: 12) == .number(12))
    #expect(ContentVersion(feed: "12") == .number(12))
    for value: PropertyValue in ["1.10", "", nil, true, .number("1.5"), .array([1])] {
      #expect(ContentVersion(feed: value) == nil)
    }
  }

  @Test func `fields that come and go are told`() {
    let drift = FieldDrift(from: ["lat", "name", "tel"], to: ["name", "latitude", "tel"])
    #expect(drift.gone == ["lat"] && drift.new == ["latitude"])
    #expect(drift.remark == "fields gone: lat; new: latitude (renamed?)")
    #expect(FieldDrift(from: ["a"], to: ["a"]).remark == nil)
  }
}

@Suite struct BackOffTests {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `waits double up to the longest, half of each by chance`(seed: UInt64) {
    let backOff = BackOff(first: .seconds(2), longest: .seconds(60))
    var random = SeededGenerator(seed: seed)
    var seen: Set<Duration> = []
    for (failures, whole) in [
      (1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 60), (7, 60), (900, 60),
    ] {
      for _ in 0..<50 {
        let wait = backOff.wait(afterFailures: failures, using: &random)
        #expect((Duration.milliseconds(whole * 500)...Duration.seconds(whole)).contains(wait))
        seen.insert(wait)
      }
    }
    #expect(seen.count > 200)
  }

  @Test func `no wait is shorter than a millisecond, and the longest may have no end`() {
    var random = SeededGenerator(seed: 6)
    let hasty = BackOff(first: .microseconds(10), longest: .microseconds(20))
    #expect(hasty.wait(afterFailures: 1, using: &random) == .milliseconds(1))
    #expect(hasty.wait(afterFailures: 9, using: &random) == .milliseconds(1))
    let patient = BackOff(first: .seconds(1), longest: .seconds(Int64.max))
    let wait = patient.wait(afterFailures: 3, using: &random)
    #expect((Duration.seconds(2)...Duration.seconds(4)).contains(wait))
  }
}

@Suite struct HTTPDateTextTests {
  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
      ("Sat, 01 Jan 2000 00:00:00 GMT", 946_684_800),
      ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
    ] as [(String, Int64)])
  func `a moment is written and read as the system has it`(text: String, seconds: Int64) {
    #expect(HTTPDateText.moment(text) == Instant(seconds: seconds))
    #expect(HTTPDateText.text(Instant(seconds: seconds)) == text)
  }

  /// The examples of RFC 9110 §5.6.7, and both sides of the year that divides the centuries.
  @Test(
    arguments: [
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Sunday, 29-Nov-26 23:00:00 GMT", 1_795_993_200),
      ("Thu Jan  1 00:00:00 1970", 0), ("Wednesday, 31-Dec-69 23:59:59 GMT", -1),
      ("Sunday, 01-Jan-68 00:00:00 GMT", 3_092_601_600),
    ] as [(String, Int64)])
  func `the obsolete forms are read, too`(text: String, seconds: Int64) {
    #expect(HTTPDateText.moment(text) == Instant(seconds: seconds))
  }

  @Test(arguments: [
    "", "yesterday", "Sun, 06 Nov 94 08:49 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sunday, 06-Nov--4 08:49:37 GMT", "Sun Nov 6 08:49:37 94 GMT", "Sun, Nov 6 08:49:37 1994",
    "Sun, 06 Nov 1994 08:49:37 KST", "Sun, 06 Now 1994 08:49:37 GMT",
  ])
  func `what is no moment is none`(text: String) { #expect(HTTPDateText.moment(text) == nil) }
}
