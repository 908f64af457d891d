import LocationFiltering
import Testing
import TrackImport

/// What a gate is given of the times in a track.
@Suite struct TrackReviewTests {
  private static func gga(_ time: String) -> String {
    sentence("GPGGA,\(time),3730.0000,N,12700.0000,E,1,08,0.9,10,M,46.9,M,,")
  }

  private static func rmc(_ time: String, _ date: String) -> String {
    sentence("GPRMC,\(time),A,3730.0000,N,12700.0000,E,1.0,,\(date),,,A")
  }

  /// The seconds from the first fix to each, on the clock of the gate.
  private static func seconds(_ text: String, hasHindsight: Bool) throws -> [Double?] {
    var review = TrackReview(GatePolicy(), hasHindsight: hasHindsight)
    let points = try TrackReader.points(in: Array(text.utf8)).points
    let reviewed = points.compactMap { review.take($0) } + review.finish()
    let times = reviewed.map(\.fix.fix.time)
    return times.map { time in time.flatMap { time in times[0].map { time - $0 } } }
  }

  @Test(arguments: [false, true])
  func `times before the first date are on one clock with those after it`(
    hasHindsight: Bool
  ) throws {
    let day = "241126"
    #expect(
      try Self.seconds(
        Self.gga("100000") + Self.rmc("100000", day) + Self.gga("100001") + Self.rmc("100010", day),
        hasHindsight: hasHindsight) == [0, 0, 1, 10])
    // The date comes after midnight, or a late sentence brings it from before.
    #expect(
      try Self.seconds(
        Self.gga("235958") + Self.rmc("000001", day) + Self.gga("000002"),
        hasHindsight: hasHindsight) == [0, 3, 4])
    #expect(
      try Self.seconds(
        Self.gga("235958") + Self.gga("000002") + Self.rmc("235959", day) + Self.gga("000003"),
        hasHindsight: hasHindsight) == [0, 4, 1, 5])
    // Nothing has a date.
    #expect(
      try Self.seconds(Self.gga("100000") + Self.gga("100500"), hasHindsight: hasHindsight)
        == [0, 300])
  }

  @Test(arguments: [false, true])
  func `an accuracy that cannot be read fails a rule on accuracy, and no other`(
    hasHindsight: Bool
  ) throws {
    let log = "lat,lon,accuracy\n37.5,127,10\n37.5,127,\"1,500\"\n37.5,127,\n37.5,127,inf\n"
    let points = try TrackReader.points(in: Array(log.utf8)).points
    var policy = GatePolicy()
    for limit in [nil, 50.0] {
      policy.worstAccuracy = limit
      // What fixes are taken to have that do not say is no answer for one that does.
      var judge = TrackJudge(policy, hasHindsight: hasHindsight, usualAccuracy: 20)
      let judged = points.compactMap { judge.judge($0) } + judge.finish()
      #expect(judged.map(\.isRejected) == [false, limit != nil, false, limit != nil])
      guard limit != nil else { continue }
      #expect(
        [1, 3].map { judged[$0].sentences[0] } == [
          "its accuracy cannot be read; it may be worse than 50 m",
          "accuracy infinite is worse than 50 m",
        ])
    }
  }

  @Test(arguments: [false, true])
  func `rules on age skip times without a date and judge those with one`(
    hasHindsight: Bool
  ) throws {
    var policy = GatePolicy()
    policy.greatestAge = 3_600
    policy.greatestLead = 3_600
    // 2026-11-24T10:00:05Z
    var judge = TrackJudge(policy, hasHindsight: hasHindsight, now: { 1_795_514_405 })
    let text =
      Self.gga("100000") + Self.rmc("100000", "241126") + Self.rmc("080000", "241126")
      + Self.rmc("120000", "241126")
    let points = try TrackReader.points(in: Array(text.utf8)).points
    let judged = points.compactMap { judge.judge($0) } + judge.finish()
    #expect(judged.map(\.isRejected) == [false, false, true, true])
    #expect(judged.map { $0.code }.suffix(2) == ["too-old", "in-future"])
  }
}
