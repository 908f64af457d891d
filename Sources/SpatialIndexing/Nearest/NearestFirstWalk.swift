import CNearbyKernels
import Geodesy

/// One walk down a tree for many positions round an origin, the nearest node of all first, by flat
/// squared chords.
///
/// The search for a few goes depth first and needs to know all the time how far the last position is.
/// Here the node that comes next is the nearest of all that are left, so the walk is over as soon as
/// enough positions are nearer than that; until then it only writes down squares, leaf by leaf. It reads
/// the fewest leaves that can be read, a third fewer for a hundred positions.
///
/// Source: G. Hjaltason and H. Samet, "Distance browsing in spatial databases", ACM TODS 24(2), 1999,
/// for the order.
struct NearestFirstWalk<Tree: WalkedTree> {
  private(set) var tree: Tree
  private let metric: LocalMetric
  private let limit: Int
  /// No square beyond this says anything.
  private let reach: Float

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
  private let groups: UnsafeMutablePointer<Tree.Block>
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
    16 * (capacity + 16) + (72 + MemoryLayout<Tree.Block>.stride) * groupCapacity(capacity)
  }

  /// - Parameters:
  ///   - limit: How many positions are wanted, at least one.
  ///   - squaredReach: What is farther, in square meters, is not wanted.
  ///   - memory: Of `byteCount(capacity:)`, aligned to 64 bytes.
  init(
    _ tree: Tree, metric: LocalMetric, limit: Int, squaredReach: Float = .infinity, capacity: Int,
    memory: UnsafeMutableRawPointer
  ) {
    reach = min(metric.nearestReach, squaredReach)
    self.tree = tree
    self.metric = metric
    self.limit = limit
    self.capacity = capacity
    groupCapacity = Self.groupCapacity(capacity)
    gaps = memory
    let afterGaps = memory + groupCapacity << 6
    heads = afterGaps.assumingMemoryBound(to: Float.self)
    namedHeads = heads + groupCapacity
    groups = UnsafeMutableRawPointer(namedHeads + groupCapacity).assumingMemoryBound(
      to: Tree.Block.self)
    let afterGroups = UnsafeMutableRawPointer(groups + groupCapacity)
    candidates = afterGroups.assumingMemoryBound(to: FlatCandidate.self)
    squares = UnsafeMutableRawPointer(candidates + capacity + 16)
      .assumingMemoryBound(to: Float.self)
    slots = UnsafeMutableRawPointer(squares + capacity + 16).assumingMemoryBound(to: UInt32.self)
    nodeLimit = metric.nodeLimit(upTo: reach)
    positionLimit = metric.positionLimit(upTo: reach)
  }

  /// Why there is no answer.
  enum Failure: Error {
    /// More positions than room are as near as the last one, or nearly.
    case noRoom
    /// Some lie beyond what the metric can judge, or there are not as many.
    case outOfSight
  }

  /// Walks the tree.
  ///
  /// - Returns: Candidates among which the nearest are, the rest hardly farther.
  mutating func run() throws(Failure) -> UnsafeMutableBufferPointer<FlatCandidate> {
    if tree.isLeaf(tree.root) { try read(tree.root) } else { try open(tree.root) }
    // Counting what is near enough costs nearly as much as a leaf: not before it may be enough, nor
    // more than two visits later.
    var nextCheck: Float = 0
    var waits = 0
    while groupCount > 0 {
      let row = Int(truncatingIfNeeded: nearby_last_of_least(heads, Int64((groupCount + 3) >> 2)))
      let gap = heads[row]
      guard gap <= nodeLimit else { break }
      if count >= limit {
        let settled = metric.settledSquare(beforeGap: gap)
        if settled >= nextCheck || waits == 0, settled <= reach {
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
      let group = groups[row]
      advance(row, past: lane, group)
      let child = tree.child(group, lane)
      if tree.isLeaf(group, lane) { try read(child) } else { try open(child) }
    }
    guard countAtMost(reach) >= limit else { throw .outOfSight }
    return candidates(
      upTo: count <= 2 * limit ? reach : leastSquare(within: limit))
  }

  // MARK: Groups

  @inline(__always)
  private mutating func open(_ group: Tree.Block) throws(Failure) {
    statistics.nodeGroupsTested &+= 1
    guard groupCount < groupCapacity else { throw .noRoom }
    let row = gaps + groupCount << 6
    withUnsafePointer(to: metric.kernel) { nearby_squared_gaps($0, tree.lanes(group), row) }
    tree.dropOthers(group, from: row)
    let least = nearby_least(row)
    guard least <= nodeLimit else { return }
    if groupCount & 3 == 0 {
      for next in 1..<4 { heads[groupCount &+ next] = .infinity }
    }
    set(groupCount, head: least)
    groups[groupCount] = group
    groupCount &+= 1
    tree.prefetch(group, Int(least.bitPattern & 15))
    // The leaves that are likely to be read next, so that all come in the time of one.
    guard tree.isLeaf(group, Int(least.bitPattern & 15)) else { return }
    var head = least
    for _ in 0..<3 {
      head = nearby_least_above(row, head)
      guard head <= nodeLimit else { return }
      tree.prefetch(group, Int(head.bitPattern & 15))
    }
  }

  /// Goes on to the next node of a group, or lets go of the group.
  @inline(__always)
  private mutating func advance(_ row: Int, past lane: Int, _ group: Tree.Block) {
    let next = nearby_least_above(gaps + row << 6, namedHeads[row])
    if next <= nodeLimit {
      set(row, head: next)
      tree.prefetch(group, Int(next.bitPattern & 15))
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

  // MARK: Positions

  @inline(__always)
  private mutating func read(_ leaf: Tree.Block) throws(Failure) {
    statistics.leavesRead &+= 1
    // Where some do not count, what the last block is filled up with stays.
    let room = squares + (tree.isFiltered ? capacity : count)
    var bits = withUnsafePointer(to: metric.kernel) { kernel in
      tree.isDecimal
        ? nearby_decimal_leaf(kernel, tree.lanes(leaf), positionLimit, room)
        : nearby_degrees_leaf(kernel, tree.lanes(leaf), positionLimit, room)
    }
    guard bits != 0 else { return }
    guard tree.isFiltered else {
      nearby_number(slots + count, tree.number(leaf) << 4)
      count &+= TreeShape.fanOut
      if count == capacity { try makeRoom() }
      return
    }
    bits &= tree.counting(leaf)
    guard bits != 0 else { return }
    let first = tree.number(leaf) << 4
    // Those that do not count leave no gaps: of a few in each leaf there may be many leaves.
    for lane in 0..<TreeShape.fanOut where bits >> UInt32(lane) & 1 != 0 {
      guard tree.includes(tree.candidate(leaf, lane)) else { continue }
      squares[count] = room[lane]
      slots[count] = first | UInt32(truncatingIfNeeded: lane)
      count &+= 1
    }
    padded()
    if count > capacity &- TreeShape.fanOut { try makeRoom() }
  }

  /// Makes what stands behind the last position in its block of sixteen infinitely far.
  private func padded() {
    for index in count..<(count + 15) & ~15 { squares[index] = .infinity }
  }

  /// How many blocks of sixteen there are.
  @inline(__always)
  private var blockCount: Int { (count &+ 15) >> 4 }

  @inline(__always)
  private func countAtMost(_ squared: Float) -> Int {
    Int(truncatingIfNeeded: nearby_count_at_most(squares, Int64(blockCount), squared))
  }

  /// Drops what cannot be among the nearest.
  @inline(never)
  private mutating func makeRoom() throws(Failure) {
    guard countAtMost(reach) >= limit else { throw .noRoom }
    let least = leastSquare(within: limit)
    nodeLimit = min(nodeLimit, metric.nodeLimit(upTo: least))
    positionLimit = min(positionLimit, metric.positionLimit(upTo: least))
    var kept = 0
    for index in 0..<count where squares[index] <= positionLimit {
      squares[kept] = squares[index]
      slots[kept] = slots[index]
      kept &+= 1
    }
    guard kept <= capacity &- capacity >> 2 else { throw .noRoom }
    count = kept
    padded()
    if !tree.isFiltered { count = blockCount << 4 }
  }

  /// A square within which there are `limit` positions and hardly more.
  private func leastSquare(within limit: Int) -> Float {
    var low: UInt32 = 0, high = reach.bitPattern
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
    let limit = metric.positionLimit(upTo: squared)
    var kept = 0
    for block in 0..<blockCount {
      var bits = nearby_at_most(squares + block << 4, limit)
      while bits != 0 {
        let index = block << 4 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        candidates[kept] = FlatCandidate(square: squares[index], slot: slots[index])
        kept &+= 1
      }
    }
    statistics.candidates = kept
    return UnsafeMutableBufferPointer(start: candidates, count: kept)
  }
}

/// The bits of a flat square, which are ordered as the squares are, above those of a slot.
typealias FlatCandidate = UInt64

extension FlatCandidate {
  @inline(__always)
  init(square: Float, slot: UInt32) { self = UInt64(square.bitPattern) << 32 | UInt64(slot) }

  @inline(__always) var square: Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: self >> 32))
  }
  @inline(__always) var slot: Int { Int(UInt32(truncatingIfNeeded: self)) }
}
