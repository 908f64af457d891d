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
        if path.count != 1 { outlines.append(try outline(path, file)) }
      }
    }
    return outlines
  }

  private static func outline(
    _ line: [Position], _ file: FileName
  ) throws(ReportedError) -> [Coordinate] {
    var positions: [Coordinate] = []
    positions.reserveCapacity(line.count)
    for position in line {
      do throws(CoordinateError) { positions.append(try position.coordinate()) } catch {
        throw ReportedError(error.code, "\(file.text): \(error)", fault: .badData)
      }
    }
    return positions
  }
}
