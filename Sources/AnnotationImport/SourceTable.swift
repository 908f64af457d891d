import Geodesy
import MapAnnotations

// What is kept of one source: its table, its rows, and the offsets, numbers and ids of these.

/// The kept records of one source, immutable once built.
final class SourceTable: Sendable {
  /// The data from which records are read again.
  enum Rows: Sendable {
    case delimited(DelimitedRows)
    case features(FeatureRows)
  }

  let source: String
  /// Degrees; NaN for a row without a position.
  let latitudes: [Double]
  let longitudes: [Double]
  let numbering: RecordNumbering
  let idsAscend: Bool
  let defaultKind: AnnotationKind?
  let rows: Rows
  /// Whether ids are record numbers, which change when a record is inserted.
  let isNumbered: Bool
  /// Whether a record's number identifies it; false if rows come in any order.
  let hasOrigins: Bool
  /// Whether its rows are those of a store, in which a record's line is its number.
  let isStored: Bool
  /// Whether rows may have some of `TimesColumns`; asked for each row, so found once.
  let mayHaveTimesColumns: Bool
  /// What `textColumns` has made: most questions read no row as text.
  private let madeTextColumns = SharedValue<TextColumns?>(nil)

  init(
    source: String, latitudes: [Double], longitudes: [Double], numbering: RecordNumbering,
    idsAscend: Bool, defaultKind: AnnotationKind?, rows: Rows, isNumbered: Bool? = nil,
    hasOrigins: Bool = true, isStored: Bool = false
  ) {
    self.hasOrigins = hasOrigins
    self.isStored = isStored
    let hasNumbers =
      switch rows {
      case .delimited(let rows): rows.roles.id == nil
      case .features(let rows): rows.naming == .numbers
      }
    mayHaveTimesColumns =
      switch rows {
      case .delimited(let rows): rows.columns.contains { TimesColumns.meaning(of: $0) != nil }
      case .features(let rows): rows.topics.times
      }
    self.isNumbered = isNumbered ?? hasNumbers
    self.source = source
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.numbering = numbering
    self.idsAscend = idsAscend
    self.defaultKind = defaultKind
    self.rows = rows
  }

  /// The meaning of its rows' columns; nil for features, and if columns are more than plain texts.
  var textColumns: TextColumns? {
    guard case .delimited(let rows) = rows else { return nil }
    return madeTextColumns.withLock { made in
      made = made ?? rows.textColumns(defaultKind: defaultKind)
      return made
    }
  }

  /// The columns of `properties`; empty for GeoJSON.
  var columns: [String] {
    switch rows {
    case .delimited(let rows):
      rows.columns.indices
        .filter { $0 != rows.roles.latitude && $0 != rows.roles.longitude }
        .map { rows.columns[$0] }
    case .features: []
    }
  }

  /// The position of a row; nil if it has none.
  @inline(__always)
  func coordinate(ofRow row: Int) -> Coordinate? {
    let latitude = latitudes[row]
    return latitude.isNaN ? nil : Coordinate(unchecked: latitude, longitudes[row])
  }

  /// The line where a record begins, from 1.
  func line(ofRow row: Int) -> Int {
    if isStored { return numbering.record(ofRow: row) }
    return switch rows {
    case .delimited(let rows):
      rows.bytes.withUnsafeBufferPointer { bytes in
        let end: UInt8 = rows.dialect.endsAtCarriageReturn ? .carriageReturn : .lineFeed
        return bytes[..<rows.offsets[row]].count { $0 == end } + 1
      }
    case .features(let rows):
      rows.records.bytes[..<rows.records.starts[row]].count { $0 == .lineFeed } + 1
    }
  }

  /// Whether a row may have hours, closing days, dates or sessions, a word about being in business, or a cell under one
  /// of `names`.
  fileprivate func maySpeakOfTime(or names: [String]) -> Bool {
    switch rows {
    case .delimited(let rows):
      rows.roles.hours != nil || !rows.layout.dates.isEmpty || !rows.layout.closingDays.isEmpty
        || !rows.layout.business.isEmpty || rows.columns.contains(where: names.contains)
    case .features(let rows):
      rows.topics.hours || rows.topics.validDates || rows.topics.calendars
        || rows.topics.closingDays || rows.topics.business
        || names.contains(where: rows.topics.mayHave)
    }
  }
}

