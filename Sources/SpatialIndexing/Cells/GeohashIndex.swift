import Geodesy

/// Positions in geohash order: one sorted list that answers every query of ``PositionIndex`` exactly,
/// and tells which positions lie in a cell.
///
/// Cells with a common prefix lie together, so a cell of any precision is one run of the list. The
/// list can be joined with another, takes changes in place, and can be made from the
/// geohashes that a database keeps in order.
///
///     let index = GeohashIndex(shops.map(\.coordinate))
///     let three = index.nearest(3, to: cityHall)
///     index.count(in: try Geohash("wydm9"))
///     for entry in index.cells(in: viewport, precision: 6) { print(entry.cell, entry.count) }
///
/// Use a ``KDTreeIndex`` if the same positions are queried often and never change, and this index if
/// cells matter, positions change by the thousand, or building must be quick; <doc:Cells> has the
/// figures.
///
/// A position on ±180° is kept at −180 and lies in the first column of cells, once.
///
/// - Complexity: O(*n*) to build; 13.6 bytes per position if all coordinates are multiples of 10⁻⁷
///   degrees, 21.6 otherwise; more with categories, as for a ``KDTreeIndex``.
public struct GeohashIndex: PositionIndex {
  /// The positions in the order of their 64-bit geohashes, sixteen to a leaf.
  ///
  /// Positions with one geohash are in input order. The boxes above the leaves are a sixteenth of the
  /// size and follow from the leaves; they serve all queries but those about cells.
  @usableFromInline var tree: KDTreeIndex

  /// Sorts positions by their 64-bit geohashes.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: The categories of each position; empty if no position has any.
  /// - Precondition: There are as many `categories` as `coordinates`, or none; at most
  ///   ``IndexFileFormat/mostPositions``.
  /// - Complexity: O(*n*) time, a radix sort, or no sort if they are in order; 12 bytes per position
  ///   besides the list while it runs.
  public init(_ coordinates: some Collection<Coordinate>, categories: [CategorySet] = []) {
    tree = KDTreeIndex(coordinates, categories: categories, leafOrder: .geohash)
  }

  /// Sorts positions off the caller's actor: see
  /// ``KDTreeIndex/init(building:categories:leafOrder:ownTrees:maximumTasks:progress:)``.
  public init(
    building coordinates: [Coordinate], categories: [CategorySet] = [], maximumTasks: Int? = nil,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    tree = try await KDTreeIndex(
      building: coordinates, categories: categories, leafOrder: .geohash,
      maximumTasks: maximumTasks, progress: progress)
  }

  /// Builds an index over the centers of cells, as a database stores them.
  ///
  /// A cell of 52 bits is 60 × 30 cm or less, so its center is at most 34 cm from the original
  /// position.
  ///
  /// - Parameter cells: In the order in which ties are to be broken; if they ascend, nothing is
  ///   sorted.
  public init(middlesOf cells: some Collection<BinaryGeohash>) {
    self.init(cells.map(\.middle))
  }

  /// Makes an index from one opened from a file; nil if its positions are not in geohash order,
  /// because it was built as a tree.
  ///
  /// Nothing is read before it is needed.
  public init?(_ index: KDTreeIndex) {
    guard index.shape.isInGeohashOrder else { return nil }
    tree = index
  }

  /// The positions as a tree with boxes, which can be written to a file and turned back by
  /// ``init(_:)``.
  @inlinable
  public var packed: KDTreeIndex { tree }

  /// The number of positions in a cell.
  ///
  /// - Complexity: O(log *n*).
  public func count(in cell: Geohash) -> Int { count(in: cell.binary) }

  /// The number of positions in a cell of any number of bits.
  ///
  /// - Complexity: O(log *n*).
  public func count(in cell: BinaryGeohash) -> Int { withCodes { $0.slots(of: cell).count } }

  /// The offsets in the input of the positions in a cell.
  ///
  /// - Returns: Offsets by ascending 64-bit geohash, ties by ascending offset; empty if the cell
  ///   is.
  /// - Complexity: O(log *n* + *m*), *m* being the positions in the cell.
  public func offsets(in cell: Geohash) -> [Int] { offsets(in: cell.binary) }

  /// The offsets in the input of the positions in a cell of any number of bits, in the same order.
  ///
  /// - Complexity: O(log *n* + *m*), *m* being the positions in the cell.
  public func offsets(in cell: BinaryGeohash) -> [Int] {
    withCodes { codes in codes.slots(of: cell).map { Int(codes.position($0)) } }
  }

