import Foundation
import GeoJSONCoding
import MapAnnotations
import MapProjections
import NearbyTestSupport
import Testing
import WebMaps

/// Other programs that read what is written here.
private enum Judge {
  /// A Python that has the reader of archives: the path's, or one that `.ci/run` names.
  static let python: String? = [
    ProcessInfo.processInfo.environment["NEARBY_PMTILES_PYTHON"], "python3",
  ].compactMap { $0 }.first {
    (try? SystemProgram.run($0, ["-c", "import pmtiles.reader"]))??.status == 0
  }

  static let hasGDAL = (try? SystemProgram.run("ogr2ogr", ["--version"]))??.status == 0
}

@Suite struct OtherReadersTests {
  // MARK: GDAL

  /// The features that GDAL reads in a layer of a tile, without a place on the Earth: x to the east, y
  /// to the north; its margin included.
  private func features(
    of bytes: [UInt8], layer: String, in folder: Folder
  ) throws -> [Feature] {
    let file = try folder.write(bytes, to: "tile.mvt").path
    let answer = try #require(
      try SystemProgram.run(
        "ogr2ogr",
        [
          "-f", "GeoJSON", "/vsistdout/", "MVT:\(file)", layer, "-oo", "CLIP=NO", "-lco",
          "RFC7946=NO", "-q",
        ]))
    #expect(answer.status == 0, "\(answer.text)")
    return try GeoJSONReader().features(in: Array(answer.text.utf8))
  }

  @Test(.enabled(if: Judge.hasGDAL, "needs Debian's gdal-bin"))
  func `GDAL reads points, lines, polygons and every kind of value`() throws {
    let folder = try Folder()
    func part(_ positions: (Int32, Int32)...) -> [TilePosition] {
      positions.map { TilePosition(x: $0.0, y: $0.1) }
    }
    let outer = part((0, 0), (4096, 0), (4096, 4096), (0, 4096))
    let hole = part((10, 10), (10, 20), (20, 20), (20, 10))
    func path(_ numbers: Double...) -> [Position] {
      stride(from: 0, to: numbers.count, by: 2).map {
        Position(longitude: numbers[$0], latitude: numbers[$0 + 1])
      }
    }
    let shapes: [(TileGeometry, Geometry)] = [
      (TileGeometry(kind: .point, parts: [part((5, 6))]), .point(path(5, 4090)[0])),
      (
        TileGeometry(kind: .point, parts: [part((-64, 0), (4160, 4096))]),
        .multiPoint(path(-64, 4096, 4160, 0))
      ),
      (
        TileGeometry(kind: .line, parts: [part((2, 2), (2, 10), (10, 10))]),
        .lineString(path(2, 4094, 2, 4086, 10, 4086))
      ),
      (
        TileGeometry(kind: .line, parts: [part((1, 1), (2, 2)), part((3, 3), (4, 4))]),
        .multiLineString([path(1, 4095, 2, 4094), path(3, 4093, 4, 4092)])
      ),
      (
        TileGeometry(kind: .polygon, parts: [outer, hole]),
        // GDAL says so of every polygon of several rings; this one has a hole.
        .multiPolygon([
          [
            path(0, 4096, 4096, 4096, 4096, 0, 0, 0, 0, 4096),
            path(10, 4086, 10, 4076, 20, 4076, 20, 4086, 10, 4086),
          ]
        ])
      ),
    ]
    let values: [(VectorTileValue, PropertyValue)] = [
      (.string("메가마트 「x」"), "메가마트 「x」"), (.integer(-7), -7),
      (.integer(1 << 40), 1_099_511_627_776), (.double(0.1), .double(0.1)),
      (.float(0.5), .double(0.5)), (.unsigned(9), 9), (.bool(true), true),
    ]
    for (geometry, expected) in shapes {
      // A layer for each, since a layer has one kind of geometry in GDAL.
      var layer = VectorTile.Layer(name: "도로", values: values.map(\.0))
      layer.keys = values.indices.map { "k\($0)" }
      let tags = values.indices.map { VectorTile.Tag(key: $0, value: $0) }
      layer.features = [VectorTile.Feature(id: 77, tags: tags, geometry: geometry)]
      let bytes = VectorTile(layers: [layer]).encoded()
      for stored in [bytes, GzipPacker().packed(bytes)] {
        let read = try features(of: stored, layer: "도로", in: folder)
        #expect(read.count == 1)
        let feature = try #require(read.first)
        #expect(feature.geometry == expected)
        let properties = try #require(feature.properties)
        #expect(properties["mvt_id"] == 77)
        for (place, value) in values.enumerated() {
          let read = try #require(properties["k\(place)"])
          // GDAL gives truth values as numbers where it merges kinds.
          #expect(read == value.1 || read.number == value.1.number ?? 1, "k\(place)")
        }
      }
    }
  }

  @Test(
    .enabled(if: Judge.hasGDAL, "needs Debian's gdal-bin"),
    .enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)"),
    arguments: ["norway-12-2171-1070", "uruguay-9-175-304"])
  func `GDAL reads the same in a real tile and in what is written of it`(name: String) throws {
    let folder = try Folder()
    let original = try SharedFiles.bytes("conformance/vector_tiles/real/\(name).mvt")
    func listing(_ bytes: [UInt8]) throws -> String {
      let file = try folder.write(bytes, to: "tile.mvt").path
      let answer = try #require(try SystemProgram.run("ogrinfo", ["-ro", "-al", "MVT:\(file)"]))
      #expect(answer.status == 0, "\(answer.text)")
      return answer.text
    }
    let tile = try VectorTile(decoding: original)
    let expected = try listing(original)
    #expect(expected.utf8.count > 10_000)
    #expect(try listing(tile.encoded()) == expected)
  }

  // MARK: Python's pmtiles

  @Test(
    .enabled(if: Judge.python != nil, "needs PyPI's pmtiles for python3"),
    arguments: [0, 1, 3, 500, 40_000])
  func `Python's reader finds each tile of an archive, and no other`(count: Int) throws {
    let folder = try Folder()
    var random = SeededGenerator(seed: 7)
    // Of lengths that make directories large: 40,000 take leaves.
    let tiles = try randomTiles(count, zooms: 0...13, length: 0, seed: 7).map {
      ($0.address, $0.bytes + Array(repeating: 1, count: .random(in: 0...200, using: &random)))
    }
    let bytes = try archive(tiles).bytes
    let leaves = try PMTilesArchive(bytes).header.leaves.count
    #expect((leaves > 0) == (count == 40_000))
    try check(bytes, tiles, in: folder)
  }

  @Test(.enabled(if: Judge.python != nil, "needs PyPI's pmtiles for python3"))
  func `Python's reader finds runs of equal tiles, and tiles at the deepest zooms`() throws {
    let folder = try Folder()
    let water = Array("water".utf8)
    var tiles: PlacedTiles = try (0..<200).map {
      (try #require(TileAddress(pmtilesID: 85 + $0)), $0 == 77 ? Array("land".utf8) : water)
    }
    tiles += try [(29, 1 << 29 - 1, 0), (30, 1 << 30 - 1, 1 << 30 - 1)].map {
      (try TileAddress(zoom: $0.0, x: $0.1, y: $0.2), water)
    }
    tiles.sort { $0.address.pmtilesID < $1.address.pmtilesID }
    try check(try archive(tiles).bytes, tiles, in: folder)
  }

  @Test(.enabled(if: Judge.python != nil, "needs PyPI's pmtiles for python3"))
  func `Python's reader finds the tiles of an archive that was written in pieces`() throws {
    let folder = try Folder()
    let tiles = try randomTiles(3_000, zooms: 8...12, length: 2_000, seed: 6)
    let sink = try archive(tiles)
    #expect(sink.offsets.count > 3)
    try check(sink.bytes, tiles, in: folder)
  }

  private func check(
    _ bytes: [UInt8], _ tiles: PlacedTiles, in folder: Folder
  ) throws {
    let file = try folder.write(bytes, to: "test.pmtiles").path
    let expected = Dictionary(
      uniqueKeysWithValues: tiles.map { ("\($0.address)", Data($0.bytes).base64EncodedString()) })
    let list = try folder.write(Array(try JSONEncoder().encode(expected)), to: "tiles.json").path
    let script = SharedFiles.packageRoot.appending(path: ".ci/archives.py").path
    let python = try #require(Judge.python)
    let answer = try #require(try SystemProgram.run(python, [script, file, list]))
    #expect(answer.status == 0, "\(answer.text)")
    #expect(answer.text.contains("\(tiles.count) tiles"), "\(answer.text)")
  }
}
