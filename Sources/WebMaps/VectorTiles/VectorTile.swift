/// A vector tile, taken apart: layers of features with geometries in the tile's own positions.
///
///     let tile = try VectorTile(decoding: bytes)
///     for layer in tile.layers {
///       for feature in layer.features { print(layer.name, layer.attributes(of: feature)) }
///     }
///
/// For tests, tools and small tiles; a pyramid of many is written without such values in between.
///
/// Source: "Mapbox Vector Tile Specification 2.1" (2016).
public struct VectorTile: Sendable, Hashable {
  /// The layers, in their order.
  public var layers: [Layer]
  /// What was left out when the tile was decoded, in its order, the first 1,000 of it; empty for tiles
  /// that follow the specification.
  public var omissions: [VectorTileError]

  static let omissionLimit = 1_000

  /// A tile of layers.
  public init(layers: [Layer] = []) {
    self.layers = layers
    omissions = []
  }

  /// Features of one kind, by name.
  public struct Layer: Sendable, Hashable {
    /// Its name, which no other layer of the tile has.
    public var name: String
    /// 1 or 2.
    public var version: Int
    /// Into how many parts the side of the tile is cut; 4096 as a rule.
    public var extent: Int
    /// Names of attributes.
    public var keys: [String]
    /// Values of attributes.
    public var values: [VectorTileValue]
    /// The features, in their order.
    public var features: [Feature]

    /// A layer of version 2.
    public init(
      name: String, extent: Int = 4096, keys: [String] = [], values: [VectorTileValue] = [],
      features: [Feature] = []
    ) {
      self.name = name
      version = 2
      self.extent = extent
      self.keys = keys
      self.values = values
      self.features = features
    }

    /// The names and values of a feature's attributes, in their order.
    ///
    /// - Precondition: The feature is one of this layer.
    public func attributes(of feature: Feature) -> [(name: String, value: VectorTileValue)] {
      feature.tags.map { (keys[$0.key], values[$0.value]) }
    }
  }

  /// A thing on the map.
  public struct Feature: Sendable, Hashable {
    /// Its number; nil where it has none.
    public var id: UInt64?
    /// Its attributes: which key of its layer has which value of its layer.
    public var tags: [Tag]
    /// Its shape; nil where the tile says that the kind is unknown, which the specification leaves to
    /// experiments.
    public var geometry: TileGeometry?
    /// The commands of a geometry of unknown kind, as they stand; empty otherwise.
    public var unknownCommands: [UInt32] = []

    /// A feature.
    public init(id: UInt64? = nil, tags: [Tag] = [], geometry: TileGeometry?) {
      self.id = id
      self.tags = tags
      self.geometry = geometry
    }
  }

  /// One attribute, by the places of its key and value in the layer.
  public struct Tag: Sendable, Hashable {
    /// The place of its name in the layer's keys.
    public var key: Int
    /// The place of its value in the layer's values.
    public var value: Int

    /// Pairs a key with a value.
    public init(key: Int, value: Int) {
      self.key = key
      self.value = value
    }
  }
}
