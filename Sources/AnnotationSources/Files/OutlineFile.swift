import GeoJSONCoding
import Geodesy
import TextMaps

/// The lines and rings of a GeoJSON file.
package enum OutlineFile {
  package static func outlines(of file: FileName) throws(ReportedError) -> [Outline] {
    var outlines: [Outline] = []
    for feature in try GeoJSONFile.features(of: file) {
      guard let geometry = feature.geometry else { continue }
      try append(geometry.wrapped, to: &outlines, from: file)
    }
    return outlines
  }

  private static func append(
    _ geometry: Geometry, to outlines: inout [Outline], from file: FileName
  ) throws(ReportedError) {
    switch geometry {
    case .point, .multiPoint: break
    case .lineString(let line): outlines.append(try outline(line, file))
    case .multiLineString(let lines), .polygon(let lines):
      for line in lines { outlines.append(try outline(line, file)) }
    case .multiPolygon(let polygons):
      for rings in polygons { for ring in rings { outlines.append(try outline(ring, file)) } }
    case .geometryCollection(let members):
      for member in members { try append(member, to: &outlines, from: file) }
    }
  }

  private static func outline(_ line: [Position], _ file: FileName) throws(ReportedError) -> Outline
  {
    var positions: [Coordinate] = []
    positions.reserveCapacity(line.count)
    for position in line {
      do throws(CoordinateError) { positions.append(try position.coordinate()) } catch {
        throw ReportedError(error.code, "\(file.text): \(error)", fault: .badData)
      }
    }
    return Outline(positions)
  }
}
