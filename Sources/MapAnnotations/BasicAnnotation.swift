import Geodesy

/// An annotation with every field stored: for custom kinds, tests and the small list in an app.
public struct BasicAnnotation: Annotation, Hashable {
  public var id: AnnotationID
  public var placeID: String?
  public var name: String?
  public var kind: AnnotationKind?
  public var coordinate: Coordinate?
  public var openingHours: String?
  public var validDates: [DateSpan]
  public var properties: Properties
  public var origin: RecordOrigin?

  public init(
    id: AnnotationID, placeID: String? = nil, name: String? = nil, kind: AnnotationKind? = nil,
    coordinate: Coordinate? = nil, openingHours: String? = nil, validDates: [DateSpan] = [],
    properties: Properties = Properties(), origin: RecordOrigin? = nil
  ) {
    self.id = id
    self.placeID = placeID
    self.name = name
    self.kind = kind
    self.coordinate = coordinate
    self.openingHours = openingHours
    self.validDates = validDates
    self.properties = properties
    self.origin = origin
  }

  /// A copy of what any annotation says.
  public init(copying other: some Annotation) {
    self.init(
      id: other.id, placeID: other.placeID, name: other.name, kind: other.kind,
      coordinate: other.coordinate, openingHours: other.openingHours,
      validDates: other.validDates, properties: other.properties, origin: other.origin)
  }
}

/// An annotation that adds fields of its own kind to the common ones.
public protocol SpecialAnnotation: Annotation {
  /// The common fields; `kind` there is ignored.
  var common: BasicAnnotation { get }
}

extension SpecialAnnotation {
  public var id: AnnotationID { common.id }
  public var placeID: String? { common.placeID }
  public var name: String? { common.name }
  public var coordinate: Coordinate? { common.coordinate }
  public var openingHours: String? { common.openingHours }
  public var validDates: [DateSpan] { common.validDates }
  public var properties: Properties { common.properties }
  public var origin: RecordOrigin? { common.origin }
}

/// An offer at a shop. Several deals may share one place, hence one `placeID`.
public struct Deal: SpecialAnnotation, Hashable {
  public var common: BasicAnnotation
  /// What the offer gives, as its source words it.
  public var terms: String?
  /// Where to read more.
  public var webAddress: String?

  public var kind: AnnotationKind? { .deal }

  public init(_ common: BasicAnnotation, terms: String? = nil, webAddress: String? = nil) {
    self.common = common
    self.terms = terms
    self.webAddress = webAddress
  }
}

/// A place that shows films.
public struct Cinema: SpecialAnnotation, Hashable {
  public var common: BasicAnnotation
  public var address: String?

  public var kind: AnnotationKind? { .cinema }

  public init(_ common: BasicAnnotation, address: String? = nil) {
    self.common = common
    self.address = address
  }
}

/// A supermarket or large store, which may belong to a brand.
public struct Mart: SpecialAnnotation, Hashable {
  public var common: BasicAnnotation
  /// The chain, by the name its signs carry; nil for an independent store.
  public var brand: String?
  public var address: String?

  public var kind: AnnotationKind? { .mart }

  public init(_ common: BasicAnnotation, brand: String? = nil, address: String? = nil) {
    self.common = common
    self.brand = brand
    self.address = address
  }
}
