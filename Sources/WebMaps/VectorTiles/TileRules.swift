/// Which tiles a pyramid has, and what may be in one.
public struct TileRules: Hashable, Sendable {
  /// The zooms that tiles are made of, in 0…24; maps draw deeper ones from the last.
  public var zooms: ClosedRange<Int>
  /// How far around a tile its features reach, in parts of 4096 of its side.
  ///
  /// A circle or a label at the edge is drawn in both tiles, so that none is cut off: 64 parts are 8
  /// pixels of a tile that is 512 wide.
  public var buffer: Int
  /// The name of the layer.
  public var layer: String
  /// How many features a tile may have; nil for any number.
  public var featureLimit: Int?
  /// How many bytes a tile may have, as it is stored; nil for any number.
  public var byteLimit: Int?
  /// Whether tiles are packed with gzip.
  public var isCompressed: Bool

  /// The last zoom that a pyramid may have.
  public static let lastZoom = 24
  /// Into how many parts the side of a tile is cut.
  public static let extent = 4096

  /// Makes rules; as they are, nothing is left out.
  ///
  /// - Precondition: Zooms in 0…24, a buffer of 0…4096, a layer with a name, limits of at least 1.
  public init(
    zooms: ClosedRange<Int> = 0...14, buffer: Int = 64, layer: String = "annotations",
    featureLimit: Int? = nil, byteLimit: Int? = nil, isCompressed: Bool = true
  ) {
    precondition(
      zooms.lowerBound >= 0 && zooms.upperBound <= TileRules.lastZoom,
      "zooms \(zooms); take some in 0…\(TileRules.lastZoom)")
    precondition(
      (0...TileRules.extent).contains(buffer), "a buffer of \(buffer) parts; take 0…4096")
    precondition(!layer.isEmpty, "a layer without a name")
    precondition(featureLimit ?? 1 > 0, "a limit of \(featureLimit ?? 1) features; take 1 or more")
    precondition(byteLimit ?? 1 > 0, "a limit of \(byteLimit ?? 1) bytes; take 1 or more")
    self.zooms = zooms
    self.buffer = buffer
    self.layer = layer
    self.featureLimit = featureLimit
    self.byteLimit = byteLimit
    self.isCompressed = isCompressed
  }

  /// How lines and polygons are cut: simplified above the last zoom, and there left out where they are
  /// smaller than three parts of a tile.
  public var shapeTiling: ShapeTiling {
    ShapeTiling(deepestZoom: zooms.upperBound, extent: TileRules.extent, buffer: buffer)
  }

  /// The layer that says what a limit has left out of a tile.
  public var droppedLayer: String { layer + "_dropped" }
}
