/// Writes the bytes of tiles, one after another, with the same room for all.
///
/// What a feature says is numbers already (`TileAttributes`). A table says which place each of these has
/// in the tile at hand, so that nothing is looked up by its text; an entry counts only if it bears the
/// tile's own stamp, so that no table is cleared between tiles.
///
/// Source: "Mapbox Vector Tile Specification 2.1" (2016).
///
/// Unchecked, because one task at a time has it.
final class TileEncoder: @unchecked Sendable {
  private let rules: TileRules
  private let packer: GzipPacker?

  /// The number of the tile at hand, from 1.
  private var stamp: UInt64 = 0
  /// For each name, the stamp of the tile it was last in, above its place there.
  private var placesOfNames: [UInt64] = []
  /// The same for values: those of annotations, and those of clusters.
  private var placesOfValues: ([UInt64], [UInt64]) = ([], [])
  private var names: [UInt32] = []
  private var valueCount: UInt64 = 0
  private var values: [UInt8] = []
  private var features: [UInt8] = []
  private var tags: [UInt8] = []

  init(_ rules: TileRules) {
    self.rules = rules
    packer = rules.isCompressed ? GzipPacker(level: TileEncoder.level) : nil
  }

  /// zlib's own default.
  private static var level: Int { 6 }

  /// Packs a tile, if the rules say so.
  func stored(_ tile: [UInt8]) -> [UInt8] { packer?.packed(tile) ?? tile }

  // MARK: Features

  /// Forgets the tile before.
  func begin(_ base: TileAttributes, _ clusters: TileAttributes?) {
    stamp += 1
    // What a table has no entry for yet has no stamp either.
    func extend(_ table: inout [UInt64], to count: Int) {
      if table.count < count {
        table.append(contentsOf: repeatElement(0, count: count - table.count))
      }
    }
    extend(&placesOfNames, to: (clusters ?? base).names.count)
    extend(&placesOfValues.0, to: base.texts.count)
    if let clusters { extend(&placesOfValues.1, to: clusters.texts.count) }
    names.removeAll(keepingCapacity: true)
    valueCount = 0
    values.removeAll(keepingCapacity: true)
    features.removeAll(keepingCapacity: true)
  }

  /// Adds a point that is an annotation.
  func addPoint(_ feature: Int, of attributes: TileAttributes, x: Int32, y: Int32) {
    setTags(of: feature, in: attributes, &placesOfValues.0)
    addPoint(id: attributes.ids[feature], x: x, y: y)
  }

  /// Adds a point that is a cluster.
  func addCluster(_ feature: Int, of attributes: TileAttributes, x: Int32, y: Int32) {
    setTags(of: feature, in: attributes, &placesOfValues.1)
    addPoint(id: attributes.ids[feature], x: x, y: y)
  }

  /// Adds a line or a polygon.
  func addShape(
    _ feature: Int, of attributes: TileAttributes, kind: TileGeometry.Kind, commands: [UInt32]
  ) {
    setTags(of: feature, in: attributes, &placesOfValues.0)
    let length = commands.reduce(0) { $0 + varintLength(UInt64($1)) }
    beginFeature(id: attributes.ids[feature], kind: kind, geometryLength: length)
    for command in commands { features.appendVarint(command) }
  }

  private func addPoint(id: UInt64, x: Int32, y: Int32) {
    let x = UInt64(zigzagged(x)), y = UInt64(zigzagged(y))
    beginFeature(id: id, kind: .point, geometryLength: 1 + varintLength(x) + varintLength(y))
    features.append(1 << 3 | 1)
    features.appendVarint(x)
    features.appendVarint(y)
  }

  /// Writes all of a feature but its geometry's commands.
  private func beginFeature(id: UInt64, kind: TileGeometry.Kind, geometryLength: Int) {
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

  /// Writes which names a feature has with which values, as places in the tile.
  private func setTags(
    of feature: Int, in attributes: TileAttributes, _ placesOfValues: inout [UInt64]
  ) {
    tags.removeAll(keepingCapacity: true)
    let mark = stamp << 32
    var start = attributes.startOfFeature[feature]
    for name in attributes.forms[Int(attributes.formOfFeature[feature])] {
      let known = placesOfNames[Int(name)]
      if known & ~0xFFFF_FFFF == mark {
        tags.appendVarint(known & 0xFFFF_FFFF)
      } else {
        placesOfNames[Int(name)] = mark | UInt64(names.count)
        tags.appendVarint(names.count)
        names.append(name)
      }
      let value = Int(attributes.values[start])
      start += 1
      let place = placesOfValues[value]
      if place & ~0xFFFF_FFFF == mark {
        tags.appendVarint(place & 0xFFFF_FFFF)
      } else {
        placesOfValues[value] = mark | valueCount
        tags.appendVarint(valueCount)
        valueCount += 1
        values.append(4 << 3 | 2)
        attributes.texts.append(value, to: &values)
      }
    }
  }

  // MARK: Layers

  /// The tile of the features that were added, unpacked.
  ///
  /// - Parameter dropped: How many annotations a limit has left out.
  func finished(_ attributes: TileAttributes, dropped: Int, kept: Int) -> [UInt8] {
    var head: [UInt8] = []
    // Version 2.
    head.appendField(15, varint: 2)
    head.appendField(1, text: rules.layer)
    var tail: [UInt8] = []
    for name in names { tail.appendField(3, text: attributes.names[Int(name)]) }
    var tile: [UInt8] = []
    tile.reserveCapacity(head.count + features.count + tail.count + values.count + 128)
    if !features.isEmpty {
      // The extent goes without saying where it is 4096, but some readers want to hear it.
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
    if dropped > 0 { appendDroppedLayer(dropped, kept, to: &tile) }
    return tile
  }

  /// A layer of one point in the middle of the tile, which says how many annotations are missing from
  /// it and how many are there.
  private func appendDroppedLayer(_ dropped: Int, _ kept: Int, to tile: inout [UInt8]) {
    var layer = VectorTile.Layer(name: rules.droppedLayer, extent: TileRules.extent)
    layer.keys = ["dropped", "kept"]
    layer.values = [.integer(Int64(dropped)), .integer(Int64(kept))]
    let middle = Int32(TileRules.extent / 2)
    layer.features = [
      VectorTile.Feature(
        tags: [VectorTile.Tag(key: 0, value: 0), VectorTile.Tag(key: 1, value: 1)],
        geometry: TileGeometry(kind: .point, parts: [[TilePosition(x: middle, y: middle)]]))
    ]
    tile.append(contentsOf: VectorTile(layers: [layer]).encoded())
  }
}
