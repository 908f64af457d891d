import MapAnnotations

extension ImportedAnnotation {
  /// The text of its closing-day columns; see `ClosingDayColumns`.
  ///
  /// - Complexity: O(columns) if there is no such column; otherwise that of reading the record again.
  public var closingDays: String? {
    var properties = Properties()
    switch table.rows {
    case .delimited(let rows):
      for column in rows.columns.indices where ClosingDayColumns.isColumn(rows.columns[column]) {
        guard let text = rows.value(ofRow: row, column: column) else { continue }
        properties.append(rows.columns[column], .string(text))
      }
    case .features(let rows):
      properties = rows.properties(ofRow: row, if: ClosingDayColumns.isColumn)
    }
    return ClosingDayColumns.text(of: properties)
  }
}
