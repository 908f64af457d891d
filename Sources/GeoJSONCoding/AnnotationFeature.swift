import Geodesy
import MapAnnotations

extension Feature {
  /// The feature that stands for an annotation, perhaps as the answer to a query.
  ///
  /// Its properties are the annotation's own, then these, where the source has none of that name:
  /// `name` and `kind` where known, and `marker-color` and `marker-symbol` of a placed one. A
  /// distance comes between as `distance` in meters, with its `bearing`; being the answer, they
  /// replace what the source calls so. Of a name that the source repeats, the later ones get `_2`,
  /// `_3`, … after it.
  ///
  /// - Parameters:
  ///   - annotation: Without a coordinate, its geometry is null.
  ///   - id: As the source wrote it, a string or a number; nil for the text of the annotation's id.
  ///   - distance: From where the query stands; nil when nobody asked from anywhere.
  ///   - bearing: Degrees clockwise from north, 0 ≤ b < 360; nil where there is none, at distance 0
  ///     or at a pole, and written as null then. Without a distance it is left out.
  ///   - isStyled: Whether a marker's style is added, for a map; false where features are data.
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
