import GeoJSONCoding
import Geodesy

/// The lines and rings of a GeoJSON file.
package enum OutlineFile {
  package static func outlines(of file: FileName) throws(ReportedError) -> [[Coordinate]] {
    var shapes: [GroundShape] = []
    for feature in try GeoJSONFile.features(of: file) {
      let shape = try ReportedError.reporting(.badData, at: file.text) {
        () throws(CoordinateError) in try feature.geometry?.groundShape().shape
      }
      if let shape { shapes.append(shape) }
    }
    return shapes.outlines
  }
}
