import Foundation
import Geodesy
import MapProjections
import NearbyTestSupport
import Testing

@testable import WebMaps

/// A file in memory, which remembers how it was written.
struct MemorySink: PMTilesSink {
  var bytes: [UInt8] = []
  /// The places that were written, in their order.
  var offsets: [Int] = []

  mutating func write(_ more: [UInt8], at offset: Int) {
    offsets.append(offset)
    if bytes.count < offset + more.count {
      bytes.append(contentsOf: repeatElement(0, count: offset + more.count - bytes.count))
    }
    bytes.replaceSubrange(offset..<offset + more.count, with: more)
  }
}

/// A sink that fails.
private struct FullDisk: PMTilesSink {
  struct Failure: Error {}
  func write(_ bytes: [UInt8], at offset: Int) throws(Failure) { throw Failure() }
}

/// Tiles with what they hold, which is anything: an archive does not look into it.
typealias PlacedTiles = [(address: TileAddress, bytes: [UInt8])]

/// An archive of tiles, in the order of their numbers.
func archive(
  _ tiles: PlacedTiles, metadata: PMTilesMetadata = PMTilesMetadata(layers: [])
) throws -> MemorySink {
  var writer = PMTilesWriter(to: MemorySink())
  for tile in tiles { writer.append(tile.bytes, at: tile.address) }
  writer.finish(metadata: metadata)
  return writer.sink
}

/// Tiles of random places, ascending, a quarter of them of ten equal contents.
func randomTiles(
  _ count: Int, zooms: ClosedRange<Int>, length: Int = 60, seed: UInt64
) throws -> PlacedTiles {
  var random = SeededGenerator(seed: seed)
  let ids = Set(
    try (0..<count).map { _ in
      try randomAddress(zoom: .random(in: zooms, using: &random), using: &random).pmtilesID
    })
  return try ids.sorted().map { id in
    let address = try #require(TileAddress(pmtilesID: id))
    let common = Int.random(in: 0..<40, using: &random)
    let text = common < 10 ? "common \(common)" : "\(address)"
    let bytes = Array(text.utf8)
    return (address, bytes + Array(repeating: 0x2E, count: max(0, length - bytes.count)))
  }
}

private func randomAddress(
  zoom: Int, using random: inout SeededGenerator
) throws -> TileAddress {
  try TileAddress(
    zoom: zoom, x: .random(in: 0..<1 << zoom, using: &random),
    y: .random(in: 0..<1 << zoom, using: &random))
}

@Suite struct PMTilesTests {
  // MARK: Numbers of tiles

  /// From go-pmtiles' tests and the specification.
  @Test(
    arguments: [
      ("0/0/0", 0), ("1/0/0", 1), ("1/0/1", 2), ("1/1/1", 3), ("1/1/0", 4), ("2/0/0", 5),
      ("2/1/0", 6), ("12/3423/1763", 19_078_479),
    ] as [(String, UInt64)])
  func `a tile has the number that the specification gives it`(name: String, id: UInt64) throws {
    let tile = try #require(TileAddress(name))
    #expect(tile.pmtilesID == id)
    #expect(TileAddress(pmtilesID: id) == tile)
  }

  @Test func `the numbers of a zoom are one walk from tile to neighbor`() throws {
    var last: TileAddress?
    let ids = TileAddress.firstID(zoom: 6)..<TileAddress.firstID(zoom: 7)
    #expect(ids.count == 4_096)
    for id in ids {
      let tile = try #require(TileAddress(pmtilesID: id))
      #expect(tile.zoom == 6)
      #expect(tile.pmtilesID == id)
      if let last { #expect(abs(tile.x - last.x) + abs(tile.y - last.y) == 1) }
      last = tile
    }
  }

  @Test(arguments: UInt64(0)..<4)
  func `a number leads back to its tile, at every zoom`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for zoom in 0...30 {
      for _ in 0..<50 {
        let tile = try randomAddress(zoom: zoom, using: &random)
        #expect(TileAddress(pmtilesID: tile.pmtilesID) == tile)
      }
    }
    #expect(TileAddress(pmtilesID: TileAddress.firstID(zoom: 31)) == nil)
    #expect(TileAddress(pmtilesID: .max) == nil)
  }

