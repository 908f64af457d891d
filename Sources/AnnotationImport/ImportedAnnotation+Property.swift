import GeoJSONCoding
import MapAnnotations

extension ImportedAnnotation {
  /// What its source says under one name: a cell that is empty, or says `\N` or `NULL`, is null.
  ///
  /// - Complexity: O(its record); only the one cell becomes a text.
  public func property(_ name: String) -> PropertyValue? {
    switch table.rows {
    case .delimited(let rows):
      // Rows without a header may have columns that the first has not.
      guard
        let column = rows.columns.indices.first(where: {
          rows.columns[$0] == name && $0 != rows.roles.latitude && $0 != rows.roles.longitude
        })
      else { return properties[name] }
      return rows.value(ofRow: row, column: column).map { .string($0) } ?? .null
    case .features(let rows): return rows.property(ofRow: row, name)
    }
  }
}
