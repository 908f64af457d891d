import GeoJSONCoding

extension Geometry {
  /// Whether all positions are 0,0, and there are some.
  ///
  /// True for a point, and for a geometry that only repeats that position. A shape that is elsewhere,
  /// too, does not count: no device sent it because it had no fix.
  ///
  /// - Parameter isNull: Whether a position is 0,0 in the numbers of the source.
  /// - Complexity: O(1) for a shape that begins elsewhere.
  func isWrittenAt(_ isNull: (Position) -> Bool) -> Bool {
    !isEmpty && !contains { !isNull($0) }
  }
}
