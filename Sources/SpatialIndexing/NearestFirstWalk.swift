import CKernels
import Geodesy

/// How the Earth looks to a walk: squares by which nodes and positions are compared.
protocol WalkSight {
  /// No square beyond this says anything.
  var squaredReach: Float { get }

  /// Writes for sixteen nodes squares that no position in them is below, with the number of the lane
  /// in the lowest four bits.
  func writeGaps(to group: UnsafeRawPointer, into gaps: UnsafeMutableRawPointer)

  /// Writes the squares of the sixteen positions of a leaf.
  ///
  /// - Returns: A bit for each that is at most `limit`.
  func writeSquares(
    ofLeaf leaf: Int, in tree: TreeView, limit: Float, into squares: UnsafeMutablePointer<Float>
  ) -> UInt32

  /// A square such that nothing in nodes with at least this gap is as near as a position with at most
  /// the square; negative where there is none.
  func settledSquare(beforeGap gap: Float) -> Float

  /// The greatest gap of a node that may hold a position as near as one with this square.
  func nodeLimit(upTo squared: Float) -> Float

  /// The greatest square of a position that may be as near as one with this square.
  func positionLimit(upTo squared: Float) -> Float
}

/// One walk down the tree for many positions round an origin, the nearest node of all first.
///
/// `LocalWalk` goes depth first and needs to know all the time how far the last position is. Here the
/// node that comes next is the nearest of all that are left, so the walk is over as soon as enough
/// positions are nearer than that; until then it only writes down squares, leaf by leaf. It reads the
/// fewest leaves that can be read, a third fewer for a hundred positions.
///
/// Source: G. Hjaltason and H. Samet, "Distance browsing in spatial databases", ACM TODS 24(2), 1999,
/// for the order.
struct NearestFirstWalk<Sight: WalkSight> {
  private let tree: TreeView
  private let sight: Sight
  private let limit: Int

  /// The squares of the positions that were met, and their slots; after them room for a leaf.
  private let squares: UnsafeMutablePointer<Float>
  private let slots: UnsafeMutablePointer<UInt32>
  private let capacity: Int
  private var count = 0
  /// Positions beyond this are not written down: nodes beyond it are not visited.
  private var positionLimit: Float
  private var nodeLimit: Float

  /// For each group that was tested and has nodes left, its gaps.
  private let gaps: UnsafeMutableRawPointer
  /// The least of those gaps that has not been visited, with its lane and without; infinite past the
  /// last group.
  private let namedHeads: UnsafeMutablePointer<Float>
  private let heads: UnsafeMutablePointer<Float>
  /// Which group it is: its number, and its level in the lowest four bits.
  private let groups: UnsafeMutablePointer<Int>
  private let groupCapacity: Int
  private var groupCount = 0

  private let candidates: UnsafeMutablePointer<FlatCandidate>
  private(set) var statistics = SearchStatistics()

  /// How many positions a walk should be able to write down.
  static func capacity(limit: Int) -> Int { (4 * limit + 527) & ~15 }

  private static func groupCapacity(_ capacity: Int) -> Int { 32 + (capacity >> 7) & ~3 }

  /// How much memory a walk needs, in bytes.
  ///
  /// - Parameter capacity: How many positions it can write down, a multiple of 16.
  static func byteCount(capacity: Int) -> Int {
    16 * (capacity + 16) + 80 * groupCapacity(capacity)
  }

  /// - Parameters:
  ///   - limit: How many positions are wanted, at least one.
  ///   - memory: Of `byteCount(capacity:)`, aligned to 64 bytes.
  init(
    tree: TreeView, sight: Sight, limit: Int, capacity: Int, memory: UnsafeMutableRawPointer
  ) {
    self.tree = tree
    self.sight = sight
    self.limit = limit
    self.capacity = capacity
    groupCapacity = Self.groupCapacity(capacity)
    gaps = memory
    let afterGaps = memory + groupCapacity << 6
    heads = afterGaps.assumingMemoryBound(to: Float.self)
    namedHeads = heads + groupCapacity
    groups = UnsafeMutableRawPointer(namedHeads + groupCapacity).assumingMemoryBound(to: Int.self)
    let afterGroups = UnsafeMutableRawPointer(groups + groupCapacity)
    candidates = afterGroups.assumingMemoryBound(to: FlatCandidate.self)
    squares = UnsafeMutableRawPointer(candidates + capacity + 16)
      .assumingMemoryBound(to: Float.self)
    slots = UnsafeMutableRawPointer(squares + capacity + 16).assumingMemoryBound(to: UInt32.self)
    nodeLimit = sight.nodeLimit(upTo: sight.squaredReach)
    positionLimit = sight.positionLimit(upTo: sight.squaredReach)
  }

