import AnnotationImport
import Geodesy
import MapAnnotations
import TextMaps

/// How a map is drawn.
package struct MapPlan {
  package var size: TextMap.Size
  package var style = TextMap.Style.braille
  package var color: TerminalColor
  /// A GeoJSON file whose outlines are drawn; nil for the built-in ones.
  package var basemap: FileName?

  /// What is drawn below everything else.
  package func outlines() throws(ReportedError) -> Basemap {
    guard let basemap else { return .world }
    return Basemap(try OutlineFile.outlines(of: basemap))
  }

  package init(size: TextMap.Size, color: TerminalColor) {
    self.size = size
    self.color = color
  }
}

/// The map that goes with a list, or stands alone.
package struct MapPicture {
  private let listing: Listing
  private let plan: MapPlan
  /// Whether pins carry the numbers of a list.
  private let isNumbered: Bool
  /// Whether however many annotations have signs and counts.
  package var showsCounts = false

  /// The map of a listing: its pins carry the numbers of the list beside it, if there is one.
  package init(of listing: Listing, _ plan: MapPlan, isNumbered: Bool) {
    self.listing = listing
    self.plan = plan
    self.isNumbered = isNumbered
  }

  /// - Parameter label: The column that is written beside each annotation, or `name`.
  package func draw(label: String? = nil) throws(ReportedError) -> String {
    let rows = listing.rows
    let within = listing.query.distances.within
    var map = TextMap(
      markers: rows.enumerated().compactMap { place, row in
        row.coordinate.map {
          TextMap.Marker(
            at: $0, number: isNumbered ? place + 1 : nil, kind: row.annotation.kind,
            label: label.flatMap { row.annotation.text(of: $0) },
            isOutOfBusiness: row.business.isOutOfBusiness)
        }
      }, lines: rows.flatMap(\.annotation.outlines), origin: listing.query.origin,
      radius: within < .infinity ? within : nil, viewport: listing.viewport, size: plan.size,
      style: plan.style, color: plan.color, basemap: try plan.outlines())
    map.showsCounts = showsCounts
    return map.render() + "\n"
  }
}

extension ImportedAnnotation {
  /// The lines and the rings of areas, for a map; none for a point.
  package var outlines: [[Coordinate]] { shape?.outlines ?? [] }

  /// What a column says; of `name`, whatever column that is.
  fileprivate func text(of column: String) -> String? {
    column == "name" ? name : properties[column]?.text
  }
}
