import Testing

@testable import AnnotationSources
@testable import NearbyCommand

/// The bar, by a clock of the test's own.
@Suite struct ProgressReportTests {
  /// What a report shows of rows that take a millisecond each.
  private func shown(
    _ mode: ProgressReport.Mode, rows: Int, isOnTerminal: Bool = true
  ) -> [String] {
    var now = 100.0
    var lines: [String] = []
    let report = ProgressReport(
      mode: mode, name: "x.html", isOnTerminal: isOnTerminal, clock: { now },
      write: { lines.append($0) })
    for row in 0..<rows {
      report.update(rows: row, of: rows)
      now += 0.001
    }
    report.finish()
    return lines
  }

  @Test func `work under a second shows nothing`() {
    #expect(shown(.bar, rows: 1_000) == [])
    #expect(shown(.json, rows: 1_000) == [])
  }

  @Test func `a bar goes on, and is taken off at the end`() {
    let lines = shown(.bar, rows: 10_240)
    // A row in 1,024 is looked at, from the first behind a second on.
    #expect(lines.count == 10)
    #expect(
      lines.first == "███" + String(repeating: "░", count: 27) + " 10 % of 10,240 rows  x.html")
    #expect(lines[8].hasPrefix(String(repeating: "█", count: 27) + "░░░ 90 %"))
    #expect(lines.last == "")
  }

  @Test func `programs get a line of JSON a second, and no other characters`() {
    let lines = shown(.json, rows: 3_073, isOnTerminal: false)
    #expect(
      lines == [1_024, 2_048, 3_072].map { "{\"progress\":{\"rows\":\($0),\"total\":3073}}" })
  }

  @Test func `without a terminal nothing is shown unless it is asked for`() {
    #expect(shown(.bar, rows: 5_000, isOnTerminal: false) == [])
    #expect(shown(.never, rows: 5_000) == [])
  }
}
