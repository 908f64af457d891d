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
    var layer: [UInt8] = []
    layer.appendField(15, varint: UInt64(version))
    layer.appendField(1, text: name)
    for feature in features {
      precondition(
        feature.tags.allSatisfy {
          keys.indices.contains($0.key) && values.indices.contains($0.value)
        },
        "a tag names a key or a value that layer \(name) does not have")
      let message = feature.encoded
      layer.appendField(2, length: message.count)
      layer.append(contentsOf: message)
    }
    for key in keys { layer.appendField(3, text: key) }
    for value in values {
      layer.append(4 << 3 | 2)
      value.append(to: &layer)
    }
    precondition((1...Int(UInt32.max)).contains(extent), "an extent of \(extent)")
    layer.appendField(5, varint: UInt64(extent))
    tile.appendField(3, length: layer.count)
    tile.append(contentsOf: layer)
  }
}

extension VectorTile.Feature {
  fileprivate var encoded: [UInt8] {
    var message: [UInt8] = []
    if let id { message.appendField(1, varint: id) }
    if !tags.isEmpty {
      message.appendPacked(2, tags.flatMap { [UInt32($0.key), UInt32($0.value)] })
    }
    var commands = unknownCommands
    if let geometry {
      message.appendField(3, varint: UInt64(geometry.kind.rawValue))
      commands = []
      geometry.appendCommands(to: &commands)
    }
    message.appendPacked(4, commands)
    return message
  }
}

extension [UInt8] {
  /// Appends a field of packed numbers.
  fileprivate mutating func appendPacked(_ field: UInt8, _ numbers: [UInt32]) {
    appendField(field, length: numbers.reduce(0) { $0 + varintLength(UInt64($1)) })
    for number in numbers { appendVarint(number) }
  }
}
