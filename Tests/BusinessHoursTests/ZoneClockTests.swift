import BusinessHours
import Testing

/// A zone whose clocks go from UTC+1 to UTC+2 on 2026-03-29T01:00Z, and back on 2026-10-25T01:00Z, as
/// in Berlin.
private let berlin = HoursSetting(utcOffset: { instant in
  (1_774_746_000..<1_792_890_000).contains(instant) ? 7200 : 3600
})

@Suite struct ZoneClockTests {
  /// Open stretches from noon before a change of clocks to noon after, in hours of UTC since the
  /// change.
  private func stretches(_ value: String, around change: Int64) throws -> [[Double]] {
    try OpeningHours(value)
      .intervals(fromInstant: change - 43_200, toInstant: change + 39_600, setting: berlin)
      .filter { $0.answer.state == .open }
      .map { [Double($0.start - change) / 3600, Double($0.end - change) / 3600] }
  }

  private let forward: Int64 = 1_774_746_000
  private let back: Int64 = 1_792_890_000

  @Test func `a time that is skipped takes effect at the jump`() throws {
    #expect(try stretches("Sa 22:00-02:30", around: forward) == [[-4, 0]])
    #expect(try stretches("Su 02:30-05:00", around: forward) == [[0, 2]])
    // All of it is skipped.
    #expect(try stretches("Su 02:10-02:50", around: forward) == [])
    #expect(try stretches("Su 01:00-03:00", around: forward) == [[-1, 0]])
  }

  @Test func `a time that comes twice takes effect once`() throws {
    #expect(try stretches("Sa 22:00-02:30", around: back) == [[-5, -0.5]])
    #expect(try stretches("Su 02:30-05:00", around: back) == [[-0.5, 3]])
    #expect(try stretches("Su 02:10-02:50", around: back).count == 1)
    #expect(try stretches("Su 03:00-05:00", around: back) == [[1, 3]])
  }

  @Test(arguments: [
    "Sa 22:00-02:30", "02:10-02:50", "Su 02:30-05:00", "01:30-02:00,03:00-04:00", "24/7",
  ])
  func `states and changes at instants agree with the intervals`(value: String) throws {
    let hours = try OpeningHours(value)
    for change in [forward, back] {
      let (start, end) = (change - 90_000, change + 90_000)
      let intervals = hours.intervals(fromInstant: start, toInstant: end, setting: berlin)
      #expect(intervals.first?.start == start && intervals.last?.end == end)
      for interval in intervals {
        for instant in stride(from: interval.start, to: interval.end, by: 300) {
          #expect(
            hours.state(atInstant: instant, setting: berlin) == interval.answer.state,
            "\(value) at \(instant - change)")
        }
        if interval.end < end {
          #expect(
            hours.nextChange(afterInstant: interval.start, setting: berlin) == interval.end)
        }
      }
    }
  }
}
