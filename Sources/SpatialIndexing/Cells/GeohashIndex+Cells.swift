import Geodesy

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
    precondition(
      Geohash.legalPrecisions.contains(precision), "geohash precision \(precision); use 1…12")
    return withCodes { codes in
      var walk = CellWalk(
        codes: codes, box: box, tally: CellTally(bitCount: precision * Geohash.bitsPerCharacter))
      walk.count(0..<codes.count, of: GeohashBlock())
      return walk.tally.finished
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
  var tally: CellTally

  /// Adds the positions of a block that are in the box; `range` is the block's run in the list.
  mutating func count(_ range: Range<Int>, of block: GeohashBlock) {
    guard !range.isEmpty else { return }
    let area = block.box
    guard box.touches(area) else { return }
    if box.contains(area) {
      countAll(range)
    } else if range.count <= 16 || block.depth == 64 {
      for slot in range {
        if slot == range.lowerBound || slot & 15 == 0 { _ = codes.tree.leaf(slot >> 4) }
        if box.contains(codes.tree.coordinate(slot)) { tally.add(1, at: codes.code(slot)) }
      }
    } else {
      let (lower, upper) = block.halves
      let middle = codes.firstSlot(in: range, atOrAbove: upper.firstCode)
      count(range.lowerBound..<middle, of: lower)
      count(middle..<range.upperBound, of: upper)
    }
  }

  /// Adds a whole run, cell by cell.
  private mutating func countAll(_ range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let code = codes.codeRead(start)
      let end = codes.endOfRun(from: start, in: range, last: tally.lastCode(ofCellAt: code))
      tally.add(end - start, at: code)
      start = end
    }
  }
}

/// Counts by cell, fed in code order.
private struct CellTally {
  let bitCount: Int
  private var done: [GeohashCount] = []
  private var cell: UInt64 = 0
  private var count = 0

  init(bitCount: Int) { self.bitCount = bitCount }

  mutating func add(_ more: Int, at code: UInt64) {
    let next = code >> UInt64(64 - bitCount)
    if next != cell {
      close()
      cell = next
    }
    count += more
  }

  /// The last 64-bit code in the cell of a code.
  func lastCode(ofCellAt code: UInt64) -> UInt64 { code | (UInt64.max >> UInt64(bitCount)) }

  private mutating func close() {
    guard count > 0 else { return }
    let cell = Geohash(unchecked: BinaryGeohash(unchecked: cell, bitCount: bitCount))
    done.append(GeohashCount(cell: cell, count: count))
    count = 0
  }

  var finished: [GeohashCount] {
    var tally = self
    tally.close()
    return tally.done
  }
}

extension GeohashBlock {
  /// The lowest 64-bit code in the block.
  fileprivate var firstCode: UInt64 {
    BinaryGeohash(row: row, column: column, bitCount: depth).leftAligned
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
