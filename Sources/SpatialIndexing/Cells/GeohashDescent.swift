import Geodesy

/// A block of the grid at some depth, visited on the way down from the whole Earth to a geohash
/// precision.
struct GeohashBlock {
  /// The row and the column among the blocks of `depth` bits.
  var row: UInt32 = 0
  var column: UInt32 = 0
  /// The number of bits decided so far, 0…60.
  var depth = 0

  /// The two halves by the next bit: longitude first, then alternating.
  var halves: (lower: GeohashBlock, upper: GeohashBlock) {
    var lower = self
    lower.depth += 1
    var upper = lower
    if depth.isMultiple(of: 2) {
      lower.column = column << 1
      upper.column = lower.column | 1
    } else {
      lower.row = row << 1
      upper.row = lower.row | 1
    }
    return (lower, upper)
  }

  var box: BoundingBox {
    depth == 0
      ? .world : BinaryGeohash(row: row, column: column, bitCount: depth).box
  }
}

/// A set of cells, described by which blocks contain some of them.
protocol GeohashArea: Sendable {
  /// Whether a block may contain cells of the set; exact if the block is a single cell.
  func touches(_ block: GeohashBlock) -> Bool
}

/// The cells of one precision in an area, in name order.
///
/// Halves the Earth bit by bit and skips the blocks that the area does not touch, so reaching the
/// next cell takes at most one step per bit and needs no list.
struct GeohashDescent<Area: GeohashArea>: IteratorProtocol {
  private let area: Area
  private let depth: Int
  /// The blocks yet to be visited, the next one last.
  private var waiting: [GeohashBlock]

  init(area: Area, precision: Int) {
    self.area = area
    depth = precision * Geohash.bitsPerCharacter
    let earth = GeohashBlock()
    waiting = area.touches(earth) ? [earth] : []
  }

  mutating func next() -> Geohash? {
    while let block = waiting.popLast() {
      if block.depth == depth {
        return Geohash(
          unchecked: BinaryGeohash(row: block.row, column: block.column, bitCount: depth))
      }
      let (lower, upper) = block.halves
      if area.touches(upper) { waiting.append(upper) }
      if area.touches(lower) { waiting.append(lower) }
    }
    return nil
  }
}
