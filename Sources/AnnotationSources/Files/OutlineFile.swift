import GeoJSONCoding
import Geodesy

/// The lines and rings of a GeoJSON file.
package enum OutlineFile {
  package static func outlines(of file: FileName) throws(ReportedError) -> [[Coordinate]] {
    var outlines: [[Coordinate]] = []
    for feature in try GeoJSONFile.features(of: file) {
      do throws(CoordinateError) {
        outlines += try feature.geometry?.groundShape().shape.outlines ?? []
      } catch {
        throw ReportedError(error.code, "\(file.text): \(error)", fault: .badData)
      }
    }
    return outlines
  }
}
