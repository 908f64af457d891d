import GeoJSONCoding
import MapAnnotations

/// The metadata of an archive of vector tiles, as JSON.
///
/// Source: "PMTiles Version 3 Specification", section 5; "TileJSON 3.0.0", section 3.3, for
/// `vector_layers`.
public struct PMTilesMetadata: Sendable {
  /// The name of the map.
  public var name: String?
  /// The layers, which maps need to know what to draw.
  public var layers: [VectorLayer]
  /// Further members, such as `attribution`; names used by this type are omitted.
  public var others: Properties

  /// One layer of the tiles.
  public struct VectorLayer: Sendable {
    /// The layer's name in the tiles.
    public var id: String
    /// The zooms that contain the layer.
    public var zooms: ClosedRange<Int>
    /// The attributes and their types, in order.
    public var fields: [(name: String, type: FieldType)]

    /// Makes a layer.
    public init(id: String, zooms: ClosedRange<Int>, fields: [(name: String, type: FieldType)]) {
      self.id = id
      self.zooms = zooms
      self.fields = fields
    }
  }

  /// The type of an attribute's values.
  public enum FieldType: String, Sendable {
    case string = "String"
    case number = "Number"
    case boolean = "Boolean"
  }

  /// Makes metadata of layers.
  public init(name: String? = nil, layers: [VectorLayer], others: Properties = [:]) {
    self.name = name
    self.layers = layers
    self.others = others
  }

  var json: [UInt8] {
    var members = Properties()
    if let name { members.append("name", .string(name)) }
    members.append("vector_layers", .array(layers.map { .object($0.members) }))
    members.entries += others.entries.filter { !["name", "vector_layers"].contains($0.name) }
    return PropertyValue.object(members).json
  }
}

extension PMTilesMetadata.VectorLayer {
  /// The layer as an element of `vector_layers`.
  var members: Properties {
    [
      "id": .string(id),
      "fields": .object(
        Properties(
          fields.map { Properties.Entry(name: $0.name, value: .string($0.type.rawValue)) })),
      "minzoom": .integer(zooms.lowerBound), "maxzoom": .integer(zooms.upperBound),
    ]
  }
}
