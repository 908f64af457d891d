import CNearbyKernels
import Geodesy

/// A search for everything within a radius that `LocalMetric` can judge, done entirely in C.
///
/// Flat squares tell which nodes and positions are certainly inside or certainly outside. The
/// undecided ones come back and are measured here.
struct CircleSearch: KernelSearch {
  let tree: TreeView
  private let origin: Coordinate
  private let radius: Double
  private let categories: CategorySet
  let circle: nearby_circle

  /// The squared chords for which only the geodesic can tell inside from outside.
  private let shell: ClosedRange<Double>

  /// - Returns: nil where the metric cannot judge everything within the radius.
  @inline(__always)
  init?(
    tree: TreeView, origin: Coordinate, radius: Distance, categories: CategorySet
  ) {
    shell = ChordBracket.shell(around: radius.meters)
    guard
      let circle = nearby_circle(around: origin, outer: shell.upperBound, inner: shell.lowerBound)
    else { return nil }
    self.circle = circle
    self.tree = tree
    self.origin = origin
    self.radius = radius.meters
    self.categories = categories
  }

  @inline(__always)
  func resume(_ walk: inout nearby_area_walk) -> nearby_outcome {
    withUnsafePointer(to: circle) { circle in
      tree.withSearched(categories, nil) { searched, filter in
        nearby_find_in_circle(tree.level.rawValue, searched, filter, circle, &walk)
      }
    }
  }

  func includes(undecided slot: Int) -> Bool {
    // Few positions get here, so what this needs of the origin is computed only on demand.
    let squaredChord = LineOrigin(origin).squaredChord(
      latitude: tree.latitude(slot), longitude: tree.longitude(slot))
    if squaredChord < shell.lowerBound { return true }
    return squaredChord <= shell.upperBound
      && tree.geodesic(from: origin, toSlot: slot) <= radius
  }
}

extension nearby_circle {
  /// A circle between whose squared chords only geodesics can tell inside from outside; nil where flat
  /// squares cannot judge it.
  @inline(__always)
  init?(around origin: Coordinate, outer: Double, inner: Double) {
    let metric = LocalMetric(origin)
    let outer = nearby_rounded_up(outer), inner = nearby_rounded_down(inner)
    guard outer <= metric.squaredReach else { return nil }
    self.init(
      metric: metric.kernel,
      outer_node: metric.nodeLimit(upTo: outer), inner_node: metric.innerNodeLimit(upTo: inner),
      outer_position: metric.positionLimit(upTo: outer),
      inner_position: metric.innerPositionLimit(upTo: inner))
  }
}
