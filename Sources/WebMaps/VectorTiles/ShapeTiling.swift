/// How lines and polygons are cut into tiles.
public struct ShapeTiling: Sendable, Hashable {
  /// The deepest zoom that is cut, 0…24: there every vertex is kept, and nothing is too small.
  public var deepestZoom: Int
  /// Into how many units the side of a tile is cut, 1…65,536.
  public var extent: Int
  /// How far shapes reach beyond each side of their tile, in units of 0…`extent`, so that the ends of
  /// what is cut are not seen.
  public var buffer: Int
  /// How far a simplified line may lie from its source, in units; 0 simplifies and drops nothing.
  public var tolerance: Double

  /// The defaults are those of most maps on the web: a tile of 512 pixels has eight units to a pixel.
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

  /// How many units the side of the world has at a zoom.
  func units(atZoom zoom: Int) -> Double { Double(extent) * Double(1 << zoom) }

  /// The tolerance at a zoom as a part of the world's side; 0 at the deepest zoom.
  func tolerance(atZoom zoom: Int) -> Double {
    zoom >= deepestZoom ? 0 : tolerance / units(atZoom: zoom)
  }
}
