import Geodesy

/// The first records of a source, searched for its header and columns.
struct LeadingRecords {
  struct Record {
    let texts: [String]
    let cells: [DelimitedCell]
    let start: Int
    let line: Int

    var filled: Int { texts.count { !$0.isEmpty } }
    /// Whether it is written as a comment.
    var isComment: Bool { texts.first?.hasPrefix("#") ?? false }
  }

  let records: [Record]
  /// A description of a record that is too large to be a header; nil if there is none.
  let excess: String?
  let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the first record.
  let start: Int
  let dialect: DelimitedDialect

  /// A longer text, in bytes, is not a name.
  private static let nameLimit = 65_536

  /// Reads records that are neither blank nor malformed, nor too large to be a header.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, dialect: DelimitedDialect,
    atMost limit: Int
  ) {
    self.bytes = bytes
    self.start = start
    self.dialect = dialect
    var reader = DelimitedReader(bytes, dialect: dialect, from: start)
    var records: [Record] = []
    var excess: String?
    while records.count < limit, let record = reader.next() {
      if record.isBlank || record.unclosedQuoteLine != nil { continue }
      if let found = LeadingRecords.excess(of: reader) {
        excess = excess ?? "line \(grouped(record.line)) has \(found)"
        continue
      }
      records.append(
        Record(
          texts: reader.cells.map { reader.text($0) }, cells: Array(reader.cells),
          start: record.start, line: record.line))
    }
    self.records = records
    self.excess = excess
  }

  /// A reader before one of the records.
  func reader(at record: Record) -> DelimitedReader {
    DelimitedReader(bytes, dialect: dialect, from: record.start, line: record.line)
  }

  private static func excess(of reader: borrowing DelimitedReader) -> String? {
    if reader.cellCount > DelimitedReader.cellLimit {
      return "\(grouped(reader.cellCount)) columns, and up to "
        + "\(grouped(DelimitedReader.cellLimit)) are read"
    }
    let longest = reader.cells.map { $0.end - $0.start }.max() ?? 0
    guard longest > nameLimit else { return nil }
    return "a cell of \(grouped(longest)) bytes, and a column's name has up to "
      + "\(grouped(nameLimit))"
  }

  // MARK: A column of positions

  /// A column of whole positions, and the first record that has one.
  struct PositionColumn {
    let column: Int
    let firstRecord: Int
    let isWellKnownText: Bool
    /// Whether nearly all are well-known text or have at least three decimals in both numbers.
    let isPrecise: Bool
    /// Whether some first numbers exceed 90 and no second one does, so that they are longitudes.
    let isLongitudeFirst: Bool
  }

  /// The columns that contain only positions below the header.
  ///
  /// Plain numbers must have decimals, so that a list of two counts does not look like a position.
  var positionColumns: [PositionColumn] {
    let width = records.map(\.cells.count).max() ?? 0
    return (0..<width).compactMap(positionColumn)
  }

  private func positionColumn(_ column: Int) -> PositionColumn? {
    var first: (record: Int, isWellKnownText: Bool)?
    var positions = 0
    var precise = 0
    var others = 0
    var passes90 = (first: false, second: false)
    for (place, record) in records.enumerated() where column < record.cells.count {
      if RowChecks.isNull(record.cells[column], in: bytes) { continue }
      let cell = PointCell(record.cells[column], in: bytes)
      if cell.isEmpty { continue }
      if let decimals = decimals(of: cell) {
        positions += 1
        if decimals >= 3 { precise += 1 }
        if !cell.isWellKnownText {
          passes90.first = passes90.first || passes(90, cell.latitude)
          passes90.second = passes90.second || passes(90, cell.longitude)
        }
        if first == nil { first = (place, cell.isWellKnownText) }
      } else if first != nil {
        others += 1
      }
    }
    // One cell in five may be invalid.
    guard let first, others * 4 <= positions else { return nil }
    return PositionColumn(
      column: column, firstRecord: first.record, isWellKnownText: first.isWellKnownText,
      isPrecise: precise * 4 >= positions * 3,
      isLongitudeFirst: passes90.first && !passes90.second)
  }

  private func passes(_ limit: Double, _ cell: DelimitedCell) -> Bool {
    abs(DecimalParser.number(in: bytes, from: cell.start, to: cell.end) ?? 0) > limit
  }

  /// The number of decimals of the less precise number of a position, or many for well-known text;
  /// nil if a cell is not a position, or has no decimals.
  private func decimals(of cell: PointCell) -> Int? {
    guard cell.isPair, let north = WrittenDecimal(cell.latitude, in: bytes),
      let east = WrittenDecimal(cell.longitude, in: bytes)
    else { return nil }
    if cell.isWellKnownText { return .max }
    guard north.digits > 0, east.digits > 0, abs(north.value) <= 180, abs(east.value) <= 180 else {
      return nil
    }
    return min(north.digits, east.digits)
  }
}

/// A number in a cell, and its number of decimals.
struct WrittenDecimal {
  let value: Double
  let digits: Int

  /// nil if the cell is not a number.
  init?(
    _ cell: DelimitedCell, in bytes: UnsafeBufferPointer<UInt8>, mark: UInt8 = UInt8(ascii: ".")
  ) {
    guard
      let value = DecimalParser.number(in: bytes, from: cell.start, to: cell.end, mark: mark)
    else { return nil }
    let text = bytes[cell.start..<cell.end]
    let point = text.firstIndex(of: mark) ?? text.endIndex
    self.value = value
    digits =
      text[point...].dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
  }
}
