import Geodesy

/// An annotation with every field stored: for custom kinds, tests and small lists in an app.
public struct BasicAnnotation: Annotation, Hashable {
  /// The id, unique in an index.
  public var id: AnnotationID
  /// The id of the place, which several annotations may share.
  public var placeID: String?
  /// The display name.
  public var name: String?
  /// The kind.
  public var kind: AnnotationKind?
  /// The position on WGS 84; nil for an unplaced annotation.
  public var coordinate: Coordinate?
  /// The shape on the ground, beside a coordinate; nil for a single point.
  public var shape: GroundShape?
  /// The opening hours as the source writes them.
  public var openingHours: String?
  /// The days on which it is valid, in ascending order; empty if it always is.
  public var validDates: [DateSpan]
  /// Further data of the source.
  public var properties: Properties
  /// The record it came from.
  public var origin: RecordOrigin?

  /// Makes an annotation from its fields; only the id is required.
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

  /// Copies the fields of any annotation.
  ///
  /// What a type computes in its own ``Annotation/business``, ``Annotation/closingDays`` or ``Annotation/calendar`` is
  /// not copied: the copy reads them from the properties.
  public init(copying other: some Annotation) {
    self.init(
      id: other.id, placeID: other.placeID, name: other.name, kind: other.kind,
      coordinate: other.coordinate, shape: other.shape, openingHours: other.openingHours,
      validDates: other.validDates, properties: other.properties, origin: other.origin)
  }
}

/// An annotation that adds fields to the common ones.
public protocol SpecialAnnotation: Annotation {
  /// The common fields; their `kind` is ignored.
  var common: BasicAnnotation { get }
}

extension SpecialAnnotation {
  /// The id among the common fields.
  public var id: AnnotationID { common.id }
  /// The id of the place among the common fields.
  public var placeID: String? { common.placeID }
  /// The name among the common fields.
  public var name: String? { common.name }
  /// The position among the common fields; nil for an unplaced annotation.
  public var coordinate: Coordinate? { common.coordinate }
  /// The shape among the common fields.
  public var shape: GroundShape? { common.shape }
  /// The opening hours among the common fields.
  public var openingHours: String? { common.openingHours }
  /// The valid days among the common fields.
  public var validDates: [DateSpan] { common.validDates }
  /// The properties among the common fields.
  public var properties: Properties { common.properties }
  /// The record among the common fields.
  public var origin: RecordOrigin? { common.origin }
}

extension BasicAnnotation {
  /// The text of a property: where the fields of a kind are kept, so that conditions, orders, counts and stores know
  /// them.
  fileprivate subscript(field name: String) -> String? {
    get { properties[name]?.text }
    set {
      // A number with the same text stays a number.
      guard newValue.map(ExactText.init) != self[field: name].map(ExactText.init) else { return }
      properties[name] = newValue.map(PropertyValue.string)
    }
  }
}

/// An offer at a shop.
///
/// Several deals may share one place, hence one `placeID`.
public struct Deal: SpecialAnnotation, Hashable {
  /// The common fields; their `kind` is ignored.
  public var common: BasicAnnotation
  /// The terms of the offer, in the source's words: the property `terms`.
  public var terms: String? {
    get { common[field: "terms"] }
    set { common[field: "terms"] = newValue }
  }
  /// The web address with more information: the property `web`.
  public var webAddress: String? {
    get { common[field: "web"] }
    set { common[field: "web"] = newValue }
  }

  /// Always `deal`.
  public var kind: AnnotationKind? { .deal }

  /// Makes a deal from any annotation; terms and web address come from the properties `terms` and
  /// `web`.
  public init(copying other: some Annotation) {
    self.init(BasicAnnotation(copying: other))
  }

  /// Makes a deal from an annotation's common fields and its own, which become properties; nil leaves what is there.
  public init(_ common: BasicAnnotation, terms: String? = nil, webAddress: String? = nil) {
    self.common = common
    if let terms { self.terms = terms }
    if let webAddress { self.webAddress = webAddress }
  }
}

/// A place that shows films.
public struct Cinema: SpecialAnnotation, Hashable {
  /// The common fields; their `kind` is ignored.
  public var common: BasicAnnotation
  /// The address as the source writes it, the property `address`; nil when unknown.
  public var address: String? {
    get { common[field: "address"] }
    set { common[field: "address"] = newValue }
  }

  /// Always `cinema`.
  public var kind: AnnotationKind? { .cinema }

  /// Makes a cinema from any annotation; the address comes from the property `address`.
  public init(copying other: some Annotation) {
    self.init(BasicAnnotation(copying: other))
  }

  /// Makes a cinema from an annotation's common fields and its own, which becomes a property; nil leaves what is there.
  public init(_ common: BasicAnnotation, address: String? = nil) {
    self.common = common
    if let address { self.address = address }
  }
}

