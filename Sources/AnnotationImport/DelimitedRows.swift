import Geodesy
import MapAnnotations

/// The kept rows of a CSV or TSV source: its bytes, and the offset of each row.
///
/// Cells are read again on demand. A class, so that a copy takes one reference instead of one for
/// each member.
final class DelimitedRows: Sendable {
  let bytes: [UInt8]
  let dialect: DelimitedDialect
  let layout: ColumnLayout
  let offsets: RowOffsets

  var columns: [String] { layout.columns }
  var roles: ColumnRoles { layout.roles }

  init(bytes: [UInt8], dialect: DelimitedDialect, layout: ColumnLayout, offsets: RowOffsets) {
    self.bytes = bytes
    self.dialect = dialect
    self.layout = layout
    self.offsets = offsets
  }

  /// Other rows with the same dialect and columns.
  func over(_ bytes: [UInt8], _ offsets: RowOffsets) -> DelimitedRows {
    DelimitedRows(bytes: bytes, dialect: dialect, layout: layout, offsets: offsets)
  }

  /// The id of a row, or its substitute: the record number without an id column, otherwise an id
  /// from the content.
  func id(ofRow row: Int, record: Int) -> AnnotationID {
    guard let column = roles.id else { return AnnotationID(record) }
    if let text = text(ofRow: row, column: column), !ContentID.isBlank(text.utf8) {
      return AnnotationID(text)
    }
    var content = ContentID()
    for entry in cells(ofRow: row, where: { $0 != column }).entries {
      guard let text = entry.value.text, !NullText.isNull(text) else { continue }
      content.add(entry.name, text)
    }
    return content.id
  }

  /// The text of a cell; nil if the column is missing, or the cell is empty or null.
  func value(ofRow row: Int, column: Int?) -> String? {
    guard let column, let text = text(ofRow: row, column: column) else { return nil }
    return NullText.isNull(text) ? nil : text
  }

  /// The name of a row; nil if its name columns are empty.
  func name(ofRow row: Int) -> String? {
    guard let names = roles.nameTemplate else { return value(ofRow: row, column: roles.name) }
    return names.template.text { value(ofRow: row, column: names.columns[$0]) }
  }

  func validDates(ofRow row: Int) -> [DateSpan] {
    guard roles.validFrom != nil || roles.validUntil != nil else { return [] }
    let first = value(ofRow: row, column: roles.validFrom)
    let last = value(ofRow: row, column: roles.validUntil)
    return ValidDates(from: first, until: last).spans
  }

  /// All cells except the coordinates by column name, in order.
  func properties(ofRow row: Int) -> Properties {
    cells(ofRow: row) { $0 != roles.latitude && $0 != roles.longitude }
  }

  /// The property with a name; nil if there is no such column, or it is a coordinate.
  func property(ofRow row: Int, _ name: String) -> PropertyValue? {
    if let column = layout.place(of: name) {
      return value(ofRow: row, column: column).map { .string($0) } ?? .null
    }
    // Cells beyond the first row's are named by their number.
    return Int(name) == nil ? nil : properties(ofRow: row)[name]
  }

  /// The same with the text as written; nil if the row has no such cell.
  func writtenProperty(ofRow row: Int, _ name: String) -> PropertyValue? {
    guard let column = layout.place(of: name) else { return property(ofRow: row, name) }
    return text(ofRow: row, column: column).map { .string($0) }
  }

  /// The cells of some columns, as written.
  func properties(ofRow row: Int, columns: Set<Int>) -> Properties {
    columns.isEmpty ? Properties() : cells(ofRow: row) { columns.contains($0) }
  }

  /// The cells of some columns that are neither empty nor null.
  func filledCells(ofRow row: Int, columns: [Int]) -> Properties {
    var properties = Properties()
    for column in columns {
      guard let text = value(ofRow: row, column: column) else { continue }
      properties.append(self.columns[column], .string(text))
    }
    return properties
  }

  private func cells(ofRow row: Int, where isIncluded: (Int) -> Bool) -> Properties {
    withReader(atRow: row) { reader in
      var properties = Properties()
      guard reader.next() != nil else { return properties }
      properties.entries.reserveCapacity(reader.cellCount)
      for (column, cell) in reader.cells.enumerated() where isIncluded(column) {
        if layout.hiddenCells > 0, column >= columns.count { break }
        // Without a header, a row may have more cells than the first.
        let name = column < columns.count ? columns[column] : String(column + 1)
        properties.append(name, .string(reader.text(cell)))
      }
      return properties
    }
  }

  private func text(ofRow row: Int, column: Int) -> String? {
    withReader(atRow: row) { reader in reader.cell(column).map { reader.text($0) } }
  }

  private func withReader<Result>(
    atRow row: Int, _ body: (inout DelimitedReader) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = DelimitedReader(buffer, dialect: dialect, from: offsets[row])
      return body(&reader)
    }
  }
}

