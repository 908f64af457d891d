// Encoded forms: members have the names that Swift has for them, angles are degrees and lengths meters.
// What is decoded is checked as what is made in code is.

extension Decoder {
  /// What a value that decodes and is not legal throws: its words tell the value and what to do.
  package func refusal(_ error: some CodedError) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath, debugDescription: error.description, underlyingError: error))
  }

  /// What a value that decodes and is not legal throws.
  ///
  /// - Parameter words: What is wrong, with the value, and what to do.
  package func refusal(_ words: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: words))
  }
}

private enum AngleKey: String, CodingKey { case latitude, longitude }

extension Coordinate: Codable {
  /// As `{"latitude": 37.5666, "longitude": 126.9784}`.
  public func encode(to encoder: any Encoder) throws {
    try encodeAngles(latitude, longitude, to: encoder)
  }

  /// - Throws: `DecodingError` for what is no position on the Earth, with the words of `CoordinateError`.
  public init(from decoder: any Decoder) throws {
    let (latitude, longitude) = try decodedAngles(from: decoder)
    do throws(CoordinateError) {
      try self.init(latitude: latitude, longitude: longitude)
    } catch {
      throw decoder.refusal(error)
    }
  }
}

extension PolygonVertex: Codable {
  /// As a `Coordinate`; 180 stays apart from −180.
  public func encode(to encoder: any Encoder) throws {
    try encodeAngles(latitude, longitude, to: encoder)
  }

  /// - Throws: `DecodingError`, as of a `Coordinate`.
  public init(from decoder: any Decoder) throws {
    let (latitude, longitude) = try decodedAngles(from: decoder)
    do throws(CoordinateError) {
      try self.init(latitude: latitude, longitude: longitude)
    } catch {
      throw decoder.refusal(error)
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

extension BoundingBox: Codable {
  private enum Key: String, CodingKey { case south, west, north, east }

  /// As `{"south": -21, "west": 177, "north": -12, "east": -178}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(south, forKey: .south)
    try container.encode(west, forKey: .west)
    try container.encode(north, forKey: .north)
    try container.encode(east, forKey: .east)
  }

  /// - Throws: `DecodingError` for edges that make no box, with the words of `CoordinateError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let south = try container.decode(Double.self, forKey: .south)
    let west = try container.decode(Double.self, forKey: .west)
    let north = try container.decode(Double.self, forKey: .north)
    let east = try container.decode(Double.self, forKey: .east)
    do throws(CoordinateError) {
      try self.init(south: south, west: west, north: north, east: east)
    } catch {
      throw decoder.refusal(error)
    }
  }
}

extension Distance: Codable {
  /// As its meters; a length without end as the text `inf`, since JSON has no such number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if meters.isFinite {
      try container.encode(meters)
    } else {
      try container.encode("\(meters)")
    }
  }

  /// - Throws: `DecodingError` for what is no number of meters.
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

  /// As `{"outer": [vertex, …], "holes": [[vertex, …], …]}`, each ring with its first vertex again at its
  /// end; `holes` is left out where there are none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(outerVertices, forKey: .outer)
    if !holes.isEmpty { try container.encode(holeVertices, forKey: .holes) }
  }

  /// - Throws: `DecodingError` for rings that make no polygon, with the words of `PolygonError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let outer = try container.decode([PolygonVertex].self, forKey: .outer)
    let holes = try container.decodeIfPresent([[PolygonVertex]].self, forKey: .holes)
    do throws(PolygonError) {
      try self.init(outer: outer, holes: holes ?? [])
    } catch {
      throw decoder.refusal(error)
    }
  }
}

extension MultiPolygon: Codable {
  /// As the list of its polygons.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(polygons)
  }

  /// - Throws: `DecodingError`, as of a `Polygon`.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Polygon].self))
  }
}

extension Polyline: Codable {
  /// As the list of its vertices.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(vertices)
  }

  /// - Throws: `DecodingError`, as of a `PolygonVertex`.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([PolygonVertex].self))
  }
}

extension GroundShape: Codable {
  private enum Key: String, CodingKey { case points, lines, area }

  /// As `{"points": [position, …], "lines": [[vertex, …], …], "area": [polygon, …]}`; what is empty is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    if !points.isEmpty { try container.encode(points, forKey: .points) }
    if !lines.isEmpty { try container.encode(lines, forKey: .lines) }
    if !area.polygons.isEmpty { try container.encode(area, forKey: .area) }
  }

  /// - Throws: `DecodingError`, as of its parts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      points: try container.decodeIfPresent([Coordinate].self, forKey: .points) ?? [],
      lines: try container.decodeIfPresent([Polyline].self, forKey: .lines) ?? [],
      area: try container.decodeIfPresent(MultiPolygon.self, forKey: .area) ?? MultiPolygon([]))
  }
}
