import Geodesy

/// A bar on standard error for work that takes over a second.
package final class ProgressReport {
  package enum Mode {
    /// A bar, on a terminal only.
    case bar
    /// A line of JSON a second, for programs.
    case json
    case never
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
    guard mode != .never, total > 0 else { return }
    show(done, of: total, "bytes", "\(grouped(total / 1_000_000)) MB")
  }

  /// Shows how many rows are done of all that there are; asks the clock for one in a thousand.
  package func update(rows done: Int, of total: Int) {
    guard mode != .never, total > 0, done & 1023 == 0 else { return }
    show(done, of: total, "rows", "\(grouped(total)) rows")
  }

  /// Shows how much is done, if it is time to.
  private func show(_ done: Int, of total: Int, _ unit: String, _ all: @autoclosure () -> String) {
    let now = clock()
    // Work under a second goes unremarked; after that, ten times a second is enough.
    guard now - start > 1, now - lastShown > (mode == .json ? 1 : 0.1) else { return }
    lastShown = now
    isShowing = true
    switch mode {
    case .json: write("{\"progress\":{\"\(unit)\":\(done),\"total\":\(total)}}")
    case .bar: show(min(1, Double(done) / Double(total)), of: "\(all())  \(name)")
    case .never: break
    }
  }

  /// Shows a bar, and how much that is of what.
  private func show(_ share: Double, of total: String) {
    let filled = Int(share * 30)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    let text = "\(bar) \(Int(share * 100)) % of \(total)"
    // A line that wraps could not be taken back.
    write(String(text.prefix(columns() - 1)))
  }

  /// Shows how many tiles were made, and how long the rest will take at the pace so far.
  package func update(tiles done: Int, of total: Int, share: Double) {
    guard mode != .never else { return }
    let now = clock()
    guard now - start > 1, now - lastShown > (mode == .json ? 1 : 0.1) else { return }
    lastShown = now
    isShowing = true
    let secondsLeft =
      share > 0 ? Int(min((now - start) * (1 - share) / share, 1e9).rounded(.up)) : 0
    switch mode {
    case .json:
      write(
        "{\"progress\":{\"tiles\":\(done),\"total\":\(total),\"secondsLeft\":\(secondsLeft)}}")
    case .bar:
      let filled = Int(min(1, share) * 20)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
      let left = secondsLeft < 60 ? "\(secondsLeft) s" : "\((secondsLeft + 59) / 60) min"
      let text = "\(bar) \(grouped(done)) of \(grouped(total)) tiles, \(left) left"
      // A line that wraps could not be taken back.
      let width = columns()
      write(
        text.count < width ? text : String("\(Int(share * 100)) %, \(left) left".prefix(width - 1)))
    case .never: break
    }
  }

  /// Takes the bar off the screen again.
  package func finish() {
    if isShowing, mode == .bar { write("") }
    isShowing = false
  }
}
