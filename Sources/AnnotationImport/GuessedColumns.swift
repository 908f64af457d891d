import Geodesy

// What the contents of records show of a header or its columns where no record names the coordinates.

extension LeadingRecords {
  // MARK: Columns of positions

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

  // MARK: A header without known coordinates

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
}

extension LeadingRecords.Record {
  /// Whether a cell is a known name of a column other than a coordinate.
  fileprivate var hasKnownName: Bool {
    texts.contains { KnownNames.roles.contains(KnownNames.normalized($0)) }
  }
}

extension KnownNames {
  /// The names of all columns but coordinates.
  fileprivate static let roles = Set<String>(
    ([id, name, address, place, kind, hours, validFrom, validUntil] as [[String]]).joined())
}

// MARK: - Columns of degrees

/// Two adjacent columns of degrees, recognized by their numbers alone if no names exist.
///
/// Both have numbers in every filled cell, including the first record's, most with at least three
/// decimals; one stays within ±90 and the other exceeds it, so that their order is certain. Ages,
/// heights and hours do not look like that.
struct DegreeColumns {
  let latitude: Int
  let longitude: Int

  /// The number of records examined; in a file sorted by country the first thousand may all lie
  /// within 90° of Greenwich.
  private static let recordsToWeigh = 20_000

  /// The contents of one column.
  private struct Column {
    var filled = 0
    var precise = 0
    var passes90 = false
    var holdsOther = false

    func isDegrees(of records: Int) -> Bool {
      !holdsOther && filled > 0 && filled * 2 >= records && precise * 4 >= filled * 3
    }
  }

  /// nil if several pairs of columns match, or none.
  init?(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, dialect: DelimitedDialect
  ) {
    var reader = DelimitedReader(bytes, dialect: dialect, from: start)
    var columns: [Column] = []
    var records = 0
    while records < DegreeColumns.recordsToWeigh, let record = reader.next() {
      if record.isBlank || record.unclosedQuoteLine != nil { continue }
      if records == 0 { columns = Array(repeating: Column(), count: reader.cellCount) }
      records += 1
      for column in 0..<min(columns.count, reader.cellCount) where !columns[column].holdsOther {
        let cell = reader[column]
        if RowChecks.isNull(bytes[cell.range]) { continue }
        guard let number = WrittenDecimal(cell, in: bytes), abs(number.value) <= 180,
          records > 1 || number.digits > 0
        else {
          columns[column].holdsOther = true
          continue
        }
        columns[column].filled += 1
        if number.digits >= 3 { columns[column].precise += 1 }
        if abs(number.value) > 90 { columns[column].passes90 = true }
      }
    }
    let found = columns.indices.dropLast().filter { left in
      columns[left].isDegrees(of: records) && columns[left + 1].isDegrees(of: records)
        && columns[left].passes90 != columns[left + 1].passes90
    }
    guard found.count == 1, let left = found.first else { return nil }
    (latitude, longitude) = columns[left].passes90 ? (left + 1, left) : (left, left + 1)
  }
}
