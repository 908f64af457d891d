import Geodesy

extension BasicAnnotation: Codable {
  private enum Key: String, CodingKey {
    case id, placeID, name, kind, coordinate, shape, openingHours, validDates, properties, origin
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
      placeID: try container.decodeIfPresent(String.self, forKey: .placeID),
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