  // MARK: Writing and reading

  /// Compares all tiles in the archive's order, and looks some 300 of them up, each of which reads its
  /// directories anew.
  private func lookUp(_ tiles: PlacedTiles, in archive: PMTilesArchive<[UInt8]>) throws {
    var place = 0
    try archive.forEachRun { id, count, bytes in
      for number in 0..<UInt64(count) {
        let tile = tiles[place]
        if tile.address.pmtilesID != id + number || tile.bytes != bytes {
          Issue.record("tile \(id + number) of \(bytes) in place of \(tile)")
        }
        place += 1
      }
    }
    #expect(place == tiles.count)
    for tile in stride(from: 0, to: tiles.count, by: max(1, tiles.count / 300)).map({ tiles[$0] }) {
      #expect(try archive.tile(at: tile.address) == tile.bytes)
    }
  }

  @Test(arguments: [0, 1, 2, 100, 20_000])
  func `each tile is found, and no other`(count: Int) throws {
    let tiles = try randomTiles(count, zooms: 0...14, seed: UInt64(count))
    let sink = try archive(tiles)
    let archive = try PMTilesArchive(sink.bytes)
    try lookUp(tiles, in: archive)
    let known = Set(tiles.map(\.address))
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let tile = try randomAddress(zoom: .random(in: 0...15, using: &random), using: &random)
      if !known.contains(tile) { #expect(try archive.tile(at: tile) == nil) }
    }
    #expect(archive.header.addressedTileCount == tiles.count)
    #expect(archive.header.contentCount == Set(tiles.map(\.bytes)).count)
    #expect(archive.header.minZoom == tiles.first?.address.zoom ?? 0)
    #expect(archive.header.maxZoom == tiles.last?.address.zoom ?? 0)
  }

