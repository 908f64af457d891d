import Geodesy
import MapProjections

/// A finished tile.
public struct PyramidTile: Sendable {
  /// The address of the tile.
  public internal(set) var address: TileAddress
  /// The bytes as stored: packed, unless the rules say otherwise.
  public let bytes: [UInt8]
  /// The number of features, including those of its buffer.
  public let featureCount: Int
  /// The number of annotations that lie in the tile but were dropped because of a limit.
  ///
  /// A line or a polygon counts in one tile of each zoom: that in which its largest part begins.
  public let droppedCount: Int
  /// The number of annotations in the tile; a cluster counts all its members, and the buffer does not count.
  public let keptCount: Int
  /// The number of lines and polygons in the tile that are too small to draw at its zoom; others count those of its
  /// buffer.
  public let tooSmallCount: Int
}

/// The results of one zoom.
public struct PyramidZoom: Sendable {
  /// The zoom.
  public let zoom: Int
  /// The number of tiles; a tile without features is not made.
  public internal(set) var tileCount = 0
  /// The total size of the tiles in bytes, as stored.
  public internal(set) var byteCount = 0
  /// The total number of features; one near a border is in several tiles.
  public internal(set) var featureCount = 0
  /// The number of annotations dropped from their tiles because of a limit.
  public internal(set) var droppedCount = 0
  /// The number of annotations in tiles; together with those dropped and those too small to draw, all annotations of
  /// the pyramid.
  public internal(set) var keptCount = 0
  /// The number of lines and polygons that are too small to draw at this zoom.
  public internal(set) var tooSmallCount = 0
  /// The largest tile as stored; the first one if several are equal.
  public internal(set) var largest: (address: TileAddress, byteCount: Int)?

  init(zoom: Int) { self.zoom = zoom }

  mutating func count(_ tile: PyramidTile) {
    tileCount += 1
    byteCount += tile.bytes.count
    featureCount += tile.featureCount
    droppedCount += tile.droppedCount
    keptCount += tile.keptCount
    tooSmallCount += tile.tooSmallCount
    if tile.bytes.count > largest?.byteCount ?? 0 { largest = (tile.address, tile.bytes.count) }
  }
}

/// A tile that is larger than any reader accepts.
public struct TileSizeError: CodedError, Hashable {
  /// The address of the tile.
  public let address: TileAddress
  /// The size of the unpacked tile in bytes.
  public let byteCount: Int
  /// The maximum size in bytes.
  public let limit: Int

  /// The code: `tile-size`.
  public var code: String { "tile-size" }

  /// One sentence that names the tile and says what to do.
  public var description: String {
    "tile \(address) has \(grouped(byteCount)) bytes, and no tile may have more than "
      + "\(grouped(limit)); leave columns out (`fields`), limit the tiles (`byteLimit`, "
      + "`featureLimit`), or begin at a deeper zoom"
  }
}
