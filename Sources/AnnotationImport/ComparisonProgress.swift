/// The progress of comparing the records of a source.
///
/// Comparing takes several passes over the rows; progress is the share of all passes, in rows.
final class ComparisonProgress {
  /// Two passes over positions, one that reads addresses and five that compare them.
  private static let passes = 8
  /// Rows are reported in steps of this many.
  private static let step = 1_024

  private let rows: Int
  private let tell: ((Int, Int) -> Void)?
  private var steps = 0

  /// - Parameter tell: Called with the number of rows done, a multiple of 1,024, and the total.
  init(rows: Int, tell: ((Int, Int) -> Void)?) {
    self.rows = rows
    self.tell = tell
  }

  /// Counts one row of one pass.
  func advance() {
    guard let tell else { return }
    steps += 1
    if steps % (Self.passes * Self.step) == 0 { tell(steps / Self.passes, rows) }
  }
}