  @Test func `equal tiles are kept once, and a run of them has one entry`() throws {
    let tile = Array("water".utf8), other = Array("land".utf8)
    var writer = PMTilesWriter(to: MemorySink())
    let zoom3 = try (0..<64).map { try #require(TileAddress(pmtilesID: 21 + $0)) }
    for address in zoom3[..<10] { writer.append(tile, at: address) }
    writer.append(other, at: zoom3[10])
    for address in zoom3[11...61] { writer.append(tile, at: address) }
    let header = writer.finish(metadata: PMTilesMetadata(layers: []))
    #expect(header.entryCount == 3)
    #expect(header.contentCount == 2)
    #expect(header.addressedTileCount == 62)
    #expect(header.tiles.count == tile.count + other.count)
    let archive = try PMTilesArchive(writer.sink.bytes)
    #expect(try archive.tile(at: zoom3[9]) == tile)
    #expect(try archive.tile(at: zoom3[10]) == other)
    #expect(try archive.tile(at: zoom3[61]) == tile)
    #expect(try archive.tile(at: zoom3[62]) == nil)
  }

  @Test func `a run may go over the end of a zoom`() throws {
    var writer = PMTilesWriter(to: MemorySink())
    let tile = Array("ocean".utf8)
    for id in TileAddress.firstID(zoom: 3)..<TileAddress.firstID(zoom: 5) {
      writer.append(tile, at: try #require(TileAddress(pmtilesID: id)))
    }
    let header = writer.finish(metadata: PMTilesMetadata(layers: []))
    #expect(header.entryCount == 1)
    #expect(header.addressedTileCount == 64 + 256)
    #expect(header.minZoom == 3 && header.maxZoom == 4)
    let archive = try PMTilesArchive(writer.sink.bytes)
    for name in ["3/0/0", "3/7/0", "4/0/0", "4/15/0", "4/9/13"] {
      #expect(try archive.tile(at: try #require(TileAddress(name))) == tile, "\(name)")
    }
    #expect(try archive.tile(at: try TileAddress(zoom: 2, x: 0, y: 0)) == nil)
    #expect(try archive.tile(at: try TileAddress(zoom: 5, x: 0, y: 0)) == nil)
  }

  @Test func `a tile of no bytes is no tile`() throws {
    let address = try TileAddress(zoom: 4, x: 3, y: 3)
    let archive = try PMTilesArchive(try archive([(address, [])]).bytes)
    #expect(try archive.tile(at: address) == nil)
    #expect(archive.header.addressedTileCount == 0)
  }

  // MARK: Layout

  @Test func `a small archive has its parts in the recommended order, without gaps`() throws {
    let sink = try archive(try randomTiles(50, zooms: 3...9, seed: 5))
    let header = try PMTilesArchive(sink.bytes).header
    #expect(sink.offsets == [0])
    #expect(header.root.offset == 127)
    #expect(header.metadata.offset == 127 + header.root.count)
    #expect(header.leaves.offset == header.metadata.offset + header.metadata.count)
    #expect(header.leaves.count == 0)
    #expect(header.tiles.offset == header.leaves.offset)
    #expect(sink.bytes.count == header.tiles.offset + header.tiles.count)
  }

  @Test func `a large archive is written once, its beginning last`() throws {
    let tiles = try randomTiles(3_000, zooms: 8...12, length: 2_000, seed: 6)
    let sink = try archive(tiles)
    #expect(sink.offsets.count > 3)
    #expect(sink.offsets.first == 16_384)
    #expect(sink.offsets.last == 0)
    #expect(sink.offsets.dropLast() == sink.offsets.dropLast().sorted()[...])
    let archive = try PMTilesArchive(sink.bytes)
    let header = archive.header
    // What the program `pmtiles verify` asks for.
    #expect(
      sink.bytes.count
        == 16_384 + header.metadata.count + header.leaves.count + header.tiles.count)
    try lookUp(tiles, in: archive)
    // Until the last write there is no archive.
    #expect(throws: PMTilesError.notAnArchive) {
      try PMTilesArchive(Array(repeating: 0, count: 127) + sink.bytes[127...])
    }
  }

  @Test func `a root directory fits into the first 16,384 bytes, with leaves where it must`() throws
  {
    // Lengths of many kinds, so that directories do not pack well.
    var random = SeededGenerator(seed: 8)
    let tiles = try randomTiles(30_000, zooms: 10...14, length: 0, seed: 8).map {
      ($0.address, $0.bytes + Array(repeating: 1, count: .random(in: 0...200, using: &random)))
    }
    let sink = try archive(tiles)
    let archive = try PMTilesArchive(sink.bytes)
    #expect(archive.header.root.offset + archive.header.root.count <= 16_384)
    #expect(archive.header.leaves.count > 16_384)
    #expect(archive.header.addressedTileCount == tiles.count)
    try lookUp(tiles, in: archive)
  }

  @Test func `when a root cannot name so many leaves, leaves become larger`() {
    var random = SeededGenerator(seed: 9)
    var id: UInt64 = 0, offset: UInt64 = 0
    let entries = (0..<60_000).map { _ in
      id += .random(in: 1...1 << 40, using: &random)
      offset = .random(in: 0...1 << 40, using: &random)
      return PMTilesEntry(
        id: id, runLength: 1, length: .random(in: 1...1 << 30, using: &random), offset: offset)
    }
    // One leaf for every ten entries would not fit: some 150 bits for each.
    let directories = PMTilesDirectories(entries, GzipPacker(level: 1), firstLeafSize: 10)
    #expect(directories.root.count <= 16_257)
    #expect(directories.root.count > 4_000)
  }

