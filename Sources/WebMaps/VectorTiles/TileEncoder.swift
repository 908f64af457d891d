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

  /// Adds an annotation as a point.
  mutating func addPoint(_ feature: Int, of attributes: TileAttributes, x: Int32, y: Int32) {
    tags.set(feature, of: attributes, &valuePlaces)
    addPoint(id: attributes.ids[feature], x: x, y: y)
  }

  /// Adds a cluster as a point.
  mutating func addCluster(_ feature: Int, of attributes: TileAttributes, x: Int32, y: Int32) {
    tags.set(feature, of: attributes, &clusterValuePlaces)
    addPoint(id: attributes.ids[feature], x: x, y: y)
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

  private mutating func addPoint(id: UInt64, x: Int32, y: Int32) {
    let x = UInt64(zigzagged(x)), y = UInt64(zigzagged(y))
    beginFeature(id: id, kind: .point, geometryLength: 1 + varintLength(x) + varintLength(y))
    features.append(1 << 3 | 1)
    features.appendVarint(x)
    features.appendVarint(y)
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
