import CKernels
import Geodesy

/// One walk down the tree for the nearest positions round an origin, by flat squared chords.
///
/// It goes depth first, the nearest child first, and keeps the gaps to the children of a node while
/// it is below one of them, so that no node is tested twice. What it finds holds the answer for
/// certain when it finds as many positions as were asked for; otherwise the answer lies beyond
/// what `LocalMetric` can judge.
struct LocalWalk<Collector: NearestCollector> {
  private let tree: TreeView
  let metric: LocalMetric
  private let categories: CategorySet
  private let codes: CodeSet
  /// Who says what counts; nil where everything does.
  private let asking: PredicateAsking?

  private var collector: Collector
  /// For each level the gaps to the siblings there, naming their lanes, infinite once visited; after
  /// them the squared chords of one leaf.
  private let memory: UnsafeMutableRawPointer
  /// What the kernels read of the metric, after those.
  private let kernel: UnsafePointer<nearby_metric>
  /// For each level the group whose gaps stand there, after that.
  private let groups: UnsafeMutablePointer<Int>
  private var level: Int
  /// Whether more than a leaf or two will be read.
  private let looksFar: Bool
  /// The leaf, or the group of nodes, that comes next.
  private var next = 0
  private var isAtLeaf = false
  /// Nodes and positions beyond these flat squared chords have no part in the answer.
  private var nodeLimit: Float
  private var positionLimit: Float
  /// With what the limit is reckoned from the farthest position.
  private var growth: Float

  private(set) var statistics = SearchStatistics()

  private static var ownByteCount: Int { (TreeShape.mostLevels + 4) << 6 }

  /// How much memory a walk needs, in bytes.
  static func byteCount(limit: Int) -> Int { ownByteCount + Collector.byteCount(limit: limit) }

  /// - Parameters:
  ///   - limit: How many positions are wanted, at least one.
  ///   - memory: Of `byteCount(limit:)`, aligned to 64 bytes.
  init(
    tree: TreeView, metric: LocalMetric, limit: Int,
    categories: CategorySet, asking: PredicateAsking?, memory: UnsafeMutableRawPointer
  ) {
    self.tree = tree
    self.metric = metric
    // Without categories there is nothing of any.
    self.categories = categories
    codes = tree.codes(in: categories)
    self.asking = asking
    self.memory = memory
    let end = (memory + (TreeShape.mostLevels + 1) << 6).assumingMemoryBound(
      to: nearby_metric.self)
    end.initialize(to: metric.kernel)
    kernel = UnsafePointer(end)
    groups = UnsafeMutableRawPointer(end + 1).assumingMemoryBound(to: Int.self)
    level = tree.shape.firstLevel
    looksFar = limit > 4
    collector = Collector(limit: limit, memory: memory + Self.ownByteCount)
    let outer = metric.nearestReach
    nodeLimit = metric.nodeLimit(upTo: outer)
    positionLimit = metric.positionLimit(upTo: outer)
    growth = metric.growth(upTo: outer)
  }

  /// Walks the tree.
  ///
  /// - Returns: Candidates among which the nearest are, the rest hardly farther; nil when they
  ///   cannot be found this way.
  @inline(__always)
  mutating func run() -> UnsafeMutableBufferPointer<FlatCandidate>? {
    while resume() {}
    return finish()
  }

  /// Visits what the walk has come to, finds what comes next and asks for its memory.
  ///
  /// Whoever has several walks to do may resume them in turn, so that each waits for its memory
  /// while the others work.
  ///
  /// - Returns: Whether there is more to visit.
  @inline(__always)
  mutating func resume() -> Bool {
    if isAtLeaf { read(leaf: next) } else { test(group: next) }
    while true {
      let gaps = memory + level << 6
      let nearest = nearby_least(gaps)
      if nearest <= nodeLimit {
        let lane = Int(nearest.bitPattern & 15)
        // The next look at all lanes comes when this one has long been written.
        gaps.storeBytes(of: .infinity, toByteOffset: lane << 2, as: Float.self)
        let node = groups[level] << 4 &+ lane
        next = node
        isAtLeaf = level == 0
        if isAtLeaf {
          tree.prefetch(leaf: node)
        } else {
          level &-= 1
          tree.prefetch(group: node, level: level)
          if categories != .any { tree.prefetchCategories(level: level, group: node) }
        }
        return true
      }
      level &+= 1
      if level > tree.shape.firstLevel { return false }
    }
  }