  @Test func `what cannot be written is told, and nothing is taken for an archive`() throws {
    var writer = PMTilesWriter(to: FullDisk())
    let address = try TileAddress(zoom: 1, x: 0, y: 0)
    try writer.append([1], at: address)
    #expect(throws: FullDisk.Failure.self) {
      try writer.finish(metadata: PMTilesMetadata(layers: []))
    }
  }

  // MARK: Header and metadata

  @Test func `the header says what the tiles cover`() throws {
    var writer = PMTilesWriter(to: MemorySink(), tiles: .none)
    writer.append([1], at: try TileAddress(zoom: 5, x: 27, y: 12))
    writer.append([2], at: try TileAddress(zoom: 8, x: 218, y: 99))
    writer.finish(
      metadata: PMTilesMetadata(layers: []),
      bounds: try BoundingBox(south: 33.1, west: 124.6, north: 38.6, east: 131.9),
      center: try Coordinate(latitude: 37.5666, longitude: 126.9784), zoom: 7)
    let header = try PMTilesArchive(writer.sink.bytes).header
    let bounds = try #require(header.bounds)
    #expect(bounds.contains(try BoundingBox(south: 33.1, west: 124.6, north: 38.6, east: 131.9)))
    #expect(abs(bounds.west - 124.6) < 2e-7 && abs(bounds.north - 38.6) < 2e-7)
    #expect(header.center == (try Coordinate(latitude: 37.5666, longitude: 126.9784)))
    #expect(header.centerZoom == 7)
    #expect(header.tileCompression == .none)
    #expect(header.tileType == .vectorTile)
    #expect(header.isClustered)
  }

  @Test(
    arguments: [
      (nil, 3), (4, 4), (2, 3), (6, 5), (-1, 3), (255, 5), (256, 5), (.min, 3), (.max, 5),
    ] as [(Int?, Int)])
  func `the initial zoom is the nearest that has tiles`(asked: Int?, zoom: Int) throws {
    var writer = PMTilesWriter(to: MemorySink())
    for zoom in 3...5 { writer.append([1], at: try TileAddress(zoom: zoom, x: 1, y: 1)) }
    let header = writer.finish(metadata: PMTilesMetadata(layers: []), zoom: asked)
    #expect(header.centerZoom == zoom)
    #expect(try PMTilesArchive(writer.sink.bytes).header.centerZoom == zoom)
  }

  @Test func `a box across ±180° becomes all longitudes, with its own middle`() throws {
    var writer = PMTilesWriter(to: MemorySink())
    writer.finish(
      metadata: PMTilesMetadata(layers: []),
      bounds: try BoundingBox(south: -21, west: 177, north: -12, east: -178))
    let header = try PMTilesArchive(writer.sink.bytes).header
    #expect(header.bounds == (try BoundingBox(south: -21, west: -180, north: -12, east: 180)))
    #expect(header.center == (try Coordinate(latitude: -16.5, longitude: 179.5)))
  }

  @Test func `metadata names the layers and their fields`() throws {
    let metadata = PMTilesMetadata(
      name: "할인 \"deals\"",
      layers: [
        PMTilesMetadata.VectorLayer(
          id: "places", zooms: 0...12,
          fields: [("name", .string), ("price", .number), ("open", .boolean)])
      ],
      others: ["attribution": "© somebody", "generator": "nearby", "name": "not this one"])
    let archive = try PMTilesArchive(try archive([], metadata: metadata).bytes)
    #expect(
      String(decoding: try archive.metadata(), as: UTF8.self) == """
        {"name":"할인 \\"deals\\"","vector_layers":[{"id":"places",\
        "fields":{"name":"String","price":"Number","open":"Boolean"},"minzoom":0,"maxzoom":12}],\
        "attribution":"© somebody","generator":"nearby"}
        """)
  }

  // MARK: Damage

  @Test func `what is no archive is refused, and says which`() throws {
    let good = try archive(try randomTiles(10, zooms: 2...6, seed: 3)).bytes
    func error(_ change: (inout [UInt8]) -> Void) -> PMTilesError? {
      var bytes = good
      change(&bytes)
      do throws(PMTilesError) {
        _ = try PMTilesArchive(bytes)
        return nil
      } catch {
        return error
      }
    }
    #expect(error { _ in } == nil)
    #expect(error { $0 = [] } == .notAnArchive)
    #expect(error { $0 = Array("PK\u{3}\u{4} and so on".utf8) } == .notAnArchive)
    #expect(error { $0[7] = 2 } == .version(2))
    #expect(error { $0.removeSubrange(100...) } == .cutOff("the header"))
    #expect(error { $0.removeSubrange(140...) } == .cutOff("the root directory"))
    #expect(error { $0.removeLast() } == .cutOff("the tiles"))
    #expect(error { $0[97] = 9 } == .compression(9))
    #expect(error { $0[97] = 3 } == .compression(3))
    #expect(error { $0[130] ^= 0xFF }?.code == "pmtiles-damaged")
    #expect(error { $0[15] = 0x80 } == .cutOff("the root directory"))
    #expect(PMTilesError.version(2).description == "it is PMTiles of version 2, not 3; convert it")
  }

  @Test(arguments: [8, 24, 40, 56], [PMTilesHeader.Compression.none, .gzip])
  func `a part of no bytes may be said to begin anywhere`(
    place: Int, packing: PMTilesHeader.Compression
  ) throws {
    var bytes = try archive(try randomTiles(10, zooms: 2...6, seed: 3)).bytes
    bytes[97] = packing.rawValue
    bytes.replaceSubrange(
      place..<place + 16, with: [0, 0, 0, 0, 0, 0, 0, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0])
    do throws(PMTilesError) {
      let archive = try PMTilesArchive(bytes)
      #expect(try archive.metadata().isEmpty == (place == 24))
      _ = try archive.tile(at: TileAddress(unchecked: 3, 4, 4))
      try archive.forEachRun { _, _, _ in }
    } catch {
      // An empty root is no directory, and tiles must lie in the file.
      #expect(error.code == "pmtiles-damaged" && (place != 24 || packing == .none), "\(error)")
    }
  }

  /// The bytes of a directory: a count, then columns.
  private func fault(_ numbers: [UInt64]) -> String? {
    var bytes: [UInt8] = []
    for number in numbers { bytes.appendVarint(number) }
    do throws(PMTilesError) {
      _ = try PMTilesDirectory(decoding: bytes, tiles: 100, leaves: 50)
      return nil
    } catch {
      guard case .directory(let fault) = error else { return "\(error)" }
      return fault
    }
  }

  @Test func `a directory against the rules is refused, and says why`() {
    #expect(fault([0]) == nil)
    // Ids 3 and 7, runs, lengths, offsets.
    #expect(fault([2, 3, 4, 4, 1, 10, 90, 1, 0]) == nil)
    #expect(fault([]) == "fewer numbers than it announces")
    #expect(fault([2, 3, 4, 4, 1, 10, 90, 1]) == "fewer numbers than it announces")
    #expect(fault([1 << 60]) == "fewer numbers than it announces")
    #expect(fault([2, 3, 0, 1, 1, 10, 90, 1, 0]) == "entries out of order")
    #expect(fault([2, 3, .max, 1, 1, 10, 90, 1, 0]) == "entries out of order")
    #expect(fault([2, 3, 4, 5, 1, 10, 90, 1, 0]) == "runs that overlap")
    #expect(fault([1, .max, 1, 1, 1]) == "runs that overlap")
    #expect(fault([1, 3, 1 << 32, 1, 1]) == "a run beyond 2³²")
    #expect(fault([1, 3, 1, 0, 1]) == "an entry of no bytes, or of 2³²")
    #expect(fault([1, 3, 1, 10, 0]) == "a first entry that follows another")
    #expect(fault([1, 3, 1, 10, 92]) == "an entry that points out of the file")
    #expect(fault([1, 3, 1, 10, .max]) == "an entry that points out of the file")
    #expect(fault([1, 3, 0, 51, 1]) == "an entry that points out of the file")
    #expect(fault([1, 3, 1, 10, 1, 0]) == "more bytes than entries")
  }

  @Test func `leaves that lead to themselves end with an error`() throws {
    // A leaf whose one entry is itself.
    let packer = GzipPacker()
    let tile = try TileAddress(zoom: 0, x: 0, y: 0)
    func leaf(_ length: UInt32) -> [UInt8] {
      packer.packed(
        PMTilesDirectory.encoded([PMTilesEntry(id: 0, runLength: 0, length: length, offset: 0)]))
    }
    var bytes = leaf(1)
    while leaf(UInt32(bytes.count)) != bytes { bytes = leaf(UInt32(bytes.count)) }
    var header = PMTilesHeader()
    header.root = PMTilesHeader.Section(127, bytes.count)
    header.leaves = header.root
    let archive = try PMTilesArchive(header.encoded + bytes)
    #expect(throws: PMTilesError.directory("directories in more than 4 levels")) {
      try archive.tile(at: tile)
    }
    #expect(throws: PMTilesError.directory("directories in more than 4 levels")) {
      try archive.forEachRun { _, _, _ in }
    }
  }

  @Test func `a directory that unpacks to very much is refused`() throws {
    let bomb = GzipPacker(level: 9).packed(Array(repeating: 0, count: (1 << 23) + 1))
    var header = PMTilesHeader()
    header.root = PMTilesHeader.Section(127, bomb.count)
    #expect(throws: PMTilesError.tooLarge("the root directory", limit: 1 << 23)) {
      try PMTilesArchive(header.encoded + bomb)
    }
  }

  /// 20 × 500 mutations of an archive without leaves and of one with.
  @Test(arguments: UInt64(0)..<20)
  func `a damaged archive is an error or other tiles`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // Directories that are not packed, so that mistakes reach what is in them.
    let small = try PlainArchive.bytes(randomTiles(20, zooms: 0...5, seed: seed), leafSize: nil)
    let leaves = try PlainArchive.bytes(randomTiles(60, zooms: 0...5, seed: seed), leafSize: 8)
    for bytes in [small, leaves] {
      #expect(try PMTilesArchive(bytes).header.addressedTileCount > 0)
      for _ in 0..<250 {
        let damaged = TileMutations.mutated(bytes, using: &random)
        do throws(PMTilesError) {
          let archive = try PMTilesArchive(damaged)
          var count = 0
          try archive.forEachRun { _, _, tile in
            count += 1
            #expect(tile.count <= damaged.count)
          }
          // An entry takes four bytes at least.
          #expect(count <= damaged.count / 4)
          _ = try archive.tile(at: TileAddress(unchecked: 3, 4, 4))
          _ = try archive.metadata()
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
  }
}

/// An archive whose directories are not packed.
private enum PlainArchive {
  static func bytes(_ tiles: PlacedTiles, leafSize: Int?) throws -> [UInt8] {
    var data: [UInt8] = []
    let entries = tiles.map { tile in
      defer { data += tile.bytes }
      return PMTilesEntry(
        id: tile.address.pmtilesID, runLength: 1, length: UInt32(tile.bytes.count),
        offset: UInt64(data.count))
    }
    var root = entries, leaves: [UInt8] = []
    if let leafSize {
      root = stride(from: 0, to: entries.count, by: leafSize).map { start in
        let leaf = PMTilesDirectory.encoded(entries[start...].prefix(leafSize))
        defer { leaves += leaf }
        return PMTilesEntry(
          id: entries[start].id, runLength: 0, length: UInt32(leaf.count),
          offset: UInt64(leaves.count))
      }
    }
    let rootBytes = PMTilesDirectory.encoded(root[...])
    var header = PMTilesHeader()
    header.internalCompression = .none
    header.addressedTileCount = tiles.count
    header.root = PMTilesHeader.Section(127, rootBytes.count)
    header.leaves = PMTilesHeader.Section(127 + rootBytes.count, leaves.count)
    header.tiles = PMTilesHeader.Section(header.leaves.offset + leaves.count, data.count)
    return header.encoded + rootBytes + leaves + data
  }
}
