import Geodesy

/// An annotation with every field stored: for custom kinds, tests and the small list in an app.
public struct BasicAnnotation: Annotation, Hashable {
  /// Names this annotation among all of its index.
  public var id: AnnotationID
  /// Names the spot, which several annotations may share.
  public var placeID: String?
  /// What people call it.
  public var name: String?
  /// What sort of thing it is.
  public var kind: AnnotationKind?
  /// Where it is, on WGS 84; nil for an unplaced annotation.
  public var coordinate: Coordinate?
  /// What it covers on the ground; nil for one place.
  public var shape: GroundShape?
  /// Its opening hours as its source writes them.
  public var openingHours: String?
  /// The days on which it holds, in ascending order; empty when it always does.
  public var validDates: [DateSpan]
  /// What else its source says.
  public var properties: Properties
  /// The record it came from.
  public var origin: RecordOrigin?

  /// Makes an annotation from what is known of it; only the id is needed.
  public init(
    id: AnnotationID, placeID: String? = nil, name: String? = nil, kind: AnnotationKind? = nil,
    coordinate: Coordinate? = nil, shape: GroundShape? = nil, openingHours: String? = nil,
    validDates: [DateSpan] = [], properties: Properties = Properties(),
    origin: RecordOrigin? = nil
  ) {
    self.id = id
    self.placeID = placeID
    self.name = name
    self.kind = kind
    self.coordinate = coordinate
    self.shape = shape
    self.openingHours = openingHours
    self.validDates = validDates
    self.properties = properties
    self.origin = origin
  }

  /// A copy of what any annotation says.
  public init(copying other: some Annotation) {
    self.init(
      id: other.id, placeID: other.placeID, name: other.name, kind: other.kind,
      coordinate: other.coordinate, shape: other.shape, openingHours: other.openingHours,
      validDates: other.validDates, properties: other.properties, origin: other.origin)
  }
}

/// An annotation that adds fields of its own kind to the common ones.
public protocol SpecialAnnotation: Annotation {
  /// The common fields; `kind` there is ignored.
  var common: BasicAnnotation { get }
}

extension SpecialAnnotation {
  /// The id among the common fields.
  public var id: AnnotationID { common.id }
  /// The spot's name among the common fields.
  public var placeID: String? { common.placeID }
  /// The name among the common fields.
  public var name: String? { common.name }
  /// The position among the common fields; nil for an unplaced annotation.
  public var coordinate: Coordinate? { common.coordinate }
  /// The shape among the common fields.
  public var shape: GroundShape? { common.shape }
  /// The opening hours among the common fields.
  public var openingHours: String? { common.openingHours }
  /// The days among the common fields.
  public var validDates: [DateSpan] { common.validDates }
  /// The properties among the common fields.
  public var properties: Properties { common.properties }
  /// The record among the common fields.
  public var origin: RecordOrigin? { common.origin }
}

/// An offer at a shop.
///
/// Several deals may share one place, hence one `placeID`.
public struct Deal: SpecialAnnotation, Hashable {
  /// What every annotation says; its own `kind` is not read.
  public var common: BasicAnnotation
  /// What the offer gives, as its source words it.
  public var terms: String?
  /// Where to read more.
  public var webAddress: String?

  /// Always `deal`.
  public var kind: AnnotationKind? { .deal }

  /// Makes a deal of what any annotation says, its terms and web address of the properties `terms`
  /// and `web`.
  public init(copying other: some Annotation) {
    self.init(
      BasicAnnotation(copying: other), terms: other.properties["terms"]?.text,
      webAddress: other.properties["web"]?.text)
  }

  /// Makes a deal of an annotation's common fields and its own.
  public init(_ common: BasicAnnotation, terms: String? = nil, webAddress: String? = nil) {
    self.common = common
    self.terms = terms
    self.webAddress = webAddress
  }
}

/// A place that shows films.
public struct Cinema: SpecialAnnotation, Hashable {
  /// What every annotation says; its own `kind` is not read.
  public var common: BasicAnnotation
  /// The address as its source writes it; nil when unknown.
  public var address: String?

  /// Always `cinema`.
  public var kind: AnnotationKind? { .cinema }

  /// Makes a cinema of what any annotation says, its address of the property of that name.
  public init(copying other: some Annotation) {
    self.init(BasicAnnotation(copying: other), address: other.properties["address"]?.text)
  }

  /// Makes a cinema of an annotation's common fields and its own.
  public init(_ common: BasicAnnotation, address: String? = nil) {
    self.common = common
    self.address = address
  }
}

/// A supermarket or large store, which may belong to a brand.
public struct Mart: SpecialAnnotation, Hashable {
  /// What every annotation says; its own `kind` is not read.
  public var common: BasicAnnotation
  /// The chain, by the name its signs carry; nil for an independent store.
  public var brand: String?
  /// The address as its source writes it; nil when unknown.
  public var address: String?

  /// Always `mart`.
  public var kind: AnnotationKind? { .mart }

  /// Makes a mart of what any annotation says, its brand and address of the properties of those
  /// names; an empty brand counts as no brand.
  public init(copying other: some Annotation) {
    let brand = other.properties["brand"]?.text ?? ""
    self.init(
      BasicAnnotation(copying: other), brand: brand.isEmpty ? nil : brand,
      address: other.properties["address"]?.text)
  }

  /// Makes a mart of an annotation's common fields and its own.
  public init(_ common: BasicAnnotation, brand: String? = nil, address: String? = nil) {
    self.common = common
    self.brand = brand
    self.address = address
  }
}
