import CNearbyKernels
import Geodesy

/// A search for up to sixteen nearest positions, of all or of those that categories or a predicate admit, done entirely
/// in C.
///
/// It walks depth first by the flat squared chords and limits of `LocalMetric`, and keeps its finds in
/// sorted lanes, so a finished walk is already in order except for ties.
struct FewSearch {
  private let tree: TreeView
  private let origin: Coordinate
  private let limit: Int
  private let categories: CategorySet
  private let asking: PredicateAsking?
  private let walk: UnsafeMutablePointer<nearby_walk>

  /// Whether few enough positions are wanted, and the tree can tell the categories apart.
  @inline(__always)
  static func canAnswer(_ limit: Int, _ categories: CategorySet, in tree: TreeView) -> Bool {
    limit <= 16 && limit > 0 && tree.canTell(categories)
  }

  /// The memory it needs, in bytes.
  ///
  /// Most of it is for coincident points and is left untouched without any.
  static var byteCount: Int { MemoryLayout<nearby_walk>.stride + settlingByteCount }

  /// The memory needed to sort the candidates of a walk, in bytes.
  static var settlingByteCount: Int {
    8 * (greatestCount + 8) + NearestRanking.byteCount(greatestCount)
  }

  /// The maximum number of candidates at coincident points; otherwise there are fewer than 32.
  static let greatestCount = 512

  /// - Parameter memory: `byteCount` bytes, aligned to 64.
  @inline(__always)
  init(
    tree: TreeView, origin: Coordinate, limit: Int, categories: CategorySet,
    asking: PredicateAsking? = nil, memory: UnsafeMutableRawPointer
  ) {
    self.tree = tree
    self.origin = origin
    self.limit = limit
    self.categories = categories
    self.asking = asking
    walk = memory.assumingMemoryBound(to: nearby_walk.self)
  }

  /// - Parameter positions: Gets the answer, in order; nil if candidates are enough.
  @inline(__always)
  func run(level: VectorLevel, into positions: UnsafeMutablePointer<UInt32>?) -> nearby_outcome {
    nearby_local_at(origin.latitude, origin.longitude, &walk.pointee.local)
    let limit = Int32(truncatingIfNeeded: limit)
    return tree.withSearched(categories, asking) { searched, filter in
      nearby_find(level.rawValue, searched, walk, limit, filter, positions)
    }
  }

  /// Finds the positions in order.
  ///
  /// - Returns: `NEARBY_FOUND`, or why it did not.
  @inline(__always)
  func answer(
    level: VectorLevel, into positions: UnsafeMutablePointer<UInt32>
  ) -> nearby_outcome {
    let outcome = run(level: level, into: positions)
    guard outcome == NEARBY_TIED || outcome == NEARBY_LOST else { return outcome }
    let isSettled = FewSearch.settle(
      walk, outcome, tree: tree, origin: origin, limit: limit, categories: categories, level: level,
      memory: settlingMemory, into: positions)
    return isSettled ? NEARBY_FOUND : outcome
  }

  /// Sorts candidates that are too close to be told apart, or too many to be kept.
  ///
  /// - Parameters:
  ///   - walk: The finished walk.
  ///   - memory: `settlingByteCount` bytes.
  /// - Returns: Whether there was room for them.
  @inline(never)
  static func settle(
    _ walk: UnsafePointer<nearby_walk>, _ outcome: nearby_outcome, tree: TreeView,
    origin: Coordinate, limit: Int, categories: CategorySet, level: VectorLevel,
    memory: UnsafeMutableRawPointer, into positions: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    guard
      let candidates = outcome == NEARBY_TIED
        ? candidates(of: walk)
        : crowd(
          of: walk, tree: tree, limit: limit, categories: categories, asking: nil, level: level,
          memory: memory)
    else { return false }
    var ranking = NearestRanking(
      tree: tree, origin: origin, count: candidates.count, memory: rankingMemory(in: memory))
    _ = ranking.order(candidates, limit: limit, metric: LocalMetric(origin))
    for rank in 0..<limit { positions[rank] = ranking.position(rank: rank) }
    return true
  }

  /// The candidates of a walk that overflowed, found by a second walk that knows how far to go.
  ///
  /// Mostly they are coincident points: a tower full of offices, or of postcodes.
  ///
  /// - Returns: nil if there are more than `greatestCount`, or fewer than `limit`, as in a forged file
  ///   whose nodes do not contain their positions.
  private static func crowd(
    of walk: UnsafePointer<nearby_walk>, tree: TreeView, limit: Int, categories: CategorySet,
    asking: PredicateAsking?, level: VectorLevel, memory: UnsafeMutableRawPointer
  ) -> UnsafeMutableBufferPointer<FlatCandidate>? {
    let keys = memory.assumingMemoryBound(to: FlatCandidate.self)
    let count = tree.withSearched(categories, asking) { searched, filter in
      nearby_collect(level.rawValue, searched, walk, filter, keys, Int32(greatestCount))
    }
    guard count >= limit else { return nil }
    return UnsafeMutableBufferPointer(start: keys, count: Int(count))
  }

  private var settlingMemory: UnsafeMutableRawPointer { UnsafeMutableRawPointer(walk + 1) }

  /// Memory for a `NearestRanking` of up to `greatestCount`, after the candidates of `crowd`.
  private static func rankingMemory(
    in memory: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer { memory + 8 * (greatestCount + 8) }

  /// Memory for a `NearestRanking` of up to `greatestCount`.
  var rankingMemory: UnsafeMutableRawPointer { FewSearch.rankingMemory(in: settlingMemory) }

  /// Candidates that include the nearest, the rest hardly farther.
  var candidates: UnsafeMutableBufferPointer<FlatCandidate> {
    FewSearch.candidates(of: walk)
  }

  /// The candidates if the walk overflowed; nil if there are more than `greatestCount`.
  func crowd(level: VectorLevel) -> UnsafeMutableBufferPointer<FlatCandidate>? {
    FewSearch.crowd(
      of: walk, tree: tree, limit: limit, categories: categories, asking: asking, level: level,
      memory: settlingMemory)
  }

  private static func candidates(
    of walk: UnsafePointer<nearby_walk>
  ) -> UnsafeMutableBufferPointer<FlatCandidate> {
    // Keys have the layout of candidates, and come first.
    let keys = UnsafeMutableRawPointer(mutating: walk).assumingMemoryBound(to: FlatCandidate.self)
    return UnsafeMutableBufferPointer(start: keys, count: Int(walk.pointee.count))
  }

  var statistics: SearchStatistics {
    var statistics = SearchStatistics()
    statistics.nodeGroupsTested = Int(walk.pointee.node_groups_tested)
    statistics.leavesRead = Int(walk.pointee.leaves_read)
    statistics.candidates = Int(walk.pointee.candidates)
    return statistics
  }
}

/// Instruction sets that `FewSearch` is compiled for; all give the same answer.
package enum VectorLevel: Int32, CaseIterable, Sendable {
  /// The target's baseline: SSE2, NEON.
  case target = 0
  case avx2 = 1
  /// AVX-512 as of Ice Lake and Zen 4.
  case avx512 = 2

  /// The highest level this processor supports.
  package static let greatest = VectorLevel(rawValue: nearby_greatest_level()) ?? .target

  /// The levels this processor supports.
  package static var available: [VectorLevel] {
    allCases.filter { $0.rawValue <= greatest.rawValue }
  }
}
