import GeoJSONCoding

extension Geometry {
  /// Whether the representative position is one that the source wrote as 0,0.
  ///
  /// True for a point, and for a geometry that only repeats that position. A line or an area around
  /// 0,0 does not count: its middle is computed, and no device sent it.
  ///
  /// - Parameter isNull: Whether a position is 0,0 in the numbers of the source.
  /// - Complexity: O(1) for a shape that begins elsewhere.
  func isWrittenAt(_ isNull: (Position) -> Bool) -> Bool {
    switch self {
    case .point(let position): isNull(position)
    case .multiPoint(let positions): positions.first.map(isNull) ?? false
    case .geometryCollection(let members):
      members.first { !$0.isEmpty }?.isWrittenAt(isNull) ?? false
    case .lineString, .multiLineString, .polygon, .multiPolygon:
      !isEmpty && !contains { !isNull($0) }
    }
  }
}
