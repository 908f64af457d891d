import GeoJSONCoding
import Geodesy
import TextMaps

/// The lines and rings of a GeoJSON file.
package enum OutlineFile {
  package static func outlines(of file: FileName) throws(ReportedError) -> [[Coordinate]] {
    var outlines: [[Coordinate]] = []
    for feature in try GeoJSONFile.features(of: file) {
      try feature.geometry?.wrapped.forEachPath { (path) throws(ReportedError) in
        // A path of one position is a point.
        if path.count != 1 { outlines += try divided(path, file) }
      }
    }
    return outlines
  }

  /// A line whose edges are as straight on a map as in the file.
  private static func divided(
    _ line: [Position], _ file: FileName
  ) throws(ReportedError) -> [[Coordinate]] {
    var vertices: [PolygonVertex] = []
    vertices.reserveCapacity(line.count)
    for position in line {
      do throws(CoordinateError) {
        vertices.append(
          try PolygonVertex(latitude: position.latitude, longitude: position.longitude))
      } catch {
        throw ReportedError(error.code, "\(file.text): \(error)", fault: .badData)
      }
    }
    return GroundShape(lines: [Polyline(vertices)]).outlines
  }
}
