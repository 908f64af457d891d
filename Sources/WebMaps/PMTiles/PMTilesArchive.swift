import Geodesy
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
  private(set) var root = PMTilesDirectory([])

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

  func bytes(of entry: PMTilesEntry) throws(PMTilesError) -> [UInt8] {
    // The directory was checked: these bytes lie in the file.
    let start = header.tiles.offset + Int(entry.offset)
    return try source.bytes(start..<start + Int(entry.length))
  }

  func leaf(_ entry: PMTilesEntry) throws(PMTilesError) -> PMTilesDirectory {
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
    let bytes = try source.bytes(section.offset..<section.end)
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

/// An error in an archive of tiles.
public enum PMTilesError: CodedError, Hashable {
  /// The bytes do not begin like a PMTiles archive.
  case notAnArchive
  /// A version other than 3.
  case version(UInt8)
  /// The file is cut off; holds the part that is incomplete.
  case cutOff(String)
  /// A directory or the metadata cannot be unpacked; holds which, and what is damaged.
  case damaged(String, String)
  /// A directory or the metadata exceeds its unpacked limit; holds which, and the limit in bytes.
  case tooLarge(String, limit: Int)
  /// A directory breaks the rules of the format; holds how.
  case directory(String)
  /// An unsupported compression; holds the header's number for it.
  case compression(UInt8)
  /// The file could not be read; holds the system's message.
  case unreadable(String)

  /// The code: `pmtiles-format`, `pmtiles-version`, `pmtiles-damaged`, `pmtiles-size`,
  /// `pmtiles-compression` or `read-failed`.
  public var code: String {
    switch self {
    case .notAnArchive: "pmtiles-format"
    case .version: "pmtiles-version"
    case .cutOff, .damaged, .directory: "pmtiles-damaged"
    case .tooLarge: "pmtiles-size"
    case .compression: "pmtiles-compression"
    case .unreadable: "read-failed"
    }
  }

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .notAnArchive: "the file does not begin as a PMTiles archive; name one"
    case .version(let version): "it is PMTiles of version \(version), not 3; convert it"
    case .cutOff(let part): "the archive ends before \(part) does; fetch it again"
    case .damaged(let part, let detail): "\(part) cannot be unpacked, \(detail); fetch it again"
    case .tooLarge(let part, let limit):
      "\(part) unpacks to more than \(limit) bytes; do not trust the archive"
    case .directory(let fault): "a directory has \(fault); fetch the archive again"
    case .compression(let number):
      "its compression is number \(number), not none (1) or gzip (2); convert it"
    case .unreadable(let message): "the archive cannot be read: \(message); check the file"
    }
  }
}
