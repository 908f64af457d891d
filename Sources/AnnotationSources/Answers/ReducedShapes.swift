import GeoJSONCoding
import Geodesy

/// Lines, areas and several points on their way into a format that has only points.
package struct ReducedShapes {
  private var count = 0

  package init() {}

  /// Counts a feature that is more than one point.
  package mutating func add(_ feature: Feature?) {
    guard let geometry = feature?.geometry, !geometry.isEmpty else { return }
    if case .point = geometry { return }
    count += 1
  }

  /// What a person should know; nil if nothing is lost.
  package func remark(format: String) -> String? {
    guard count > 0 else { return nil }
    return "warning: shapes-as-points: \(grouped(count)) of the features "
      + (count == 1 ? "is a line, an area" : "are lines, areas")
      + " or several points, for which \(format) has one point each; use geojson or gpkg to keep them"
  }
}
