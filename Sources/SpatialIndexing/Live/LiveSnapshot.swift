import CNearbyKernels
import Geodesy

/// A live index as it was at one moment: a value that answers queries and never changes.
///
///     let snapshot = index.snapshot
///     let near = snapshot.nearest(10, to: here, categories: taxis, now: clock.seconds)
///     let shown = snapshot.objects(in: viewport, now: clock.seconds)
///
/// All queries to one snapshot see the same objects. Any number of threads may query. If `now` is NaN,
/// no object counts.
public struct LiveSnapshot: Sendable {
  private let held: LiveVersion

  init(_ version: LiveVersion) { held = version }

  /// The version of the index; later ones have greater numbers.
  public var version: Int { held.number }

  /// The number of objects, including expired ones that have not been dropped yet.
  public var count: Int { held.root.count }

  /// Whether there are no objects.
  public var isEmpty: Bool { count == 0 }

  /// Runs `body` with the tree, whose memory stays valid while `body` runs.
  @inline(__always)
  func withRoot<Result>(_ body: (LiveBlock) -> Result) -> Result {
    withExtendedLifetime(held) { body(held.root) }
  }

  /// All objects that have not expired, by id.
  ///
  /// - Complexity: O(*n* log *n*).
  public func objects(now: Double = -.infinity) -> [LiveObject] {
    all(now: now) { $0.object($1) }.sorted { $0.id < $1.id }
  }

  /// The ids of all objects that have not expired, in no particular order.
  ///
  /// - Precondition: Ids are at most `Int.max`.
  package func ids(now: Double) -> [Int] { all(now: now) { Int($0.id($1)) } }

  private func all<Result>(now: Double, _ make: (LiveBlock, Int) -> Result) -> [Result] {
    withRoot { root in
      var results: [Result] = []
      results.reserveCapacity(root.count)
      root.forEachLeaf { leaf in
        leaf.bits.forEachBit { slot in
          if leaf.expiry(slot) > now { results.append(make(leaf, slot)) }
        }
      }
      return results
    }
  }
}

extension LiveBlock {
  /// Calls `body` with every leaf below.
  func forEachLeaf(_ body: (LiveBlock) -> Void) {
    guard isNode else { return body(self) }
    for lane in 0..<childCount { child(lane).forEachLeaf(body) }
  }
}

/// The objects that a query is about.
struct LiveFilter {
  let categories: CategorySet
  let now: Double
  let isIncluded: ((LiveObject) -> Bool)?

  @inline(__always)
  func accepts(_ leaf: LiveBlock, _ slot: Int) -> Bool {
    if leaf.isFullLeaf {
      guard leaf.expiry(slot) > now,
        categories == .any || !leaf.categories(slot).isDisjoint(with: categories)
      else { return false }
    } else if categories != .any || !(now < .infinity) {
      return false
    }
    return isIncluded?(leaf.object(slot)) ?? true
  }

  /// Whether an object below a child may be accepted.
  @inline(__always)
  func accepts(_ node: LiveBlock, childAt lane: Int) -> Bool {
    categories == .any || node.categories(belowChild: lane) & categories.rawValue != 0
  }
}

extension LiveSnapshot {
  /// Returns the objects inside a box, by id.
  ///
  /// Edges are included, and 180° and −180° are one meridian, as in `BoundingBox.contains`.
  ///
  /// - Complexity: O(√*n* + *r* log *r*) expected for *r* results.
  public func objects(
    in box: BoundingBox, categories: CategorySet = .any, now: Double = -.infinity
  ) -> [LiveObject] {
    var objects: [LiveObject] = []
    forEachObject(in: box, categories: categories, now: now) { leaf, slot in
      objects.append(leaf.object(slot))
    }
    objects.sort { $0.id < $1.id }
    return objects
  }

  /// Returns the number of objects in a box.
  public func count(
    in box: BoundingBox, categories: CategorySet = .any, now: Double = -.infinity
  ) -> Int {
    var count = 0
    forEachObject(in: box, categories: categories, now: now) { _, _ in count += 1 }
    return count
  }

  @inline(__always)
  private func forEachObject(
    in box: BoundingBox, categories: CategorySet, now: Double, _ body: (LiveBlock, Int) -> Void
  ) {
    let filter = LiveFilter(categories: categories, now: now, isIncluded: nil)
    // The spans share no longitude that a position can have, so no object is found twice.
    let spans = box.longitudeSpans
    withRoot { root in
      LiveBoxWalk(box.south...box.north, spans.first, filter).run(root, body)
      if let second = spans.second {
        LiveBoxWalk(box.south...box.north, second, filter).run(root, body)
      }
    }
  }
}

/// A walk over a live tree for one span of latitudes and one of longitudes, edges included.
private struct LiveBoxWalk {
  private let south, west, north, east: Double
  private let box: nearby_box
  private let filter: LiveFilter

  init(
    _ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>, _ filter: LiveFilter
  ) {
    south = latitudes.lowerBound
    north = latitudes.upperBound
    west = longitudes.lowerBound
    east = longitudes.upperBound
    self.filter = filter
    box = nearby_box(latitudes, longitudes)
  }

  func run(_ root: LiveBlock, _ body: (LiveBlock, Int) -> Void) {
    if root.isNode { visit(root, body) } else { read(root, isInside: false, body) }
  }

  private func visit(_ node: LiveBlock, _ body: (LiveBlock, Int) -> Void) {
    var meeting = withUnsafePointer(to: box) { nearby_nodes_in_box($0, node.lanes) }
    let inside = meeting >> 16
    meeting &= 0xffff
    meeting.forEachBit { lane in
      guard filter.accepts(node, childAt: lane) else { return }
      let child = node.child(lane)
      let isInside = inside >> UInt32(truncatingIfNeeded: lane) & 1 != 0
      if !child.isNode {
        read(child, isInside: isInside, body)
      } else if isInside {
        child.forEachLeaf { read($0, isInside: true, body) }
      } else {
        visit(child, body)
      }
    }
  }

  private func read(_ leaf: LiveBlock, isInside: Bool, _ body: (LiveBlock, Int) -> Void) {
    let bits =
      isInside
      ? leaf.bits
      : nearby_degrees_leaf_in_box(south, west, north, east, leaf.lanes) & leaf.bits
    bits.forEachBit { slot in
      if filter.accepts(leaf, slot) { body(leaf, slot) }
    }
  }
}
