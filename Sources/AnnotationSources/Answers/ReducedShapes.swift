import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Lines, areas, several points, altitudes and foreign members on their way into a format that has only points and
/// properties.
package struct ReducedShapes {
  private let format: String
  /// Whether the format has altitudes of points.
  private let keepsAltitudes: Bool
  private var count = 0
  private var altitudeCount = 0
  private var memberCount = 0
  private var firstMember = ""

  package init(format: String, keepsAltitudes: Bool = false) {
    self.format = format
    self.keepsAltitudes = keepsAltitudes
  }

  /// Counts a feature that is more than one point, a point with an altitude that no property repeats, or one with
  /// foreign members.
  package mutating func add(_ feature: Feature?) {
    guard let feature else { return }
    if let member = feature.foreignMembers.entries.first {
      if memberCount == 0 { firstMember = member.name }
      memberCount += 1
    }
    guard let geometry = feature.geometry, !geometry.isEmpty else { return }
    guard case .point(let position) = geometry else {
      count += 1
      return
    }
    // GPX has it there, too.
    if position.altitude != nil, feature.properties?["ele"] == nil { altitudeCount += 1 }
  }

  /// What a person should know; empty if nothing is lost.
  package var remarks: [String] {
    func remark(
      _ code: String, _ count: Int, one: String, several: String, _ rest: String
    ) -> String? {
      guard count > 0 else { return nil }
      return
        "warning: \(code): \(grouped(count)) of the features \(count == 1 ? one : several) \(rest)"
    }
    return [
      remark(
        "shapes-as-points", count, one: "is a line, an area", several: "are lines, areas",
        "or several points, for which \(format) has one point each; use geojson or gpkg to keep them"
      ),
      remark(
        "no-altitudes", keepsAltitudes ? 0 : altitudeCount, one: "is a point",
        several: "are points",
        "with an altitude, for which \(format) has no place; use geojson, gpx or gpkg to keep it"),
      remark(
        "no-members", memberCount, one: "has a member", several: "have members",
        "beside the properties (\"\(firstMember)\"), for which \(format) has no place; use geojson or gpkg to "
          + "keep them"),
    ].compactMap(\.self)
  }

  /// What a person should know of the members of collections, for which only whole collections have a place.
  package static func remarks(of annotations: ImportedAnnotations) -> [String] {
    // Positions are written on WGS 84, whatever they were.
    let names = annotations.collectionMembers.entries.map(\.name).filter { $0 != "crs" }
    guard !names.isEmpty else { return [] }
    let shown = names.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
    return [
      "warning: no-members: the collection has members beside its features (\(shown)"
        + (names.count > 5 ? ", …" : "")
        + "), which only geojson and gpkg keep; use one of these to keep them"
    ]
  }
}
