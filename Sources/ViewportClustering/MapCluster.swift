import Geodesy
import MapProjections

/// A group of annotations drawn as one.
public struct MapCluster: Hashable, Sendable, Identifiable {
  /// The id, the same on every screen.
  public let id: ClusterID
  /// The number of annotations, at least 2.
  public let count: Int
  /// The mean of their positions, in columns and rows of the grid.
  package let column: Double, row: Double
  private let grid: MercatorGrid

  /// Makes a cluster by hand, for previews and tests of a display.
  ///
  /// - Parameters:
  ///   - id: Its id; where its cell is does not matter.
  ///   - count: The number of annotations.
  ///   - coordinate: Where to draw it.
  /// - Precondition: `count` is at least 2.
  public init(id: ClusterID, count: Int, coordinate: Coordinate) {
    precondition(count >= 2, "a cluster of \(count); take 2 or more")
    let height = min(1, max(0, MercatorGrid.height(coordinate.latitude)))
    self.init(
      id: id, count: count, column: (coordinate.longitude / 360 + 0.5) * 0x1p32,
      row: height * 0x1p32, grid: .tiles)
  }

  init(id: ClusterID, count: Int, column: Double, row: Double, grid: MercatorGrid) {
    self.id = id
    self.count = count
    self.column = column
    self.row = row
    self.grid = grid
  }

  /// - Parameter sum: The sums of the columns and rows of its annotations, which count as centers of 9 mm cells.
  @inline(__always)
  init(id: ClusterID, count: Int, sum: SIMD2<UInt64>, grid: MercatorGrid) {
    let mean = SIMD2(Double(sum.x), Double(sum.y)) / Double(count) + 0.5
    self.init(id: id, count: count, column: mean.x, row: mean.y, grid: grid)
  }

  /// The position for drawing: the mean of its annotations on the Web Mercator plane, to 9 mm.
  ///
  /// Annotations beyond ±85.0511° count as if they lay on that parallel. Computed on each call.
  public var coordinate: Coordinate { grid.coordinate(column: column, row: row) }
}
