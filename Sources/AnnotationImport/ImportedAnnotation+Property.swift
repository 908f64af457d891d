import GeoJSONCoding
import MapAnnotations

extension ImportedAnnotation {
  /// What its source says under one name: a cell that is empty, or says `\N` or `NULL`, is null.
  ///
  /// - Complexity: O(its record), and O(1) for a column that its table has not; only the one cell becomes a text.
  public func property(_ name: String) -> PropertyValue? {
    switch table.rows {
    case .delimited(let rows): rows.property(ofRow: row, name)
    case .features(let rows): rows.property(ofRow: row, name)
    }
  }
}
