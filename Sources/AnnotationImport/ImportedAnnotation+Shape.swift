import GeoJSONCoding
import Geodesy

extension ImportedAnnotation {
  /// The lines, polygons or several points of its GeoJSON feature, in degrees; nil for one point,
  /// for no geometry, and for a row of a table.
  ///
  /// `coordinate` is one position that represents them.
  ///
  /// - Complexity: That of reading the feature again.
  public var geometry: Geometry? {
    guard case .features(let rows) = table.rows, let geometry = rows.geometry(ofRow: row),
      !geometry.isEmpty
    else { return nil }
    if case .point = geometry { return nil }
    return geometry
  }

  /// The same as a shape on the ground, for indexes; nil for one point, and if the import reduced
  /// shapes to representative positions.
  ///
  /// - Complexity: That of reading the feature again.
  public var shape: GroundShape? {
    guard case .features(let rows) = table.rows, rows.hasShapes, coordinate != nil else {
      return nil
    }
    // Positions off the Earth were rejected on import.
    return (try? geometry?.groundShape())?.shape
  }
}

extension ImportedAnnotation {
  /// Whether its feature may be more than a point, also where it is used as one.
  package var mayBeShape: Bool {
    if case .features(let rows) = table.rows { !rows.arePoints } else { false }
  }
}

extension ImportedAnnotations {
  /// Whether some annotations may be lines or areas, not single points.
  public var hasShapes: Bool {
    tables.contains { table in
      if case .features(let rows) = table.rows { rows.hasShapes } else { false }
    }
  }
}
