import NearbyKit
import Testing
import WebMaps

@Suite struct `Examples of vector tiles and their archives` {
  private func reading(_ bytes: [UInt8]) throws {
    let tile = try VectorTile(decoding: bytes)
    for layer in tile.layers {
      for feature in layer.features {
        let name = layer.attributes(of: feature).first { $0.name == "name" }?.value
        print(layer.name, feature.geometry?.kind ?? .point, name ?? .string("?"))
      }
    }
  }

  private var shops: VectorTile {
    let point = TileGeometry(kind: .point, parts: [[TilePosition(x: 25, y: 17)]])
    return VectorTile(layers: [
      VectorTile.Layer(
        name: "places", keys: ["name"], values: [.string("메가마트")],
        features: [
          VectorTile.Feature(
            id: 7, tags: [VectorTile.Tag(key: 0, value: 0)], geometry: point),
          VectorTile.Feature(id: 8, geometry: point),
        ])
    ])
  }

  @Test func `read a tile`() throws {
    let lines = try PrintedLines.of { try reading(shops.encoded()) }
    #expect(lines == [#"places point string("메가마트")"#, #"places point string("?")"#])
  }

  private func tiling() throws {
    let home = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    let tile = TileAddress(containing: home, zoom: 14)
    print(tile, tile.parent ?? tile)  // 14/13970/6344 13/6985/3172
  }

  @Test func `the tile of a position`() throws {
    #expect(try PrintedLines.of(tiling) == ["14/13970/6344 13/6985/3172"])
  }

  /// A file in memory.
  private struct Memory: PMTilesSink {
    var bytes: [UInt8] = []

    mutating func write(_ more: [UInt8], at offset: Int) {
      bytes.append(contentsOf: repeatElement(0, count: max(0, offset + more.count - bytes.count)))
      bytes.replaceSubrange(offset..<offset + more.count, with: more)
    }
  }

  private func writing<File: PMTilesSink>(
    _ tiles: [(TileAddress, VectorTile)], to file: File, covering box: BoundingBox
  ) throws -> (PMTilesHeader, File) {
    let packer = GzipPacker()
    var writer = PMTilesWriter(to: file)
    for (address, tile) in tiles {
      try writer.append(packer.packed(tile.encoded()), at: address)
    }
    let places = PMTilesMetadata.VectorLayer(
      id: "places", zooms: 0...12, fields: [("name", .string)])
    let header = try writer.finish(metadata: PMTilesMetadata(layers: [places]), bounds: box)
    return (header, writer.sink)
  }

  private func lookingUp(_ address: TileAddress, in bytes: [UInt8]) throws {
    let archive = try PMTilesArchive(bytes)
    if let packed = try archive.tile(at: address) {
      let tile = try VectorTile(decoding: packed)
      print(tile.layers.map(\.name))
    }
  }

  @Test func `write an archive and find a tile in it`() throws {
    let addresses = try [(0, 0, 0), (1, 1, 0)].map {
      try TileAddress(zoom: $0.0, x: $0.1, y: $0.2)
    }
    let (header, file) = try writing(
      addresses.map { ($0, shops) }, to: Memory(), covering: .world)
    #expect(header.addressedTileCount == 2)
    #expect(header.contentCount == 1)
    let lines = try PrintedLines.of {
      for address in addresses + [try TileAddress(zoom: 1, x: 0, y: 0)] {
        try lookingUp(address, in: file.bytes)
      }
    }
    #expect(lines == [#"["places"]"#, #"["places"]"#])
  }

  private func cutting(_ features: [Feature]) throws {
    var shapes = TileShapes(ShapeTiling(deepestZoom: 8))
    for (number, feature) in features.enumerated() {
      if let geometry = feature.geometry { try shapes.add(geometry, feature: number) }
    }
    shapes.root.forEach(atZoom: 8) { tile in
      for piece in tile.contents().pieces {
        print(tile.address, piece.feature, piece.geometry.kind)
      }
    }
  }

  @Test func `cut lines and polygons into tiles`() throws {
    let line = Geometry.lineString([
      Position(longitude: 126.9, latitude: 37.5), Position(longitude: 127.1, latitude: 37.6),
    ])
    let lines = try PrintedLines.of {
      try cutting([
        Feature(geometry: nil, properties: nil), Feature(geometry: line, properties: nil),
      ])
    }
    #expect(lines == ["8/218/99 1 line"])
  }
}
