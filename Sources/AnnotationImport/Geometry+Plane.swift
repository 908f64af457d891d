import GeoJSONCoding
import MapProjections

extension Geometry {
  /// The first position; nil if there is none.
  var firstPosition: Position? {
    var first: Position?
    _ = contains {
      first = $0
      return true
    }
    return first
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
