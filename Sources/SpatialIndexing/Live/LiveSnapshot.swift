import Geodesy

/// A live index as it was at one moment: a value that answers queries and never changes.
///
///     let snapshot = index.snapshot
///     let near = snapshot.nearest(10, to: here, categories: taxis, now: clock.seconds)
///     let shown = snapshot.objects(in: viewport, now: clock.seconds)
///
/// All queries to one snapshot see the same objects. Any number of threads may query.
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
    } else if categories != .any || now == .infinity {
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
