import Foundation
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import WebMaps

@Suite struct VectorTileTests {
  // MARK: Reference bytes

  /// The polygon of section 4.3.5 of the specification, with a hole and a second exterior ring.
  @Test func `a geometry is the numbers of the specification's example`() throws {
    let numbers: [UInt8] = [
      9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15,
      9, 22, 2, 26, 18, 0, 0, 18, 17, 0, 15,
      9, 4, 13, 26, 0, 8, 8, 0, 0, 7, 15,
    ]
    let feature: [UInt8] = [0x18, 3, 0x22, UInt8(numbers.count)] + numbers
    let layer: [UInt8] = [0x78, 2, 0x0A, 1, 0x61, 0x12, UInt8(feature.count)] + feature
    let tile = try VectorTile(decoding: [0x1A, UInt8(layer.count)] + layer)
    let geometry = try #require(tile.layers.first?.features.first?.geometry)
    func ring(_ positions: (Int32, Int32)...) -> [TilePosition] {
      positions.map { TilePosition(x: $0.0, y: $0.1) }
    }
    #expect(
      geometry
        == TileGeometry(
          kind: .polygon,
          parts: [
            ring((0, 0), (10, 0), (10, 10), (0, 10)),
            ring((11, 11), (20, 11), (20, 20), (11, 20)),
            ring((13, 13), (13, 17), (17, 17), (17, 13)),
          ]))
    #expect(geometry.parts.map { TileGeometry.doubledArea(of: $0) } == [200, 162, -32])
    #expect(tile.encoded().suffix(numbers.count + 3).prefix(numbers.count) == numbers[...])
  }

  @Test func `values are written as the specification has them`() throws {
    let values: [(VectorTileValue, [UInt8])] = [
      (.string("é"), [4, 0x0A, 2, 0xC3, 0xA9]),
      (.float(1.5), [5, 0x15, 0, 0, 0xC0, 0x3F]),
      (.double(-2), [9, 0x19, 0, 0, 0, 0, 0, 0, 0, 0xC0]),
      (.integer(300), [3, 0x20, 0xAC, 2]),
      (.integer(-1), [2, 0x30, 1]),
      (.unsigned(.max), [11, 0x28] + Array(repeating: 0xFF, count: 9) + [1]),
      (.bool(true), [2, 0x38, 1]),
    ]
    for (value, bytes) in values {
      let layer = VectorTile.Layer(name: "", values: [value])
      let tile = VectorTile(layers: [layer]).encoded()
      #expect(tile.firstRange(of: [0x22] + bytes) != nil, "\(value) in \(tile)")
      #expect(try VectorTile(decoding: tile).layers == [layer])
    }
  }

  // MARK: Round trips

  @Test(arguments: UInt64(0)..<20)
  func `what is written is read`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tile = RandomTiles.tile(using: &random)
    let bytes = tile.encoded()
    #expect(try VectorTile(decoding: bytes) == tile)
    // Packed or not makes no difference.
    #expect(try VectorTile(decoding: GzipPacker().packed(bytes)) == tile)
  }

  @Test func `the same bytes are packed to the same bytes`() {
    let packer = GzipPacker()
    let first = packer.packed(Array("a tile".utf8))
    _ = packer.packed(Array(repeating: 7, count: 100_000))
    #expect(packer.packed(Array("a tile".utf8)) == first)
    #expect(GzipPacker().packed(Array("a tile".utf8)) == first)
  }

  /// zlib counts in 32 bits; what it is given in pieces comes out as if it were given whole.
  @Test(arguments: [1, 7, 1000, 65_536, 1 << 30])
  func `bytes are packed whole, in pieces of any size`(pieceSize: Int) throws {
    var random = SeededGenerator(seed: UInt64(pieceSize))
    for count in [0, 1, 999, 1000, 100_003] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...15, using: &random) }
      let packed = GzipPacker().packed(bytes, pieceSize: pieceSize)
      let unpacked = try SystemProgram.run(at: "/usr/bin/gzip", ["-dc"], input: packed).output
      #expect(unpacked == bytes, "\(count) bytes")
    }
  }

  @Test func `a tile of nothing has no bytes`() throws {
    #expect(VectorTile().encoded() == [])
    #expect(try VectorTile(decoding: []).layers == [])
  }

  // MARK: Values of properties

  @Test func `a property becomes the value that a map can use`() {
    #expect(VectorTileValue(.null) == nil)
    #expect(VectorTileValue(.bool(false)) == .bool(false))
    #expect(VectorTileValue(.number("-12")) == .integer(-12))
    #expect(VectorTileValue(.number("18446744073709551615")) == .unsigned(.max))
    #expect(VectorTileValue(.number("1.50")) == .double(1.5))
    #expect(VectorTileValue(.number("1e999")) == .string("1e999"))
    #expect(VectorTileValue(.array([1, "é", nil])) == .string(#"[1,"é",null]"#))
    #expect(VectorTileValue(.object(["a": true])) == .string(#"{"a":true}"#))
  }

  @Test func `values that look alike are two`() {
    #expect(VectorTileValue.double(0) != .double(-0.0))
    #expect(VectorTileValue.double(.nan) == .double(.nan))
    #expect(VectorTileValue.integer(1) != .double(1))
    // é, and e with an accent after it.
    #expect(VectorTileValue.string("\u{E9}") != .string("e\u{301}"))
  }

  // MARK: Damage

  /// The bytes of a tile with one layer, of these fields.
  private func tile(_ fields: [UInt8]...) -> [UInt8] {
    let layer = fields.flatMap { $0 }
    return [0x1A, UInt8(layer.count)] + layer
  }

  private let head: [UInt8] = [0x78, 2, 0x0A, 1, 0x61]

  private func reason(_ bytes: [UInt8]) -> VectorTileError.Reason? {
    do throws(VectorTileError) {
      _ = try VectorTile(decoding: bytes)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `what leaves open what a tile says is an error, and says which`() {
    #expect(reason([0x1A, 5, 0x78]) == .cutOff)
    #expect(reason([0x1B]) == .wireType("field 3"))
    #expect(reason([0x02, 0]) == .number)
    #expect(reason([0x1A] + Array(repeating: 0xFF, count: 10)) == .number)
    #expect(reason(tile([0x0A, 1, 0x61])) == .version(nil))
    #expect(reason(tile([0x78, 3, 0x0A, 1, 0x61])) == .version(3))
    #expect(reason(tile([0x78, 2])) == .unnamedLayer)
    #expect(reason(tile(head) + tile(head)) == .repeatedLayer("a"))
    #expect(reason(tile(head, [0x28, 0])) == .extent(0))
    #expect(reason(tile(head, [0x1A, 1, 0xFF])) == .text("a key"))
    #expect(reason(tile(head, [0x22, 0])) == .value)
    #expect(reason(tile(head, [0x22, 4, 0x38, 1, 0x38, 1])) == .value)
    #expect(reason(tile(head, [0x22, 2, 0x40, 1])) == .value)
    #expect(reason(tile(head, [0x22, 2, 0x08, 1])) == .wireType("a text value"))
    #expect(reason(tile(head, [0x12, 4, 0x12, 2, 0, 0])) == .tag(0))
  }

  @Test func `a geometry against the rules is an error, and says how`() {
    func fault(_ kind: UInt8, _ commands: [UInt8]) -> VectorTileError.GeometryFault? {
      let feature: [UInt8] = [0x18, kind, 0x22, UInt8(commands.count)] + commands
      guard case .geometry(let fault) = reason(tile(head, [0x12, UInt8(feature.count)] + feature))
      else { return nil }
      return fault
    }
    #expect(fault(1, [9, 0, 0]) == nil)
    #expect(fault(1, [9, 0]) == .missingParameters)
    #expect(fault(1, [1]) == .count)
    #expect(fault(1, [9, 0, 0, 9, 2, 2]) == .unexpectedCommand)
    #expect(fault(1, [15]) == .unexpectedCommand)
    #expect(fault(1, [11, 0, 0]) == .unknownCommand)
    // MoveTo 2²⁹ − 1 times, and nothing behind it.
    #expect(fault(1, [0xF9, 0xFF, 0xFF, 0xFF, 0x0F]) == .missingParameters)
    #expect(fault(2, [9, 0, 0]) == .tooShort)
    #expect(fault(2, [9, 0, 0, 2]) == .count)
    #expect(fault(2, [17, 0, 0, 2, 2, 10, 2, 2]) == .count)
    #expect(fault(2, [9, 0, 0, 10, 2, 2, 15]) == .unexpectedCommand)
    #expect(fault(3, [9, 0, 0, 10, 2, 2, 15]) == .tooShort)
    #expect(fault(3, [9, 0, 0, 18, 2, 2, 4, 0, 7]) == .count)
    #expect(fault(3, [9, 0, 0, 18, 2, 2, 4, 0]) == .tooShort)
  }

  @Test func `a feature that says too little is left out, and the tile says so`() throws {
    let good: [UInt8] = [0x12, 7, 0x18, 1, 0x22, 3, 9, 2, 2]
    let bad: [([UInt8], VectorTileError.Reason)] = [
      ([0x12, 2, 0x18, 1], .noGeometry),
      ([0x12, 7, 0x18, 8, 0x22, 3, 9, 2, 2], .geometryType(8)),
      ([0x12, 10, 0x12, 1, 0, 0x18, 1, 0x22, 3, 9, 2, 2], .oddTags(1)),
      (
        // The layer's key and value are behind the feature.
        [
          0x12, 13, 0x12, 4, 0, 0, 0, 0, 0x18, 1, 0x22, 3, 9, 2, 2,
          0x1A, 1, 0x6B, 0x22, 2, 0x38, 1,
        ],
        .repeatedKey(0)
      ),
      ([0x12, 12, 0x18, 1, 0x22, 3, 9, 2, 2, 0x22, 3, 9, 2, 2], .repeatedGeometry),
    ]
    for (feature, reason) in bad {
      let tile = try VectorTile(decoding: tile(head, feature, good))
      #expect(tile.layers[0].features.count == 1)
      #expect(tile.omissions.map(\.reason) == [reason])
      #expect(tile.omissions.map(\.offset) == [7])
    }
  }

  @Test func `of very many features that are left out a tile keeps the first ones only`() throws {
    let features = Array(repeatElement([0x12, 0] as [UInt8], count: 5_000).joined())
    let layer = head + features
    var bytes: [UInt8] = [0x1A]
    // 10,005 in two bytes.
    bytes += [UInt8(layer.count & 0x7F) | 0x80, UInt8(layer.count >> 7)] + layer
    let tile = try VectorTile(decoding: bytes)
    #expect(tile.layers[0].features.isEmpty)
    #expect(tile.omissions.count == 1_000)
  }

  @Test func `numbers one by one are read as packed ones are, and unknown fields passed over`()
    throws
  {
    // The geometry 9, 2, 2 in three fields; field 20 of every way of writing.
    let others: [UInt8] = [
      0xA0, 1, 7, 0xA2, 1, 1, 0, 0xA5, 1, 0, 0, 0, 0, 0xA1, 1, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    let feature: [UInt8] = [0x18, 1, 0x20, 9, 0x20, 2, 0x20, 2] + others
    let bytes = tile(head, others, [0x12, UInt8(feature.count)] + feature)
    let features = try VectorTile(decoding: others + bytes).layers[0].features
    #expect(features[0].geometry?.parts == [[TilePosition(x: 1, y: 1)]])
  }

  @Test func `a geometry of unknown kind is kept as it is`() throws {
    let bytes = tile(head, [0x12, 5, 0x22, 3, 9, 2, 2])
    let decoded = try VectorTile(decoding: bytes)
    #expect(decoded.layers[0].features[0].geometry == nil)
    #expect(decoded.layers[0].features[0].unknownCommands == [9, 2, 2])
    #expect(try VectorTile(decoding: decoded.encoded()) == decoded)
  }

  @Test func `what unpacks to more than is allowed is refused`() {
    let bomb = GzipPacker(level: 9).packed(Array(repeating: 0, count: 1 << 20))
    #expect(bomb.count < 1 << 11)
    do throws(VectorTileError) {
      _ = try VectorTile(decoding: bomb, limit: 1 << 16)
      Issue.record("it was read")
    } catch {
      #expect(error.code == "tile-size")
      #expect(error.reason == .tooLarge(1 << 16))
    }
    #expect(reason(Array(bomb.prefix(100))) == .gzip("it is cut off"))
    #expect(reason([0x1F, 0x8B]) == .gzip("it is cut off"))
  }

  @Test func `an error names the byte and what to do`() {
    let error = #expect(throws: VectorTileError.self) {
      try VectorTile(decoding: tile([0x78, 3, 0x0A, 1, 0x61]))
    }
    #expect(
      error?.description
        == "byte 0 of the vector tile: a layer of version 3, neither 1 nor 2; make the tile again")
    #expect(error?.code == "tile-damaged")
  }
}