  /// Runs `body` over the sorted list.
  func withCodes<Result>(_ body: (SortedCodes) -> Result) -> Result {
    tree.withTree { body(SortedCodes(tree: $0)) }
  }
}

/// A cell and the number of positions in it.
public struct CellCount<Cell: Hashable & Sendable>: Hashable, Sendable {
  /// The cell.
  public let cell: Cell
  /// The number of queried positions that lie in it, at least 1.
  public let count: Int

  /// Pairs a cell with a count.
  public init(cell: Cell, count: Int) {
    self.cell = cell
    self.count = count
  }
}

/// A geohash and the number of positions in it.
public typealias GeohashCount = CellCount<Geohash>

extension GeohashIndex {
  /// The cells of one precision that contain positions of a box, and the number in each.
  ///
  /// Only positions in the box count, its edges included, so at any precision the counts add up to
  /// the positions in the box. Empty cells are left out.
  ///
  /// - Returns: The cells in name order.
  /// - Precondition: `precision` is 1…12.
  /// - Complexity: O(*c* log *n* + *b*), *c* being the cells returned and *b* the positions near
  ///   the box's edge; never more than O(*n*). Cells inside the box are counted by two binary
  ///   searches.
  public func cells(in box: BoundingBox, precision: Int) -> [GeohashCount] {
    let bitCount = Geohash.bitCount(ofPrecision: precision)
    return withCodes { codes in
      var walk = CellWalk(codes: codes, box: box, bitCount: bitCount)
      walk.count(0..<codes.count, of: .earth)
      return walk.counts
    }
  }

  /// The cells of a grid of fixed degrees that contain positions of a box, and the number in each.
  ///
  /// Borders of such a grid are decimal and no geohash ends there, so positions are checked one by
  /// one.
  ///
  /// - Returns: The cells by row from the south, then by column from −180 eastward.
  /// - Complexity: O(√*n* + *r* + *c* log *c*), *r* being the positions in the box and *c* the cells
  ///   returned.
  public func cells(in box: BoundingBox, of grid: DegreeGrid) -> [CellCount<GridCell>] {
    var counts: [GridCell: Int] = [:]
    tree.forEachCoordinate(in: box) { counts[grid.cell(at: $0), default: 0] += 1 }
    return counts.map { CellCount(cell: $0.key, count: $0.value) }.sorted { $0.cell < $1.cell }
  }

  /// The number of positions in a cell of a grid of fixed degrees.
  ///
  /// - Precondition: The cell is in the grid.
  /// - Complexity: O(√*n* + *r*), *r* being the positions in the cell.
  public func count(in cell: GridCell, of grid: DegreeGrid) -> Int {
    var count = 0
    // The box includes the northern and eastern borders, which belong to the neighbors.
    tree.forEachCoordinate(in: grid.box(of: cell)) { if grid.cell(at: $0) == cell { count += 1 } }
    return count
  }
}

extension KDTreeIndex {
  /// Calls `body` with the coordinate of each position in a box.
  fileprivate func forEachCoordinate(in box: BoundingBox, _ body: (Coordinate) -> Void) {
    guard count > 0 else { return }
    withTree { tree in
      forEachSpan(of: box, tree: tree, categories: .any) { search in
        for slot in search.slots() { body(tree.coordinate(slot)) }
      }
    }
  }
}

/// A walk down cells with a common prefix, for counts of one precision in a box.
private struct CellWalk {
  let codes: SortedCodes
  let box: BoundingBox
  /// The number of bits of the cells that are counted.
  let bitCount: Int
  /// The counts so far, in code order.
  var counts: [GeohashCount] = []

  /// Adds the positions of a block that are in the box; `range` is the block's run in the list.
  mutating func count(_ range: Range<Int>, of block: BinaryGeohash) {
    guard !range.isEmpty else { return }
    let area = block.box
    guard box.touches(area) else { return }
    if box.contains(area) {
      countAll(range)
    } else if range.count <= 16 || block.bitCount == 64 {
      for slot in range {
        if slot == range.lowerBound || slot & 15 == 0 { _ = codes.tree.leaf(slot >> 4) }
        if box.contains(codes.tree.coordinate(slot)) { add(1, at: codes.code(slot)) }
      }
    } else {
      let (lower, upper) = block.halves
      let middle = codes.firstSlot(in: range, atOrAbove: upper.leftAligned)
      count(range.lowerBound..<middle, of: lower)
      count(middle..<range.upperBound, of: upper)
    }
  }

