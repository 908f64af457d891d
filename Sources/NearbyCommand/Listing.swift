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
    var selection = Selection()
    var open: OpenPlan?
  }

  /// What follows a page.
  enum Continuation {
    /// The answer has no pages.
    case none
    /// It was the last page.
    case end
    /// There is a page behind this cursor.
    case cursor(String)

    init(_ cursor: PageCursor?) { self = cursor.map { .cursor($0.description) } ?? .end }
  }

  /// How many of all that match have which values.
  struct FacetList {
    let total: Int
    let facets: [Facet]
  }

  /// One annotation, with its distance where there is a position to measure from.
  struct Row {
    let annotation: ImportedAnnotation
    let coordinate: Coordinate
    let distance: Distance?
    let bearing: Double?
    /// What its hours say of the moment that is asked about; nil where none is.
    var open: OpenStatus?

    init(_ result: NearbyResult<ImportedAnnotation>) {
      annotation = result.annotation
      coordinate = result.coordinate
      distance = result.distance
      bearing = result.bearing
      open = result.openStatus
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
  /// The first instant at which time alone changes the answer; nil when there is none.
  var validUntil: Int64?
  /// What lies nearer and is not open on arrival.
  var passedOver: [Row] = []
  var continuation = Continuation.none
  var facets: FacetList?
  /// Whether rows of one kind stand together, each kind under its name.
  var isGrouped = false
  var viewport: BoundingBox?
  /// The columns of the sources, whether or not a row has something there.
  var columns: [String] = []
  /// The source's own columns that are wanted; nil for all.
  var fields: [String]?
}

extension Listing {
  /// Says of each row when it is open, and until when all of it holds.
  ///
  /// - Parameter limit: How many rows the nearest were cut down to; nil where all that was asked may
  ///   decide about the rows.
  mutating func tell(
    _ filter: OpenFilter<ImportedAnnotation>, showing limit: Int?, _ ring: Ring
  ) {
    for place in rows.indices { rows[place].open = filter.status(of: rows[place].annotation) }
    let items = rows.lazy.map(\.annotation)
    guard let limit, let origin = query.origin else {
      validUntil = filter.validUntil(showing: items)
      return
    }
    let told = filter.telling(
      of: Array(items), limit: limit, from: origin, within: ring.outer, beyond: ring.inner)
    validUntil = told.validUntil
    passedOver = told.passedOver.map(Row.init)
  }
}

extension Condition.Field {
  /// The field's name as its source or every annotation has it, without quotes.
  var columnName: String {
    switch name {
    case .common(let field): field.rawValue
    case .property(let name): name
    }
  }
}
