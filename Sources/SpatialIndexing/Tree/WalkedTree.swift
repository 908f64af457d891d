import CNearbyKernels
import Geodesy

/// A tree of boxes for a search to descend, with a filter for its positions.
protocol WalkedTree {
  /// Sixteen siblings, or a leaf.
  associatedtype Block: BitwiseCopyable
  /// A position.
  associatedtype Candidate

  /// The root; the tree must not be empty.
  var root: Block { get }

  /// The number of positions.
  var count: Int { get }

  func isLeaf(_ block: Block) -> Bool

  /// Whether one of sixteen siblings is a leaf.
  func isLeaf(_ block: Block, _ lane: Int) -> Bool

  func child(_ block: Block, _ lane: Int) -> Block

  /// Prefetches one of sixteen siblings.
  func prefetch(_ block: Block, _ lane: Int)

  /// The edges of sixteen siblings (`TreeSections.groupSize`), or the positions of a leaf.
  func lanes(_ block: Block) -> UnsafeRawPointer

  /// Whether leaves hold integer 10⁻⁷ degrees; otherwise doubles.
  var isDecimal: Bool { get }

  // MARK: What counts

  /// Whether leaves have lanes that do not count although their squares do not show it.
  var isFiltered: Bool { get }

  /// Whether something that counts may lie below one of sixteen siblings.
  func mayCount(_ block: Block, _ lane: Int) -> Bool

  /// Sets the gaps to siblings below which nothing counts to infinity.
  func dropOthers(_ block: Block, from gaps: UnsafeMutableRawPointer)

  /// The positions of a leaf that count, as far as the tree can tell, as bits.
  func counting(_ leaf: Block) -> UInt32

  /// Whether a position counts, according to the caller.
  func includes(_ candidate: Candidate) -> Bool

  // MARK: Positions

  /// A number for a leaf, by which `candidate(number:)` finds it again.
  mutating func number(_ leaf: Block) -> UInt32

  func candidate(_ leaf: Block, _ lane: Int) -> Candidate

  /// - Parameter number: Sixteen times the number of a leaf, plus the lane.
  func candidate(number: Int) -> Candidate

  func latitude(_ candidate: Candidate) -> Double
  func longitude(_ candidate: Candidate) -> Double

  /// The tie-breaker among positions at one distance.
  func id(_ candidate: Candidate) -> UInt64
}

/// The tree of a `KDTreeIndex`.
struct PackedTree: WalkedTree {
  /// A group at a level, or a leaf, at level −1.
  struct Block: BitwiseCopyable {
    let number: Int
    let level: Int
  }

  let view: TreeView
  let categories: CategorySet
  /// nil if everything counts.
  let asking: PredicateAsking?
  private let searched: nearby_tree
  private let filter: nearby_filter

  init(_ view: TreeView, categories: CategorySet = .any, asking: PredicateAsking? = nil) {
    self.view = view
    self.categories = categories
    self.asking = asking
    searched = view.searched
    filter = view.filter(categories)
  }

  @inline(__always)
  var root: Block { Block(number: 0, level: view.shape.firstLevel) }

  @inline(__always)
  var count: Int { view.shape.count }

  @inline(__always)
  func isLeaf(_ block: Block) -> Bool { block.level < 0 }

  @inline(__always)
  func isLeaf(_ block: Block, _ lane: Int) -> Bool { block.level == 0 }

  @inline(__always)
  func child(_ block: Block, _ lane: Int) -> Block {
    Block(number: block.number << 4 &+ lane, level: block.level &- 1)
  }

  @inline(__always)
  func prefetch(_ block: Block, _ lane: Int) {
    let child = child(block, lane)
    if child.level < 0 {
      view.prefetch(leaf: child.number)
    } else {
      view.prefetch(group: child.number, level: child.level)
    }
  }

  @inline(__always)
  func lanes(_ block: Block) -> UnsafeRawPointer {
    block.level < 0
      ? view.leaf(block.number) : view.groupMemory(level: block.level, block.number)
  }

  @inline(__always)
  var isDecimal: Bool { view.encoding == .decimal }

  @inline(__always)
  var isFiltered: Bool { categories != .any || asking != nil }

  @inline(__always)
  func mayCount(_ block: Block, _ lane: Int) -> Bool {
    view.node(block.number << 4 &+ lane, level: block.level, holds: categories)
  }

  @inline(__always)
  func dropOthers(_ block: Block, from gaps: UnsafeMutableRawPointer) {
    guard categories != .any else { return }
    nearby_drop_other_categories(
      gaps, view.nodeCategories(level: block.level, group: block.number), categories.rawValue)
  }

  @inline(__always)
  func counting(_ leaf: Block) -> UInt32 {
    let held: UInt32 =
      1 << UInt32(view.shape.slots(below: leaf.number, level: 0).count) &- 1
    return categories == .any
      ? held
      : withUnsafePointer(to: searched) { searched in
        withUnsafePointer(to: filter) {
          nearby_slots_in_categories(searched, $0, leaf.number, held)
        }
      }
  }

