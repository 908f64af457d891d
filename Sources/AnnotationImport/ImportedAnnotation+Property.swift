import GeoJSONCoding
import MapAnnotations

extension ImportedAnnotation {
  /// The property with a name; a cell that is empty, `\N` or `NULL` is null.
  ///
  /// - Complexity: O(its record), and O(1) for a column that its table does not have; only the one cell becomes a
  ///   string.
  public func property(_ name: String) -> PropertyValue? {
    switch table.rows {
    case .delimited(let rows): rows.property(ofRow: row, name)
    case .features(let rows): rows.property(ofRow: row, name)
    }
  }

  /// The same with the text of each cell as written, as in `properties`: what is shown, not what it means.
  package func writtenProperty(_ name: String) -> PropertyValue? {
    switch table.rows {
    case .delimited(let rows): rows.writtenProperty(ofRow: row, name)
    case .features(let rows): rows.property(ofRow: row, name)
    }
  }
}
