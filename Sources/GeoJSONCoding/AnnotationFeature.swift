import Geodesy
import MapAnnotations

extension Feature {
  /// Makes the feature of an annotation, optionally as the result of a query.
  ///
  /// Its properties are the annotation's own, followed by `name` and `kind` if known, and `marker-color` and
  /// `marker-symbol` if it has a position; each of these only if the source has no property of that name. A query's
  /// `distance` in meters and its `bearing` come in between and replace properties with these names. If the source
  /// repeats a name, the later ones get `_2`, `_3`, … appended.
  ///
  /// - Parameters:
  ///   - annotation: Without a coordinate, the geometry is null.
  ///   - id: The id as the source wrote it, a string or a number; nil for the text of the annotation's id.
  ///   - distance: The distance from the query's origin; nil without one.
  ///   - bearing: Degrees clockwise from north, 0 ≤ b < 360; nil if there is none, at distance 0 or at a pole, and then
  ///     written as null. Without a distance it is omitted.
  ///   - isStyled: Whether to add a marker's style, for a map; false for plain data.
  /// - Precondition: `distance` and `bearing` are finite.
  public init(
    _ annotation: some Annotation, id: PropertyValue? = nil, distance: Distance? = nil,
    bearing: Double? = nil, isStyled: Bool = true
  ) {
    var properties = annotation.properties
    if distance != nil {
      properties["distance"] = nil
      properties["bearing"] = nil
    }
    properties = properties.withDistinctNames
    if let name = annotation.name { properties.appendIfNew("name", .string(name)) }
    if let kind = annotation.kind { properties.appendIfNew("kind", .string(kind.rawValue)) }
    if let distance {
      properties.append("distance", .double(distance.meters))
      properties.append("bearing", bearing.map(PropertyValue.double) ?? .null)
    }
    if isStyled, annotation.coordinate != nil {
      let style = MarkerStyle(for: annotation.kind)
      properties.appendIfNew("marker-color", .string(style.color))
      if let symbol = style.symbol { properties.appendIfNew("marker-symbol", .string(symbol)) }
    }
    self.init(
      id: id ?? .string(annotation.id.text),
      geometry: annotation.coordinate.map { .point(Position($0)) },
      properties: properties)
  }
}

extension Properties {
  fileprivate mutating func appendIfNew(_ name: String, _ value: PropertyValue) {
    if self[name] == nil { append(name, value) }
  }
}
