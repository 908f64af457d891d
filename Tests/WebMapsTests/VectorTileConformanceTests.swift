import Foundation
import NearbyTestSupport
import Testing

@testable import WebMaps

/// The tiles of mapbox/mvt-fixtures and real ones, in `../shared/conformance/vector_tiles`.
@Suite(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)"))
struct VectorTileConformanceTests {
  private static let folder = "conformance/vector_tiles"

  /// One line of an index.
  struct Row: Decodable, CustomStringConvertible {
    let id: String?
    let tile: String
    let dump: String?
    let v2_valid: Bool?
    let error: String?
    let layers: [LayerCounts]?

    var description: String { tile }
  }

  /// What a plain walk over the bytes counted.
  struct LayerCounts: Decodable, Equatable {
    let name: String
    let features: Int
    let extent: Int
    let version: Int
    let keys: Int
    let values: Int
    let types: [String: Int]
  }

  private static func rows(_ index: String) -> [Row] {
    (try? SharedFiles.values("\(folder)/\(index)")) ?? []
  }

  /// The decoded message, as mvt-fixtures dumps it.
  private struct Dump: Decodable {
    let layers: [Layer]?

    struct Layer: Decodable {
      let version: Int?
      let name: String
      let features: [Feature]?
      let keys: [String]?
      let values: [Value]?
      let extent: Int?
    }

    struct Feature: Decodable {
      let id: UInt64?
      let tags: [Int]?
      let type: Int?
      let geometry: [UInt32]?
    }

    /// A text; dump 076 has a number in its place, which the tile has as a text.
    struct Text: Decodable {
      let text: String

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
          text = String(number)
        } else {
          text = try container.decode(String.self)
        }
      }
    }

    struct Value: Decodable {
      let string_value: Text?
      let float_value: Float?
      let double_value: Double?
      let int_value: Int64?
      let uint_value: UInt64?
      let sint_value: Int64?
      let bool_value: Bool?

      var value: VectorTileValue? {
        string_value.map { .string($0.text) } ?? float_value.map { .float($0) }
          ?? double_value.map { .double($0) } ?? int_value.map { .integer($0) }
          ?? uint_value.map { .unsigned($0) } ?? sint_value.map { .integer($0) }
          ?? bool_value.map { .bool($0) }
      }
    }
  }

  @Test func `all tiles are found`() {
    #expect(Self.rows("mvt/index.jsonl").count == 37)
    #expect(Self.rows("real/index.jsonl").count == 4)
  }

  @Test(arguments: rows("mvt/index.jsonl"))
  func `a valid tile is what its dump says, and one past recovery an error`(row: Row) throws {
    let bytes = try SharedFiles.bytes("\(Self.folder)/mvt/\(row.tile)")
    guard row.v2_valid == true else {
      let tile = try? VectorTile(decoding: bytes)
      // What can be recovered from may be read, without what is wrong.
      if row.error == "fatal" { #expect(tile == nil, "it was read") }
      return
    }
    let tile = try VectorTile(decoding: bytes)
    #expect(tile.omissions.isEmpty)
    let dump = try JSONDecoder().decode(
      Dump.self, from: Data(try SharedFiles.bytes("\(Self.folder)/mvt/\(try #require(row.dump))")))
    let layers = dump.layers ?? []
    #expect(tile.layers.map(\.name) == layers.map(\.name))
    for (layer, expected) in zip(tile.layers, layers) {
      #expect(layer.version == expected.version)
      #expect(layer.extent == expected.extent ?? 4096)
      #expect(layer.keys == expected.keys ?? [])
      #expect(layer.values == (expected.values ?? []).map(\.value))
      let features = expected.features ?? []
      #expect(layer.features.map(\.id) == features.map(\.id))
      #expect(
        layer.features.map { $0.tags.flatMap { [$0.key, $0.value] } }
          == features.map { $0.tags ?? [] })
      #expect(
        layer.features.map { Int($0.geometry?.kind.rawValue ?? 0) } == features.map { $0.type ?? 0 }
      )
      #expect(
        layer.features.map { feature in
          var commands = feature.unknownCommands
          feature.geometry?.appendCommands(to: &commands)
          return commands
        } == features.map { $0.geometry ?? [] })
    }
    #expect(try VectorTile(decoding: tile.encoded()) == tile)
  }

  @Test(arguments: rows("real/index.jsonl"))
  func `a real tile has what was counted in it, and is read again when written`(row: Row) throws {
    let tile = try VectorTile(decoding: SharedFiles.bytes("\(Self.folder)/real/\(row.tile)"))
    #expect(tile.omissions.isEmpty)
    let counted = tile.layers.map { layer in
      LayerCounts(
        name: layer.name, features: layer.features.count, extent: layer.extent,
        version: layer.version, keys: layer.keys.count, values: layer.values.count,
        types: Dictionary(
          grouping: layer.features, by: { String($0.geometry?.kind.rawValue ?? 0) }
        ).mapValues(\.count))
    }
    #expect(counted == row.layers)
    #expect(try VectorTile(decoding: tile.encoded()) == tile)
  }

  @Test(arguments: UInt64(0)..<4)
  func
    `a damaged real tile is an error or another tile, and takes no more memory than its bytes call for`(
      seed: UInt64
    ) throws
  {
    var random = SeededGenerator(seed: seed)
    var count = 0, readCount = 0
    for row in Self.rows("real/index.jsonl") {
      let bytes = try SharedFiles.bytes("\(Self.folder)/real/\(row.tile)")
      count += 10
      for _ in 0..<10 where TileMutations.checkReading(bytes, using: &random) { readCount += 1 }
    }
    for row in Self.rows("mvt/index.jsonl") {
      let bytes = try SharedFiles.bytes("\(Self.folder)/mvt/\(row.tile)")
      count += 100
      for _ in 0..<100 where TileMutations.checkReading(bytes, using: &random) { readCount += 1 }
    }
    // Some mistakes are found, and some change nothing but a number.
    #expect((1..<count).contains(readCount), "\(readCount) of \(count) were read")
  }
}

