import Geodesy

/// A tree as the builder returns it: its bytes, and what is needed to read them.
struct BuiltTree: Sendable {
  let memory: TreeMemory
  let shape: TreeShape
  let encoding: LeafEncoding
  let categoryEncoding: CategoryEncoding

  var sections: TreeSections {
    TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding)
  }

  /// The number of bytes the tree takes; its own memory may be longer.
  var byteCount: Int { sections.byteCount }
}

/// Packs positions into the memory of a `KDTreeIndex`.
///
/// Each range of positions is split across its longer side on the ground, at a multiple of the leaf capacity, down to
/// single leaves. The left part always takes a power of two of leaves, so sixteen consecutive leaves form one node,
/// without any pointers. The bytes depend on the positions, not on the number of tasks.
enum KDTreeBuilder {
  /// Builds a tree on the caller's thread.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: One set for each position, or none at all.
  ///   - leafOrder: How positions are laid out.
  ///   - mayBeDecimal: Whether leaves may hold integers where coordinates allow it.
  ///   - space: Holds what does not fit into memory; nil to keep everything in memory.
  /// - Precondition: At most 2³² − 2 positions, and as many `categories`, or none.
  /// - Complexity: O(*n* log *n*) time. While it runs it takes 12 bytes per position besides the
  ///   tree, 24 if the leaves hold doubles; 1 more for coded categories, about 2 more from two
  ///   million positions on.
  static func build(
    _ coordinates: UnsafeBufferPointer<Coordinate>,
    categories: UnsafeBufferPointer<CategorySet> = UnsafeBufferPointer(start: nil, count: 0),
    leafOrder: KDTreeIndex.LeafOrder, mayBeDecimal: Bool = true, space: (any BuildingSpace)? = nil
  ) -> BuiltTree {
    let input = TreeInput(coordinates: coordinates, categories: categories)
    let construction = TreeConstruction(
      count: coordinates.count, categoryCount: categories.count, leafOrder: leafOrder,
      pieceCount: 1, mayBeCancelled: false, mayBeDecimal: mayBeDecimal, space: space)
    while construction.beginPhase() {
      while let piece = construction.nextPiece() {
        construction.take(construction.run(piece, input))
      }
    }
    return construction.finished()
  }

  /// Builds a tree in several tasks, byte for byte the same as the build on one thread.
  ///
  /// - Parameters:
  ///   - maximumTasks: The maximum number of tasks at once; nil leaves that to the executor.
  ///   - progress: Called now and then with the fraction of the work done, from 0 to 1, never
  ///     decreasing. Called from this task alone.
  /// - Throws: `CancellationError` if the task was canceled; checked between pieces of about ten
  ///   thousand positions.
  @concurrent
  static func build(
    _ coordinates: [Coordinate], categories: [CategorySet], leafOrder: KDTreeIndex.LeafOrder,
    maximumTasks: Int? = nil, mayBeDecimal: Bool = true,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(CancellationError) -> BuiltTree {
    let construction = TreeConstruction(
      count: coordinates.count, categoryCount: categories.count, leafOrder: leafOrder,
      pieceCount: 32, mayBeCancelled: true, mayBeDecimal: mayBeDecimal)
    progress?(0)
    while construction.beginPhase() {
      await withTaskGroup(of: TreeConstruction.Outcome.self) { group in
        var running = 0
        while true {
          while running < max(maximumTasks ?? .max, 1), !Task.isCancelled,
            let piece = construction.nextPiece()
          {
            running += 1
            group.addTask {
              coordinates.withUnsafeBufferPointer { coordinates in
                categories.withUnsafeBufferPointer { categories in
                  construction.run(
                    piece, TreeInput(coordinates: coordinates, categories: categories))
                }
              }
            }
          }
          guard let outcome = await group.next() else { break }
          running -= 1
          construction.take(outcome)
          progress?(construction.progress)
        }
      }
      if Task.isCancelled { throw CancellationError() }
    }
    progress?(1)
    return construction.finished()
  }
}

// MARK: - Construction

/// The input of a tree's construction, borrowed for one piece of the work.
struct TreeInput {
  let coordinates: UnsafeBufferPointer<Coordinate>
  /// Empty if the positions have no categories.
  let categories: UnsafeBufferPointer<CategorySet>
}

/// Storage outside memory for what is not in constant use while a large index is built.
package protocol BuildingSpace: AnyObject, Sendable {
  /// Zeroed bytes in a file, not in memory, that last as long as this object; nil if there is no room.
  func makeRoom(byteCount: Int) -> UnsafeMutableRawPointer?
  /// Tells that all positions have been read and are no longer needed.
  func positionsAreRead()
}

/// A tree under construction, and the pieces of work that are left.
///
/// The work has three phases: reading all positions, which determines the leaf encoding; coding the
/// categories; splitting and filling. The pieces of a phase touch separate ranges and may run at
/// once. The driver calls everything but `run` serially, and begins a phase when the last one is
/// done.
final class TreeConstruction: @unchecked Sendable {
  /// A piece of work that depends on no other piece of its phase.
  enum Piece: Sendable {
    case read(Range<Int>)
    case code(Range<Int>)
    /// Sorts all sites by geohash.
    case sort
    case order(SiteRange)
  }