  /// Adds a whole run, cell by cell.
  private mutating func countAll(_ range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let code = codes.codeRead(start)
      let lastCode = code | (UInt64.max >> UInt64(bitCount))
      let end = codes.endOfRun(from: start, in: range, last: lastCode)
      add(end - start, at: code)
      start = end
    }
  }

  /// Adds positions to the cell of a code, which comes after all before it.
  private mutating func add(_ more: Int, at code: UInt64) {
    let cell = Geohash(
      unchecked: BinaryGeohash(unchecked: code >> UInt64(64 - bitCount), bitCount: bitCount))
    var count = more
    if let last = counts.last, last.cell == cell {
      count += last.count
      counts.removeLast()
    }
    counts.append(GeohashCount(cell: cell, count: count))
  }
}

extension BoundingBox {
  /// Whether a cell and this box have a position in common; the cell must not cross ±180°.
  fileprivate func touches(_ cell: BoundingBox) -> Bool {
    guard south <= cell.north, cell.south <= north else { return false }
    let (first, second) = longitudeSpans
    let columns = cell.west...cell.east
    return first.overlaps(columns) || second?.overlaps(columns) == true
  }
}

/// The 64-bit geohashes of positions in geohash order.
///
/// The sorted list is not stored, except for the first code of each leaf: each code follows from
/// its position.
struct SortedCodes {
  let tree: TreeView

  var count: Int { tree.shape.count }

  /// The geohash of the position in a slot.
  @inline(__always)
  func code(_ slot: Int) -> UInt64 {
    tree.encoding.geohash(
      tree.firstLeaf + (slot >> 4) &* tree.encoding.leafSize, lane: slot & 15)
  }

  /// The offset in the input of the position in a slot.
  func position(_ slot: Int) -> UInt32 {
    _ = tree.leaf(slot >> 4)
    return tree.position(slot)
  }

  /// The first slot in a range whose code is at least `code`; the end of the range if there is
  /// none.
  func firstSlot(in range: Range<Int>, atOrAbove code: UInt64) -> Int {
    guard !range.isEmpty else { return range.upperBound }
    // Find the last leaf that may begin below the code, then search it.
    let low = lastLeaf(
      in: range.lowerBound >> 4..<(range.upperBound &+ 15) >> 4, beginningBelow: code)
    _ = tree.leaf(low)
    let first = max(range.lowerBound, low << 4)
    let end = min(range.upperBound, (low &+ 1) << 4)
    return first &+ (first..<end).partitioningCount { self.code($0) < code }
  }

  /// The last leaf after one whose first code is below another; that leaf if there is none.
  func lastLeaf(from start: Int, beginningBelow code: UInt64) -> Int {
    start
      &+ (start &+ 1..<max(start &+ 1, (count &+ 15) >> 4))
      .gallopingCount { tree.firstCode(ofLeaf: $0) < code }
  }

  /// The last of some leaves whose first code is below another; the first of them if there is none.
  @inline(__always)
  private func lastLeaf(in leaves: Range<Int>, beginningBelow code: UInt64) -> Int {
    leaves.lowerBound
      &+ leaves.dropFirst().partitioningCount { tree.firstCode(ofLeaf: $0) < code }
  }

  /// The slots whose codes begin with the bits of a cell.
  func slots(of cell: BinaryGeohash) -> Range<Int> {
    let first = cell.leftAligned
    let last = first | (cell.bitCount == 64 ? 0 : UInt64.max >> UInt64(cell.bitCount))
    let start = firstSlot(in: 0..<count, atOrAbove: first)
    let end = last == .max ? count : firstSlot(in: start..<count, atOrAbove: last + 1)
    return start..<end
  }

  /// The first slot after `start` whose code is above `last`.
  func endOfRun(from start: Int, in range: Range<Int>, last: UInt64) -> Int {
    guard last < .max else { return range.upperBound }
    return start + 1
      + (start + 1..<range.upperBound).gallopingCount { codeRead($0) <= last }
  }

  /// The code of a slot whose leaf has not been requested yet.
  func codeRead(_ slot: Int) -> UInt64 {
    _ = tree.leaf(slot >> 4)
    return code(slot)
  }
}

extension Range<Int> {
  /// The number of leading numbers that satisfy a condition that no later one satisfies.
  ///
  /// In doubling steps, so that *m* of them take O(log *m*), and few are found at once.
  func gallopingCount(_ satisfies: (Int) -> Bool) -> Int {
    var known = lowerBound, end = lowerBound, step = 1
    while end < upperBound, satisfies(end) {
      known = end + 1
      end += step
      step *= 2
    }
    return known - lowerBound + (known..<Swift.min(end, upperBound)).partitioningCount(satisfies)
  }
}
