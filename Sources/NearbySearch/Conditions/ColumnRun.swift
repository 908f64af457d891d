import MapAnnotations

/// The field of a column, and the form of its text.
struct ColumnName: Hashable, Sendable {
  let field: TextField
  let form: TextColumn.Form
}

extension Condition.Field {
  /// The field as a text; nil for latitude, longitude and distance.
  var text: TextField? {
    switch name {
    case .property(let name): .property(name)
    case .common(.id): .id
    case .common(.name): .name
    case .common(.kind): .kind
    case .common(.latitude), .common(.longitude), .common(.distance): nil
    }
  }
}

/// The evaluation of a condition over columns.
struct ColumnRun<Item: Annotation> {
  /// The rows for which a part is true, and those for which it is false; for the others it is unknown.
  private struct Truths {
    var isTrue: RowSet
    /// Empty where it is not needed.
    var isFalse: RowSet
  }

  private let columns: [ColumnName: TextColumn]
  private let rowCount: Int
  /// The annotation of a row, for what no column contains.
  private let item: (Int) -> Item

  /// The rows for which a condition is true; nil where columns cannot answer it.
  static func rows(
    _ program: ConditionProgram<Item>, of columns: ConditionColumns,
    item: @escaping (Int) -> Item
  ) -> RowSet? {
    let names = program.columns
    guard !names.isEmpty, let read = columns.columns(names) else { return nil }
    let run = ColumnRun(columns: read, rowCount: columns.rowCount, item: item)
    return run.truths(program, RowSet(allOf: columns.rowCount), needsFalse: false).isTrue
  }

  /// - Parameter rows: The rows to test; others are neither true nor false.
  private func truths(
    _ program: ConditionProgram<Item>, _ rows: RowSet, needsFalse: Bool
  ) -> Truths {
    let none = RowSet(rowCount: rowCount)
    switch program {
    case .constant(let truth):
      return Truths(isTrue: truth == true ? rows : none, isFalse: truth == false ? rows : none)
    case .test(let field, let test):
      return truths(field, test, program.truth, rows, needsFalse: needsFalse)
    case .asked(let truth, _):
      return fill(rows, needsFalse: needsFalse) { truth(item($0)) }
    case .not(let part):
      let inner = truths(part, rows, needsFalse: true)
      return Truths(isTrue: inner.isFalse, isFalse: inner.isTrue)
    case .all(let parts):
      // Only rows not yet false need testing; where only truth counts, those still true.
      var result = Truths(isTrue: rows, isFalse: none)
      var open = rows
      for part in parts {
        let truths = truths(part, needsFalse ? open : result.isTrue, needsFalse: needsFalse)
        result.isTrue.formIntersection(truths.isTrue)
        result.isFalse.formUnion(truths.isFalse)
        open.subtract(truths.isFalse)
      }
      return result
    case .any(let parts):
      var result = Truths(isTrue: none, isFalse: rows)
      var open = rows
      for part in parts {
        let truths = truths(part, open, needsFalse: needsFalse)
        result.isTrue.formUnion(truths.isTrue)
        result.isFalse.formIntersection(truths.isFalse)
        open.subtract(truths.isTrue)
      }
      return result
    }
  }

  private func truths(
    _ field: TextField, _ test: FieldTest, _ truth: ConditionProgram<Item>.Truth, _ rows: RowSet,
    needsFalse: Bool
  ) -> Truths {
    guard let column = columns[ColumnName(field: field, form: test.form)] else {
      return fill(rows, needsFalse: needsFalse) { truth(item($0)) }
    }
    var plain = rows
    var others = RowSet(rowCount: rowCount)
    if !column.kinds.isEmpty {
      others = rows.filtered { column.kinds[$0] == TextColumn.CellKind.other.rawValue }
      plain.subtract(others)
    }
    var result = self.truths(column, test, plain, needsFalse: needsFalse)
    if others.count > 0 {
      let rest = fill(others, needsFalse: needsFalse) { truth(item($0)) }
      result.isTrue.formUnion(rest.isTrue)
      result.isFalse.formUnion(rest.isFalse)
    }
    return result
  }

  /// The result for cells that are texts, numbers and nulls.
  private func truths(
    _ column: TextColumn, _ test: FieldTest, _ rows: RowSet, needsFalse: Bool
  ) -> Truths {
    if case .search(.contains, let wanted) = test.kind {
      let isTrue = column.rows(containing: wanted, among: rows)
      guard needsFalse else { return Truths(isTrue: isTrue, isFalse: RowSet(rowCount: rowCount)) }
      var isFalse = rows
      isFalse.subtract(isTrue)
      return Truths(isTrue: isTrue, isFalse: isFalse.filtered(column.isText))
    }
    return column.bytes.withUnsafeBufferPointer { bytes in
      column.ends.withUnsafeBufferPointer { ends in
        func cell(_ row: Int) -> UnsafeBufferPointer<UInt8> {
          let start = row == 0 ? 0 : Int(ends[row - 1]) + 1
          return UnsafeBufferPointer(rebasing: bytes[start..<Int(ends[row])])
        }
        switch test.kind {
        case .isNull: return fill(rows, needsFalse: needsFalse) { cell($0).isEmpty }
        case .search(let search, let wanted):
          return fill(rows, needsFalse: needsFalse) { row in
            let cell = cell(row)
            guard !cell.isEmpty else { return nil }
            let room = cell.count - wanted.bytes.count
            guard room >= 0 else { return false }
            return wanted.bytes.elementsEqual(
              cell[(search == .endsWith ? room : 0)...].prefix(wanted.bytes.count))
          }
        case .text(.equal, let literal) where !needsFalse && column.kinds.isEmpty:
          return fill(rows, needsFalse: false) { row in
            let cell = cell(row)
            return !cell.isEmpty && literal.isEqual(to: cell)
          }
        default:
          let hasNumbers = !column.kinds.isEmpty
          return fill(rows, needsFalse: needsFalse) { row in
            let cell = cell(row)
            // Of an empty cell, only a test for null is true or false.
            guard !cell.isEmpty else { return nil }
            if hasNumbers, column.kinds[row] == TextColumn.CellKind.number.rawValue {
              return test.truth(ofNumber: cell)
            }
            return test.truth(ofText: cell)
          }
        }
      }
    }
  }

  @inline(__always)
  private func fill(_ rows: RowSet, needsFalse: Bool, _ truth: (Int) -> Bool?) -> Truths {
    guard needsFalse else {
      return Truths(
        isTrue: rows.filtered { truth($0) == true }, isFalse: RowSet(rowCount: rowCount))
    }
    var result = Truths(isTrue: RowSet(rowCount: rowCount), isFalse: RowSet(rowCount: rowCount))
    rows.forEach { row in
      switch truth(row) {
      case true?: result.isTrue.insert(row)
      case false?: result.isFalse.insert(row)
      case nil: break
      }
    }
    return result
  }
}

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