  /// Consecutive sites, and which of the two buffers they are in.
  struct SiteRange: Sendable {
    let start: Int
    let count: Int
    let isInSpare: Bool
  }

  /// The result of a piece.
  struct Outcome: Sendable {
    var isDecimal = true
    var codes: [GeohashSorting.Reading] = []
    var sets: DistinctSets?
    var pieces: [Piece] = []
    var work = 0
  }

  private enum Phase {
    case begun, reading, coding, ordering
  }

  private let shape: TreeShape
  private let leafOrder: KDTreeIndex.LeafOrder
  private let mayBeCancelled: Bool
  /// While they are split, larger ranges are pieces of their own.
  private let pieceSize: Int
  /// Sites (rounded positions, see `Sites`) in the order of the input, later one of two buffers; or geohashes and
  /// positions; nil until needed.
  private var sites: Sites?

  private var phase = Phase.begun
  private var pieces: [Piece] = []
  private var isDecimal: Bool
  /// What is known of the geohashes, if the leaves are to be in geohash order.
  private var codes: [GeohashSorting.Reading] = []
  /// The sets of categories so far; nil where positions have no categories.
  private var sets: DistinctSets?
  private var coding: CategoryCoding?
  private var filling: TreeFilling?
  private var memory: TreeMemory?
  /// The second buffer of sites: the future decimal leaves, or separate memory.
  private var spare: Sites?
  private var ownsSites = false, ownsSpare = false
  private let space: (any BuildingSpace)?
  private var workDone = 0
  private let workTotal: Int

  /// - Parameters:
  ///   - mayBeDecimal: Whether leaves may hold integers; if false they always hold doubles.
  ///   - mostPositions: The maximum number of positions.
  ///   - space: Holds the second buffer of sites, if that is not in memory.
  init(
    count: Int, categoryCount: Int, leafOrder: KDTreeIndex.LeafOrder, pieceCount: Int,
    mayBeCancelled: Bool, mayBeDecimal: Bool = true,
    mostPositions: Int = IndexFileFormat.mostPositions, space: (any BuildingSpace)? = nil
  ) {
    precondition(
      count <= mostPositions, IndexLimitError(count: count, limit: mostPositions).description)
    precondition(
      categoryCount == 0 || categoryCount == count,
      "\(categoryCount) categories for \(count) positions")
    shape = TreeShape(count: count, isInGeohashOrder: leafOrder == .geohash)
    sets = categoryCount > 0 ? DistinctSets() : nil
    self.leafOrder = leafOrder
    self.mayBeCancelled = mayBeCancelled
    isDecimal = mayBeDecimal
    self.space = space
    pieceSize = max(count / pieceCount, RankSplitting.mostSites)
    workTotal =
      count * (Work.reading + (categoryCount > 0 ? Work.coding : 0))
      + TreeConstruction.orderingWork(
        count, downTo: leafOrder == .spatial ? pieceSize : count, order: leafOrder)
      + (leafOrder == .geohash ? count * Work.sorting : 0)
    if leafOrder != .geohash { makeSites() }
  }

  deinit {
    if ownsSites { sites?.deallocate() }
    if ownsSpare { spare?.deallocate() }
  }

  private func makeSites() {
    sites = LargePages.allocate(max(shape.count, 1) * KDOrder.siteWords)
    ownsSites = true
  }

  // MARK: Driving

  /// The fraction of the work that is done, 0…1.
  var progress: Double { workTotal == 0 ? 1 : min(1, Double(workDone) / Double(workTotal)) }

  /// Prepares the next phase; false when all are done.
  func beginPhase() -> Bool {
    switch phase {
    case .begun:
      phase = .reading
      pieces = evenRanges.map(Piece.read)
      return true
    case .reading:
      prepareMemory()
      phase = .coding
      if coding != nil { pieces = evenRanges.map(Piece.code) }
      return true
    case .coding:
      phase = .ordering
      if shape.count == 0 { return true }
      switch leafOrder {
      case .spatial: pieces = [.order(SiteRange(start: 0, count: shape.count, isInSpare: false))]
      case .geohash: pieces = [.sort]
      case .asGiven: pieces = fillingPieces
      }
      return true
    case .ordering:
      return false
    }
  }

  func nextPiece() -> Piece? { pieces.popLast() }

