import Geodesy
import MapProjections

/// The contents of a screen: clusters and single annotations.
///
/// The counts of the clusters plus the single annotations are exactly the annotations in `box`, the
/// viewport widened to whole cells. Every annotation in that box is in exactly one of them. A line
/// or area is in the box if any part of it is, and counts once: where its coordinate is, or as a
/// single annotation if that is outside.
public struct ClusterView: Sendable {
  /// The zoom of the view.
  public let zoom: Int
  /// The clusters, in the order of their cells.
  public let clusters: [MapCluster]
  /// The offsets of the single annotations, in the order of their positions.
  public let annotations: [Int]
  /// Their ranks in the order.
  let ranks: [UInt32]
  let cells: CellBlock
  let grid: MercatorGrid

  /// The box of the counts: the viewport widened to whole cells of its zoom.
  ///
  /// Its edges are the last positions inside, so that a neighboring box shares none with it. It reaches a pole if a
  /// cell of the first or last row is in it. Computed on each call, in some microseconds.
  public var box: BoundingBox { cells.box(in: grid) }

  /// The total number of annotations, in clusters and alone.
  public var count: Int { clusters.reduce(annotations.count) { $0 + $1.count } }

  /// The annotations at one position, which a map must spread to show them all.
  public struct Stack: Hashable, Sendable {
    /// Their offsets, in ascending order of ids.
    public let annotations: [Int]
    /// The slot of each among all annotations at the position, including hidden ones: a pin does
    /// not move when its neighbor is hidden.
    public let slots: [Int]
    /// The number of annotations at the position, including hidden ones.
    public let size: Int
  }
}

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
    self.init(
      id: id, count: count, column: (coordinate.longitude / 360 + 0.5) * 0x1p32,
      row: MercatorGrid.heightInSquare(coordinate.latitude) * 0x1p32, grid: .tiles)
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
