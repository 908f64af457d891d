import GeoJSONCoding
import Geodesy

extension ImportedAnnotation {
  /// The lines, polygons or several points of the GeoJSON feature that it was read from, in degrees; nil
  /// for one point, for nothing, and for a row of a table.
  ///
  /// What `coordinate` has is one position that stands for them.
  ///
  /// - Complexity: That of reading the feature again.
  public var geometry: Geometry? {
    guard case .features(let rows) = table.rows, let geometry = rows.geometry(ofRow: row),
      !geometry.isEmpty
    else { return nil }
    if case .point = geometry { return nil }
    return geometry
  }

  /// The same on the ground, for indexes to ask; nil for one place, and where the import took shapes for the places
  /// that stand for them.
  ///
  /// - Complexity: That of reading the feature again.
  public var shape: GroundShape? {
    guard case .features(let rows) = table.rows, rows.hasShapes, coordinate != nil else {
      return nil
    }
    // What is not on the Earth was rejected when it was read.
    return (try? geometry?.groundShape())?.shape
  }
}

extension ImportedAnnotations {
  /// Whether some may be lines or areas, and not one place each.
  public var hasShapes: Bool {
    tables.contains { table in
      if case .features(let rows) = table.rows { rows.hasShapes } else { false }
    }
  }
}