  func take(_ outcome: Outcome) {
    isDecimal = isDecimal && outcome.isDecimal
    codes += outcome.codes
    if let found = outcome.sets { sets?.formUnion(found) }
    pieces += outcome.pieces
    workDone += outcome.work
  }

  /// The tree, once all phases are done.
  func finished() -> BuiltTree {
    guard let memory, let filling else { preconditionFailure("the tree is not built yet") }
    filling.fillNodesAboveLeaves()
    return BuiltTree(
      memory: memory, shape: shape, encoding: filling.encoding,
      categoryEncoding: filling.categoryEncoding)
  }

  /// Ranges of whole groups of leaves, so that no two pieces write into one group.
  private var evenRanges: [Range<Int>] {
    let group = TreeShape.fanOut * TreeShape.fanOut
    let size = (pieceSize + group - 1) / group * group
    return stride(from: 0, to: shape.count, by: size).map { $0..<min($0 + size, shape.count) }
  }

  /// The pieces that write leaves from sites already in order.
  private var fillingPieces: [Piece] {
    evenRanges.map {
      .order(SiteRange(start: $0.lowerBound, count: $0.count, isInSpare: false))
    }
  }

  private func prepareMemory() {
    let categoryEncoding: CategoryEncoding =
      sets.map { $0.areFew ? .coded : .plain } ?? .none
    let encoding: LeafEncoding = isDecimal ? .decimal : .degrees
    let sections = TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding)
    let memory = TreeMemory(byteCount: sections.byteCount)
    self.memory = memory
    if let sets, sets.areFew { coding = CategoryCoding(sets, count: shape.count) }
    // The memory is not shared until `finished` returns it.
    let filling = TreeFilling(
      into: UnsafeMutableRawPointer(mutating: memory.bytes.baseAddress!), shape: shape,
      encoding: encoding, categoryEncoding: categoryEncoding,
      codes: coding.map { UnsafePointer($0.codes) })
    self.filling = filling
    filling.fillGaps(sets: coding?.table ?? [])
    // Decimal leaves are filled from sites, others from the positions; sorting reads these once more.
    if isDecimal, leafOrder != .geohash { space?.positionsAreRead() }
    let words = shape.count * KDOrder.siteWords
    let leaves = filling.leaves.bindMemory(to: Int32.self, capacity: words)
    if leafOrder == .geohash {
      // A decimal leaf takes as much room as what is sorted, and is filled where it is; other leaves take more.
      if isDecimal {
        sites = leaves
      } else {
        makeSites()
        spare = leaves
      }
    } else if leafOrder == .spatial, shape.count > RankSplitting.mostSites {
      if isDecimal {
        // Decimal leaves take as much room as their sites, so each range has its own there.
        spare = leaves
      } else if let room = space?.makeRoom(byteCount: words * 4) {
        spare = room.bindMemory(to: Int32.self, capacity: words)
      } else {
        spare = LargePages.allocate(words)
        ownsSpare = true
      }
    }
  }

  // MARK: Work

  /// The cost of each step, about in nanoseconds per position; only for the progress.
  private enum Work {
    static let reading = 5
    static let coding = 2
    static let split = 3
    static let leaves = 32
    static let sorting = 20
  }

  private static func orderingWork(
    _ count: Int, downTo pieceSize: Int, order: KDTreeIndex.LeafOrder
  ) -> Int {
    guard count > pieceSize else { return pieceWork(count, order: order) }
    let left = KDOrder.leftCount(of: count)
    return count * Work.split + orderingWork(left, downTo: pieceSize, order: order)
      + orderingWork(count - left, downTo: pieceSize, order: order)
  }

  private static func pieceWork(_ count: Int, order: KDTreeIndex.LeafOrder) -> Int {
    if order != .spatial { return count * Work.reading }
    var levels = 0
    while count >> levels > RankSplitting.mostSites { levels += 1 }
    return count * (Work.leaves + levels * Work.split)
  }

  /// Does a piece of work; any number may run at once.
  func run(_ piece: Piece, _ input: TreeInput) -> Outcome {
    var outcome = Outcome()
    switch piece {
    case .read(let range):
      if leafOrder == .geohash {
        let codes = GeohashSorting.Reading(input.coordinates, range)
        outcome.isDecimal = codes.isDecimal
        outcome.codes = [codes]
      } else {
        outcome.isDecimal = TreeConstruction.readSites(input.coordinates, range, into: made(sites))
      }
      if !input.categories.isEmpty { outcome.sets = DistinctSets(input.categories, range) }
      outcome.work = range.count * Work.reading
    case .code(let range):
      coding?.code(input.categories, range)
      outcome.work = range.count * Work.coding
    case .sort:
      GeohashSorting.sort(
        GeohashSorting.entries(made(sites), shape.count),
        by: spare.map { GeohashSorting.entries($0, shape.count) }, codes, input.coordinates)
      if isDecimal { space?.positionsAreRead() }
      outcome.pieces = fillingPieces
      outcome.work = shape.count * Work.sorting
    case .order(let range):
      order(range, input, &outcome)
    }
    return outcome
  }