extension ImportedAnnotations {
  /// The rows that may have opening hours, days or sessions, or a word about being in business: all except those of
  /// tables without such a column.
  ///
  /// - Parameter names: Further columns that count, none of them a number.
  /// - Returns: Rows, ascending.
  package func rows(withTimesOr names: [String]) -> [Int] {
    guard !isPacked else { return Array(indices) }
    var rows: [Int] = []
    var start = 0
    for table in tables {
      let end = start + table.latitudes.count
      if table.maySpeakOfTime(or: names) { rows += start..<end }
      start = end
    }
    return rows
  }

  /// Whether some annotations may be lines or areas, not single points.
  public var hasShapes: Bool {
    tables.contains { table in
      if case .features(let rows) = table.rows { rows.hasShapes } else { false }
    }
  }
}

// MARK: - Rows of CSV and TSV

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
    if let text = text(ofRow: row, column: column), !IDKey.isBlank(text.utf8) {
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

// MARK: - Ids

/// An id in the bytes of a source, compared without making a string.
enum IDKey {
  /// A canonical decimal number that fits into an `Int`.
  case number(Int)
  /// Text that is ordered by its bytes, as a range of offsets.
  case text(Range<Int>)
  /// Text that is not ordered by its bytes: a number too long for `number`, or a cell with doubled
  /// quotes.
  case unordered(Range<Int>)

  /// Reads an id from its cell; nil if it is empty.
  init?(_ cell: DelimitedCell?, in bytes: UnsafeBufferPointer<UInt8>) {
    guard let cell, !IDKey.isBlank(bytes[cell.range]) else { return nil }
    let range = cell.range
    if let number = IDKey.canonicalNumber(bytes[range]) {
      self = .number(number)
    } else if cell.hasDoubledQuotes || IDKey.mayBeLongNumber(bytes[range]) {
      self = .unordered(range)
    } else {
      self = .text(range)
    }
  }

  /// The id for messages.
  func text(in bytes: UnsafeBufferPointer<UInt8>) -> String {
    switch self {
    case .number(let number): String(number)
    case .text(let range), .unordered(let range): String(decoding: bytes[range], as: UTF8.self)
    }
  }

  /// Whether the text of an id is empty or blank.
  static func isBlank(_ text: some Sequence<UInt8>) -> Bool { text.allSatisfy { $0 <= 0x20 } }

  private static func mayBeLongNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    text.count > 18 && text.dropFirst().allSatisfy { $0.isASCIIDigit }
  }

  /// `0` or `-?[1-9][0-9]*` of at most 18 digits, which always fit.
  private static func canonicalNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    guard let first = digits.first, digits.count <= 18 else { return nil }
    if first == UInt8(ascii: "0") { return digits.count == 1 && !isNegative ? 0 : nil }
    var number = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      number = number * 10 + Int(digit)
    }
    return isNegative ? -number : number
  }
}

/// Tracks whether the ids of a source ascend as its rows are kept.
///
/// While they ascend strictly none can repeat, so most sources do not need `RepeatedIDs`.
struct IDOrder {
  /// Whether every id so far is at least the previous one, in the order of `AnnotationID`.
  private(set) var ascends = true
  /// Whether, in addition, no two consecutive ids are equal.
  private(set) var ascendsStrictly = true

  private let bytes: UnsafeBufferPointer<UInt8>
  private var last: IDKey?

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func add(_ key: IDKey) {
    defer { last = key }
    if case .unordered = key { ascends = false }
    guard ascendsStrictly || ascends, let last else { return }
    if isBefore(last, key) { return }
    ascendsStrictly = false
    if isBefore(key, last) { ascends = false }
  }

  /// Whether one id certainly comes before another.
  private func isBefore(_ left: IDKey, _ right: IDKey) -> Bool {
    switch (left, right) {
    case (.number(let a), .number(let b)): a < b
    case (.number, .text): true
    case (.text, .number): false
    case (.text(let a), .text(let b)): bytes[a].lexicographicallyPrecedes(bytes[b])
    case (.unordered, _), (_, .unordered): false
    }
  }
}
