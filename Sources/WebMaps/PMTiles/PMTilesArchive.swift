import GzipReading
import MapProjections

/// Bytes with random access: a file, or bytes in memory.
public protocol PMTilesSource {
  /// The number of bytes.
  var byteCount: Int { get }
  /// Reads all bytes of a range in `0..<byteCount`.
  func bytes(_ range: Range<Int>) throws(PMTilesError) -> [UInt8]
}

extension [UInt8]: PMTilesSource {
  /// The number of bytes.
  public var byteCount: Int { count }
  /// The bytes of a range.
  public func bytes(_ range: Range<Int>) -> [UInt8] { Array(self[range]) }
}

/// An open PMTiles archive.
///
/// It reads the header and the root directory at once, and for each tile only its directory and its own bytes.
///
///     let archive = try PMTilesArchive(bytes)
///     if let tile = try archive.tile(at: address) { … }
///
/// Source: "PMTiles Version 3 Specification", protomaps.
public struct PMTilesArchive<Source: PMTilesSource> {
  /// The header of the archive.
  public let header: PMTilesHeader
  private let source: Source
  private var root = PMTilesDirectory([])

  /// The maximum size of an unpacked directory: 8 MiB, or two million entries; writers put a few
  /// thousand into one.
  static var directoryLimit: Int { 1 << 23 }
  /// The maximum size of the unpacked metadata: 64 MiB.
  static var metadataLimit: Int { 1 << 26 }
  /// The maximum number of directories on the way to a tile, as in other readers.
  static var depthLimit: Int { 4 }

  /// Opens an archive.
  ///
  /// - Throws: An error in the header or the root directory.
  public init(_ source: Source) throws(PMTilesError) {
    let first = try source.bytes(0..<min(source.byteCount, PMTilesHeader.byteCount))
    header = try PMTilesHeader(decoding: first, fileCount: source.byteCount)
    self.source = source
    root = try directory(header.root, "the root directory")
  }

  // MARK: Tiles

  /// The bytes of a tile as stored, packed as `header.tileCompression` says; nil if there is no
  /// such tile.
  ///
  /// - Throws: An error in a directory.
  public func tile(at address: TileAddress) throws(PMTilesError) -> [UInt8]? {
    let id = address.pmtilesID
    var directory = root
    for _ in 0..<Self.depthLimit {
      guard let entry = directory.entry(for: id) else { return nil }
      guard entry.runLength == 0 else { return try bytes(of: entry) }
      directory = try leaf(entry)
    }
    throw .directory("directories in more than \(Self.depthLimit) levels")
  }

  /// Calls `body` with every tile in archive order; a run of equal tiles is passed once, with the number of its first
  /// tile and its length.
  ///
  /// - Complexity: O(bytes read): a tile that many entries share is read for each of them.
  /// - Throws: An error in a directory, such as a leaf whose entries do not ascend from the entry that points to it.
  public func forEachRun(
    _ body: (_ firstID: UInt64, _ count: Int, _ bytes: [UInt8]) throws(PMTilesError) -> Void
  ) throws(PMTilesError) {
    var next: UInt64 = 0
    try forEachRun(in: root, depth: 1, from: &next, body)
  }

  private func forEachRun(
    in directory: PMTilesDirectory, depth: Int, from next: inout UInt64,
    _ body: (UInt64, Int, [UInt8]) throws(PMTilesError) -> Void
  ) throws(PMTilesError) {
    for entry in directory.entries {
      // Without this check, leaves that point to each other would loop for a long time.
      guard entry.id >= next else { throw .directory("entries out of order") }
      if entry.runLength > 0 {
        try body(entry.id, Int(entry.runLength), try bytes(of: entry))
        next = entry.id + UInt64(entry.runLength)
      } else {
        guard depth < Self.depthLimit else {
          throw .directory("directories in more than \(Self.depthLimit) levels")
        }
        let leaf = try leaf(entry)
        guard !leaf.entries.isEmpty else { throw .directory("a leaf without entries") }
        try forEachRun(in: leaf, depth: depth + 1, from: &next, body)
      }
    }
  }

  private func bytes(of entry: PMTilesEntry) throws(PMTilesError) -> [UInt8] {
    // The directory was checked: these bytes lie in the file.
    let start = header.tiles.offset + Int(entry.offset)
    return try source.bytes(start..<start + Int(entry.length))
  }

  private func leaf(_ entry: PMTilesEntry) throws(PMTilesError) -> PMTilesDirectory {
    let section = PMTilesHeader.Section(
      header.leaves.offset + Int(entry.offset), Int(entry.length))
    return try directory(section, "a leaf directory")
  }

  // MARK: Directories and metadata

  /// The metadata as unpacked JSON in UTF-8, not validated; empty if the archive has none.
  public func metadata() throws(PMTilesError) -> [UInt8] {
    guard header.metadata.count > 0 else { return [] }
    return try unpacked(header.metadata, "the metadata", limit: Self.metadataLimit)
  }

  private func directory(
    _ section: PMTilesHeader.Section, _ name: String
  ) throws(PMTilesError) -> PMTilesDirectory {
    try PMTilesDirectory(
      decoding: try unpacked(section, name, limit: Self.directoryLimit),
      tiles: header.tiles.count, leaves: header.leaves.count)
  }

  private func unpacked(
    _ section: PMTilesHeader.Section, _ name: String, limit: Int
  ) throws(PMTilesError) -> [UInt8] {
    guard section.count <= limit else { throw .tooLarge(name, limit: limit) }
    let bytes = try source.bytes(section.offset..<section.offset + section.count)
    switch header.internalCompression {
    case .none: return bytes
    case .gzip:
      do throws(GzipFailure) {
        return try GzipInflater.inflate(bytes, limit: limit, isOneMember: true)
      } catch {
        switch error {
        case .damaged(let detail, _): throw .damaged(name, detail)
        case .tooLarge: throw .tooLarge(name, limit: limit)
        }
      }
    case .unknown, .brotli, .zstandard:
      throw .compression(header.internalCompression.rawValue)
    }
  }
}
