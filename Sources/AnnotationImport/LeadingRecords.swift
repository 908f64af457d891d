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
    let longest = reader.cells.map(\.range.count).max() ?? 0
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
    /// Whether nearly all are points, and not lines or areas.
    let isOfPoints: Bool
    /// Whether some are points.
    let hasPoints: Bool
    /// Whether nearly all are well-known text or have at least three decimals in both numbers.
    let isPrecise: Bool
    /// Whether some first numbers exceed 90 and no second one does, so that they are longitudes.
    let isLongitudeFirst: Bool
  }

  /// The columns that contain only positions, or lines and areas as well-known text, below the header.
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
    var shapes = 0
    var passes90 = (first: false, second: false)
    for (place, record) in records.enumerated() where column < record.cells.count {
      if RowChecks.isNull(bytes[record.cells[column].range]) { continue }
      let cell = PointCell(record.cells[column], in: bytes)
      if cell.isEmpty { continue }
      if let decimals = decimals(of: cell) {
        positions += 1
        if cell.shapeType != nil { shapes += 1 }
        if decimals >= 3 { precise += 1 }
        let isWellKnownText = cell.isWellKnownText || cell.shapeType != nil
        if !isWellKnownText {
          passes90.first = passes90.first || exceeds90(cell.latitude)
          passes90.second = passes90.second || exceeds90(cell.longitude)
        }
        if first == nil { first = (place, isWellKnownText) }
      } else if first != nil {
        others += 1
      }
    }
    // One cell in five may be invalid.
    guard let first, others * 4 <= positions else { return nil }
    return PositionColumn(
      column: column, firstRecord: first.record, isWellKnownText: first.isWellKnownText,
      isOfPoints: (others + shapes) * 4 <= positions - shapes, hasPoints: positions > shapes,
      isPrecise: precise * 4 >= positions * 3,
      isLongitudeFirst: passes90.first && !passes90.second)
  }

  private func exceeds90(_ cell: DelimitedCell) -> Bool {
    abs(DecimalParser.number(bytes[cell.range]) ?? 0) > 90
  }

  /// The number of decimals of the less precise number of a position, or many for well-known text;
  /// nil if a cell is not a position, or has no decimals.
  private func decimals(of cell: PointCell) -> Int? {
    if cell.shapeType != nil { return .max }
    guard cell.isPair, let north = WrittenDecimal(cell.latitude, in: bytes),
      let east = WrittenDecimal(cell.longitude, in: bytes)
    else { return nil }
    if cell.isWellKnownText { return .max }
    guard north.digits > 0, east.digits > 0, abs(north.value) <= 180, abs(east.value) <= 180 else {
      return nil
    }
    return min(north.digits, east.digits)
  }

  /// Whether a record is a header that names both coordinates, and not a row whose cells read so,
  /// such as `2,x,y`.
  ///
  /// A record before a row has a number where it has one, or numbers in both columns; or the records
  /// behind it have texts there, and no digit in any.
  func namesCoordinates(_ place: Int, _ options: ImportOptions) -> Bool {
    let record = records[place]
    guard let (north, east) = options.coordinateColumns(in: record.texts) else { return false }
    guard place > 0 else { return true }
    let numbers = record.cells.indices.filter { isNumber($0, of: record) }
    // The first is no row, since there is a header.
    for other in records[1..<place] where !other.numbersColumns {
      if numbers.contains(where: { isNumber($0, of: other) }) { return false }
      if north != east, isNumber(north, of: other), isNumber(east, of: other) { return false }
    }
    var isText = false
    for other in records[(place + 1)...] {
      for column in [north, east] where column < other.texts.count {
        let text = other.texts[column]
        if text.contains(where: \.isWholeNumber) { return true }
        if !RowChecks.isNull(text), !KnownNames.standsInHeader(text) { isText = true }
      }
    }
    return !isText
  }

  /// The record that most likely names the columns, where none names coordinates; nil if all are
  /// empty.
  ///
  /// Rows have as many cells as most records of the later half, because a preamble comes first. The
  /// first record with that many cells, at least half of them filled, is usually the header.
  ///
  /// It may also be a row with a cell too many, behind the real header. So an earlier record is
  /// preferred if only that one has a known name; if both have one, or neither, it is preferred if
  /// it has more cells than a preamble would.
  func likeliestHeader(among candidates: ArraySlice<Record>) -> Record? {
    let written = records.filter { $0.filled > 0 }
    var recordsByWidth: [Int: Int] = [:]
    for record in written[(written.count / 2)...] {
      recordsByWidth[record.cells.count, default: 0] += 1
    }
    let width = recordsByWidth.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    let most = written.filter { $0.cells.count == width }.map(\.filled).max() ?? 0
    let candidates = candidates.filter { $0.filled > 0 }
    let usual = candidates.firstIndex { $0.cells.count == width && 2 * $0.filled >= most }
    let isNamed = usual.map { namesColumns(candidates[$0], width) } ?? false
    let earlier = candidates[..<(usual ?? candidates.endIndex)].first { record in
      if record.hasKnownName != isNamed { return record.hasKnownName }
      return !record.isComment && 2 * record.filled > most
    }
    return earlier ?? usual.map { candidates[$0] } ?? candidates.last
  }

  /// A sentence about a header that may be a row, because it has numbers and no known name; nil for
  /// any other.
  func remark(onRowAsHeader record: Record, _ source: String) -> String? {
    guard !record.hasKnownName, record.cells.indices.contains(where: { isNumber($0, of: record) })
    else { return nil }
    let names =
      record.texts.prefix(5).joined(separator: ", ") + (record.texts.count > 5 ? ", …" : "")
    return
      "\(source):\(record.line): read as the names of the columns: \(names); if it is a record, "
      + "say `hasHeader = false`"
  }

  /// Whether a record has a known name, or texts in all of its cells where others have numbers.
  private func namesColumns(_ record: Record, _ width: Int) -> Bool {
    func hasNumber(_ record: Record) -> Bool {
      record.cells.indices.contains { isNumber($0, of: record) }
    }
    return record.hasKnownName
      || record.filled == width && !hasNumber(record)
        && records.contains { $0.cells.count == width && hasNumber($0) }
  }

  private func isNumber(_ column: Int, of record: Record) -> Bool {
    record.cells.indices.contains(column)
      && WrittenDecimal(record.cells[column], in: bytes) != nil
  }
}

extension LeadingRecords.Record {
  /// Whether a cell is a known name of a column other than a coordinate.
  fileprivate var hasKnownName: Bool {
    texts.contains { KnownNames.roles.contains(KnownNames.normalized($0)) }
  }

  /// Whether it only counts the columns, as a line above or below the names may.
  fileprivate var numbersColumns: Bool { texts.indices.allSatisfy { texts[$0] == String($0 + 1) } }
}

extension KnownNames {
  /// Whether a text in a column of coordinates is a name, type or unit, not a value.
  fileprivate static func standsInHeader(_ text: String) -> Bool {
    let name = normalized(text)
    return typesAndUnits.contains(name) || !columns(of: .latitude, in: [name]).isEmpty
      || !columns(of: .longitude, in: [name]).isEmpty
  }

  /// The names of all columns but coordinates.
  fileprivate static let roles = Set<String>(
    ([id, name, address, place, kind, hours, validFrom, validUntil] as [[String]]).joined())
}
