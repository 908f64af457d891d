import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import TextMaps

/// The map that goes with a list, or stands alone.
struct MapPicture {
  var origin: Coordinate?
  var radius: Distance?
  var viewport: BoundingBox?
  /// Whether pins carry the numbers of a list.
  var isNumbered: Bool
  var size: TextMap.Size
  var style: TextMap.Style
  var color: TerminalColor
  /// A GeoJSON file whose outlines are drawn; nil for the built-in ones.
  var basemap: FileName?

  /// - Parameter label: The column that is written beside each annotation, or `name`.
  func draw(_ rows: [Listing.Row], label: String? = nil) throws -> String {
    let map = TextMap(
      markers: rows.enumerated().map { place, row in
        TextMap.Marker(
          at: row.coordinate, number: isNumbered ? place + 1 : nil, kind: row.annotation.kind,
          label: label.flatMap { row.annotation.text(of: $0) })
      }, origin: origin, radius: radius, viewport: viewport, size: size, style: style,
      color: color,
      basemap: try basemap.map { Basemap(try OutlineFile.outlines(of: $0)) } ?? .koreaAndJapan)
    return map.render() + "\n"
  }
}

extension ImportedAnnotation {
  /// What a column says; of `name`, whatever column that is.
  fileprivate func text(of column: String) -> String? {
    column == "name" ? name : properties[column]?.text
  }
}

/// The lines and rings of a GeoJSON file.
enum OutlineFile {
  static func outlines(of file: FileName) throws(CommandError) -> [Outline] {
    var outlines: [Outline] = []
    for feature in try GeoJSONFile.features(of: file) {
      guard let geometry = feature.geometry else { continue }
      try append(geometry, to: &outlines, from: file)
    }
    return outlines
  }

  private static func append(
    _ geometry: Geometry, to outlines: inout [Outline], from file: FileName
  ) throws(CommandError) {
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

  private static func outline(_ line: [Position], _ file: FileName) throws(CommandError) -> Outline
  {
    var positions: [Coordinate] = []
    positions.reserveCapacity(line.count)
    for position in line {
      do throws(CoordinateError) { positions.append(try position.coordinate()) } catch {
        throw CommandError(error.code, "\(file.text): \(error)", status: .badData)
      }
    }
    return Outline(positions)
  }
}

/// A GeoJSON file that an option names, read whole.
enum GeoJSONFile {
  static func features(of file: FileName) throws(CommandError) -> [Feature] {
    try features(in: try Files.bytes(of: file), of: file)
  }

  /// The features in the bytes of a file.
  static func features(
    in bytes: [UInt8], of file: FileName
  ) throws(CommandError) -> [Feature] {
    do throws(GeoJSONError) { return try GeoJSONReader().features(in: bytes) } catch {
      throw CommandError(error.code, "\(file.text): \(error)", status: .badData)
    }
  }
}