/// Tiles of all that tiles may have.
enum RandomTiles {
  static func tile(using random: inout some RandomNumberGenerator) -> VectorTile {
    let names = ["a", "도로", ""].prefix(Int.random(in: 0...3, using: &random))
    return VectorTile(layers: names.map { layer($0, using: &random) })
  }

  private static func layer(
    _ name: String, using random: inout some RandomNumberGenerator
  ) -> VectorTile.Layer {
    let values: [VectorTileValue] = [
      .string("ガソリン"), .float(-0.1), .double(.pi), .integer(.min), .integer(.max),
      .unsigned(.max), .bool(false),
    ]
    var layer = VectorTile.Layer(
      name: name, extent: [1, 256, 4096, Int(UInt32.max)].randomElement(using: &random)!,
      keys: ["", "name", "높이"], values: values)
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      let tags = (0..<Int.random(in: 0...3, using: &random)).map { key in
        VectorTile.Tag(key: key, value: values.indices.randomElement(using: &random)!)
      }
      layer.features.append(
        VectorTile.Feature(
          id: Bool.random(using: &random) ? .random(in: 0 ... .max, using: &random) : nil,
          tags: tags, geometry: geometry(using: &random)))
    }
    return layer
  }

  private static func geometry(using random: inout some RandomNumberGenerator) -> TileGeometry {
    let kind = TileGeometry.Kind(rawValue: .random(in: 1...3, using: &random))!
    let range: ClosedRange<Int32> = Bool.random(using: &random) ? -64...4160 : .min ... .max
    let count = kind == .point ? 1 : Int.random(in: 1...4, using: &random)
    return TileGeometry(
      kind: kind,
      parts: (0..<count).map { _ in
        (0..<Int(kind.rawValue) + Int.random(in: 0...20, using: &random)).map { _ in
          TilePosition(x: .random(in: range, using: &random), y: .random(in: range, using: &random))
        }
      })
  }
}
