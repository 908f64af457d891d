import MapAnnotations

/// A GeoJSON feature (RFC 7946 §3.2).
public struct Feature: Hashable, Sendable {
  /// A string or a number, as written; nil when the feature has none.
  public var id: PropertyValue?
  /// nil for `null`: a feature without a place.
  public var geometry: Geometry?
  /// nil for `null`, which is not the same as no properties.
  public var properties: Properties?
  /// Four or six numbers, west and south first; nil when the feature has none.
  public var bbox: [Double]?
  /// The members that RFC 7946 does not name, in the order of the source.
  public var foreignMembers: Properties

  /// Makes a feature; RFC 7946 wants a geometry and properties said, if only as null.
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