  @inline(__always)
  func includes(_ slot: Int) -> Bool { asking?.includes(view.position(slot)) ?? true }

  @inline(__always)
  func number(_ leaf: Block) -> UInt32 { UInt32(truncatingIfNeeded: leaf.number) }

  @inline(__always)
  func candidate(_ leaf: Block, _ lane: Int) -> Int { leaf.number << 4 &+ lane }

  @inline(__always)
  func candidate(number: Int) -> Int { number }

  @inline(__always)
  func latitude(_ slot: Int) -> Double { view.latitude(slot) }

  @inline(__always)
  func longitude(_ slot: Int) -> Double { view.longitude(slot) }

  @inline(__always)
  func id(_ slot: Int) -> UInt64 { UInt64(view.position(slot)) }
}

/// A caller's predicate and its results, so that it is called once per position.
final class PredicateAsking {
  private let isIncluded: (Int) -> Bool
  /// The results of the first walk, which meets no position twice.
  private var first: [(position: UInt32, verdict: Bool)] = []
  /// All results; nil while there has been only one walk.
  private var verdicts: [UInt32: Bool]?
  private(set) var calls = 0, rejections = 0

  init(_ isIncluded: @escaping (Int) -> Bool) { self.isIncluded = isIncluded }

  /// Prepares for another walk; call before it begins.
  func beginAgain() {
    guard verdicts == nil, calls > 0 else { return }
    // A file may name a position twice.
    verdicts = Dictionary(
      first.lazy.map { ($0.position, $0.verdict) }, uniquingKeysWith: { first, _ in first })
  }

  func includes(_ position: UInt32) -> Bool {
    if let verdict = verdicts?[position] { return verdict }
    let verdict = isIncluded(Int(position))
    if verdicts == nil {
      first.append((position, verdict))
    } else {
      verdicts?[position] = verdict
    }
    calls += 1
    if !verdict { rejections += 1 }
    return verdict
  }
}

/// The tree of a `LiveSnapshot`.
struct LiveTree: WalkedTree {
  let root: LiveBlock
  let filter: LiveFilter
  /// The leaves that have a number.
  private var leaves: [LiveBlock] = []

  init(root: LiveBlock, filter: LiveFilter) {
    self.root = root
    self.filter = filter
  }

  @inline(__always)
  var count: Int { root.count }

  @inline(__always)
  func isLeaf(_ block: LiveBlock) -> Bool { !block.isNode }

  @inline(__always)
  func isLeaf(_ block: LiveBlock, _ lane: Int) -> Bool { !block.isNode(lane) }

  @inline(__always)
  func child(_ block: LiveBlock, _ lane: Int) -> LiveBlock { block.child(lane) }

  @inline(__always)
  func prefetch(_ block: LiveBlock, _ lane: Int) {
    nearby_prefetch_lines(block.child(lane).memory, 5)
  }

  @inline(__always)
  func lanes(_ block: LiveBlock) -> UnsafeRawPointer { block.lanes }

  @inline(__always)
  var isDecimal: Bool { false }

  /// Always true: leaves have empty slots.
  @inline(__always)
  var isFiltered: Bool { true }

  @inline(__always)
  func mayCount(_ block: LiveBlock, _ lane: Int) -> Bool { filter.accepts(block, childAt: lane) }

  @inline(__always)
  func dropOthers(_ block: LiveBlock, from gaps: UnsafeMutableRawPointer) {
    guard filter.categories != .any else { return }
    for lane in 0..<LiveBlock.fanOut where !filter.accepts(block, childAt: lane) {
      gaps.storeBytes(of: .infinity, toByteOffset: lane << 2, as: Float.self)
    }
  }

  @inline(__always)
  func counting(_ leaf: LiveBlock) -> UInt32 { leaf.bits }

  @inline(__always)
  func includes(_ candidate: LiveCandidate) -> Bool {
    filter.accepts(candidate.leaf, candidate.slot)
  }

  @inline(__always)
  mutating func number(_ leaf: LiveBlock) -> UInt32 {
    leaves.append(leaf)
    return UInt32(truncatingIfNeeded: leaves.count - 1)
  }

  @inline(__always)
  func candidate(_ leaf: LiveBlock, _ lane: Int) -> LiveCandidate {
    LiveCandidate(leaf: leaf, slot: lane)
  }

  @inline(__always)
  func candidate(number: Int) -> LiveCandidate {
    LiveCandidate(leaf: leaves[number >> 4], slot: number & 15)
  }

  @inline(__always)
  func latitude(_ candidate: LiveCandidate) -> Double { candidate.leaf.latitude(candidate.slot) }

  @inline(__always)
  func longitude(_ candidate: LiveCandidate) -> Double { candidate.leaf.longitude(candidate.slot) }

  @inline(__always)
  func id(_ candidate: LiveCandidate) -> UInt64 { candidate.leaf.id(candidate.slot) }
}
