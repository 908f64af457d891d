import Geodesy

/// The first 127 bytes of a PMTiles archive: the position and format of its parts.
///
/// Source: "PMTiles Version 3 Specification", protomaps, section 3.
public struct PMTilesHeader: Sendable, Hashable {
  /// A section of the file.
  public struct Section: Sendable, Hashable {
    /// The first byte.
    public var offset: Int
    /// The number of bytes.
    public var count: Int

    /// The byte after the last one.
    var end: Int { offset + count }

    init(_ offset: Int = 0, _ count: Int = 0) {
      self.offset = offset
      self.count = count
    }
  }

  /// The compression of bytes.
  public enum Compression: UInt8, Sendable {
    case unknown = 0
    case none = 1
    case gzip = 2
    case brotli = 3
    case zstandard = 4
  }

  /// The format of the tiles; numbers that are not listed are newer formats.
  public struct TileType: RawRepresentable, Sendable, Hashable {
    /// The number in the header.
    public var rawValue: UInt8
    /// Makes a type from any number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Unknown or another format.
    public static let unknown = TileType(rawValue: 0)
    /// Mapbox vector tiles.
    public static let vectorTile = TileType(rawValue: 1)
  }

  /// The root directory; within the first 16,384 bytes.
  public internal(set) var root = Section()
  /// The metadata, as JSON.
  public internal(set) var metadata = Section()
  /// All other directories.
  public internal(set) var leaves = Section()
  /// The tiles.
  public internal(set) var tiles = Section()
  /// The number of addressed tiles; 0 if unknown.
  public internal(set) var addressedTileCount = 0
  /// The number of directory entries for tiles, where a run of equal tiles counts once; 0 if
  /// unknown.
  public internal(set) var entryCount = 0
  /// The number of different tile contents; 0 if unknown.
  public internal(set) var contentCount = 0
  /// Whether the tiles are stored in the order of their numbers.
  public internal(set) var isClustered = true
  /// The compression of directories and metadata.
  public internal(set) var internalCompression = Compression.gzip
  /// The compression of tiles.
  public internal(set) var tileCompression = Compression.gzip
  /// The format of the tiles.
  public internal(set) var tileType = TileType.vectorTile
  /// The lowest zoom with tiles.
  public internal(set) var minZoom = 0
  /// The highest zoom with tiles.
  public internal(set) var maxZoom = 0
  /// Degrees times 10⁷.
  var west: Int32 = 0, south: Int32 = 0, east: Int32 = 0, north: Int32 = 0
  /// The initial zoom.
  public internal(set) var centerZoom = 0
  var centerLongitude: Int32 = 0, centerLatitude: Int32 = 0

  /// The area of the tiles; nil if the edges do not form a box.
  public var bounds: BoundingBox? {
    try? BoundingBox(
      south: Double(south) / 1e7, west: Double(west) / 1e7, north: Double(north) / 1e7,
      east: Double(east) / 1e7)
  }

  /// The initial position; nil if the degrees are invalid.
  public var center: Coordinate? {
    try? Coordinate(
      latitude: Double(centerLatitude) / 1e7, longitude: Double(centerLongitude) / 1e7)
  }

  static let byteCount = 127
  /// The number of bytes read first; the root directory must end before.
  static let firstReadCount = 16_384

  init() {}

  /// Sets the area of the tiles, rounded outward to 10⁻⁷ degrees, and the initial position and zoom.
  ///
  /// A box across ±180° becomes all longitudes, because readers expect the west edge to be less than the east edge.
  mutating func set(bounds: BoundingBox, center: Coordinate?, zoom: Int) {
    let (west, east) =
      bounds.crossesAntimeridian ? (-180, 180) : (bounds.west, bounds.east)
    self.west = Int32((west * 1e7).rounded(.down))
    self.east = Int32((east * 1e7).rounded(.up))
    south = Int32((bounds.south * 1e7).rounded(.down))
    north = Int32((bounds.north * 1e7).rounded(.up))
    centerZoom = zoom
    let longitude =
      center?.longitude ?? Coordinate.wrappedLongitude(bounds.west + bounds.width / 2)
    let latitude = center?.latitude ?? (bounds.south + bounds.north) / 2
    centerLongitude = Int32((longitude * 1e7).rounded())
    centerLatitude = Int32((latitude * 1e7).rounded())
  }

  // MARK: Bytes

  static let magic = Array("PMTiles".utf8)

  var encoded: [UInt8] {
    var bytes = PMTilesHeader.magic + [3]
    for section in [root, metadata, leaves, tiles] {
      bytes.appendLittleEndian(UInt64(section.offset))
      bytes.appendLittleEndian(UInt64(section.count))
    }
    for count in [addressedTileCount, entryCount, contentCount] {
      bytes.appendLittleEndian(UInt64(count))
    }
    bytes += [
      isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue,
      tileType.rawValue, UInt8(minZoom), UInt8(maxZoom),
    ]
    for edge in [west, south, east, north] { bytes.appendLittleEndian(edge) }
    bytes.append(UInt8(centerZoom))
    for number in [centerLongitude, centerLatitude] { bytes.appendLittleEndian(number) }
    return bytes
  }

  /// Decodes the header of an archive with a size in bytes.
  init(decoding bytes: [UInt8], fileCount: Int) throws(PMTilesError) {
    guard bytes.starts(with: PMTilesHeader.magic), bytes.count > 7 else { throw .notAnArchive }
    guard bytes[7] == 3 else { throw .version(bytes[7]) }
    guard bytes.count >= PMTilesHeader.byteCount else { throw .cutOff("the header") }
    func number<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
      Number(
        littleEndian: bytes.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: offset, as: Number.self)
        })
    }
    func section(_ offset: Int, _ name: String) throws(PMTilesError) -> Section {
      let (first, count): (UInt64, UInt64) = (number(offset), number(offset + 8))
      guard let first = Int(exactly: first), let count = Int(exactly: count),
        count == 0 || first <= fileCount && count <= fileCount - first
      else { throw .cutOff(name) }
      // No section may begin beyond the end of the file.
      return Section(min(first, fileCount), count)
    }
    func compression(_ offset: Int) throws(PMTilesError) -> Compression {
      guard let known = Compression(rawValue: bytes[offset]) else {
        throw .compression(bytes[offset])
      }
      return known
    }
    root = try section(8, "the root directory")
    metadata = try section(24, "the metadata")
    leaves = try section(40, "the leaf directories")
    tiles = try section(56, "the tiles")
    // Informative only; never relied on.
    addressedTileCount = Int(clamping: number(72) as UInt64)
    entryCount = Int(clamping: number(80) as UInt64)
    contentCount = Int(clamping: number(88) as UInt64)
    isClustered = bytes[96] == 1
    internalCompression = try compression(97)
    tileCompression = try compression(98)
    tileType = TileType(rawValue: bytes[99])
    minZoom = Int(bytes[100])
    maxZoom = Int(bytes[101])
    (west, south, east, north) = (number(102), number(106), number(110), number(114))
    centerZoom = Int(bytes[118])
    (centerLongitude, centerLatitude) = (number(119), number(123))
  }
}