  /// - Returns: As `run()`, once there is nothing more to visit.
  @inline(__always)
  mutating func finish() -> UnsafeMutableBufferPointer<FlatCandidate>? {
    guard let candidates = collector.finish(metric: metric),
      let farthest = collector.farthest, farthest <= metric.nearestReach
    else { return nil }
    return candidates
  }

  /// Whether as many as were asked for are near enough to be judged, so that a walk without an answer
  /// met more candidates than it has room for.
  var isInReach: Bool { collector.farthest.map { $0 <= metric.nearestReach } ?? false }

  /// Finds the gaps to sixteen siblings, of which the nearest are visited first.
  @inline(__always)
  private mutating func test(group: Int) {
    statistics.nodeGroupsTested &+= 1
    groups[level] = group
    let gaps = memory + level << 6
    nearby_squared_gaps(kernel, tree.groupMemory(level: level, group), gaps)
    if categories != .any {
      nearby_drop_other_categories(
        gaps, tree.nodeCategories(level: level, group: group), categories.rawValue)
    }
    if level == 0 { prefetchNext(gaps, group) }
  }

  /// Asks for the leaves that are likely to be read after the nearest of a group, so that all come
  /// in the time of one.
  @inline(__always)
  private func prefetchNext(_ gaps: UnsafeMutableRawPointer, _ group: Int) {
    let second = nearby_least_above(gaps, nearby_least(gaps))
    guard second <= nodeLimit else { return }
    tree.prefetch(leaf: group << 4 &+ Int(second.bitPattern & 15))
    guard looksFar else { return }
    let third = nearby_least_above(gaps, second)
    guard third <= nodeLimit else { return }
    tree.prefetch(leaf: group << 4 &+ Int(third.bitPattern & 15))
    // Where some positions do not count, more leaves are read.
    guard categories != .any else { return }
    let fourth = nearby_least_above(gaps, third)
    if fourth <= nodeLimit { tree.prefetch(leaf: group << 4 &+ Int(fourth.bitPattern & 15)) }
  }

  private mutating func read(leaf: Int) {
    statistics.leavesRead &+= 1
    let squares = memory + TreeShape.mostLevels << 6
    var bits =
      tree.encoding == .decimal
      ? nearby_decimal_leaf(kernel, tree.leaf(leaf), positionLimit, squares)
      : nearby_degrees_leaf(kernel, tree.leaf(leaf), positionLimit, squares)
    if categories != .any, bits != 0 {
      bits &= tree.slots(ofLeaf: leaf, in: categories, codes: codes)
    }
    guard bits != 0 else { return }
    if asking == nil {
      statistics.candidates &+= bits.nonzeroBitCount
      positionLimit = collector.add(
        slot: leaf << 4, bits: bits, squares: squares.assumingMemoryBound(to: Float.self),
        limit: positionLimit, growth: growth)
    } else {
      ask(of: leaf, bits: bits, squares: squares.assumingMemoryBound(to: Float.self))
    }
    if let farthest = collector.settle(metric: metric) {
      nodeLimit = min(nodeLimit, metric.nodeLimit(upTo: farthest))
      positionLimit = min(positionLimit, metric.positionLimit(upTo: farthest))
      growth = metric.growth(upTo: farthest)
    }
  }

  /// Adds those of a leaf's positions that the caller says count, the nearest first, so that nobody
  /// is asked about more than need be.
  ///
  /// Slots past the end are never asked about: what stands in them is beyond every limit.
  private mutating func ask(of leaf: Int, bits: UInt32, squares: UnsafePointer<Float>) {
    guard let asking else { return }
    let lanes = (0..<TreeShape.fanOut).filter { bits >> UInt32($0) & 1 != 0 }
      .sorted { squares[$0] < squares[$1] }
    for lane in lanes where squares[lane] <= positionLimit {
      statistics.candidates += 1
      guard asking.includes(tree.position(leaf << 4 &+ lane), &statistics) else { continue }
      positionLimit = collector.add(
        slot: leaf << 4, bits: 1 << UInt32(lane), squares: squares, limit: positionLimit,
        growth: growth)
    }
  }
}
