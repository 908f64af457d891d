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
    func one(_ position: Position) throws(CRSError) -> Position {
      let coordinate = try plane.coordinate(x: position.longitude, y: position.latitude)
      return Position(
        longitude: coordinate.longitude, latitude: coordinate.latitude, altitude: position.altitude)
    }
    func line(_ positions: [Position]) throws(CRSError) -> [Position] {
      try positions.map { (position) throws(CRSError) in try one(position) }
    }
    func lines(_ parts: [[Position]]) throws(CRSError) -> [[Position]] {
      try parts.map { (part) throws(CRSError) in try line(part) }
    }
    switch self {
    case .point(let position): return .point(try one(position))
    case .multiPoint(let positions): return .multiPoint(try line(positions))
    case .lineString(let positions): return .lineString(try line(positions))
    case .multiLineString(let parts): return .multiLineString(try lines(parts))
    case .polygon(let rings): return .polygon(try lines(rings))
    case .multiPolygon(let polygons):
      return .multiPolygon(try polygons.map { (rings) throws(CRSError) in try lines(rings) })
    case .geometryCollection(let members):
      return .geometryCollection(
        try members.map { (member) throws(CRSError) in try member.transformed(by: plane) })
    }
  }
}
