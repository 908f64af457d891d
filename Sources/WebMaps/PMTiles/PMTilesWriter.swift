import Geodesy
import MapProjections

/// The destination of an archive: a file, or bytes in memory.
///
/// Bytes arrive in ascending order, except that the first ones are written again at the end: an
/// unfinished file is not a valid archive. To make a file appear whole or not at all, write it
/// under another name and rename it.
public protocol PMTilesSink {
  /// The error of the destination.
  associatedtype Failure: Error
  /// Writes all bytes, starting at an offset in the file.
  mutating func write(_ bytes: [UInt8], at offset: Int) throws(Failure)
}

/// Writes a PMTiles archive tile by tile, without keeping the tiles in memory.
///
///     var writer = PMTilesWriter(to: file)
///     for tile in tiles { try writer.append(packer.packed(tile.bytes), at: tile.address) }
///     try writer.finish(metadata: metadata, bounds: box)
///
/// A tile equal to an earlier one is written once, and a run of equal tiles gets one entry. An
/// archive of up to 1 MiB has the recommended layout: header, root directory, metadata, leaf
/// directories, tiles. In a larger one, the first 16,384 bytes are reserved for header and root
/// directory, and metadata and leaf directories are at the end. The specification allows this, and
/// tiles are written once and never moved.
///
/// - Complexity: 24 bytes of memory for each entry, about 50 for each different tile.
///
/// Source: "PMTiles Version 3 Specification", protomaps.
public struct PMTilesWriter<Sink: PMTilesSink> {
  /// The destination of the archive.
  public private(set) var sink: Sink
  private var header = PMTilesHeader()
  private var entries: [PMTilesEntry] = []
  private var known: [ContentHash: Place] = [:]
  private var addressedCount = 0
  private var nextID: UInt64 = 0

  /// Tiles not yet written.
  private var pending: [UInt8] = []
  /// The number of bytes of tiles already written.
  private var writtenCount = 0

  private struct Place {
    let offset: UInt64
    let length: UInt32
  }

  /// The size up to which an archive is kept in memory, and the size of the pieces in which a larger one is written.
  static var chunk: Int { 1 << 20 }

  /// - Parameters:
  ///   - sink: The destination, written from its byte 0 on.
  ///   - compression: The compression of the tiles passed to `append`.
  public init(to sink: Sink, tiles compression: PMTilesHeader.Compression = .gzip) {
    self.sink = sink
    header.tileCompression = compression
  }

  /// Adds a tile.
  ///
  /// - Parameters:
  ///   - tile: Its bytes, packed as the archive says; an empty tile is skipped.
  ///   - address: The address of the tile.
  /// - Precondition: Addresses ascend by their `pmtilesID`; a tile has fewer than 2³² bytes.
  /// - Complexity: O(length).
  public mutating func append(_ tile: [UInt8], at address: TileAddress) throws(Sink.Failure) {
    let id = address.pmtilesID
    precondition(id >= nextID, "tile \(id), where those before \(nextID) are written")
    nextID = id + 1
    guard !tile.isEmpty else { return }
    precondition(tile.count <= UInt32.max, "a tile of \(tile.count) bytes")
    addressedCount += 1

    let hash = ContentHash(tile)
    let place: Place
    if let earlier = known[hash] {
      place = earlier
    } else {
      place = Place(offset: UInt64(writtenCount + pending.count), length: UInt32(tile.count))
      known[hash] = place
      pending.append(contentsOf: tile)
      if pending.count > Self.chunk { try writePending() }
    }
    appendEntry(id, place)
  }

  /// Adds an entry for a tile, or extends the last entry if the tile continues its run.
  private mutating func appendEntry(_ id: UInt64, _ place: Place) {
    if let before = entries.last, before.offset == place.offset,
      before.id + UInt64(before.runLength) == id, before.runLength < UInt32.max
    {
      entries[entries.count - 1].runLength += 1
    } else {
      entries.append(
        PMTilesEntry(id: id, runLength: 1, length: place.length, offset: place.offset))
    }
  }

