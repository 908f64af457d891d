import GeoJSONCoding
import Geodesy

/// Lines, areas, several points and altitudes on their way into a format that has only points.
package struct ReducedShapes {
  private let format: String
  /// Whether the format has altitudes of points.
  private let keepsAltitudes: Bool
  private var count = 0
  private var altitudeCount = 0

  package init(format: String, keepsAltitudes: Bool = false) {
    self.format = format
    self.keepsAltitudes = keepsAltitudes
  }

  /// Counts a feature that is more than one point, or a point with an altitude that no property repeats.
  package mutating func add(_ feature: Feature?) {
    guard let feature, let geometry = feature.geometry, !geometry.isEmpty else { return }
    guard case .point(let position) = geometry else {
      count += 1
      return
    }
    // GPX has it there, too.
    if position.altitude != nil, feature.properties?["ele"] == nil { altitudeCount += 1 }
  }

  /// What a person should know; empty if nothing is lost.
  package var remarks: [String] {
    var remarks: [String] = []
    if count > 0 {
      remarks.append(
        "warning: shapes-as-points: \(grouped(count)) of the features "
          + (count == 1 ? "is a line, an area" : "are lines, areas")
          + " or several points, for which \(format) has one point each; use geojson or gpkg to keep "
          + "them")
    }
    if altitudeCount > 0, !keepsAltitudes {
      remarks.append(
        "warning: no-altitudes: \(grouped(altitudeCount)) of the features "
          + (altitudeCount == 1 ? "is a point" : "are points")
          + " with an altitude, for which \(format) has no place; use geojson, gpx or gpkg to keep it"
      )
    }
    return remarks
  }
}
