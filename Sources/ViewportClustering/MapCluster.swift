import Geodesy
import MapProjections

/// Annotations drawn as one.
public struct MapCluster: Hashable, Sendable, Identifiable {
  /// Names it on every screen.
  public let id: ClusterID
  /// How many annotations it stands for, at least 2.
  public let count: Int
  /// The mean of their places: columns and rows of the grid.
  package let column: Double, row: Double
  private let grid: MercatorGrid

  init(id: ClusterID, count: Int, column: Double, row: Double, grid: MercatorGrid) {
    self.id = id
    self.count = count
    self.column = column
    self.row = row
    self.grid = grid
  }

  /// - Parameter sum: Of the columns and rows of its annotations, which are in the middle of their 9 mm.
  @inline(__always)
  init(id: ClusterID, count: Int, sum: SIMD2<UInt64>, grid: MercatorGrid) {
    let mean = SIMD2(Double(sum.x), Double(sum.y)) / Double(count) + 0.5
    self.init(id: id, count: count, column: mean.x, row: mean.y, grid: grid)
  }

  /// Where to draw it: the mean of its annotations on the Web Mercator plane, to 9 mm.
  ///
  /// Annotations beyond ±85.0511° count as if they lay on that parallel. Computed when asked for.
  public var coordinate: Coordinate { grid.coordinate(column: column, row: row) }
}
