import GeoJSONCoding

extension Geometry {
  /// Whether the position that stands for the geometry is one that its source wrote as 0,0.
  ///
  /// A point is, and so is what repeats that position and nothing else. A line or an area about 0,0
  /// is none: its middle lies there by calculation, and no device sent it.
  ///
  /// - Parameter isNull: Whether a position is 0,0 in the numbers of the source.
  /// - Complexity: O(1) for a shape that begins elsewhere.
  func isWrittenAt(_ isNull: (Position) -> Bool) -> Bool {
    switch self {
    case .point(let position): isNull(position)
    case .multiPoint(let positions): positions.first.map(isNull) ?? false
    case .lineString(let line): !line.isEmpty && line.allSatisfy(isNull)
    case .multiLineString(let parts), .polygon(let parts):
      !isEmpty && parts.allSatisfy { $0.allSatisfy(isNull) }
    case .multiPolygon(let polygons):
      !isEmpty && polygons.allSatisfy { $0.allSatisfy { $0.allSatisfy(isNull) } }
    case .geometryCollection(let members):
      members.first { !$0.isEmpty }?.isWrittenAt(isNull) ?? false
    }
  }
}
