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
