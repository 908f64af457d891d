import GeoJSONCoding

extension ImportedAnnotation {
  /// The lines, polygons or several points of the GeoJSON feature that it was read from, in degrees; nil
  /// for one point, for nothing, and for a row of a table.
  ///
  /// What `coordinate` has is one position that stands for them.
  ///
  /// - Complexity: That of reading the feature again.
  public var shape: Geometry? {
    guard case .features(let rows) = table.rows, let geometry = rows.geometry(ofRow: row),
      !geometry.isEmpty
    else { return nil }
    if case .point = geometry { return nil }
    return geometry
  }
}
