import MapProjections

/// A tile as it was made.
public struct PyramidTile: Sendable {
  /// Where it is.
  public let address: TileAddress
  /// As it is stored: packed, unless the rules say otherwise.
  public let bytes: [UInt8]
  /// How many features it has, those of its buffer among them.
  public let featureCount: Int
  /// How many annotations lie in it and are missing, because of a limit.
  public let droppedCount: Int
  /// How many are there, a cluster counted as what it stands for, and those of the buffer not at all.
  public let keptCount: Int
  /// How many lines and polygons begin in it and are too small to be drawn at its zoom.
  public let tooSmallCount: Int

  /// The same tile elsewhere.
  func moved(to address: TileAddress) -> PyramidTile {
    PyramidTile(
      address: address, bytes: bytes, featureCount: featureCount, droppedCount: droppedCount,
      keptCount: keptCount, tooSmallCount: tooSmallCount)
  }
}

/// What came of a zoom.
public struct PyramidZoom: Hashable, Sendable {
  /// The zoom.
  public let zoom: Int
  /// How many tiles it has; a tile without features is not made.
  public internal(set) var tileCount = 0
  /// How many bytes they have together, as they are stored.
  public internal(set) var byteCount = 0
  /// How many features they have together; one near a border is in several.
  public internal(set) var featureCount = 0
  /// How many annotations are missing from the tiles they lie in, because of a limit.
  public internal(set) var droppedCount = 0
  /// How many annotations are there; with those that were dropped, all of the pyramid's at each zoom.
  public internal(set) var keptCount = 0
  /// How many lines and polygons are too small to be drawn at this zoom.
  public internal(set) var tooSmallCount = 0
  /// The largest tile, as it is stored; the first of several.
  public internal(set) var largest: (address: TileAddress, byteCount: Int)? {
    get { largestTile.map { ($0, largestByteCount) } }
    set { (largestTile, largestByteCount) = (newValue?.address, newValue?.byteCount ?? 0) }
  }
  private var largestTile: TileAddress?
  private var largestByteCount = 0

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
