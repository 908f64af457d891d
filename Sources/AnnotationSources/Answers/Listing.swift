import AnnotationImport
import Geodesy
import MapAnnotations
import NearbySearch
import SpatialIndexing

/// An answer on its way out: what was asked, and the annotations in their order.
package struct Listing {
  /// What follows a page.
  package enum Continuation {
    /// The answer has no pages.
    case none
    /// It was the last page.
    case end
    /// There is a page behind this cursor.
    case cursor(String)

    package init(_ cursor: String?) { self = cursor.map { .cursor($0) } ?? .end }
  }

  /// One annotation, with its distance where there is a position to measure from.
  package struct Row {
    package let annotation: ImportedAnnotation
    /// nil for an unplaced annotation.
    package let coordinate: Coordinate?
    package let distance: Distance?
    package let bearing: Double?
    /// The nearest place of a line or an area; nil for one place, and where nothing is measured.
    let nearestPoint: Coordinate?
    /// What its hours say of the moment that is asked about; nil where none is.
    package let open: OpenStatus?
    /// Whether it is in business: at the moment that is asked about, or today.
    package let business: BusinessStatus

    package init(_ result: NearbyResult<ImportedAnnotation>, _ today: Today) {
      annotation = result.annotation
      coordinate = result.coordinate
      distance = result.origin == nil ? nil : result.distance
      (nearestPoint, bearing) = Row.way(to: annotation, from: result.origin)
      open = result.openStatus
      business = open?.business ?? today.business(of: annotation)
    }

    /// One that no query has found.
    package init(_ annotation: ImportedAnnotation, from origin: Coordinate?, _ today: Today) {
      self.annotation = annotation
      coordinate = annotation.coordinate
      distance = origin.flatMap { annotation.distance(from: $0) }
      (nearestPoint, bearing) = Row.way(to: annotation, from: origin)
      open = nil
      business = today.business(of: annotation)
    }

    /// Where the way from an origin ends, for a line or an area, and how it begins.
    private static func way(
      to annotation: ImportedAnnotation, from origin: Coordinate?
    ) -> (Coordinate?, Double?) {
      guard let origin else { return (nil, nil) }
      let point = annotation.shape?.nearest(to: origin)?.point
      return (point, (point ?? annotation.coordinate).flatMap { origin.initialBearing(to: $0) })
    }
  }

  /// What was asked, as JSON output repeats it.
  package let question: Question
  package let rows: [Row]
  package var validRadius: Distance?
  /// The first instant at which time alone changes the answer; nil when there is none.
  package var validUntil: Instant?
  /// What lies nearer and is not open on arrival.
  var passedOver: [Row] = []
  package var continuation = Continuation.none
  /// How many match, and how many of these have which values.
  package var facets: (total: Int, facets: [Facet])?
  /// What could not be asked; nil where all was.
  package var missing: MissingParts?
  /// For how many seconds changes may be missing; nil for what is no replica.
  package var replicaLag: Double?
  package let plan: QueryPlan?
  package let statistics: SearchStatistics
  package var viewport: BoundingBox?
  /// The annotations that were asked.
  let source: ImportedAnnotations
  /// The source's own columns that are wanted; nil for all.
  package var fields: [String]?
}

extension Listing {
  /// - Parameter source: The annotations that were asked.
  package init(
    _ answer: NearbyAnswer<ImportedAnnotation>, to question: Question,
    of source: ImportedAnnotations, _ today: Today
  ) {
    self.question = question
    self.source = source
    rows = answer.map { Row($0, today) }
    validRadius = answer.validRadius
    validUntil = answer.validUntil
    passedOver = answer.passedOver.map { Row($0, today) }
    facets = answer.matched.map { (total: $0, facets: answer.facets) }
    plan = answer.plan
    statistics = answer.statistics
  }

  /// What was asked of the annotations.
  package var query: NearbyQuery { question.query }

  /// Whether rows of one kind stand together, each kind under its name.
  var isGrouped: Bool { query.isPerKind }
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
