import CNearbyKernels
import Geodesy

/// One walk down a tree for many positions around an origin, globally nearest node first, by flat
/// squared chords.
///
/// The search for a few goes depth first and must always know how far the last position is. Here the
/// next node is the nearest of all that are left, so the walk ends as soon as enough positions are
/// nearer than that; until then it only records squares, leaf by leaf. It reads the fewest leaves
/// possible, a third fewer for a hundred positions.
///
/// Source: G. Hjaltason and H. Samet, "Distance browsing in spatial databases", ACM TODS 24(2), 1999,
/// for the order.
struct NearestFirstWalk<Tree: WalkedTree> {
  private(set) var tree: Tree
  private let metric: LocalMetric
  private let limit: Int
  /// The limit of valid squares.
  private let reach: Float

  /// The squares of the positions met, and their slots, followed by room for a leaf.
  private let squares: UnsafeMutablePointer<Float>
  private let slots: UnsafeMutablePointer<UInt32>
  private let capacity: Int
  private var count = 0
  /// Positions beyond this are not recorded, and nodes beyond `nodeLimit` are not visited.
  private var positionLimit: Float
  private var nodeLimit: Float

  /// The gaps of each tested group that has nodes left.
  private let gaps: UnsafeMutableRawPointer
  /// The least unvisited gap of each group, with its lane and without; infinite past the last group.
  private let namedHeads: UnsafeMutablePointer<Float>
  private let heads: UnsafeMutablePointer<Float>
  private let groups: UnsafeMutablePointer<Tree.Block>
  private let groupCapacity: Int
  private var groupCount = 0

  private let candidates: UnsafeMutablePointer<FlatCandidate>
  private(set) var statistics = SearchStatistics()

  /// The number of positions a walk should be able to record.
  static func capacity(limit: Int) -> Int { (4 * limit + 527) & ~15 }

  private static func groupCapacity(_ capacity: Int) -> Int { 32 + (capacity >> 7) & ~3 }

  /// The memory a walk needs, in bytes.
  ///
  /// - Parameter capacity: The number of positions it can record, a multiple of 16.
  static func byteCount(capacity: Int) -> Int {
    16 * (capacity + 16) + (72 + MemoryLayout<Tree.Block>.stride) * groupCapacity(capacity)
  }

  /// - Parameters:
  ///   - limit: The number of positions wanted, at least one.
  ///   - squaredReach: The limit for squared distances, in square meters.
  ///   - memory: `byteCount(capacity:)` bytes, aligned to 64.
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
    /// More positions than there is room for are as near as the last one, or nearly.
    case noRoom
    /// Some lie beyond the metric's reach, or there are too few.
    case outOfSight
  }

  /// Walks the tree.
  ///
  /// - Returns: Candidates that include the nearest, the rest hardly farther.
  mutating func run() throws(Failure) -> UnsafeMutableBufferPointer<FlatCandidate> {
    if tree.isLeaf(tree.root) { try read(tree.root) } else { try open(tree.root) }
    // Counting the near positions costs nearly as much as a leaf: wait until they may suffice, but
    // at most two visits.
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
          // Squares are spread more or less evenly; where they are not, no surplus leaf is read.
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
    // Prefetch the leaves likely to be read next, so that their loads overlap.
    guard tree.isLeaf(group, Int(least.bitPattern & 15)) else { return }
    var head = least
    for _ in 0..<3 {
      head = nearby_least_above(row, head)
      guard head <= nodeLimit else { return }
      tree.prefetch(group, Int(head.bitPattern & 15))
    }
  }

  /// Advances to the next node of a group, or releases the group.
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
    // With a filter, the padding of the last block stays.
    let room = squares + (tree.isFiltered ? capacity : count)
    var bits = withUnsafePointer(to: metric.kernel) { kernel in
      tree.isDecimal
        ? nearby_leaf_squares(kernel, true, tree.lanes(leaf), positionLimit, room)
        : nearby_leaf_squares(kernel, false, tree.lanes(leaf), positionLimit, room)
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
    // Compact, since many leaves may each have only a few positions that count.
    for lane in 0..<TreeShape.fanOut where bits >> UInt32(lane) & 1 != 0 {
      guard tree.includes(tree.candidate(leaf, lane)) else { continue }
      squares[count] = room[lane]
      slots[count] = first | UInt32(truncatingIfNeeded: lane)
      count &+= 1
    }
    padded()
    if count > capacity &- TreeShape.fanOut { try makeRoom() }
  }

  /// Sets the rest of the last block of sixteen to infinity.
  private func padded() {
    for index in count..<(count + 15) & ~15 { squares[index] = .infinity }
  }

  /// The number of blocks of sixteen.
  @inline(__always)
  private var blockCount: Int { (count &+ 15) >> 4 }

  @inline(__always)
  private func countAtMost(_ squared: Float) -> Int {
    Int(truncatingIfNeeded: nearby_count_at_most(squares, Int64(blockCount), squared))
  }

  /// Drops positions that cannot be among the nearest.
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

  /// A square that covers `limit` positions and hardly more.
  private func leastSquare(within limit: Int) -> Float {
    var low: UInt32 = 0, high = reach.bitPattern
    // The bits of floats have the order of the floats.
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
      nearby_sixteen_at_most(squares + block << 4, limit).forEachBit { lane in
        let index = block << 4 &+ lane
        candidates[kept] = FlatCandidate(square: squares[index], slot: slots[index])
        kept &+= 1
      }
    }
    statistics.candidates = kept
    return UnsafeMutableBufferPointer(start: candidates, count: kept)
  }
}
