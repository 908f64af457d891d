import Geodesy

extension Geometry {
  /// The polygons it is made of, each an exterior ring and its holes, as they were written; nil
  /// when it holds anything but polygons.
  ///
  /// Written longitudes tell −180 from 180, so a ring round the whole world stays one; of `wrapped`
  /// they are all within ±180, as `PolygonVertex` wants them.
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

  /// The polygons it is made of, as positions on the Earth: polygons, rings, positions; nil when
  /// it holds anything but polygons.
  ///
  /// 180 becomes −180, as in every `Coordinate`: an edge along the antimeridian is to be read the
  /// shorter way round. Rings that run on past ±180° are read as `wrapped` says; `polygons` keeps
  /// what was written.
  ///
  /// - Throws: `CoordinateError` where a position is not on the Earth.
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
