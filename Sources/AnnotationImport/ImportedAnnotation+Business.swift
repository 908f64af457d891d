import MapAnnotations

extension ImportedAnnotation {
  /// What its source says of its being in business; see `Annotation.business`.
  ///
  /// - Complexity: O(1) where no column of them speaks of that; otherwise that of reading the record again.
  public var business: BusinessRecord {
    guard case .delimited(let rows) = table.rows else {
      return BusinessRecord(reading: properties, isOffer: kind == .deal)
    }
    guard !rows.layout.business.isEmpty else { return BusinessRecord() }
    var properties = Properties()
    for column in rows.layout.business {
      guard let text = rows.value(ofRow: row, column: column) else { continue }
      properties.append(rows.columns[column], .string(text))
    }
    return BusinessRecord(reading: properties, isOffer: kind == .deal)
  }

  /// When it is valid, and what is on; see `Annotation.calendar`.
  ///
  /// - Complexity: O(1) where no column speaks of that; otherwise that of reading the record again.
  public var calendar: AnnotationCalendar {
    guard case .delimited(let rows) = table.rows else {
      return AnnotationCalendar(reading: properties, validDates: validDates)
    }
    return AnnotationCalendar(
      reading: rows.properties(ofRow: row, columns: rows.layout.dates), validDates: validDates)
  }
}

extension ImportedAnnotations {
  /// The rows that may say when they are open, on which days, or what is on: all but those of tables without a
  /// column of any of that.
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
    guard case .delimited(let rows) = rows else { return true }
    return rows.roles.hours != nil || !rows.layout.dates.isEmpty
      || rows.columns.contains { ClosingDayColumns.isColumn($0) || names.contains($0) }
  }
}