/// Bytes with mistakes in them.
enum TileMutations {
  /// Some bytes of others.
  static func mutated(
    _ bytes: [UInt8], using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = bytes.indices.randomElement(using: &random)!
      switch Int.random(in: 0...5, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
      case 2: bytes.removeSubrange(place...)
      case 3: bytes.remove(at: place)
      case 4: bytes.insert(contentsOf: Array(repeating: 0xFF, count: 9), at: place)
      default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
      }
    }
    return bytes
  }

  /// Reads a tile with mistakes: what comes of it is written and read again, and has no more than its
  /// bytes have room for.
  ///
  /// - Returns: Whether it was read.
  static func checkReading(
    _ bytes: [UInt8], using random: inout some RandomNumberGenerator
  ) -> Bool {
    let bytes = mutated(bytes, using: &random)
    guard let tile = try? VectorTile(decoding: bytes) else { return false }
    let positions = tile.layers.lazy.flatMap(\.features).reduce(0) {
      $0 + ($1.geometry?.parts.reduce(0) { $0 + $1.count } ?? 0)
    }
    #expect(positions * 2 <= bytes.count, "\(bytes)")
    var again = tile
    again.omissions = []
    #expect((try? VectorTile(decoding: tile.encoded())) == again, "\(bytes)")
    return true
  }
}

@Suite struct VectorTileMutationTests {
  /// 20 × 600 mutations.
  @Test(arguments: UInt64(0)..<20)
  func `a damaged tile is an error or another tile`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var readCount = 0
    for _ in 0..<60 {
      let bytes = RandomTiles.tile(using: &random).encoded()
      for _ in 0..<10 where TileMutations.checkReading(bytes, using: &random) { readCount += 1 }
    }
    // Some mistakes change a name, others a length.
    #expect((30...570).contains(readCount), "\(readCount) of 600 were read")
  }

  @Test(arguments: UInt64(0)..<4)
  func `a damaged packed tile is an error`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let packer = GzipPacker()
    var readCount = 0
    for _ in 0..<100 {
      let tile = RandomTiles.tile(using: &random)
      let bytes = packer.packed(tile.encoded())
      let damaged = TileMutations.mutated(bytes, using: &random)
      // Name, time and system in the gzip header say nothing about the tile, nor does a repaired byte.
      if let read = try? VectorTile(decoding: damaged) {
        readCount += 1
        #expect(read == tile || !damaged.starts(with: [0x1F, 0x8B]), "\(damaged)")
      }
    }
    #expect(readCount < 50, "\(readCount) of 100 were read")
  }
}
