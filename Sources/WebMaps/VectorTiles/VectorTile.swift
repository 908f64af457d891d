/// A decoded vector tile: layers of features with geometries in tile positions.
///
///     let tile = try VectorTile(decoding: bytes)
///     for layer in tile.layers {
///       for feature in layer.features { print(layer.name, layer.attributes(of: feature)) }
///     }
///
/// For tests, tools and small tiles; a pyramid of many tiles is written without these values.
///
/// Source: "Mapbox Vector Tile Specification 2.1" (2016).
public struct VectorTile: Sendable, Hashable {
  /// The layers, in their order.
  public var layers: [Layer]
  /// What decoding dropped, in order, at most the first 1,000; empty for tiles that follow the
  /// specification.
  public var omissions: [VectorTileError]

  static let omissionLimit = 1_000

  /// Makes a tile of layers.
  public init(layers: [Layer] = []) {
    self.layers = layers
    omissions = []
  }

  /// A named group of features.
  public struct Layer: Sendable, Hashable {
    /// The name, unique in the tile.
    public var name: String
    /// The version, 1 or 2.
    public var version: Int
    /// The number of units along the side of the tile; usually 4096.
    public var extent: Int
    /// Names of attributes.
    public var keys: [String]
    /// Values of attributes.
    public var values: [VectorTileValue]
    /// The features, in their order.
    public var features: [Feature]

    /// Makes a layer of version 2.
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

  /// A feature on the map.
  public struct Feature: Sendable, Hashable {
    /// The id; nil if it has none.
    public var id: UInt64?
    /// The attributes: pairs of a key and a value of the layer.
    public var tags: [Tag]
    /// The geometry; nil if its kind is unknown, which the specification allows for experiments.
    public var geometry: TileGeometry?
    /// The commands of a geometry of unknown kind, unchanged; empty otherwise.
    public var unknownCommands: [UInt32] = []

    /// Makes a feature.
    public init(id: UInt64? = nil, tags: [Tag] = [], geometry: TileGeometry?) {
      self.id = id
      self.tags = tags
      self.geometry = geometry
    }
  }

  /// One attribute, as indices of its key and value in the layer.
  public struct Tag: Sendable, Hashable {
    /// The index of the name in the layer's keys.
    public var key: Int
    /// The index of the value in the layer's values.
    public var value: Int

    /// Makes a tag of a key and a value.
    public init(key: Int, value: Int) {
      self.key = key
      self.value = value
    }
  }
}

extension VectorTile {
  /// The tile's bytes, not packed; empty for a tile without layers.
  ///
  /// Keys, values and features are written unchanged, in layers of version 1 and 2; `omissions` are
  /// not written.
  ///
  /// - Precondition: Extents are in 1…2³² − 1, tags are valid indices of their layer, and each part
  ///   of a geometry has enough positions for its kind.
  public func encoded() -> [UInt8] {
    var tile: [UInt8] = []
    for layer in layers { layer.append(to: &tile) }
    return tile
  }
}

extension VectorTile.Layer {
  fileprivate func append(to tile: inout [UInt8]) {
    precondition((1...Int(UInt32.max)).contains(extent), "an extent of \(extent)")
    var messages: [UInt8] = [], valueMessages: [UInt8] = []
    for feature in features {
      var tags: [UInt8] = []
      for tag in feature.tags {
        precondition(
          keys.indices.contains(tag.key) && values.indices.contains(tag.value),
          "a tag names a key or a value that layer \(name) does not have")
        tags.appendVarint(tag.key)
        tags.appendVarint(tag.value)
      }
      var commands = feature.unknownCommands
      if let geometry = feature.geometry {
        commands = []
        geometry.appendCommands(to: &commands)
      }
      messages.appendFeature(id: feature.id, tags: tags, kind: feature.geometry?.kind, commands)
    }
    for value in values {
      valueMessages.append(VectorTileValue.fieldHead)
      value.append(to: &valueMessages)
    }
    tile.appendLayer(
      name, version: version, features: messages, keys: keys, values: valueMessages,
      extent: extent)
  }
}
