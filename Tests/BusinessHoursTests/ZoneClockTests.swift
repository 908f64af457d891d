import BusinessHours
import Geodesy
import NearbyTestSupport
import Testing

/// A zone whose clocks go from UTC+1 to UTC+2 on 2026-03-29T01:00Z, and back on 2026-10-25T01:00Z, as
/// in Berlin.
private let berlin = HoursSetting(utcOffset: { instant in
  (1_774_746_000..<1_792_890_000).contains(instant.seconds) ? 7200 : 3600
})

@Suite struct ZoneClockTests {
  /// Open stretches from noon before a change of clocks to noon after, in hours of UTC since the
  /// change.
  private func stretches(_ value: String, around change: Instant) throws -> [[Double]] {
    try OpeningHours(value)
      .intervals(from: change - 43_200, to: change + 39_600, setting: berlin)
      .filter { $0.answer.state == .open }
      .map { [length(from: change, to: $0.start), length(from: change, to: $0.end)] }
  }

  private func length(from one: Instant, to other: Instant) -> Double {
    one.duration(to: other) / .seconds(3600)
  }

  private let forward: Instant = 1_774_746_000
  private let back: Instant = 1_792_890_000

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
      let intervals = hours.intervals(from: start, to: end, setting: berlin)
      #expect(intervals.first?.start == start && intervals.last?.end == end)
      for interval in intervals {
        for second in stride(from: interval.start.seconds, to: interval.end.seconds, by: 300) {
          let instant = Instant(seconds: second)
          #expect(
            hours.state(at: instant, setting: berlin) == interval.answer.state,
            "\(value) at \(length(from: change, to: instant))")
        }
        if interval.end < end {
          #expect(
            hours.nextChange(after: interval.start, setting: berlin) == interval.end)
        }
      }
    }
  }
}
