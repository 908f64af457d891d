import Foundation
import Geodesy
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

  private struct Collection: Decodable {
    let features: [Feature]

    struct Feature: Decodable {
      let properties: [String: Property?]
      let geometry: Shape
    }

    struct Shape: Decodable {
      let type: String
      let numbers: [Double]
      /// How many rings each polygon of several has.
      let ringCounts: [Int]?

      private enum Key: CodingKey { case type, coordinates }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        type = try container.decode(String.self, forKey: .type)
        numbers = try container.decode(Nested.self, forKey: .coordinates).numbers
        ringCounts =
          type == "MultiPolygon"
          ? try container.decode([[[[Double]]]].self, forKey: .coordinates).map(\.count) : nil
      }
    }

    /// Numbers, however deep.
    struct Nested: Decodable {
      let numbers: [Double]

      init(from decoder: any Decoder) throws {
        if let number = try? decoder.singleValueContainer().decode(Double.self) {
          numbers = [number]
        } else {
          var container = try decoder.unkeyedContainer()
          var all: [Double] = []
          while !container.isAtEnd { all += try container.decode(Nested.self).numbers }
          numbers = all
        }
      }
    }

    enum Property: Decodable, Equatable {
      case text(String), number(Double), bool(Bool)

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
          self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
          self = .number(value)
        } else {
          self = .text(try container.decode(String.self))
        }
      }
    }
  }

  /// The features that GDAL reads in a layer of a tile, without a place on the Earth: x to the east, y
  /// to the north; its margin included.
  private func features(
    of bytes: [UInt8], layer: String, in folder: Folder
  ) throws -> [Collection.Feature] {
    let file = try folder.write(bytes, to: "tile.mvt").path
    let answer = try #require(
      try SystemProgram.run(
        "ogr2ogr",
        [
          "-f", "GeoJSON", "/vsistdout/", "MVT:\(file)", layer, "-oo", "CLIP=NO", "-lco",
          "RFC7946=NO", "-q",
        ]))
    #expect(answer.status == 0, "\(answer.text)")
    return try JSONDecoder().decode(Collection.self, from: Data(answer.text.utf8)).features
  }

  @Test(.enabled(if: Judge.hasGDAL, "needs Debian's gdal-bin"))
  func `GDAL reads points, lines, polygons and every kind of value`() throws {
    let folder = try Folder()
    func part(_ positions: (Int32, Int32)...) -> [TilePosition] {
      positions.map { TilePosition(x: $0.0, y: $0.1) }
    }
    let outer = part((0, 0), (4096, 0), (4096, 4096), (0, 4096))
    let hole = part((10, 10), (10, 20), (20, 20), (20, 10))
    let shapes: [(TileGeometry, String, [Double])] = [
      (TileGeometry(kind: .point, parts: [part((5, 6))]), "Point", [5, 4090]),
      (
        TileGeometry(kind: .point, parts: [part((-64, 0), (4160, 4096))]), "MultiPoint",
        [-64, 4096, 4160, 0]
      ),
      (
        TileGeometry(kind: .line, parts: [part((2, 2), (2, 10), (10, 10))]), "LineString",
        [2, 4094, 2, 4086, 10, 4086]
      ),
      (
        TileGeometry(kind: .line, parts: [part((1, 1), (2, 2)), part((3, 3), (4, 4))]),
        "MultiLineString", [1, 4095, 2, 4094, 3, 4093, 4, 4092]
      ),
      (
        TileGeometry(kind: .polygon, parts: [outer, hole]), "MultiPolygon",
        [
          0, 4096, 4096, 4096, 4096, 0, 0, 0, 0, 4096,
          10, 4086, 10, 4076, 20, 4076, 20, 4086, 10, 4086,
        ]
      ),
    ]
    let values: [(VectorTileValue, Collection.Property)] = [
      (.string("메가마트 「x」"), .text("메가마트 「x」")), (.integer(-7), .number(-7)),
      (.integer(1 << 40), .number(1_099_511_627_776)), (.double(0.1), .number(0.1)),
      (.float(0.5), .number(0.5)), (.unsigned(9), .number(9)), (.bool(true), .bool(true)),
    ]
    for (geometry, type, numbers) in shapes {
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
        #expect(feature.geometry.type == type)
        #expect(feature.geometry.numbers == numbers)
        // GDAL says so of every polygon of several rings; this one has a hole.
        if type == "MultiPolygon" { #expect(feature.geometry.ringCounts == [2]) }
        #expect(feature.properties["mvt_id"] == .number(77))
        for (place, value) in values.enumerated() {
          // GDAL gives truth values as numbers where it merges kinds.
          let read = feature.properties["k\(place)"] ?? nil
          #expect(read == value.1 || value.1 == .bool(true) && read == .number(1), "k\(place)")
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
