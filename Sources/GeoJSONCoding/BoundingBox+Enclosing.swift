import Geodesy

extension BoundingBox {
  /// The smallest box around positions, which crosses the antimeridian where that is smaller;
  /// nil when there are none.
  ///
  ///     BoundingBox(around: [fiji, samoa])  // west 178, east −172
  ///
  /// The longitudes that no position needs are the widest gap between neighbors round the Earth;
  /// of equal gaps the one across the antimeridian is left out, so that the box does not cross.
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
    // −180 is the one name of ±180 in a position; as an eastern edge it is better called 180.
    if east == -180, west > east { east = 180 }
    self.init(unchecked: south, west, north, east)
  }
}
