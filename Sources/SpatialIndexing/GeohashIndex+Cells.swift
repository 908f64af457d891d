import Geodesy

/// A cell and how many positions it holds.
public struct GeohashCount: Hashable, Sendable {
  /// The cell.
  public let cell: Geohash
  /// How many of the positions asked about lie in it, at least 1.
  public let count: Int

  /// Pairs a cell with a count.
  public init(cell: Geohash, count: Int) {
    self.cell = cell
    self.count = count
  }
}

extension GeohashIndex {
  /// The cells of one precision that hold positions of a box, and how many of these each holds.
  ///
  /// Only positions in the box count, its edges included, so the counts add up to the positions in
  /// the box whatever the precision. Empty cells are left out.
  ///
  /// - Returns: The cells in the order of their names.
  /// - Precondition: `precision` is 1…12.
  /// - Complexity: O(*c* log *n* + *b*), *c* being the cells returned and *b* the positions near
  ///   the box's edge; never more than O(*n*). Cells inside the box are counted by two searches.
  public func cells(in box: BoundingBox, precision: Int) -> [GeohashCount] {
    precondition(
      Geohash.legalPrecisions.contains(precision), "geohash precision \(precision); use 1…12")
    var tally = CellTally(bitCount: precision * Geohash.bitsPerCharacter)
    count(0..<count, of: GeohashBlock(), in: box, into: &tally)
    return tally.finished
  }

  /// Adds the positions of a block that are in the box; `range` is the block's run of the list.
  private func count(
    _ range: Range<Int>, of block: GeohashBlock, in box: BoundingBox, into tally: inout CellTally
  ) {
    guard !range.isEmpty else { return }
    let area = block.box
    guard box.touches(area) else { return }
    if box.contains(area) {
      countAll(range, into: &tally)
    } else if range.count <= 16 || block.depth == 64 {
      for index in range where box.contains(positions[index]) {
        tally.add(1, at: codes[index])
      }
    } else {
      let (lower, upper) = block.halves
      let middle = firstIndex(in: range, atOrAbove: upper.firstCode)
      count(range.lowerBound..<middle, of: lower, in: box, into: &tally)
      count(middle..<range.upperBound, of: upper, in: box, into: &tally)
    }
  }

  /// Adds a whole run, cell by cell.
  private func countAll(_ range: Range<Int>, into tally: inout CellTally) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = endOfRun(from: start, in: range, lastCode: tally.lastCode(ofCellAt: codes[start]))
      tally.add(end - start, at: codes[start])
      start = end
    }
  }

  /// The first index after `start` whose code is above `lastCode`.
  ///
  /// Looks ahead in doubling steps, so that a run of *m* takes O(log *m*), and a run of one is
  /// cheap.
  private func endOfRun(from start: Int, in range: Range<Int>, lastCode: UInt64) -> Int {
    guard lastCode < .max else { return range.upperBound }
    var step = 1
    var known = start
    while known + step < range.upperBound, codes[known + step] <= lastCode {
      known += step
      step *= 2
    }
    return firstIndex(
      in: known + 1..<min(known + step, range.upperBound), atOrAbove: lastCode + 1)
  }
}

/// Counts by cell, fed in the order of codes.
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

  /// The last code of 64 bits in the cell that a code lies in.
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
  /// The lowest code of 64 bits in the block.
  fileprivate var firstCode: UInt64 {
    BinaryGeohash(row: row, column: column, bitCount: depth).leftAligned
  }
}

extension BoundingBox {
  /// Whether a cell and this box have a position in common; the cell does not cross ±180°.
  fileprivate func touches(_ cell: BoundingBox) -> Bool {
    guard south <= cell.north, cell.south <= north else { return false }
    let (first, second) = longitudeSpans
    let columns = cell.west...cell.east
    return first.overlaps(columns) || second?.overlaps(columns) == true
  }
}
