import WebMaps

/// How many annotations a tile has that are its own: clusters counted as what they stand for.
enum TileCount {
  static func own(_ bytes: [UInt8]) throws -> Int {
    let tile = try VectorTile(decoding: bytes)
    var count = 0
    for layer in tile.layers where !layer.name.hasSuffix("_dropped") {
      for feature in layer.features {
        guard let point = feature.geometry?.parts.first?.first,
          (0..<4096).contains(point.x), (0..<4096).contains(point.y)
        else { continue }
        var weight = 1
        for (name, value) in layer.attributes(of: feature) where name == "point_count" {
          if case .integer(let number) = value { weight = Int(number) }
        }
        count += weight
      }
    }
    return count
  }
}
