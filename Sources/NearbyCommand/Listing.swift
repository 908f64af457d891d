import AnnotationImport
import Geodesy
import MapAnnotations
import NearbySearch

/// An answer on its way out: what was asked, and the annotations in their order.
struct Listing {
  /// What was asked, as JSON output repeats it.
  struct Query {
    var origin: Coordinate?
    var limit: Int
    var ring: Ring
    var kinds: [String] = []
  }

  /// One annotation, with its distance where there is a position to measure from.
  struct Row {
    let annotation: ImportedAnnotation
    let coordinate: Coordinate
    let distance: Distance?
    let bearing: Double?

    init(_ result: NearbyResult<ImportedAnnotation>) {
      annotation = result.annotation
      coordinate = result.coordinate
      distance = result.distance
      bearing = result.bearing
    }

    /// nil for an unplaced annotation.
    init?(_ annotation: ImportedAnnotation, from origin: Coordinate?) {
      guard let coordinate = annotation.coordinate else { return nil }
      self.annotation = annotation
      self.coordinate = coordinate
      distance = origin.map { $0.distance(to: coordinate) }
      bearing = origin.flatMap { $0.initialBearing(to: coordinate) }
    }
  }

  var query: Query
  var rows: [Row]
  var validRadius: Distance?
  /// Whether rows of one kind stand together, each kind under its name.
  var isGrouped = false
  var viewport: BoundingBox?
  /// The columns of the sources, whether or not a row has something there.
  var columns: [String] = []
  /// The source's own columns that are wanted; nil for all.
  var fields: [String]?
}
