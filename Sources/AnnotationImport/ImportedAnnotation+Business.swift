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
