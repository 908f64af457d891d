import CKernels
import Geodesy

/// A tree of boxes that a search goes down, and which of its positions count.
protocol WalkedTree {
  /// Sixteen siblings, or a leaf.
  associatedtype Block
  /// A position.
  associatedtype Candidate

  /// Of a tree that is not empty.
  var root: Block { get }

  /// How many positions there are.
  var count: Int { get }

  func isLeaf(_ block: Block) -> Bool

  /// The edges of sixteen siblings (`TreeSections.groupSize`), or the positions of a leaf.
  func lanes(_ block: Block) -> UnsafeRawPointer

  /// Whether leaves hold whole 10⁻⁷ degrees; otherwise doubles.
  var isDecimal: Bool { get }

  func child(_ block: Block, _ lane: Int) -> Block

  /// Whether something that counts may lie below one of sixteen siblings.
  func mayCount(_ block: Block, _ lane: Int) -> Bool

  /// The positions of a leaf that count so far as the tree can tell, as bits.
  func counting(_ leaf: Block) -> UInt32

  func candidate(_ leaf: Block, _ lane: Int) -> Candidate

  /// Asks the caller whether a position counts.
  func includes(_ candidate: Candidate, _ statistics: inout SearchStatistics) -> Bool

  func latitude(_ candidate: Candidate) -> Double
  func longitude(_ candidate: Candidate) -> Double

  /// What orders positions at one distance.
  func id(_ candidate: Candidate) -> UInt64
}

/// The tree of a `KDTreeIndex`.
struct PackedTree: WalkedTree {
  /// A group at a level, or a leaf, at level −1.
  struct Block {
    let number: Int
    let level: Int
  }

  let view: TreeView
  let categories: CategorySet
  private let codes: CodeSet
  /// nil where everything counts.
  let asking: PredicateAsking?

  init(_ view: TreeView, categories: CategorySet = .any, asking: PredicateAsking? = nil) {
    self.view = view
    self.categories = categories
    self.asking = asking
    codes = view.codes(in: categories)
  }

  @inline(__always)
  var root: Block { Block(number: 0, level: view.shape.firstLevel) }

  @inline(__always)
  var count: Int { view.shape.count }

  @inline(__always)
  func isLeaf(_ block: Block) -> Bool { block.level < 0 }

  @inline(__always)
  func lanes(_ block: Block) -> UnsafeRawPointer {
    block.level < 0
      ? view.leaf(block.number) : view.groupMemory(level: block.level, block.number)
  }

  @inline(__always)
  var isDecimal: Bool { view.encoding == .decimal }

  @inline(__always)
  func child(_ block: Block, _ lane: Int) -> Block {
    Block(number: block.number << 4 &+ lane, level: block.level &- 1)
  }

  @inline(__always)
  func mayCount(_ block: Block, _ lane: Int) -> Bool {
    view.node(block.number << 4 &+ lane, level: block.level, holds: categories)
  }

  @inline(__always)
  func counting(_ leaf: Block) -> UInt32 {
    let held: UInt32 =
      1 << UInt32(view.shape.slots(below: leaf.number, level: 0).count) &- 1
    return categories == .any
      ? held : held & view.slots(ofLeaf: leaf.number, in: categories, codes: codes)
  }

  @inline(__always)
  func candidate(_ leaf: Block, _ lane: Int) -> Int { leaf.number << 4 &+ lane }

  @inline(__always)
  func includes(_ slot: Int, _ statistics: inout SearchStatistics) -> Bool {
    guard let asking else { return true }
    return asking.includes(view.position(slot), &statistics)
  }

  @inline(__always)
  func latitude(_ slot: Int) -> Double { view.latitude(slot) }

  @inline(__always)
  func longitude(_ slot: Int) -> Double { view.longitude(slot) }

  @inline(__always)
  func id(_ slot: Int) -> UInt64 { UInt64(view.position(slot)) }
}

/// A caller's predicate, and what it said, so that nobody asks again.
final class PredicateAsking {
  private let isIncluded: (Int) -> Bool
  private var verdicts: [UInt32: Bool] = [:]

  init(_ isIncluded: @escaping (Int) -> Bool) { self.isIncluded = isIncluded }

  func includes(_ position: UInt32, _ statistics: inout SearchStatistics) -> Bool {
    if let verdict = verdicts[position] { return verdict }
    let verdict = isIncluded(Int(position))
    verdicts[position] = verdict
    statistics.predicateCalls += 1
    if !verdict { statistics.predicateRejections += 1 }
    return verdict
  }
}

/// The tree of a `LiveSnapshot`.
struct LiveTree: WalkedTree {
  let root: LiveBlock
  let filter: LiveFilter

  @inline(__always)
  var count: Int { root.count }

  @inline(__always)
  func isLeaf(_ block: LiveBlock) -> Bool { !block.isNode }

  @inline(__always)
  func lanes(_ block: LiveBlock) -> UnsafeRawPointer { block.lanes }

  @inline(__always)
  var isDecimal: Bool { false }

  @inline(__always)
  func child(_ block: LiveBlock, _ lane: Int) -> LiveBlock { block.child(lane) }

  @inline(__always)
  func mayCount(_ block: LiveBlock, _ lane: Int) -> Bool { filter.accepts(block, childAt: lane) }

  @inline(__always)
  func counting(_ leaf: LiveBlock) -> UInt32 { leaf.bits }

  @inline(__always)
  func candidate(_ leaf: LiveBlock, _ lane: Int) -> LiveCandidate {
    LiveCandidate(leaf: leaf, slot: lane)
  }

  @inline(__always)
  func includes(_ candidate: LiveCandidate, _ statistics: inout SearchStatistics) -> Bool {
    filter.accepts(candidate.leaf, candidate.slot)
  }

  @inline(__always)
  func latitude(_ candidate: LiveCandidate) -> Double { candidate.leaf.latitude(candidate.slot) }

  @inline(__always)
  func longitude(_ candidate: LiveCandidate) -> Double { candidate.leaf.longitude(candidate.slot) }

  @inline(__always)
  func id(_ candidate: LiveCandidate) -> UInt64 { candidate.leaf.id(candidate.slot) }
}
