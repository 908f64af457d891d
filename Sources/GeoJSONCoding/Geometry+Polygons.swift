extension Geometry {
  /// The polygons among its parts, whatever else it contains, as in `polygons`.
  public var areas: [[[Position]]] {
    guard case .geometryCollection(let members) = self else { return polygons ?? [] }
    return members.flatMap(\.areas)
  }

  /// The polygons of the geometry, each an exterior ring and its holes, as written; nil if it
  /// contains anything else.
  ///
  /// Written longitudes distinguish −180 from 180, so a ring round the whole world stays one. After
  /// `wrapped` all are within ±180°, as `PolygonVertex` requires.
  public var polygons: [[[Position]]]? {
    switch self {
    case .polygon(let rings): return [rings]
    case .multiPolygon(let polygons): return polygons
    case .geometryCollection(let members):
      return members.allSatisfy { $0.polygons != nil } ? areas : nil
    case .point, .multiPoint, .lineString, .multiLineString: return nil
    }
  }
}
