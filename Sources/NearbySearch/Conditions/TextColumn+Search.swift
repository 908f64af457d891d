import Geodesy
import MapAnnotations

// Searching all cells of a column at once: their bytes follow each other, separated by a byte that no text contains, so
// every match lies in one cell.

extension TextColumn {
  /// The rows of a set whose cells contain a text, which is folded as the column is.
  ///
  /// - Complexity: O(bytes), 64 at a time, where most rows are tested; otherwise O(bytes of those rows).
  func rows(containing wanted: FoldedText, among rows: RowSet) -> RowSet {
    let wanted = wanted.bytes
    guard !wanted.isEmpty else { return rows.filtered { isText($0) } }
    return bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { ends in
        wanted.withUnsafeBufferPointer { wanted in
          let search = ColumnSearch(bytes: bytes, ends: ends, wanted: wanted)
          // Searching one cell by its row takes as long as scanning some forty bytes of the whole column.
          guard rows.count < bytes.count / 40 else {
            var found = RowSet(rowCount: rows.rowCount)
            search.forEachRow { found.insert($0) }
            found.formIntersection(rows)
            return found
          }
          return rows.filtered(search.isIn)
        }
      }
    }
  }

  /// Whether a cell holds a text or a number.
  func isText(_ row: Int) -> Bool {
    Int(ends[row]) > (row == 0 ? 0 : Int(ends[row - 1]) + 1)
  }
}

/// A search for a text in the cells of a column, by its first and last bytes.
///
/// Source: Muła, "SIMD-friendly algorithms for substring searching", 2018, the generic algorithm.
private struct ColumnSearch {
  private typealias Vector = SIMD16<UInt8>

  private let bytes: UnsafeRawBufferPointer
  private let ends: UnsafeBufferPointer<UInt32>
  private let wanted: UnsafeBufferPointer<UInt8>
  private let first: Vector
  private let last: Vector

  /// - Precondition: `wanted` is not empty.
  init(
    bytes: UnsafeBufferPointer<UInt8>, ends: UnsafeBufferPointer<UInt32>,
    wanted: UnsafeBufferPointer<UInt8>
  ) {
    self.bytes = UnsafeRawBufferPointer(bytes)
    self.ends = ends
    self.wanted = wanted
    first = Vector(repeating: wanted[0])
    last = Vector(repeating: wanted[wanted.count - 1])
  }

  /// For each of 16 places, whether the text may begin there: a byte of ones, in two words.
  @inline(__always)
  private func candidates(_ place: Int) -> SIMD2<UInt64> {
    let heads = bytes.loadUnaligned(fromByteOffset: place, as: Vector.self)
    let tails = bytes.loadUnaligned(fromByteOffset: place + wanted.count - 1, as: Vector.self)
    let both = (heads .== first) .& (tails .== last)
    return unsafeBitCast(both, to: SIMD2<UInt64>.self)
  }

  @inline(__always)
  private func isThere(_ place: Int) -> Bool {
    var offset = 1
    while offset < wanted.count - 1 {
      if bytes[place + offset] != wanted[offset] { return false }
      offset += 1
    }
    return true
  }

  /// Whether a cell contains the text.
  @inline(__always)
  func isIn(_ row: Int) -> Bool {
    let end = Int(ends[row]) - wanted.count
    var place = row == 0 ? 0 : Int(ends[row - 1]) + 1
    while place <= end {
      let found = candidates(place)
      if found[0] | found[1] != 0 {
        for half in 0..<2 {
          var rest = found[half]
          while rest != 0 {
            let bit = rest.trailingZeroBitCount & ~7
            let candidate = place + half * 8 + bit / 8
            if candidate <= end, isThere(candidate) { return true }
            rest &= ~(0xFF << UInt64(bit))
          }
        }
      }
      place += 16
    }
    return false
  }

  /// The rows whose cells contain the text, ascending, each once.
  @inline(__always)
  func forEachRow(_ body: (Int) -> Void) {
    guard let lastEnd = ends.last else { return }
    // No match begins beyond this; the last cell is followed by padding.
    let limit = Int(lastEnd) - wanted.count
    var place = 0
    var row = 0
    /// Records a match, and returns where the next cell begins.
    func take(_ candidate: Int) -> Int {
      row = self.row(of: candidate, from: row)
      body(row)
      return Int(ends[row]) + 1
    }
    blocks: while place <= limit, place + 63 + wanted.count <= bytes.count {
      let quarters = (
        candidates(place), candidates(place + 16), candidates(place + 32), candidates(place + 48)
      )
      let any = quarters.0 | quarters.1 | quarters.2 | quarters.3
      if any[0] | any[1] != 0 {
        for quarter in 0..<4 {
          let found =
            switch quarter {
            case 0: quarters.0
            case 1: quarters.1
            case 2: quarters.2
            default: quarters.3
            }
          for half in 0..<2 {
            var rest = found[half]
            while rest != 0 {
              let bit = rest.trailingZeroBitCount & ~7
              let candidate = place + quarter * 16 + half * 8 + bit / 8
              if candidate <= limit, isThere(candidate) {
                place = take(candidate)
                continue blocks
              }
              rest &= ~(0xFF << UInt64(bit))
            }
          }
        }
      }
      place += 64
    }
    while place <= limit {
      if bytes[place] == wanted[0], bytes[place + wanted.count - 1] == wanted[wanted.count - 1],
        isThere(place)
      {
        place = take(place)
      } else {
        place += 1
      }
    }
  }

  /// The row of a place, searched from a row that is not after it: by steps that double, then by halving.
  @inline(__always)
  private func row(of place: Int, from start: Int) -> Int {
    var low = start
    var step = 1
    while low + step < ends.count, Int(ends[low + step - 1]) < place {
      low += step
      step *= 2
    }
    // The first row whose end is not before the place.
    let rows = low..<min(low + step, ends.count)
    return low + rows.partitioningCount { Int(ends[$0]) < place }
  }
}
