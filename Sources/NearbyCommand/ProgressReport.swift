import Geodesy

/// A bar on standard error for work that takes over a second.
final class ProgressReport {
  enum Mode {
    /// A bar, on a terminal only.
    case bar
    /// A line of JSON a second, for programs.
    case json
    case never
  }

  private let mode: Mode
  private let name: String
  private let start = Console.seconds
  private var lastShown: Double
  private var isShowing = false

  init(mode: Mode, name: String) {
    self.mode = mode == .bar && !Console.errorIsTerminal ? .never : mode
    self.name = name
    lastShown = start
  }

  func update(_ done: Int, of total: Int) {
    guard mode != .never, total > 0 else { return }
    let now = Console.seconds
    // Work under a second goes unremarked; after that, ten times a second is enough.
    guard now - start > 1, now - lastShown > (mode == .json ? 1 : 0.1) else { return }
    lastShown = now
    isShowing = true
    switch mode {
    case .json:
      Console.remark("{\"progress\":{\"bytes\":\(done),\"total\":\(total)}}")
    case .bar:
      let share = min(1, Double(done) / Double(total))
      let filled = Int(share * 30)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
      Console.overwrite("\(bar) \(Int(share * 100)) % of \(grouped(total / 1_000_000)) MB  \(name)")
    case .never: break
    }
  }

  /// Shows how many tiles were made, and how long the rest will take at the pace so far.
  func update(tiles done: Int, of total: Int, share: Double) {
    guard mode != .never else { return }
    let now = Console.seconds
    guard now - start > 1, now - lastShown > (mode == .json ? 1 : 0.1) else { return }
    lastShown = now
    isShowing = true
    let secondsLeft =
      share > 0 ? Int(min((now - start) * (1 - share) / share, 1e9).rounded(.up)) : 0
    switch mode {
    case .json:
      Console.remark(
        "{\"progress\":{\"tiles\":\(done),\"total\":\(total),\"secondsLeft\":\(secondsLeft)}}")
    case .bar:
      let filled = Int(min(1, share) * 20)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
      let left = secondsLeft < 60 ? "\(secondsLeft) s" : "\((secondsLeft + 59) / 60) min"
      let text = "\(bar) \(grouped(done)) of \(grouped(total)) tiles, \(left) left"
      // A line that wraps could not be taken back.
      let width = Console.width(onTerminal: true)
      Console.overwrite(
        text.count < width ? text : String("\(Int(share * 100)) %, \(left) left".prefix(width - 1)))
    case .never: break
    }
  }

  /// Takes the bar off the screen again.
  func finish() {
    if isShowing, mode == .bar { Console.overwrite("") }
    isShowing = false
  }
}
