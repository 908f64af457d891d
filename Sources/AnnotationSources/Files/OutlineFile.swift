import GeoJSONCoding
import Geodesy

/// The lines and rings of a GeoJSON file.
package enum OutlineFile {
  package static func outlines(of file: FileName) throws(ReportedError) -> [[Coordinate]] {
    var shapes: [GroundShape] = []
    for feature in try GeoJSONFile.features(of: file) {
      do throws(CoordinateError) {
        if let shape = try feature.geometry?.groundShape().shape { shapes.append(shape) }
      } catch {
        throw ReportedError(error.code, "\(file.text): \(error)", fault: .badData)
      }
    }
    return shapes.outlines
  }
}