/// A supermarket or large store, which may belong to a brand.
public struct Mart: SpecialAnnotation, Hashable {
  /// The common fields; their `kind` is ignored.
  public var common: BasicAnnotation
  /// The chain, by the name on its signs: the property `brand`; nil for an independent store, and if it is empty.
  public var brand: String? {
    get { common[field: "brand"].flatMap { $0.isEmpty ? nil : $0 } }
    set { common[field: "brand"] = newValue }
  }
  /// The address as the source writes it, the property `address`; nil when unknown.
  public var address: String? {
    get { common[field: "address"] }
    set { common[field: "address"] = newValue }
  }

  /// Always `mart`.
  public var kind: AnnotationKind? { .mart }

  /// Makes a mart from any annotation; brand and address come from the properties with these names.
  public init(copying other: some Annotation) {
    self.init(BasicAnnotation(copying: other))
  }

  /// Makes a mart from an annotation's common fields and its own, which become properties; nil leaves what is there.
  public init(_ common: BasicAnnotation, brand: String? = nil, address: String? = nil) {
    self.common = common
    if let brand { self.brand = brand }
    if let address { self.address = address }
  }
}

extension BasicAnnotation: Codable {
  private enum Key: String, CodingKey {
    case id, placeID, name, kind, coordinate, shape, openingHours, validDates, properties, origin
    /// What a decoder's `convertFromSnakeCase` makes of `place_id`.
    case placeId
  }

  /// Encodes an object of its fields; nil and empty fields are omitted.
  ///
  ///     {"id": "7", "name": "Kino", "coordinate": {"latitude": 37.5, "longitude": 127}}
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encodeIfPresent(placeID, forKey: .placeID)
    try container.encodeIfPresent(name, forKey: .name)
    try container.encodeIfPresent(kind, forKey: .kind)
    try container.encodeIfPresent(coordinate, forKey: .coordinate)
    try container.encodeIfPresent(shape, forKey: .shape)
    try container.encodeIfPresent(openingHours, forKey: .openingHours)
    try container.encodeUnlessEmpty(validDates, forKey: .validDates)
    if !properties.isEmpty { try container.encode(properties, forKey: .properties) }
    try container.encodeIfPresent(origin, forKey: .origin)
  }

  /// Decodes an object of its fields; only `id` is required.
  ///
  /// - Throws: `DecodingError`, as for its fields.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      id: try container.decode(AnnotationID.self, forKey: .id),
      placeID: try container.decodeIfPresent(String.self, forKey: .placeID)
        ?? container.decodeIfPresent(String.self, forKey: .placeId),
      name: try container.decodeIfPresent(String.self, forKey: .name),
      kind: try container.decodeIfPresent(AnnotationKind.self, forKey: .kind),
      coordinate: try container.decodeIfPresent(Coordinate.self, forKey: .coordinate),
      shape: try container.decodeIfPresent(GroundShape.self, forKey: .shape),
      openingHours: try container.decodeIfPresent(String.self, forKey: .openingHours),
      validDates: try container.decodeIfPresent([DateSpan].self, forKey: .validDates) ?? [],
      properties: try container.decodeIfPresent(Properties.self, forKey: .properties)
        ?? Properties(),
      origin: try container.decodeIfPresent(RecordOrigin.self, forKey: .origin))
  }
}

// Fields of a kind are siblings of the common fields, so that every kind decodes as a `BasicAnnotation`.

private enum OwnKey: String, CodingKey { case terms, webAddress, address, brand }

extension Deal: Codable {
  /// Encodes a `BasicAnnotation`, with `terms` and `webAddress` if known.
  public func encode(to encoder: any Encoder) throws {
    try common.encode(to: encoder)
    var container = encoder.container(keyedBy: OwnKey.self)
    try container.encodeIfPresent(terms, forKey: .terms)
    try container.encodeIfPresent(webAddress, forKey: .webAddress)
  }

  /// - Throws: `DecodingError`, as for its fields.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OwnKey.self)
    self.init(
      try BasicAnnotation(from: decoder),
      terms: try container.decodeIfPresent(String.self, forKey: .terms),
      webAddress: try container.decodeIfPresent(String.self, forKey: .webAddress))
  }
}

extension Cinema: Codable {
  /// Encodes a `BasicAnnotation`, with `address` if known.
  public func encode(to encoder: any Encoder) throws {
    try common.encode(to: encoder)
    var container = encoder.container(keyedBy: OwnKey.self)
    try container.encodeIfPresent(address, forKey: .address)
  }

  /// - Throws: `DecodingError`, as for its fields.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OwnKey.self)
    self.init(
      try BasicAnnotation(from: decoder),
      address: try container.decodeIfPresent(String.self, forKey: .address))
  }
}

extension Mart: Codable {
  /// Encodes a `BasicAnnotation`, with `brand` and `address` if known.
  public func encode(to encoder: any Encoder) throws {
    try common.encode(to: encoder)
    var container = encoder.container(keyedBy: OwnKey.self)
    try container.encodeIfPresent(brand, forKey: .brand)
    try container.encodeIfPresent(address, forKey: .address)
  }

  /// - Throws: `DecodingError`, as for its fields.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OwnKey.self)
    self.init(
      try BasicAnnotation(from: decoder),
      brand: try container.decodeIfPresent(String.self, forKey: .brand),
      address: try container.decodeIfPresent(String.self, forKey: .address))
  }
}
