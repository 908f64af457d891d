import MapAnnotations

extension ImportedAnnotation {
  /// The text of its closing-day columns; see `ClosingDayColumns`.
  ///
  /// - Complexity: O(columns) if there is no such column; otherwise that of reading the record again.
  public var closingDays: String? {
    guard case .delimited(let rows) = table.rows else {
      return ClosingDayColumns.text(of: properties)
    }
    var properties = Properties()
    for column in rows.columns.indices where ClosingDayColumns.isColumn(rows.columns[column]) {
      guard let text = rows.value(ofRow: row, column: column) else { continue }
      properties.append(rows.columns[column], .string(text))
    }
    return ClosingDayColumns.text(of: properties)
  }
}
