import Geodesy

/// Writes the bytes of tiles one after another, reusing its buffers.
///
/// Source: "Mapbox Vector Tile Specification 2.1" (2016).
///
/// Unchecked, because only one task at a time uses one.
struct TileEncoder: @unchecked Sendable {
  private let rules: TileRules
  /// The maximum size of a tile in bytes before it is packed.
  let largestTile: Int
  private let packer: GzipPacker?
  private var tags = TileTags()
  /// The indices of values in the current tile: those of annotations, and those of clusters.
  private var valuePlaces = TilePlaces()
  private var clusterValuePlaces = TilePlaces()
  private var features: [UInt8] = []
  private var commands: [UInt32] = []

  init(_ rules: TileRules, largestTile: Int) {
    self.rules = rules
    self.largestTile = largestTile
    packer = rules.isCompressed ? GzipPacker() : nil
  }

  /// Packs a tile, if the rules say so.
  func stored(_ tile: [UInt8]) -> [UInt8] { packer?.packed(tile) ?? tile }

  // MARK: Features

  /// Starts a new tile.
  mutating func begin(_ base: TileAttributes, _ clusters: TileAttributes?) {
    tags.begin(nameCount: (clusters ?? base).names.count)
    valuePlaces.extend(to: base.texts.count)
    if let clusters { clusterValuePlaces.extend(to: clusters.texts.count) }
    features.removeAll(keepingCapacity: true)
  }

  /// Adds an annotation or a cluster as a point.
  mutating func addPoint(
    _ feature: Int, of attributes: TileAttributes, isCluster: Bool = false, x: Int32, y: Int32
  ) {
    if isCluster {
      tags.set(feature, of: attributes, &clusterValuePlaces)
    } else {
      tags.set(feature, of: attributes, &valuePlaces)
    }
    commands.removeAll(keepingCapacity: true)
    commands.append(TileGeometry.Command.moveTo | 1 << 3)
    commands.append(zigzagged(x))
    commands.append(zigzagged(y))
    features.appendFeature(
      id: attributes.id(of: feature), tags: tags.bytes, kind: .point, commands)
  }

  /// Adds lines, polygons or several points.
  mutating func addShape(_ feature: Int, of attributes: TileAttributes, _ geometry: TileGeometry) {
    tags.set(feature, of: attributes, &valuePlaces)
    commands.removeAll(keepingCapacity: true)
    geometry.appendCommands(to: &commands)
    features.appendFeature(
      id: attributes.id(of: feature), tags: tags.bytes, kind: geometry.kind, commands)
  }

  // MARK: Layers

  /// The unpacked tile of the added features.
  ///
  /// - Parameters:
  ///   - dropped: The number of annotations dropped because of a limit.
  ///   - tooSmall: The number of lines and polygons that are too small to draw.
  func finished(_ attributes: TileAttributes, dropped: Int, kept: Int, tooSmall: Int = 0) -> [UInt8]
  {
    var tile: [UInt8] = []
    if !features.isEmpty {
      tile.appendLayer(
        rules.layer, features: features, keys: tags.names.map { attributes.names[Int($0)] },
        values: tags.values, extent: TileRules.extent)
    }
    if dropped > 0 || tooSmall > 0 { appendDroppedLayer(dropped, kept, tooSmall, to: &tile) }
    return tile
  }

  /// Appends a layer with one point in the middle of the tile that holds the numbers of dropped and
  /// kept annotations, and of lines and polygons that are too small, if there are any.
  private func appendDroppedLayer(
    _ dropped: Int, _ kept: Int, _ tooSmall: Int, to tile: inout [UInt8]
  ) {
    var layer = VectorTile.Layer(name: rules.droppedLayer, extent: TileRules.extent)
    layer.keys = ["dropped", "kept"]
    layer.values = [.integer(Int64(dropped)), .integer(Int64(kept))]
    var tags = [VectorTile.Tag(key: 0, value: 0), VectorTile.Tag(key: 1, value: 1)]
    if tooSmall > 0 {
      layer.keys.append("too_small")
      layer.values.append(.integer(Int64(tooSmall)))
      tags.append(VectorTile.Tag(key: 2, value: 2))
    }
    let middle = Int32(TileRules.extent / 2)
    layer.features = [
      VectorTile.Feature(
        tags: tags,
        geometry: TileGeometry(kind: .point, parts: [[TilePosition(x: middle, y: middle)]]))
    ]
    tile.append(contentsOf: VectorTile(layers: [layer]).encoded())
  }
}

