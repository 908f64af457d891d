// Encoded forms: keys are the Swift property names, angles are in degrees and lengths in meters.
// Decoded values are checked like values made in code.

extension Encoder {
  /// Encodes a single value without a container of its own.
  package func encodeAlone(_ value: some Encodable) throws {
    var container = singleValueContainer()
    try container.encode(value)
  }
}

extension KeyedEncodingContainer {
  /// Encodes a list; an empty one is omitted.
  package mutating func encodeUnlessEmpty(
    _ values: some Collection & Encodable, forKey key: Key
  ) throws {
    if !values.isEmpty { try encode(values, forKey: key) }
  }
}

extension Decoder {
  /// Makes a value of decoded parts; an error becomes a `DecodingError` with its description.
  package func checked<Value, Failure: CodedError>(
    _ make: () throws(Failure) -> Value
  ) throws -> Value {
    do throws(Failure) {
      return try make()
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath, debugDescription: error.description, underlyingError: error))
    }
  }

  /// The `DecodingError` for a decoded value that is invalid.
  ///
  /// - Parameter words: What is wrong, the value, and what to do.
  package func refusal(_ words: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: words))
  }
}

private enum AngleKey: String, CodingKey { case latitude, longitude }

extension Coordinate: Codable {
  /// Encodes `{"latitude": 37.5666, "longitude": 126.9784}`.
  public func encode(to encoder: any Encoder) throws {
    try encodeAngles(latitude, longitude, to: encoder)
  }

  /// - Throws: `DecodingError` with the description of a `CoordinateError` for an invalid position.
  public init(from decoder: any Decoder) throws {
    let (latitude, longitude) = try decodedAngles(from: decoder)
    self = try decoder.checked { () throws(CoordinateError) in
      try Coordinate(latitude: latitude, longitude: longitude)
    }
  }
}

extension PolygonVertex: Codable {
  /// Encodes the same form as `Coordinate`; 180 stays distinct from −180.
  public func encode(to encoder: any Encoder) throws {
    try encodeAngles(latitude, longitude, to: encoder)
  }

  /// - Throws: `DecodingError`, as for a `Coordinate`.
  public init(from decoder: any Decoder) throws {
    let (latitude, longitude) = try decodedAngles(from: decoder)
    self = try decoder.checked { () throws(CoordinateError) in
      try PolygonVertex(latitude: latitude, longitude: longitude)
    }
  }
}

private func encodeAngles(
  _ latitude: Double, _ longitude: Double, to encoder: any Encoder
) throws {
  var container = encoder.container(keyedBy: AngleKey.self)
  try container.encode(latitude, forKey: .latitude)
  try container.encode(longitude, forKey: .longitude)
}

private func decodedAngles(from decoder: any Decoder) throws -> (Double, Double) {
  let container = try decoder.container(keyedBy: AngleKey.self)
  return (
    try container.decode(Double.self, forKey: .latitude),
    try container.decode(Double.self, forKey: .longitude)
  )
}

extension BoundingBox: Decodable {
  private enum Key: String, CodingKey { case south, west, north, east }

  /// Decodes `{"south": -21, "west": 177, "north": -12, "east": -178}`.
  ///
  /// - Throws: `DecodingError` with the description of a `CoordinateError` for invalid edges.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let south = try container.decode(Double.self, forKey: .south)
    let west = try container.decode(Double.self, forKey: .west)
    let north = try container.decode(Double.self, forKey: .north)
    let east = try container.decode(Double.self, forKey: .east)
    self = try decoder.checked { () throws(CoordinateError) in
      try BoundingBox(south: south, west: west, north: north, east: east)
    }
  }
}

extension Distance: Codable {
  /// Encodes the number of meters; an infinite length is the text `inf`, since JSON has no such number.
  public func encode(to encoder: any Encoder) throws {
    if meters.isFinite {
      try encoder.encodeAlone(meters)
    } else {
      try encoder.encodeAlone("\(meters)")
    }
  }

  /// - Throws: `DecodingError` for a value that is not a number of meters.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let meters: Double
    if let text = try? container.decode(String.self) {
      guard text == "inf" || text == "-inf" else {
        throw decoder.refusal(
          "\"\(text)\" is not a length; write meters as a number, or \"inf\" for no end")
      }
      meters = text == "inf" ? .infinity : -.infinity
    } else {
      meters = try container.decode(Double.self)
    }
    guard !meters.isNaN else {
      throw decoder.refusal("nan is not a length; write meters as a number")
    }
    self = .meters(meters)
  }
}

extension Polygon: Codable {
  private enum Key: String, CodingKey { case outer, holes }

  /// Encodes `{"outer": [vertex, …], "holes": [[vertex, …], …]}`, where each ring repeats its first
  /// vertex at the end; `holes` is omitted if empty.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(outerVertices, forKey: .outer)
    try container.encodeUnlessEmpty(holeVertices, forKey: .holes)
  }

  /// - Throws: `DecodingError` with the description of a `PolygonError` for invalid rings.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let outer = try container.decode([PolygonVertex].self, forKey: .outer)
    let holes = try container.decodeIfPresent([[PolygonVertex]].self, forKey: .holes)
    self = try decoder.checked { () throws(PolygonError) in
      try Polygon(outer: outer, holes: holes ?? [])
    }
  }
}

extension MultiPolygon: Codable {
  /// Encodes the array of its polygons.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(polygons) }

  /// - Throws: `DecodingError`, as for a `Polygon`.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Polygon].self))
  }
}

extension Polyline: Codable {
  /// Encodes the array of its vertices.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(vertices) }

  /// - Throws: `DecodingError`, as for a `PolygonVertex`.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([PolygonVertex].self))
  }
}

extension GroundShape: Codable {
  private enum Key: String, CodingKey { case points, lines, area }

  /// Encodes `{"points": [position, …], "lines": [[vertex, …], …], "area": [polygon, …]}`; empty parts are omitted.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeUnlessEmpty(points, forKey: .points)
    try container.encodeUnlessEmpty(lines, forKey: .lines)
    if !area.polygons.isEmpty { try container.encode(area, forKey: .area) }
  }

  /// - Throws: `DecodingError`, as for its parts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      points: try container.decodeIfPresent([Coordinate].self, forKey: .points) ?? [],
      lines: try container.decodeIfPresent([Polyline].self, forKey: .lines) ?? [],
      area: try container.decodeIfPresent(MultiPolygon.self, forKey: .area) ?? MultiPolygon([]))
  }
}