/// The names and roles of a table's columns, computed once for all rows.
final class ColumnLayout: Sendable {
  let columns: [String]
  let roles: ColumnRoles
  /// How many cells each row has behind its columns, which only roles name: those of a store.
  let hiddenCells: Int
  /// The column of each name, except those of the coordinates; repeated names have a number.
  private let places: [ExactText: Int]
  /// The same by canonical equivalence, for a name that no column has byte for byte.
  private let equivalents: [String: Int]
  /// The columns of addresses, the preferred first.
  let addresses: [Int]
  /// The columns about being in business.
  let business: [Int]
  /// The columns of closing days.
  let closingDays: [Int]
  /// The columns of dates and sessions.
  let dates: Set<Int>
  /// Whether the hours, if there are any, are in the column that is taken for them without options.
  let hasKnownHours: Bool
  /// Whether a row may have names that are none of the columns: numbers of cells beyond the first row's, or a number
  /// after a name that repeats.
  let mayLackNames: Bool

  init(columns: [String], roles: ColumnRoles, hiddenCells: Int = 0) {
    self.columns = columns
    self.roles = roles
    self.hiddenCells = hiddenCells
    let others = columns.indices.filter { $0 != roles.latitude && $0 != roles.longitude }
    let names = KnownNames.distinct(others.map { columns[$0] })
    places = Dictionary(
      zip(names.map(ExactText.init), others), uniquingKeysWith: { first, _ in first })
    equivalents = Dictionary(zip(names, others), uniquingKeysWith: { first, _ in first })
    let known = columns.map(KnownNames.normalized)
    addresses = KnownNames.address.compactMap { known.firstIndex(of: $0) }
    business = columns.indices.filter { BusinessRecord.isColumn(columns[$0]) }
    closingDays = columns.indices.filter { ClosingDayColumns.isColumn(columns[$0]) }
    dates = Set(others.filter { AnnotationCalendar.isColumn(columns[$0]) })
    hasKnownHours = roles.hours == nil || roles.hours == KnownNames.hoursColumn(of: columns)
    mayLackNames =
      columns.allSatisfy { Int($0) != nil } || columns.withoutRepeats.count < columns.count
  }

  /// The column of a name, except those of the coordinates; nil if there is none.
  ///
  /// A repeated name is that of its first column; the others have a number after it, as where they are shown. As in
  /// `Properties`, a name that is equal byte for byte comes before one that is only equivalent.
  func place(of name: String) -> Int? { places[ExactText(name)] ?? equivalents[name] }
}

/// The offset of each kept row in its source, in four bytes for each row whatever the source's size.
struct RowOffsets: Sendable {
  /// The lower 32 bits of each offset.
  private var low: [UInt32] = []
  /// The rows at which the upper bits grow by one; offsets ascend, so this determines all of them.
  private var carries: [Int] = []

  init() {}

  mutating func reserveCapacity(_ capacity: Int) { low.reserveCapacity(capacity) }

  /// - Precondition: `offset` is larger than all before it.
  mutating func append(_ offset: Int) {
    while offset >> 32 > carries.count { carries.append(low.count) }
    low.append(UInt32(truncatingIfNeeded: offset))
  }

  /// The offsets of some rows, ascending.
  func keeping(_ rows: [Int]) -> RowOffsets {
    var kept = RowOffsets()
    kept.reserveCapacity(rows.count)
    for row in rows { kept.append(self[row]) }
    return kept
  }

  subscript(row: Int) -> Int {
    let high = carries.isEmpty ? 0 : carries.partitioningCount { $0 <= row }
    return high << 32 | Int(low[row])
  }

  /// Asks memory for the offset of a row, without waiting for it.
  func prefetch(_ row: Int) { low.prefetch(row) }
}

/// The record number of each kept row, stored as the positions of the rejected records.
struct RecordNumbering: Sendable {
  /// For each run of rejected records, in order, the number of rows kept before it.
  private var keptBefore: [Int] = []
  /// For each run, how many were rejected up to its end.
  private var skipped: [Int] = []
  private let first: Int

  /// - Parameter first: The number of the first record.
  init(first: Int = 1) { self.first = first }

  /// - Parameters:
  ///   - kept: The number of rows kept before; at least that of the call before.
  ///   - count: How many records are rejected there.
  mutating func skip(afterRows kept: Int, _ count: Int = 1) {
    guard count > 0 else { return }
    let sum = (skipped.last ?? 0) + count
    if keptBefore.last == kept {
      skipped[skipped.count - 1] = sum
    } else {
      keptBefore.append(kept)
      skipped.append(sum)
    }
  }

  /// The numbers of some rows, ascending, as if the others had been left out.
  func keeping(_ rows: [Int]) -> RecordNumbering {
    var kept = RecordNumbering(first: first)
    var next = first
    for (place, row) in rows.enumerated() {
      let record = record(ofRow: row)
      kept.skip(afterRows: place, record - next)
      next = record + 1
    }
    return kept
  }

  /// The record number, from 1, of a row, from 0.
  ///
  /// - Complexity: O(log *r*) for *r* runs of rejected records.
  func record(ofRow row: Int) -> Int {
    let runs = keptBefore.isEmpty ? 0 : keptBefore.partitioningCount { $0 <= row }
    return row + first + (runs == 0 ? 0 : skipped[runs - 1])
  }
}
