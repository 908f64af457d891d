/// A cell of a `DegreeGrid`: its row counted from the south pole and its column from −180 eastward.
///
/// The text `12752,30688` is a stable key: it is the same on every platform, and for every way of
/// writing the same position.
public struct GridCell: Hashable, Sendable {
  /// Rows north of the southernmost, from 0.
  public let row: Int
  /// Columns east of the one that begins at −180, from 0.
  public let column: Int

  /// Names a cell; only a grid knows whether it has it.
  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

extension GridCell: Comparable {
  /// By row from the south, then by column from −180 eastward.
  public static func < (left: GridCell, right: GridCell) -> Bool {
    (left.row, left.column) < (right.row, right.column)
  }
}

extension GridCell: LosslessStringConvertible {
  /// Row and column, as `12752,30688`.
  public var description: String { "\(row),\(column)" }

  /// Reads what `description` writes; `nil` for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let row = Int(parts[0]), let column = Int(parts[1]) else { return nil }
    self.init(row: row, column: column)
    // One cell, one key: not "+1,2" nor "01,2".
    guard row >= 0, column >= 0, self.description == description else { return nil }
  }
}
