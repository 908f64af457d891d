import Geodesy

/// Writes the bytes of tiles one after another, reusing its buffers.
///
/// Source: "Mapbox Vector Tile Specification 2.1" (2016).
struct TileEncoder {
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
    let x = UInt64(zigzagged(x)), y = UInt64(zigzagged(y))
    let length = 1 + varintLength(x) + varintLength(y)
    beginFeature(id: attributes.ids[feature], kind: .point, geometryLength: length)
    features.append(1 << 3 | 1)
    features.appendVarint(x)
    features.appendVarint(y)
  }

  /// Adds lines, polygons or several points.
  mutating func addShape(_ feature: Int, of attributes: TileAttributes, _ geometry: TileGeometry) {
    tags.set(feature, of: attributes, &valuePlaces)
    commands.removeAll(keepingCapacity: true)
    geometry.appendCommands(to: &commands)
    let length = commands.reduce(0) { $0 + varintLength(UInt64($1)) }
    beginFeature(id: attributes.ids[feature], kind: geometry.kind, geometryLength: length)
    for command in commands { features.appendVarint(command) }
  }

  /// Writes a feature up to its geometry's commands.
  private mutating func beginFeature(id: UInt64, kind: TileGeometry.Kind, geometryLength: Int) {
    let tags = tags.bytes
    var length = 2 + 1 + varintLength(UInt64(geometryLength)) + geometryLength
    if id != TileAttributes.noID { length += 1 + varintLength(id) }
    if !tags.isEmpty { length += 1 + varintLength(UInt64(tags.count)) + tags.count }
    features.appendField(2, length: length)
    if id != TileAttributes.noID { features.appendField(1, varint: id) }
    if !tags.isEmpty {
      features.appendField(2, length: tags.count)
      features.append(contentsOf: tags)
    }
    features.appendField(3, varint: UInt64(kind.rawValue))
    features.appendField(4, length: geometryLength)
  }

  // MARK: Layers

  /// The unpacked tile of the added features.
  ///
  /// - Parameters:
  ///   - dropped: The number of annotations dropped because of a limit.
  ///   - tooSmall: The number of lines and polygons that are too small to draw.
  func finished(_ attributes: TileAttributes, dropped: Int, kept: Int, tooSmall: Int = 0) -> [UInt8]
  {
    var head: [UInt8] = []
    // Version 2.
    head.appendField(15, varint: 2)
    head.appendField(1, text: rules.layer)
    var tail: [UInt8] = []
    let values = tags.values
    for name in tags.names { tail.appendField(3, text: attributes.names[Int(name)]) }
    var tile: [UInt8] = []
    tile.reserveCapacity(head.count + features.count + tail.count + values.count + 128)
    if !features.isEmpty {
      // An extent of 4096 is the default, but some readers require it.
      var extent: [UInt8] = []
      extent.appendField(5, varint: UInt64(TileRules.extent))
      tile.appendField(
        3, length: head.count + features.count + tail.count + values.count + extent.count)
      tile.append(contentsOf: head)
      tile.append(contentsOf: features)
      tile.append(contentsOf: tail)
      tile.append(contentsOf: values)
      tile.append(contentsOf: extent)
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
    for name in attributes.forms[Int(attributes.formOfFeature[feature])] {
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
        values.append(4 << 3 | 2)
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