  /// Why there is no answer.
  enum Failure: Error {
    /// More positions than room are as near as the last one, or nearly.
    case noRoom
    /// Some lie beyond what the sight can judge, or there are not as many.
    case outOfSight
  }

  /// Walks the tree.
  ///
  /// - Returns: Candidates among which the nearest are, the rest hardly farther.
  mutating func run() throws(Failure) -> UnsafeMutableBufferPointer<FlatCandidate> {
    try open(group: 0, level: tree.shape.firstLevel)
    // Counting what is near enough costs nearly as much as a leaf: not before it may be enough, nor
    // more than two visits later.
    var nextCheck: Float = 0
    var waits = 0
    while groupCount > 0 {
      let row = Int(truncatingIfNeeded: nearby_last_of_least(heads, Int64((groupCount + 3) >> 2)))
      let gap = heads[row]
      guard gap <= nodeLimit else { break }
      if count >= limit {
        let settled = sight.settledSquare(beforeGap: gap)
        if settled >= nextCheck || waits == 0, settled <= sight.squaredReach {
          let near = countAtMost(settled)
          if near >= limit { return candidates(upTo: settled) }
          // Squares are spread evenly, more or less; but where they are not, no leaf is too many.
          nextCheck = settled * (0.97 * Float(limit) / Float(max(near, 1)))
          waits = 2
        } else {
          waits &-= 1
        }
      }
      let lane = Int(namedHeads[row].bitPattern & 15)
      let group = groups[row] >> 4, level = groups[row] & 15
      advance(row, past: lane, group: group, level: level)
      if level == 0 {
        try read(leaf: group << 4 &+ lane)
      } else {
        try open(group: group << 4 &+ lane, level: level &- 1)
      }
    }
    guard countAtMost(sight.squaredReach) >= limit else { throw .outOfSight }
    return candidates(upTo: count <= 2 * limit ? sight.squaredReach : leastSquare(within: limit))
  }

  // MARK: Groups

  private mutating func open(group: Int, level: Int) throws(Failure) {
    statistics.nodeGroupsTested &+= 1
    guard groupCount < groupCapacity else { throw .noRoom }
    let row = gaps + groupCount << 6
    sight.writeGaps(to: tree.groupMemory(level: level, group), into: row)
    let least = nearby_least(row)
    guard least <= nodeLimit else { return }
    if groupCount & 3 == 0 {
      for next in 1..<4 { heads[groupCount &+ next] = .infinity }
    }
    set(groupCount, head: least)
    groups[groupCount] = group << 4 | level
    groupCount &+= 1
    prefetch(group << 4 &+ Int(least.bitPattern & 15), level: level)
    // The leaves that are likely to be read next, so that all come in the time of one.
    guard level == 0 else { return }
    var head = least
    for _ in 0..<3 {
      head = nearby_least_above(row, head)
      guard head <= nodeLimit else { return }
      tree.prefetch(leaf: group << 4 &+ Int(head.bitPattern & 15))
    }
  }

  /// Goes on to the next node of a group, or lets go of the group.
  @inline(__always)
  private mutating func advance(_ row: Int, past lane: Int, group: Int, level: Int) {
    let next = nearby_least_above(gaps + row << 6, namedHeads[row])
    if next <= nodeLimit {
      set(row, head: next)
      prefetch(group << 4 &+ Int(next.bitPattern & 15), level: level)
      return
    }
    groupCount &-= 1
    if row < groupCount {
      (gaps + row << 6).copyMemory(from: gaps + groupCount << 6, byteCount: 64)
      set(row, head: namedHeads[groupCount])
      groups[row] = groups[groupCount]
    }
    heads[groupCount] = .infinity
  }

