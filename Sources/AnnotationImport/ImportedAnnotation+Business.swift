import MapAnnotations

extension ImportedAnnotation {
  /// Whether the place is in business, from its source; see `Annotation.business`.
  ///
  /// - Complexity: O(1) without a column about this; otherwise that of reading the record again.
  public var business: BusinessRecord {
    let properties =
      switch table.rows {
      case .delimited(let rows): rows.filledCells(ofRow: row, columns: rows.layout.business)
      case .features(let rows): rows.properties(ofRow: row, if: BusinessRecord.isColumn)
      }
    return properties.isEmpty
      ? BusinessRecord() : BusinessRecord(reading: properties, isOffer: kind == .deal)
  }

  /// The text of its closing-day columns; see `ClosingDayColumns`.
  ///
  /// - Complexity: O(1) without such a column; otherwise that of reading the record again.
  public var closingDays: String? {
    let properties =
      switch table.rows {
      case .delimited(let rows): rows.filledCells(ofRow: row, columns: rows.layout.closingDays)
      case .features(let rows): rows.properties(ofRow: row, if: ClosingDayColumns.isColumn)
      }
    return ClosingDayColumns.text(of: properties)
  }

  /// The valid days and sessions; see `Annotation.calendar`.
  ///
  /// - Complexity: O(1) without a column about this; otherwise that of reading the record again.
  public var calendar: AnnotationCalendar {
    let properties =
      switch table.rows {
      case .delimited(let rows): rows.properties(ofRow: row, columns: rows.layout.dates)
      case .features(let rows): rows.properties(ofRow: row, if: AnnotationCalendar.isColumn)
      }
    return AnnotationCalendar(reading: properties, validDates: validDates)
  }
}

extension ImportedAnnotations {
  /// The rows that may have opening hours, days or sessions: all except those of tables without
  /// such a column.
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
}

extension SourceTable {
  /// Whether a row may have hours, closing days, dates or sessions, or a cell under one of `names`.
  fileprivate func maySpeakOfTime(or names: [String]) -> Bool {
    switch rows {
    case .delimited(let rows):
      rows.roles.hours != nil || !rows.layout.dates.isEmpty || !rows.layout.closingDays.isEmpty
        || rows.columns.contains(where: names.contains)
    case .features(let rows):
      rows.topics.hours || rows.topics.validDates
        || rows.topics.mayHave {
          AnnotationCalendar.isColumn($0) || ClosingDayColumns.isColumn($0) || names.contains($0)
        }
    }
  }
}
