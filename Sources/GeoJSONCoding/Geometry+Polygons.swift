import Geodesy

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
      var all: [[[Position]]] = []
      for member in members {
        guard let polygons = member.polygons else { return nil }
        all += polygons
      }
      return all
    case .point, .multiPoint, .lineString, .multiLineString: return nil
    }
  }

  /// The polygons as positions on the Earth: polygons, rings, positions; nil if the geometry
  /// contains anything else.
  ///
  /// 180 becomes −180, as in every `Coordinate`: read an edge along the antimeridian by the shorter
  /// way. Rings that continue past ±180° are read as in `wrapped`; `polygons` keeps the written
  /// numbers.
  ///
  /// - Throws: `CoordinateError` if a position is not on the Earth.
  public func polygonCoordinates() throws(CoordinateError) -> [[[Coordinate]]]? {
    guard let polygons = wrapped.polygons else { return nil }
    var result: [[[Coordinate]]] = []
    for polygon in polygons {
      var rings: [[Coordinate]] = []
      for ring in polygon {
        var coordinates: [Coordinate] = []
        coordinates.reserveCapacity(ring.count)
        for position in ring { coordinates.append(try position.coordinate()) }
        rings.append(coordinates)
      }
      result.append(rings)
    }
    return result
  }
}
