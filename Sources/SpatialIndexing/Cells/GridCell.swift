/// A cell of a `DegreeGrid`: its row counted from the South Pole and its column from −180 eastward.
///
/// The text `12752,30688` is a stable key: it is the same on every platform, however the position
/// is written.
public struct GridCell: Hashable, Sendable {
  /// The number of rows to the south.
  public let row: Int
  /// The number of columns to the west, from −180 on.
  public let column: Int

  /// Makes a cell; only a grid can tell whether it contains the cell.
  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

extension GridCell: Comparable {
  /// Orders by row from the south, then by column from −180 eastward.
  public static func < (left: GridCell, right: GridCell) -> Bool {
    (left.row, left.column) < (right.row, right.column)
  }
}

extension GridCell: LosslessStringConvertible {
  /// Row and column, such as `12752,30688`.
  public var description: String { "\(row),\(column)" }

  /// Reads what `description` writes; `nil` for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let row = Int(parts[0]), let column = Int(parts[1]) else { return nil }
    self.init(row: row, column: column)
    // One cell, one key: rejects "+1,2" and "01,2".
    guard row >= 0, column >= 0, self.description == description else { return nil }
  }
}
