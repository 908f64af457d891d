import CKernels
import Geodesy

/// A search for up to sixteen nearest of all positions, done in C as a whole.
///
/// It walks as `LocalWalk` does, by the same flat squared chords and limits, and keeps what it finds
/// in sorted lanes; so what came to an end stands in order already, but for what ties.
struct FewSearch {
  private let tree: TreeView
  private let origin: Coordinate
  private let limit: Int
  private let walk: UnsafeMutablePointer<nearby_walk>

  /// Whether it is a few of all positions that are wanted.
  @inline(__always)
  static func canAnswer(_ limit: Int, _ categories: CategorySet) -> Bool {
    limit <= 16 && limit > 0 && categories == .any
  }

  /// How much memory it needs, in bytes.
  static var byteCount: Int {
    MemoryLayout<nearby_walk>.stride + NearestRanking.byteCount(greatestCount)
  }

  /// More candidates than there ever are.
  static let greatestCount = 32

  /// - Parameter memory: Of `byteCount`, aligned to 64 bytes.
  @inline(__always)
  init(tree: TreeView, origin: Coordinate, limit: Int, memory: UnsafeMutableRawPointer) {
    self.tree = tree
    self.origin = origin
    self.limit = limit
    walk = memory.assumingMemoryBound(to: nearby_walk.self)
  }

  /// - Parameter positions: Gets the answer, in order; nil where candidates are enough.
  @inline(__always)
  func run(level: VectorLevel, into positions: UnsafeMutablePointer<UInt32>?) -> nearby_outcome {
    var tree = tree.searched
    nearby_local_at(origin.latitude, origin.longitude, &walk.pointee.local)
    return nearby_find(
      level.rawValue, &tree, walk, Int32(truncatingIfNeeded: limit), positions)
  }

  /// Finds the positions in order.
  ///
  /// - Returns: `NEARBY_FOUND`, or why it did not.
  @inline(__always)
  func answer(
    level: VectorLevel, into positions: UnsafeMutablePointer<UInt32>
  ) -> nearby_outcome {
    let outcome = run(level: level, into: positions)
    guard outcome == NEARBY_TIED else { return outcome }
    FewSearch.order(
      candidates, limit: limit, origin: origin, tree: tree, memory: rankingMemory, into: positions)
    return NEARBY_FOUND
  }

  /// Puts candidates in order of whom some are too close to be told apart.
  ///
  /// - Parameter memory: For a `NearestRanking` of `greatestCount`.
  @inline(never)
  static func order(
    _ candidates: UnsafeMutableBufferPointer<FlatCandidate>, limit: Int, origin: Coordinate,
    tree: TreeView, memory: UnsafeMutableRawPointer, into positions: UnsafeMutablePointer<UInt32>
  ) {
    var ranking = NearestRanking(
      tree: tree, origin: origin, count: FewSearch.greatestCount, memory: memory)
    _ = ranking.order(candidates, limit: limit, metric: LocalMetric(origin))
    for rank in 0..<limit { positions[rank] = ranking.position(rank: rank) }
  }

  /// For a `NearestRanking` of `greatestCount`.
  var rankingMemory: UnsafeMutableRawPointer { UnsafeMutableRawPointer(walk + 1) }

  /// Among which the nearest are, the rest hardly farther.
  var candidates: UnsafeMutableBufferPointer<FlatCandidate> {
    FewSearch.candidates(of: walk)
  }

  static func candidates(
    of walk: UnsafePointer<nearby_walk>
  ) -> UnsafeMutableBufferPointer<FlatCandidate> {
    // Keys are made as candidates are, and stand first.
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

/// Sets of instructions that `FewSearch` is compiled for; all give the same answer.
package enum VectorLevel: Int32, CaseIterable, Sendable {
  /// What the target has: SSE2, NEON.
  case target = 0
  case avx2 = 1
  /// AVX-512 as from Ice Lake and Zen 4 on.
  case avx512 = 2

  /// The last that this processor has.
  package static let greatest = VectorLevel(rawValue: nearby_greatest_level()) ?? .target

  /// Those that this processor has.
  package static var available: [VectorLevel] {
    allCases.filter { $0.rawValue <= greatest.rawValue }
  }
}
