import Geodesy

/// A bar on standard error for work that takes over a second.
package final class ProgressReport {
  /// What is shown, by the words of the command line.
  package enum Mode: String, CaseIterable {
    /// A bar, on a terminal only.
    case bar = "auto"
    case never
    /// A line of JSON a second, for programs.
    case json
  }

  private let mode: Mode
  private let name: String
  private let clock: () -> Double
  private let write: (String) -> Void
  private let columns: () -> Int
  private let start: Double
  private var lastShown: Double
  private var isShowing = false

  /// - Parameters:
  ///   - name: What is shown beside the bar: the file that is read or written, or what is done.
  ///   - clock: Seconds that only grow.
  ///   - write: Takes a line of JSON, or the bar, which replaces the one before it.
  ///   - columns: How wide the terminal is.
  package init(
    mode: Mode, name: String, isOnTerminal: Bool, clock: @escaping () -> Double,
    write: @escaping (String) -> Void, columns: @escaping () -> Int = { 80 }
  ) {
    self.mode = mode == .bar && !isOnTerminal ? .never : mode
    self.name = name
    self.clock = clock
    self.write = write
    self.columns = columns
    start = clock()
    lastShown = start
  }

  /// Whether anybody looks; what is only counted for the bar need not be, otherwise.
  var isShown: Bool { mode != .never }

  /// Shows how many bytes are done of all that there are.
  package func update(_ done: Int, of total: Int) {
    show(done, of: total, "bytes", "\(grouped(total / 1_000_000)) MB")
  }

  /// Shows how many rows are done of all that there are; asks the clock for one in a thousand.
  package func update(rows done: Int, of total: Int) {
    guard done & 1023 == 0 else { return }
    show(done, of: total, "rows", "\(grouped(total)) rows")
  }

  /// Shows how much is done, if it is time to.
  private func show(_ done: Int, of total: Int, _ unit: String, _ all: @autoclosure () -> String) {
    guard total > 0, secondsIfDue() != nil else { return }
    if mode == .json { return write("{\"progress\":{\"\(unit)\":\(done),\"total\":\(total)}}") }
    let share = min(1, Double(done) / Double(total))
    let text = "\(bar(share, 30)) \(Int(share * 100)) % of \(all())  \(name)"
    // A line that wraps could not be taken back.
    write(String(text.prefix(columns() - 1)))
  }

  /// Shows how many tiles were made, and how long the rest will take at the pace so far.
  package func update(tiles done: Int, of total: Int, share: Double) {
    guard let seconds = secondsIfDue() else { return }
    let secondsLeft =
      share > 0 ? Int(min(seconds * (1 - share) / share, 1e9).rounded(.up)) : 0
    if mode == .json {
      return write(
        "{\"progress\":{\"tiles\":\(done),\"total\":\(total),\"secondsLeft\":\(secondsLeft)}}")
    }
    let left = secondsLeft < 60 ? "\(secondsLeft) s" : "\((secondsLeft + 59) / 60) min"
    let text = "\(bar(min(1, share), 20)) \(grouped(done)) of \(grouped(total)) tiles, \(left) left"
    // A line that wraps could not be taken back.
    let width = columns()
    write(
      text.count < width ? text : String("\(Int(share * 100)) %, \(left) left".prefix(width - 1)))
  }

  /// The seconds since the start, if it is time to show something; nil if not.
  private func secondsIfDue() -> Double? {
    guard isShown else { return nil }
    let now = clock()
    // Work under a second goes unremarked; after that, ten times a second is enough.
    guard now - start > 1, now - lastShown > (mode == .json ? 1 : 0.1) else { return nil }
    lastShown = now
    isShowing = true
    return now - start
  }

  private func bar(_ share: Double, _ width: Int) -> String {
    let filled = Int(share * Double(width))
    return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
  }

  /// Takes the bar off the screen again.
  package func finish() {
    if isShowing, mode == .bar { write("") }
    isShowing = false
  }
}
