/// A set of rows, one bit for each.
struct RowSet: Sendable, Equatable {
  fileprivate(set) var words: [UInt64]
  /// The number of all rows, in the set or not.
  let rowCount: Int

  /// An empty set.
  init(rowCount: Int) {
    words = Array(repeating: 0, count: (rowCount + 63) / 64)
    self.rowCount = rowCount
  }

  /// The set of all rows.
  init(allOf rowCount: Int) {
    words = Array(repeating: .max, count: (rowCount + 63) / 64)
    self.rowCount = rowCount
    let rest = rowCount % 64
    if rest > 0 { words[words.count - 1] = 1 << UInt64(rest) - 1 }
  }

  /// The number of rows in the set.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  func contains(_ row: Int) -> Bool { words[row >> 6] >> UInt64(row & 63) & 1 == 1 }

  mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

  mutating func formIntersection(_ other: RowSet) {
    for place in words.indices { words[place] &= other.words[place] }
  }

  mutating func formUnion(_ other: RowSet) {
    for place in words.indices { words[place] |= other.words[place] }
  }

  mutating func subtract(_ other: RowSet) {
    for place in words.indices { words[place] &= ~other.words[place] }
  }

  /// Calls `body` with each row of the set, ascending.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    for (place, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        body(place << 6 | rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }

  /// The rows of the set that satisfy a predicate.
  @inline(__always)
  func filtered(_ isIncluded: (Int) -> Bool) -> RowSet {
    var kept = RowSet(rowCount: rowCount)
    for (place, word) in words.enumerated() {
      var rest = word
      var found: UInt64 = 0
      while rest != 0 {
        let bit = rest.trailingZeroBitCount
        if isIncluded(place << 6 | bit) { found |= 1 << UInt64(bit) }
        rest &= rest &- 1
      }
      kept.words[place] = found
    }
    return kept
  }
}