  /// Reads a range of positions into the same number of sites, and detects whether that loses precision.
  ///
  /// - Returns: Whether every coordinate is the double nearest to its multiple of 10⁻⁷ degrees.
  private static func readSites(
    _ coordinates: UnsafeBufferPointer<Coordinate>, _ range: Range<Int>, into sites: Sites
  ) -> Bool {
    guard let start = coordinates.baseAddress else { return true }
    let words = UnsafeRawPointer(start)
    // Added to a number below 2⁵¹, it leaves the nearest integer in the lowest bits.
    let rounding = SIMD2<Double>(repeating: 0x1.8p52)
    let grain = SIMD2<Double>(repeating: 1e7)
    var isDecimal = SIMD2<Int64>(repeating: -1)
    for position in range {
      // A coordinate is two doubles: latitude, longitude.
      let degrees = words.loadUnaligned(
        fromByteOffset: position &* MemoryLayout<Coordinate>.stride, as: SIMD2<Double>.self)
      let shifted = degrees * grain + rounding
      let whole = shifted - rounding
      isDecimal &= unsafeBitCast(whole / grain .== degrees, to: SIMD2<Int64>.self)
      let integers = unsafeBitCast(shifted, to: SIMD4<Int32>.self)
      let site = sites + position &* KDOrder.siteWords
      site[0] = integers[0]
      site[1] = integers[2]
      site[2] = Int32(truncatingIfNeeded: position)
    }
    return isDecimal[0] & isDecimal[1] == -1
  }

  private func order(_ range: SiteRange, _ input: TreeInput, _ outcome: inout Outcome) {
    guard let filling else { preconditionFailure("a phase was skipped") }
    if leafOrder != .spatial {
      let slots = range.start..<range.start + range.count
      if leafOrder == .geohash {
        filling.fill(GeohashSorting.entries(made(sites), shape.count), slots, input)
      } else {
        filling.fillAsGiven(made(sites), slots, input)
      }
      outcome.work = TreeConstruction.pieceWork(range.count, order: leafOrder)
    } else if range.count > pieceSize {
      outcome.pieces = parts(of: range).reversed().map(Piece.order)
      outcome.work = range.count * Work.split
    } else {
      let splitting = RankSplitting(mostSites: min(range.count, RankSplitting.mostSites))
      orderToLeaves(range, input, filling, splitting)
      splitting.deallocate()
      outcome.work = TreeConstruction.pieceWork(range.count, order: .spatial)
    }
  }

  private func orderToLeaves(
    _ range: SiteRange, _ input: TreeInput, _ filling: TreeFilling, _ splitting: RankSplitting
  ) {
    if mayBeCancelled, Task.isCancelled { return }
    if range.count > RankSplitting.mostSites {
      for part in parts(of: range) { orderToLeaves(part, input, filling, splitting) }
      return
    }
    var sites = place(range, inSpare: range.isInSpare)
    if range.isInSpare, filling.encoding == .decimal {
      // The leaves would overwrite them.
      let copy = place(range, inSpare: false)
      copy.update(from: sites, count: range.count * KDOrder.siteWords)
      sites = copy
    }
    splitting.split(sites, count: range.count) { start, numbers in
      filling.fillLeaf((range.start + start) / TreeShape.fanOut, sites, numbers, input)
    }
  }

  private func place(_ range: SiteRange, inSpare: Bool) -> Sites {
    made(inSpare ? spare : sites) + range.start * KDOrder.siteWords
  }

  private func made(_ buffer: Sites?) -> Sites {
    guard let buffer else { preconditionFailure("a phase was skipped") }
    return buffer
  }

  /// Splits a range, into sixteen if that pays, else into two.
  private func parts(of range: SiteRange) -> [SiteRange] {
    let source = place(range, inSpare: range.isInSpare)
    let target = place(range, inSpare: !range.isInSpare)
    if let partition = SitePartition(count: range.count),
      partition.split(source, into: target)
    {
      var start = range.start
      return partition.partCounts.map { count in
        defer { start += count }
        return SiteRange(start: start, count: count, isInSpare: !range.isInSpare)
      }
    }
    let rank = KDOrder.leftCount(of: range.count)
    KDOrder.split(source, count: range.count, rank: rank, into: target)
    return [
      SiteRange(start: range.start, count: rank, isInSpare: !range.isInSpare),
      SiteRange(
        start: range.start + rank, count: range.count - rank, isInSpare: !range.isInSpare),
    ]
  }
}