/// Appends the messages of a vector tile.
extension [UInt8] {
  /// Appends a layer.
  ///
  /// - Parameters:
  ///   - features: Each as a field of the layer, and so the values.
  mutating func appendLayer(
    _ name: String, version: Int = 2, features: [UInt8], keys: [String], values: [UInt8],
    extent: Int
  ) {
    var head: [UInt8] = []
    head.appendField(15, varint: UInt64(version))
    head.appendField(1, text: name)
    var names: [UInt8] = []
    for key in keys { names.appendField(3, text: key) }
    // An extent of 4096 is the default, but some readers require it.
    var end: [UInt8] = []
    end.appendField(5, varint: UInt64(extent))
    let parts = [head, features, names, values, end]
    let length = parts.reduce(0) { $0 + $1.count }
    reserveCapacity(count + length + 128)
    appendField(3, length: length)
    for part in parts { append(contentsOf: part) }
  }

  /// Appends a feature.
  ///
  /// - Parameters:
  ///   - tags: Keys and values in turn, packed.
  ///   - kind: nil for an unknown one.
  mutating func appendFeature(
    id: UInt64?, tags: [UInt8], kind: TileGeometry.Kind?, _ commands: [UInt32]
  ) {
    let geometryLength = commands.reduce(0) { $0 + varintLength(UInt64($1)) }
    var length = 1 + varintLength(UInt64(geometryLength)) + geometryLength
    if let id { length += 1 + varintLength(id) }
    if !tags.isEmpty { length += 1 + varintLength(UInt64(tags.count)) + tags.count }
    if kind != nil { length += 2 }
    appendField(2, length: length)
    if let id { appendField(1, varint: id) }
    if !tags.isEmpty {
      appendField(2, length: tags.count)
      append(contentsOf: tags)
    }
    if let kind { appendField(3, varint: UInt64(kind.rawValue)) }
    appendField(4, length: geometryLength)
    for command in commands { appendVarint(command) }
  }
}

/// The tags of one tile's features: pairs of names and values, as indices in the tile.
///
/// Attributes are already numbers (`TileAttributes`). A table maps these to their indices in the
/// current tile, so that nothing is looked up by text. An entry counts only if it has the tile's
/// own stamp, so no table is cleared between tiles.
struct TileTags {
  /// The number of the current tile, from 1, in the upper half.
  private var mark: UInt64 = 0
  private var namePlaces = TilePlaces()
  /// The names in the tile, as indices among all names.
  private(set) var names: [UInt32] = []
  private var valueCount: UInt64 = 0
  /// The values in the tile, encoded as in its layer.
  private(set) var values: [UInt8] = []
  /// The tags of the last feature.
  private(set) var bytes: [UInt8] = []

  /// Starts a new tile.
  mutating func begin(nameCount: Int) {
    mark += 1 << 32
    namePlaces.extend(to: nameCount)
    names.removeAll(keepingCapacity: true)
    valueCount = 0
    values.removeAll(keepingCapacity: true)
  }

  /// Sets the tags of a feature.
  ///
  /// - Parameter valuePlaces: The table for the values of these attributes.
  mutating func set(
    _ feature: Int, of attributes: TileAttributes, _ valuePlaces: inout TilePlaces
  ) {
    bytes.removeAll(keepingCapacity: true)
    var start = attributes.startOfFeature[feature]
    for name in attributes.form(of: feature) {
      let known = namePlaces.entries[Int(name)]
      if known & TilePlaces.marks == mark {
        bytes.appendVarint(known & ~TilePlaces.marks)
      } else {
        namePlaces.entries[Int(name)] = mark | UInt64(names.count)
        bytes.appendVarint(names.count)
        names.append(name)
      }
      let value = Int(attributes.values[start])
      start += 1
      let place = valuePlaces.entries[value]
      if place & TilePlaces.marks == mark {
        bytes.appendVarint(place & ~TilePlaces.marks)
      } else {
        valuePlaces.entries[value] = mark | valueCount
        bytes.appendVarint(valueCount)
        valueCount += 1
        values.append(VectorTileValue.fieldHead)
        attributes.texts.append(value, to: &values)
      }
    }
  }
}

/// For each name or value, its index in the last tile that used it, below the stamp of that tile.
struct TilePlaces {
  var entries: [UInt64] = []

  /// The bits of an entry that hold the tile's stamp.
  static let marks: UInt64 = 0xFFFF_FFFF_0000_0000

  /// Makes room for `count` entries; new entries have no stamp.
  mutating func extend(to count: Int) {
    if entries.count < count {
      entries.append(contentsOf: repeatElement(0, count: count - entries.count))
    }
  }
}
