import MapAnnotations

extension ImportedAnnotation {
  /// What its source says of its being in business; see `Annotation.business`.
  ///
  /// - Complexity: O(columns) where none of them speaks of that; otherwise that of reading the record again.
  public var business: BusinessRecord {
    guard case .delimited(let rows) = table.rows else {
      return BusinessRecord(reading: properties, isOffer: kind == .deal)
    }
    let columns = rows.columns.indices.filter { BusinessRecord.isColumn(rows.columns[$0]) }
    guard !columns.isEmpty else { return BusinessRecord() }
    var properties = Properties()
    for column in columns {
      guard let text = rows.value(ofRow: row, column: column) else { continue }
      properties.append(rows.columns[column], .string(text))
    }
    return BusinessRecord(reading: properties, isOffer: kind == .deal)
  }
}