  private mutating func writePending() throws(Sink.Failure) {
    try sink.write(pending, at: PMTilesHeader.firstReadCount + writtenCount)
    writtenCount += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  /// Writes the rest of the archive, with the header last.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the archive.
  ///   - bounds: The area of the tiles; a box across ±180° becomes all longitudes.
  ///   - center: The initial position; the middle of `bounds` by default.
  ///   - zoom: The initial zoom, the nearest that the archive has; its first by default.
  /// - Returns: The header.
  @discardableResult
  public mutating func finish(
    metadata: PMTilesMetadata, bounds: BoundingBox = .world, center: Coordinate? = nil,
    zoom: Int? = nil
  ) throws(Sink.Failure) -> PMTilesHeader {
    header.addressedTileCount = addressedCount
    header.entryCount = entries.count
    header.contentCount = known.count
    let lastID = entries.last.map { $0.id + UInt64($0.runLength) - 1 } ?? 0
    header.minZoom = TileAddress(pmtilesID: entries.first?.id ?? 0)?.zoom ?? 0
    header.maxZoom = TileAddress(pmtilesID: lastID)?.zoom ?? 0
    header.set(
      bounds: bounds, center: center,
      zoom: min(max(zoom ?? header.minZoom, header.minZoom), header.maxZoom))

    let packer = GzipPacker(level: 9)
    let directories = PMTilesDirectories(entries, packer)
    let metadata = packer.packed(metadata.json)
    if writtenCount == 0 {
      try writeWhole(directories, metadata)
    } else {
      try writeRest(directories, metadata)
    }
    return header
  }

  /// Writes a small archive at once, its parts one after the other.
  private mutating func writeWhole(
    _ directories: PMTilesDirectories, _ metadata: [UInt8]
  ) throws(Sink.Failure) {
    header.root = PMTilesHeader.Section(PMTilesHeader.byteCount, directories.root.count)
    header.metadata = PMTilesHeader.Section(header.root.end, metadata.count)
    header.leaves = PMTilesHeader.Section(header.metadata.end, directories.leaves.count)
    header.tiles = PMTilesHeader.Section(header.leaves.end, pending.count)
    try sink.write(
      header.encoded + directories.root + metadata + directories.leaves + pending, at: 0)
  }

  /// Writes what follows the first tiles of a large archive, and then its beginning.
  private mutating func writeRest(
    _ directories: PMTilesDirectories, _ metadata: [UInt8]
  ) throws(Sink.Failure) {
    try writePending()
    header.root = PMTilesHeader.Section(PMTilesHeader.byteCount, directories.root.count)
    header.tiles = PMTilesHeader.Section(PMTilesHeader.firstReadCount, writtenCount)
    header.metadata = PMTilesHeader.Section(header.tiles.end, metadata.count)
    header.leaves = PMTilesHeader.Section(header.metadata.end, directories.leaves.count)
    try sink.write(metadata + directories.leaves, at: header.metadata.offset)
    var first = header.encoded + directories.root
    first.append(contentsOf: repeatElement(0, count: PMTilesHeader.firstReadCount - first.count))
    try sink.write(first, at: 0)
  }
}

/// The packed root and leaf directories of an archive.
struct PMTilesDirectories {
  let root: [UInt8]
  let leaves: [UInt8]

  /// The maximum size of the root in bytes, so that one read fetches it whole.
  static let rootLimit = PMTilesHeader.firstReadCount - PMTilesHeader.byteCount

  /// Puts all entries into the root if they fit, and otherwise into leaves of equal size, as small
  /// as the root allows.
  ///
  /// - Parameter firstLeafSize: The initial number of entries in a leaf, doubled until the root
  ///   fits. Reading a tile reads a leaf: with 4,096 entries, about 10 KiB.
  init(_ entries: [PMTilesEntry], _ packer: GzipPacker, firstLeafSize: Int = 4096) {
    var parents = entries
    var leaves: [UInt8] = []
    var leafSize = firstLeafSize
    while true {
      // More entries would hardly fit, and trying takes long.
      if parents.count < 1 << 17 {
        let root = packer.packed(PMTilesDirectory.encoded(parents[...]))
        if root.count <= PMTilesDirectories.rootLimit {
          (self.root, self.leaves) = (root, leaves)
          return
        }
      }
      (parents, leaves) = ([], [])
      for start in stride(from: 0, to: entries.count, by: leafSize) {
        let part = entries[start..<min(start + leafSize, entries.count)]
        let leaf = packer.packed(PMTilesDirectory.encoded(part))
        parents.append(
          PMTilesEntry(
            id: entries[start].id, runLength: 0, length: UInt32(leaf.count),
            offset: UInt64(leaves.count)))
        leaves += leaf
      }
      leafSize *= 2
    }
  }
}

/// A 128-bit hash that decides whether two tiles are equal.
///
/// Two runs of the standard library's hash, seeded at random in each process, so that nobody can
/// craft a collision. By chance one occurs in 10²⁰ archives of a thousand million tiles.
private struct ContentHash: Hashable {
  let first: Int, second: Int

  init(_ bytes: [UInt8]) {
    var hashers = (Hasher(), Hasher())
    hashers.0.combine(0 as UInt8)
    hashers.1.combine(1 as UInt8)
    bytes.withUnsafeBytes {
      hashers.0.combine(bytes: $0)
      hashers.1.combine(bytes: $0)
    }
    (first, second) = (hashers.0.finalize(), hashers.1.finalize())
  }
}
