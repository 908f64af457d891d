import Geodesy

/// One answer of a search: which position, and how far it is.
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
  /// By distance, and where that is equal bit for bit, by position.
  public static func < (left: Neighbor, right: Neighbor) -> Bool {
    (left.distance, left.position) < (right.distance, right.position)
  }
}

/// The neighbors of an origin, and how long they stay so.
public struct NearestAnswer: Hashable, Sendable {
  /// Nearest first, ties by position.
  public let neighbors: [Neighbor]
  /// How far the origin may move before another *set* of positions could be the answer (their
  /// order may change sooner); nil where no movement changes it.
  public let validRadius: Distance?
  /// What the search did.
  public let statistics: SearchStatistics

  package init(neighbors: [Neighbor], validRadius: Distance?, statistics: SearchStatistics) {
    self.neighbors = neighbors
    self.validRadius = validRadius
    self.statistics = statistics
  }
}

/// What a search did, for those who ask why it took as long as it did.
public struct SearchStatistics: Hashable, Sendable {
  /// Groups of sixteen tree nodes whose distance from the origin was bounded at once.
  public internal(set) var nodeGroupsTested = 0
  /// Leaves of up to sixteen positions that were read, in a list of geohashes runs of it.
  public internal(set) var leavesRead = 0
  /// Positions that came near enough to be candidates by their chord.
  public internal(set) var candidates = 0
  /// Geodesics that were computed.
  public internal(set) var geodesics = 0
  /// How often the caller's predicate was asked.
  public internal(set) var predicateCalls = 0
  /// How often it said no.
  public internal(set) var predicateRejections = 0

  /// A search that has done nothing yet.
  public init() {}

  /// What two searches did together.
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

/// Up to 64 categories of positions, by which whole branches of the tree are passed over.
public struct CategorySet: OptionSet, Hashable, Sendable {
  /// One bit for each category.
  public let rawValue: UInt64

  /// Takes the bits as they are.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one category, numbered from 0.
  ///
  /// - Precondition: `number` is in 0…63.
  public init(category number: Int) {
    precondition((0..<64).contains(number), "category \(number) is outside 0…63")
    rawValue = 1 << UInt64(number)
  }

  /// All 64 categories; to a search this means any position, those of no category too.
  public static let any = CategorySet(rawValue: .max)
}
