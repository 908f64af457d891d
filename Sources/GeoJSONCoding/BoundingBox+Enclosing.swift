import Geodesy

extension BoundingBox {
  /// The smallest box around positions, across the antimeridian if that is smaller; nil if there
  /// are none.
  ///
  ///     BoundingBox(around: [fiji, samoa])  // west 178, east −172
  ///
  /// It omits the widest gap between neighboring longitudes; of equal gaps the one across the
  /// antimeridian, so that the box does not cross it.
  ///
  /// - Complexity: O(*n* log *n*).
  public init?(around positions: some Sequence<Coordinate>) {
    var longitudes: [Double] = []
    var south = 90.0
    var north = -90.0
    for position in positions {
      longitudes.append(position.longitude)
      south = min(south, position.latitude)
      north = max(north, position.latitude)
    }
    longitudes.sort()
    guard var west = longitudes.first, var east = longitudes.last else { return nil }
    var widestGap = west + 360 - east
    for (left, right) in zip(longitudes, longitudes.dropFirst()) where right - left > widestGap {
      widestGap = right - left
      (west, east) = (right, left)
    }
    // Positions write ±180 as −180; as an eastern edge, 180 is clearer.
    if east == -180, west > east { east = 180 }
    self.init(unchecked: south, west, north, east)
  }
}
