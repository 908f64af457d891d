import Geodesy

/// One answer of a search: a position and its distance.
public struct Neighbor: Hashable, Sendable {
  /// The offset of the position in the collection that the index was built from.
  public let position: Int
  /// The geodesic distance on WGS 84.
  public let distance: Distance

  /// Pairs a position with its distance.
  public init(position: Int, distance: Distance) {
    self.position = position
    self.distance = distance
  }
}

extension Neighbor: Comparable {
  /// Orders by distance, and by position if distances are equal bit for bit.
  public static func < (left: Neighbor, right: Neighbor) -> Bool {
    (left.distance, left.position) < (right.distance, right.position)
  }
}

/// The neighbors of an origin, and the movement for which they stay the same.
public struct NearestAnswer: Hashable, Sendable {
  /// Nearest first, ties by position.
  public let neighbors: [Neighbor]
  /// How far the origin may move before another *set* of positions could be the answer; nil if it
  /// can move anywhere.
  ///
  /// The order of the neighbors may change sooner.
  public let validRadius: Distance?
  /// What the search did.
  public let statistics: SearchStatistics
  /// The distance of the farthest position inside the inner limit; nil if there is none.
  package let lastInside: Distance?

  package init(
    neighbors: [Neighbor], validRadius: Distance?, statistics: SearchStatistics,
    lastInside: Distance? = nil
  ) {
    self.neighbors = neighbors
    self.validRadius = validRadius
    self.statistics = statistics
    self.lastInside = lastInside
  }
}

/// Counts of what a search did, to explain its running time.
public struct SearchStatistics: Hashable, Sendable {
  /// Groups of sixteen tree nodes whose distances from the origin were bounded at once.
  public internal(set) var nodeGroupsTested = 0
  /// Leaves read, of up to sixteen positions; in a geohash list, runs of it.
  public internal(set) var leavesRead = 0
  /// Positions near enough by their chord to be candidates.
  public internal(set) var candidates = 0
  /// Geodesics computed.
  public internal(set) var geodesics = 0
  /// Calls of the caller's predicate.
  public internal(set) var predicateCalls = 0
  /// Calls in which the predicate returned false.
  public internal(set) var predicateRejections = 0

  /// The statistics of a search that has done nothing yet.
  public init() {}

  /// The combined statistics of two searches.
  public static func + (left: SearchStatistics, right: SearchStatistics) -> SearchStatistics {
    var sum = left
    sum.nodeGroupsTested += right.nodeGroupsTested
    sum.leavesRead += right.leavesRead
    sum.candidates += right.candidates
    sum.geodesics += right.geodesics
    sum.predicateCalls += right.predicateCalls
    sum.predicateRejections += right.predicateRejections
    return sum
  }
}

/// A set of up to 64 categories of positions, by which a search skips whole branches of the tree.
public struct CategorySet: OptionSet, Hashable, Sendable {
  /// One bit for each category.
  public let rawValue: UInt64

  /// Stores the bits unchanged.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one category, numbered from 0.
  ///
  /// - Precondition: `number` is in 0…63.
  public init(category number: Int) {
    precondition((0..<64).contains(number), "category \(number) is outside 0…63")
    rawValue = 1 << UInt64(number)
  }

  /// All 64 categories; in a search this means any position, including those without a category.
  public static let any = CategorySet(rawValue: .max)
}
