extension LeadingRecords {
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
  fileprivate var numbersColumns: Bool {
    texts.indices.allSatisfy { texts[$0] == String($0 + 1) }
  }
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
