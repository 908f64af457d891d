import AnnotationImport
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
  /// Whether however many annotations have signs and counts.
  var showsCounts = false

  /// - Parameter label: The column that is written beside each annotation, or `name`.
  func draw(_ rows: [Listing.Row], label: String? = nil) throws -> String {
    var map = TextMap(
      markers: rows.enumerated().compactMap { place, row in
        row.coordinate.map {
          TextMap.Marker(
            at: $0, number: isNumbered ? place + 1 : nil, kind: row.annotation.kind,
            label: label.flatMap { row.annotation.text(of: $0) },
            isOutOfBusiness: row.business.isOutOfBusiness)
        }
      }, lines: rows.flatMap(\.annotation.outlines), origin: origin, radius: radius,
      viewport: viewport, size: size, style: style, color: color,
      basemap: try basemap.map { Basemap(try OutlineFile.outlines(of: $0)) } ?? .world)
    map.showsCounts = showsCounts
    return map.render() + "\n"
  }
}

extension ImportedAnnotation {
  /// The lines and the rings of areas, for a map; none for a point.
  var outlines: [[Coordinate]] {
    guard let shape else { return [] }
    let rings = shape.area.polygons.flatMap { [$0.outerVertices] + $0.holeVertices }
    return (rings + shape.lines.map(\.vertices)).map { vertices in
      vertices.map {
        Coordinate(unchecked: $0.latitude, Coordinate.wrappedLongitude($0.longitude))
      }
    }
  }

  /// What a column says; of `name`, whatever column that is.
  fileprivate func text(of column: String) -> String? {
    column == "name" ? name : properties[column]?.text
  }
}