  @inline(__always)
  private func set(_ row: Int, head: Float) {
    namedHeads[row] = head
    heads[row] = Float(bitPattern: head.bitPattern & ~15)
  }

  @inline(__always)
  private func prefetch(_ node: Int, level: Int) {
    if level == 0 {
      tree.prefetch(leaf: node)
    } else {
      tree.prefetch(group: node, level: level &- 1)
    }
  }

  // MARK: Positions

  @inline(__always)
  private mutating func read(leaf: Int) throws(Failure) {
    statistics.leavesRead &+= 1
    let bits = sight.writeSquares(
      ofLeaf: leaf, in: tree, limit: positionLimit, into: squares + count)
    guard bits != 0 else { return }
    nearby_number(slots + count, UInt32(truncatingIfNeeded: leaf << 4))
    count &+= TreeShape.fanOut
    if count == capacity { try makeRoom() }
  }

  @inline(__always)
  private func countAtMost(_ squared: Float) -> Int {
    Int(truncatingIfNeeded: nearby_count_at_most(squares, Int64(count >> 4), squared))
  }

  /// Drops what cannot be among the nearest.
  @inline(never)
  private mutating func makeRoom() throws(Failure) {
    guard countAtMost(sight.squaredReach) >= limit else { throw .noRoom }
    let least = leastSquare(within: limit)
    nodeLimit = min(nodeLimit, sight.nodeLimit(upTo: least))
    positionLimit = min(positionLimit, sight.positionLimit(upTo: least))
    var kept = 0
    for index in 0..<count where squares[index] <= positionLimit {
      squares[kept] = squares[index]
      slots[kept] = slots[index]
      kept &+= 1
    }
    guard kept <= capacity &- capacity >> 2 else { throw .noRoom }
    count = (kept &+ 15) & ~15
    for index in kept..<count { squares[index] = .infinity }
  }

  /// A square within which there are `limit` positions and hardly more.
  private func leastSquare(within limit: Int) -> Float {
    var low: UInt32 = 0, high = sight.squaredReach.bitPattern
    // The bits of floats are ordered as they are.
    while high > low &+ 64 {
      let middle = low &+ (high &- low) >> 1
      if countAtMost(Float(bitPattern: middle)) >= limit { high = middle } else { low = middle }
    }
    return Float(bitPattern: high)
  }

  private mutating func candidates(
    upTo squared: Float
  ) -> UnsafeMutableBufferPointer<FlatCandidate> {
    let reach = sight.positionLimit(upTo: squared)
    var kept = 0
    var block = 0
    while block < count {
      var bits = nearby_at_most(squares + block, reach)
      while bits != 0 {
        let index = block &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        candidates[kept] = FlatCandidate(square: squares[index], slot: slots[index])
        kept &+= 1
      }
      block &+= TreeShape.fanOut
    }
    statistics.candidates = kept
    return UnsafeMutableBufferPointer(start: candidates, count: kept)
  }
}

/// The Earth near an origin, by `LocalMetric`.
struct LocalSight: WalkSight {
  let metric: LocalMetric

  var squaredReach: Float { metric.nearestReach }

  @inline(__always)
  func writeGaps(to group: UnsafeRawPointer, into gaps: UnsafeMutableRawPointer) {
    withUnsafePointer(to: metric.kernel) { nearby_squared_gaps($0, group, gaps) }
  }

  @inline(__always)
  func writeSquares(
    ofLeaf leaf: Int, in tree: TreeView, limit: Float, into squares: UnsafeMutablePointer<Float>
  ) -> UInt32 {
    withUnsafePointer(to: metric.kernel) { kernel in
      tree.encoding == .decimal
        ? nearby_decimal_leaf(kernel, tree.leaf(leaf), limit, squares)
        : nearby_degrees_leaf(kernel, tree.leaf(leaf), limit, squares)
    }
  }

  @inline(__always)
  func settledSquare(beforeGap gap: Float) -> Float { metric.settledSquare(beforeGap: gap) }

  @inline(__always)
  func nodeLimit(upTo squared: Float) -> Float { metric.nodeLimit(upTo: squared) }

  @inline(__always)
  func positionLimit(upTo squared: Float) -> Float { metric.positionLimit(upTo: squared) }
}
