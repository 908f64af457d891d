import Synchronization

/// What an example prints, so that a test can compare it.
final class PrintedLines: Sendable {
  @TaskLocal static var current = PrintedLines()

  private let lines = Mutex<[String]>([])

  func append(_ line: String) { lines.withLock { $0.append(line) } }

  /// The lines that `body` prints.
  static func of(_ body: () throws -> Void) rethrows -> [String] {
    let printed = PrintedLines()
    try $current.withValue(printed, operation: body)
    return printed.lines.withLock { $0 }
  }
}

/// Takes the place of the standard library's `print`, whose signature it repeats for that, and keeps
/// the line.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  PrintedLines.current.append(items.map { "\($0)" }.joined(separator: separator))
}
