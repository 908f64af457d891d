import GeoJSONCoding
import MapProjections

extension Geometry {
  /// The first position; nil if there is none.
  var firstPosition: Position? {
    switch self {
    case .point(let position): position
    case .multiPoint(let positions), .lineString(let positions): positions.first
    case .multiLineString(let parts), .polygon(let parts): parts.lazy.compactMap(\.first).first
    case .multiPolygon(let polygons): polygons.lazy.compactMap { $0.first?.first }.first
    case .geometryCollection(let members): members.lazy.compactMap(\.firstPosition).first
    }
  }

  /// The geometry with every position transformed to WGS 84; altitudes stay unchanged.
  ///
  /// - Throws: `CRSError` for the first position that cannot be transformed.
  func transformed(by plane: PlaneReading) throws(CRSError) -> Geometry {
    try mapPositions { (position) throws(CRSError) in
      let coordinate = try plane.coordinate(x: position.longitude, y: position.latitude)
      return Position(
        longitude: coordinate.longitude, latitude: coordinate.latitude, altitude: position.altitude)
    }
  }
}
