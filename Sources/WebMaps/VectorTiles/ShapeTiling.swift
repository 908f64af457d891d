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
