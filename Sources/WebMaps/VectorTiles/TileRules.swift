/// The zooms of a pyramid, and the limits of a tile.
public struct TileRules: Hashable, Sendable {
  /// The zooms for which tiles are made, in 0…24; maps enlarge the deepest tiles beyond that.
  public var zooms: ClosedRange<Int>
  /// How far features reach beyond their tile, in units of 1/4096 of its side.
  ///
  /// A circle or a label at the edge is drawn in both tiles, so that it is not cut off: 64 units
  /// are 8 pixels of a tile that is 512 wide. In 0…4096.
  public var buffer: Int
  /// The name of the layer.
  public var layer: String
  /// The maximum number of features in a tile, at least 1; nil for no limit.
  public var featureLimit: Int?
  /// The maximum size of a stored tile in bytes, at least 1; nil for no limit.
  public var byteLimit: Int?
  /// Whether tiles are packed with gzip.
  public var isCompressed: Bool

  /// The deepest zoom that a pyramid may have.
  public static let lastZoom = 24
  /// The number of units along the side of a tile.
  public static let extent = 4096

  /// Makes rules; by default nothing is dropped.
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

  /// How lines and polygons are cut: above the last zoom they are simplified, and dropped if they
  /// are smaller than three units.
  public var shapeTiling: ShapeTiling {
    ShapeTiling(deepestZoom: zooms.upperBound, extent: TileRules.extent, buffer: buffer)
  }

  /// The layer that reports what a limit dropped from a tile.
  public var droppedLayer: String { layer + "_dropped" }
}

/// The rules for cutting lines and polygons into tiles.
public struct ShapeTiling: Sendable, Hashable {
  /// The deepest zoom, 0…24: there every vertex is kept, and no shape is too small.
  public var deepestZoom: Int
  /// The number of units along the side of a tile, 1…65,536.
  public var extent: Int
  /// How far shapes reach beyond each side of their tile, in 0…`extent` units, so that cut ends
  /// stay invisible.
  public var buffer: Int
  /// The tolerance of simplification in units; 0 simplifies and drops nothing.
  public var tolerance: Double

  /// Makes rules; the defaults are those of most web maps: a tile of 512 pixels has eight units in a pixel.
  ///
  /// - Precondition: Each number lies in its range; the tolerance is at least 0.
  public init(
    deepestZoom: Int = 14, extent: Int = 4096, buffer: Int = 64, tolerance: Double = 3
  ) {
    precondition((0...24).contains(deepestZoom), "a deepest zoom of \(deepestZoom)")
    precondition((1...65_536).contains(extent), "an extent of \(extent)")
    precondition((0...extent).contains(buffer), "a buffer of \(buffer)")
    precondition(tolerance >= 0 && tolerance.isFinite, "a tolerance of \(tolerance)")
    self.deepestZoom = deepestZoom
    self.extent = extent
    self.buffer = buffer
    self.tolerance = tolerance
  }

  /// The number of units along the side of the world at a zoom.
  func units(atZoom zoom: Int) -> Double { Double(extent) * Double(1 << zoom) }

  /// The tolerance at a zoom in units of the world's side; 0 at the deepest zoom.
  func tolerance(atZoom zoom: Int) -> Double {
    zoom >= deepestZoom ? 0 : tolerance / units(atZoom: zoom)
  }
}
