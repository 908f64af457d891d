import MapAnnotations

/// A GeoJSON feature (RFC 7946 §3.2).
public struct Feature: Hashable, Sendable {
  /// A string or a number, as written; nil if the feature has none.
  public var id: PropertyValue?
  /// The geometry; nil for `null`, a feature without a position.
  public var geometry: Geometry?
  /// The properties; nil for `null`, which differs from empty properties.
  public var properties: Properties?
  /// Four or six numbers, west and south first; nil if the feature has none.
  public var bbox: [Double]?
  /// The members outside RFC 7946, in the order of the source.
  public var foreignMembers: Properties

  /// Makes a feature; RFC 7946 requires geometry and properties, even if null.
  public init(
    id: PropertyValue? = nil, geometry: Geometry?, properties: Properties?,
    bbox: [Double]? = nil, foreignMembers: Properties = Properties()
  ) {
    self.id = id
    self.geometry = geometry
    self.properties = properties
    self.bbox = bbox
    self.foreignMembers = foreignMembers
  }
}
