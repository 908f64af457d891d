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
    /// nil for an unplaced annotation.
    let coordinate: Coordinate?
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

    /// Whether it is in business: at the moment that is asked about, or today.
    var business: BusinessStatus { open?.business ?? annotation.businessToday }

    init(_ annotation: ImportedAnnotation, from origin: Coordinate?) {
      self.annotation = annotation
      let coordinate = annotation.coordinate
      self.coordinate = coordinate
      distance = origin.flatMap { origin in coordinate.map { origin.distance(to: $0) } }
      bearing = origin.flatMap { origin in coordinate.flatMap { origin.initialBearing(to: $0) } }
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
  /// Which page the rows are; nil where they are none.
  var page: PageRequest?
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
  /// - Parameters:
  ///   - filter: Asked of everything that otherwise counts.
  ///   - selection: What was asked of the order of the rows.
  ///   - limit: How many rows they were cut down to, of each kind where they are grouped.
  mutating func tell(
    _ filter: OpenFilter<ImportedAnnotation>, _ selection: Selection, limit: Int, _ ring: Ring
  ) throws(CommandError) {
    for place in rows.indices { rows[place].open = filter.status(of: rows[place].annotation) }
    let items = rows.map(\.annotation)
    guard let origin = query.origin, !isGrouped, selection.isPlain else {
      let origin = query.origin
      let request =
        page ?? PageRequest(limit: limit, order: origin == nil ? .id : .distance, query: "")
      do throws(ConditionError) {
        validUntil = try filter.validUntil(
          showing: items, of: request, eachKind: isGrouped, from: origin
        ) { item in
          guard let origin else { return true }
          return item.coordinate.map { ring.contains(origin.distance(to: $0)) } ?? false
        }
      } catch {
        throw CommandError(error.code, error.message, status: .usage)
      }
      return
    }
    let told = filter.telling(
      of: items, limit: limit, from: origin, within: ring.outer, beyond: ring.inner)
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
