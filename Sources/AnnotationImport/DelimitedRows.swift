import Geodesy
import MapAnnotations

/// The kept rows of a CSV or TSV source: its bytes, and where each row begins in them.
///
/// Cells are read again when they are asked for. A class, so that whoever asks takes one reference
/// and not one of each member.
final class DelimitedRows: Sendable {
  let bytes: SourceBytes
  let dialect: DelimitedDialect
  let layout: ColumnLayout
  let offsets: RowOffsets

  var columns: [String] { layout.columns }
  var roles: ColumnRoles { layout.roles }

  init(bytes: SourceBytes, dialect: DelimitedDialect, layout: ColumnLayout, offsets: RowOffsets) {
    self.bytes = bytes
    self.dialect = dialect
    self.layout = layout
    self.offsets = offsets
  }

  /// The id a row names, or what stands for it: its number without a column of ids, and otherwise
  /// what it says.
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

  /// The text of a cell; nil when the column is missing, or the cell is empty or null.
  func value(ofRow row: Int, column: Int?) -> String? {
    guard let column, let text = text(ofRow: row, column: column) else { return nil }
    return NullText.isNull(text) ? nil : text
  }

  /// What a row is called; nil where its columns of names say nothing.
  func name(ofRow row: Int) -> String? {
    guard let names = roles.nameTemplate else { return value(ofRow: row, column: roles.name) }
    return names.template.text { value(ofRow: row, column: names.columns[$0]) }
  }

  /// The columns of addresses, the preferred first.
  var addressColumns: [Int] {
    let names = columns.map(KnownNames.normalized)
    return KnownNames.address.compactMap { names.firstIndex(of: $0) }
  }

  func validDates(ofRow row: Int) -> [DateSpan] {
    guard roles.validFrom != nil || roles.validUntil != nil else { return [] }
    let first = value(ofRow: row, column: roles.validFrom)
    let last = value(ofRow: row, column: roles.validUntil)
    return ValidDates(from: first, until: last).spans
  }

  /// Every cell by its column's name, in order.
  func record(ofRow row: Int) -> Properties {
    cells(ofRow: row) { _ in true }
  }

  /// Every cell but the coordinates, by its column's name, in order.
  func properties(ofRow row: Int) -> Properties {
    cells(ofRow: row) { $0 != roles.latitude && $0 != roles.longitude }
  }

  /// What a row says under one name; nil where it has no such column, or that is a coordinate's.
  func property(ofRow row: Int, _ name: String) -> PropertyValue? {
    if let column = layout.place[name] {
      return value(ofRow: row, column: column).map { .string($0) } ?? .null
    }
    // Cells that the first row has not are named by their number.
    return Int(name) == nil ? nil : properties(ofRow: row)[name]
  }

  /// The cells of some columns, as they are written.
  func properties(ofRow row: Int, columns: Set<Int>) -> Properties {
    columns.isEmpty ? Properties() : cells(ofRow: row) { columns.contains($0) }
  }

  private func cells(ofRow row: Int, where isIncluded: (Int) -> Bool) -> Properties {
    withReader(atRow: row) { reader in
      var properties = Properties()
      guard reader.next() != nil else { return properties }
      properties.entries.reserveCapacity(reader.cellCount)
      for (column, cell) in reader.cells.enumerated() where isIncluded(column) {
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

/// What the columns of a table are called and hold, worked out once for all of its rows.
final class ColumnLayout: Sendable {
  let columns: [String]
  let roles: ColumnRoles
  /// The first column of each name, without those of the coordinates.
  let place: [String: Int]
  /// Columns that say whether a place is in business.
  let business: [Int]
  /// Columns of dates and sessions.
  let dates: Set<Int>

  init(columns: [String], roles: ColumnRoles) {
    self.columns = columns
    self.roles = roles
    let others = columns.indices.filter { $0 != roles.latitude && $0 != roles.longitude }
    place = Dictionary(others.map { (columns[$0], $0) }, uniquingKeysWith: { first, _ in first })
    business = columns.indices.filter { BusinessRecord.isColumn(columns[$0]) }
    dates = Set(others.filter { AnnotationCalendar.isColumn(columns[$0]) })
  }
}

/// The days that the columns `valid_from` and `valid_until` name.
struct ValidDates {
  /// One span, or none when neither column says anything that can be used.
  let spans: [DateSpan]
  /// A text that is no date, or the two dates when they are in the wrong order.
  let problem: String?

  init(from first: String?, until last: String?) {
    let start = first.map { CalendarDate($0) }
    let end = last.map { CalendarDate($0) }
    if let first, case .some(.none) = start {
      problem = first
    } else if let last, case .some(.none) = end {
      problem = last
    } else if let start = start ?? nil, let end = end ?? nil, start > end {
      problem = "\(start) to \(end)"
      spans = []
      return
    } else {
      problem = nil
    }
    let opening = start ?? nil
    let closing = end ?? nil
    spans = opening == nil && closing == nil ? [] : [DateSpan(first: opening, last: closing)]
  }
}
