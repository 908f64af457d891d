import MapProjections

/// Tiles in PMTiles order: zoom by zoom, each along the Hilbert curve, so that neighboring tiles
/// are close in the file.
///
/// Source: "PMTiles Version 3 Specification", protomaps; the curve by J. Skilling and others,
/// "Hilbert curve", en.wikipedia.org/wiki/Hilbert_curve, which the specification cites.
extension TileAddress {
  /// The tile's number in a PMTiles archive: 0 for the world, 1 to 4 for zoom 1, and so on.
  public var pmtilesID: UInt64 { TileAddress.firstID(zoom: zoom) + number }

  /// The tile's number along the curve of its zoom.
  var number: UInt64 { HilbertCurve.number(zoom: zoom, x: x, y: y) }

  /// The tile with a number; nil beyond zoom 30.
  public init?(pmtilesID: UInt64) {
    // A zoom begins at (4^zoom − 1) / 3, so 3 · number + 1 has 2 · zoom bits after its first bit.
    guard pmtilesID < TileAddress.firstID(zoom: TileAddress.lastZoom + 1) else { return nil }
    let zoom = (63 - (3 * pmtilesID + 1).leadingZeroBitCount) / 2
    self.init(unchecked: zoom, number: pmtilesID - TileAddress.firstID(zoom: zoom))
  }

  /// The tile with a valid number along the curve of its zoom.
  init(unchecked zoom: Int, number: UInt64) {
    var rest = number
    var x: UInt64 = 0, y: UInt64 = 0
    var side: UInt64 = 1
    for _ in 0..<zoom {
      let isEast = rest & 2 != 0, isSouth = (rest ^ rest >> 1) & 1 != 0
      // The first and the last quadrant are transposed, and the last one also runs backward.
      if !isSouth { (x, y) = isEast ? (side - 1 - y, side - 1 - x) : (y, x) }
      if isEast { x += side }
      if isSouth { y += side }
      rest >>= 2
      side <<= 1
    }
    self.init(unchecked: zoom, Int(x), Int(y))
  }

  /// The number of the first tile of a zoom in 0…31.
  static func firstID(zoom: Int) -> UInt64 { (1 << UInt64(2 * zoom) - 1) / 3 }
}
