import Geodesy
import MapProjections

/// What a screen shows: clusters and single annotations.
///
/// The counts of the clusters and the annotations together are, exactly, the annotations in `box`: the
/// viewport, widened to whole cells. Every annotation of that box is in one of them, none in two. A line or
/// area is in the box where any part of it is, and counts once: where its coordinate is, or alone where that
/// lies outside.
public struct ClusterView: Sendable {
  /// The zoom of the view.
  public let zoom: Int
  /// Clusters, in the order of their cells.
  public let clusters: [MapCluster]
  /// The offsets of the single annotations, in the order of their places.
  public let annotations: [Int]
  /// Their ranks in the order.
  let ranks: [UInt32]
  let cells: CellBlock
  let grid: MercatorGrid

  /// The box that the counts are of: the viewport, widened to whole cells of its zoom.
  ///
  /// Its edges are the last positions inside, so that a neighboring box shares none with it. It reaches a
  /// pole where a cell of the first or last row is in it. Computed when asked for, in some microseconds.
  public var box: BoundingBox { cells.box(in: grid) }

  /// How many annotations there are, in clusters and alone.
  public var count: Int { clusters.reduce(annotations.count) { $0 + $1.count } }

  /// The group of annotations at one spot, which a map has to spread to show them all.
  public struct Stack: Hashable, Sendable {
    /// Their offsets, in ascending order of ids.
    public let annotations: [Int]
    /// The slot of each among all at the spot, whatever is filtered out: a pin does not move when
    /// its neighbor is hidden.
    public let slots: [Int]
    /// How many are at the spot.
    public let size: Int
  }
}
