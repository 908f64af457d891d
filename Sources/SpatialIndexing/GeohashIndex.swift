import Geodesy

/// Positions in the order of their geohashes: answers which lie in a cell, and how many.
///
/// Cells that begin alike lie together, so a cell is one run of the sorted list, found by two
/// binary searches. For the nearest positions or all within a radius ask a tree; this answers
/// questions that are about cells.
///
///     let index = GeohashIndex(shops.map(\.coordinate))
///     index.count(in: try Geohash("wydm9"))
///     for entry in index.cells(in: viewport, precision: 6) { print(entry.cell, entry.count) }
///
/// A position on ±180° is kept at −180 and lies in the first column of cells, once.
public struct GeohashIndex: Sendable {
  /// The geohash of 64 bits of each position, ascending.
  let codes: [UInt64]
  /// Where each position stood in the input; positions of one code in the order of the input.
  let order: [UInt32]
  /// The positions in the order of `codes`.
  let positions: [Coordinate]

  /// How many positions there are.
  public var count: Int { codes.count }

  /// Sorts positions by their geohash of 64 bits.
  ///
  /// - Precondition: Fewer than 2³² positions.
  /// - Complexity: O(*n*) time, a radix sort; 28 bytes for each position, and as much again while
  ///   it is sorting.
  public init(_ positions: some Collection<Coordinate>) {
    precondition(
      positions.count < 1 << 32, "\(positions.count) positions; a geohash index holds 2³²")
    let input = Array(positions)
    let sorted = sortedByCode(input.map { BinaryGeohash($0, bitCount: 64).bits })
    codes = sorted.codes
    order = sorted.order
    self.positions = sorted.order.map { input[Int($0)] }
  }

  /// How many positions lie in a cell.
  ///
  /// - Complexity: O(log *n*).
  public func count(in cell: Geohash) -> Int { range(of: cell).count }

  /// Where the positions of a cell stood in the input.
  ///
  /// - Returns: Offsets by ascending geohash of 64 bits, ties by ascending offset; empty when the
  ///   cell is.
  /// - Complexity: O(log *n* + *m*), *m* being the positions in the cell.
  public func offsets(in cell: Geohash) -> [Int] { order[range(of: cell)].map(Int.init) }

  /// The run of the sorted list that lies in a cell.
  private func range(of cell: Geohash) -> Range<Int> {
    let first = cell.binary.leftAligned
    let last = first | (UInt64.max >> UInt64(cell.binary.bitCount))
    let start = firstIndex(in: 0..<count, atOrAbove: first)
    let end =
      last == .max ? count : firstIndex(in: start..<count, atOrAbove: last + 1)
    return start..<end
  }

  /// The first index in `range` whose code is at least `code`; the end of the range when none is.
  func firstIndex(in range: Range<Int>, atOrAbove code: UInt64) -> Int {
    var low = range.lowerBound, high = range.upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if codes[middle] < code { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
