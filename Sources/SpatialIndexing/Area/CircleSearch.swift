import CNearbyKernels
import Geodesy

/// A search for everything within a radius that `LocalMetric` can judge, done entirely in C.
///
/// Flat squares tell which nodes and positions are certainly inside or certainly outside. The
/// undecided ones come back and are measured here.
struct CircleSearch {
  private let tree: TreeView
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

  /// Writes the positions in the circle, in no particular order.
  @inline(__always)
  func find(into sink: inout PositionSink) {
    run(NEARBY_POSITIONS, into: &sink) { sink, slot in
      sink.reserve(1)
      sink.append(tree.position(slot))
    }
  }

  /// The number of positions in the circle.
  func count() -> Int {
    var edge = 0
    let count = withUnsafeUndecided { undecided in
      var walk = begun(NEARBY_COUNT, undecided)
      walk.capacity = .max
      while true {
        let outcome = resume(&walk)
        forEachInside(&walk) { _ in edge += 1 }
        guard outcome == NEARBY_FULL else { return walk.count }
      }
    }
    return count + edge
  }

  /// The slots of the positions in the circle.
  func slots() -> [Int] {
    var sink = PositionSink()
    run(NEARBY_SLOTS, into: &sink) { sink, slot in
      sink.reserve(1)
      sink.append(UInt32(truncatingIfNeeded: slot))
    }
    return sink.numbers
  }

  @inline(__always)
  private func run(
    _ answer: nearby_answer, into sink: inout PositionSink,
    edge: (inout PositionSink, _ slot: Int) -> Void
  ) {
    withUnsafeUndecided { undecided in
      var walk = begun(answer, undecided)
      while true {
        let outcome = sink.lend(to: &walk) { resume(&$0) }
        forEachInside(&walk) { edge(&sink, $0) }
        guard outcome == NEARBY_FULL else { return }
        sink.reserve(2 * Int(NEARBY_GROUP_SLOTS))
      }
    }
  }

  /// Lends a kilobyte of stack memory for undecided slots.
  @inline(__always)
  private func withUnsafeUndecided<Result>(
    _ body: (UnsafeMutablePointer<UInt32>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(NEARBY_GROUP_SLOTS)) {
      body($0.baseAddress.unsafelyUnwrapped)
    }
  }

  @inline(__always)
  private func begun(
    _ answer: nearby_answer, _ undecided: UnsafeMutablePointer<UInt32>
  ) -> nearby_area_walk {
    var walk = tree.areaWalk(answer)
    walk.undecided = undecided
    return walk
  }

  @inline(__always)
  private func resume(_ walk: inout nearby_area_walk) -> nearby_outcome {
    withUnsafePointer(to: circle) { circle in
      tree.withSearched(categories, nil) { searched, filter in
        nearby_find_in_circle(tree.level.rawValue, searched, filter, circle, &walk)
      }
    }
  }

  /// Calls `body` with the undecided slots that lie inside, and removes all undecided slots.
  @inline(__always)
  private func forEachInside(_ walk: inout nearby_area_walk, _ body: (_ slot: Int) -> Void) {
    for index in 0..<Int(walk.undecided_count) {
      let slot = Int(walk.undecided[index])
      if isWithinRadius(slot) { body(slot) }
    }
    walk.undecided_count = 0
  }

  private func isWithinRadius(_ slot: Int) -> Bool {
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
