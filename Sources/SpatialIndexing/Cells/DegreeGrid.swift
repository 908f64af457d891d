import Geodesy

/// A grid over the Earth with cells of a fixed number of degrees, for programs that store places by
/// cell.
///
///     let grid = DegreeGrid(degrees: 0.01)     // about 1.1 km north to south
///     let cell = grid.cell(at: cityHall)
///     let shards = [cell] + grid.neighbors(of: cell)
///
/// Row 0 begins at the South Pole and column 0 at −180. If the size does not divide the Earth, the
/// last row and the last column are narrower. A position on a border lies in the cell to its north
/// or east, the North Pole in the last row; ±180° begins column 0, since a `Coordinate` writes it
/// as −180.
///
/// The borders are decimal. With a size of 0.01 the latitude 37.52 begins row 12752, although no
/// `Double` is exactly 37.52 and (37.52 + 90) / 0.01 is rounded: a border is the `Double` nearest
/// to the true decimal, which is what the literal 37.52 gives.
public struct DegreeGrid: Hashable, Sendable {
  /// The height and the width of a cell in degrees.
  public let degrees: Double
  /// The number of rows.
  public let rowCount: Int
  /// The number of columns.
  public let columnCount: Int
  /// The size as a fraction of two integers, so that borders are rounded once.
  private let numerator: Double
  private let denominator: Double

  /// - Parameter degrees: A decimal with at most 6 digits after the point, such as 0.01, or a unit
  ///   fraction of a degree, such as 1.0 / 60; at least one millionth and at most 90.
  /// - Precondition: `degrees` is such a number.
  public init(degrees: Double) {
    precondition(
      degrees >= 1e-6 && degrees <= 90, "grid cells of \(degrees)°; use 0.000001…90")
    guard let (numerator, denominator) = DegreeGrid.fraction(degrees) else {
      preconditionFailure(
        "grid cells of \(degrees)°; use at most 6 decimals, or a whole part of a degree")
    }
    self.degrees = degrees
    self.numerator = numerator
    self.denominator = denominator
    rowCount = Int((180 * denominator / numerator).rounded(.up))
    columnCount = Int((360 * denominator / numerator).rounded(.up))
  }

  /// The integers whose quotient, rounded once, is `degrees`.
  private static func fraction(_ degrees: Double) -> (Double, Double)? {
    var denominator = 1.0
    while denominator <= 1e6 {
      let numerator = (degrees * denominator).rounded()
      if numerator / denominator == degrees { return (numerator, denominator) }
      denominator *= 10
    }
    let parts = (1 / degrees).rounded()
    return 1 / parts == degrees ? (1, parts) : nil
  }

  /// The cell that contains a position.
  ///
  /// - Complexity: O(1).
  public func cell(at position: Coordinate) -> GridCell {
    GridCell(
      row: index(of: position.latitude, origin: -90, count: rowCount),
      column: index(of: position.longitude, origin: -180, count: columnCount))
  }

  private func index(of value: Double, origin: Double, count: Int) -> Int {
    let estimate = Int((value - origin) / degrees)
    var index = min(max(estimate, 0), count - 1)
    // The estimate is rounded and may be off by one; the borders decide.
    while index > 0, value < border(index, origin: origin) { index -= 1 }
    while index < count - 1, value >= border(index + 1, origin: origin) { index += 1 }
    return index
  }

  /// The border where row or column `index` begins: a quotient of integers below 2⁵³, so rounded
  /// once.
  private func border(_ index: Int, origin: Double) -> Double {
    min((Double(index) * numerator + origin * denominator) / denominator, -origin)
  }

  /// The bounding box of a cell.
  ///
  /// The cell owns its southern and western borders; the others belong to its neighbors, except at
  /// 90°.
  ///
  /// - Precondition: The cell is in this grid.
  public func box(of cell: GridCell) -> BoundingBox {
    check(cell)
    return BoundingBox(
      unchecked: border(cell.row, origin: -90), border(cell.column, origin: -180),
      border(cell.row + 1, origin: -90), border(cell.column + 1, origin: -180))
  }

  /// The neighbor of a cell in a direction.
  ///
  /// Columns wrap around the Earth; there is nothing beyond a pole.
  ///
  /// - Returns: `nil` beyond a pole.
  /// - Precondition: The cell is in this grid.
  public func neighbor(_ direction: CompassDirection, of cell: GridCell) -> GridCell? {
    check(cell)
    let row = cell.row + direction.rows
    guard (0..<rowCount).contains(row) else { return nil }
    let column = (cell.column + direction.columns + columnCount) % columnCount
    return GridCell(row: row, column: column)
  }

  /// The cells around another, clockwise from north: eight, or five at a pole.
  ///
  /// - Precondition: The cell is in this grid.
  public func neighbors(of cell: GridCell) -> [GridCell] {
    CompassDirection.allCases.compactMap { neighbor($0, of: cell) }
  }

  private func check(_ cell: GridCell) {
    precondition(
      (0..<rowCount).contains(cell.row) && (0..<columnCount).contains(cell.column),
      "cell \(cell) is not in a grid of \(rowCount) rows and \(columnCount) columns")
  }
}

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
