import Geodesy

extension Geometry {
  /// Whether lines or rings continue past ±180° and can be read as in `wrapped`.
  public var runsPastAntimeridian: Bool {
    var runsPast = false
    // A position alone is a point.
    forEachPath { path in
      runsPast = runsPast || path.count > 1 && Geometry.runsPastAntimeridian(path)
    }
    return runsPast
  }

  /// The geometry with all longitudes within ±180°: a line from 177 to 182 becomes 177 to −178, an
  /// edge that crosses the antimeridian at the same place on the Earth.
  ///
  /// RFC 7946 §3.1.9 asks writers to cut there; but web maps that scroll on write 182, and files of
  /// the Pacific count from 0° to 360°. A path is read this way if its shape leaves no doubt: all
  /// longitudes are within ±360°, one is past ±180° by more than rounding, and every step is
  /// shorter than 180°. In any other path, longitudes that only rounding puts past ±180° are ±180°,
  /// if all are. Anything else stays unchanged, and is an error where a position on the Earth is
  /// needed: a longitude of 721.4, the 360° edge of a box around the world, and points, whose shape
  /// cannot distinguish a convention from a mistake.
  ///
  /// - Complexity: O(*n*).
  public var wrapped: Geometry {
    // Most geometries are within ±180°, which one pass shows.
    guard contains(where: { $0.longitude.magnitude > 180 }) else { return self }
    switch self {
    case .point, .multiPoint: return self
    case .lineString(let line): return .lineString(Geometry.wrapped(line))
    case .multiLineString(let lines): return .multiLineString(lines.map(Geometry.wrapped))
    case .polygon(let rings): return .polygon(rings.map(Geometry.wrapped))
    case .multiPolygon(let polygons):
      return .multiPolygon(polygons.map { $0.map(Geometry.wrapped) })
    case .geometryCollection(let members): return .geometryCollection(members.map(\.wrapped))
    }
  }

  /// How many degrees a computed 180° may be past it: less than 0.2 mm.
  ///
  /// Natural Earth's land goes to 180.00000000000014. Wrapped to the other side, such a number would
  /// be a full turn away from a 180° beside it.
  fileprivate static let rounding = 1e-9

  /// Whether a path continues past ±180° and is in one piece.
  private static func runsPastAntimeridian(_ path: [Position]) -> Bool {
    // Most paths are within ±180°, which one pass shows.
    guard path.contains(where: { $0.longitude.magnitude > 180 + rounding }) else { return false }
    return path.allSatisfy { $0.longitude.magnitude <= 360 }
      && zip(path, path.dropFirst()).allSatisfy {
        ($1.longitude - $0.longitude).magnitude < 180
      }
  }

  private static func wrapped(_ path: [Position]) -> [Position] {
    let isWithin = path.allSatisfy { $0.longitude.magnitude <= 180 + rounding }
    return isWithin || runsPastAntimeridian(path) ? path.map(\.wrapped) : path
  }
}

extension Position {
  /// The same position with a longitude within ±180°, for one within ±360°.
  package var wrapped: Position {
    guard longitude.magnitude > 180 else { return self }
    var position = self
    if longitude.magnitude <= 180 + Geometry.rounding {
      position.longitude = longitude < 0 ? -180 : 180
    } else {
      position.longitude += longitude < 0 ? 360 : -360
    }
    return position
  }
}

extension Geometry {
  /// The line between two positions, straight in longitude and latitude and by the shorter way; cut
  /// in two where it crosses ±180°, as RFC 7946 §3.1.9 requires.
  package init(lineFrom start: Coordinate, to end: Coordinate) {
    var first = Position(start), last = Position(end)
    // A position on the antimeridian is written on the same side as the other.
    if first.longitude == -180, last.longitude > 0 { first.longitude = 180 }
    if last.longitude == -180, first.longitude > 0 { last.longitude = 180 }
    let step = last.longitude - first.longitude
    guard abs(step) > 180 else {
      self = .lineString([first, last])
      return
    }
    // A step that looks westward crosses 180 eastward, and vice versa.
    let edge: Double = step < 0 ? 180 : -180
    let way = step + 2 * edge
    let share = (edge - first.longitude) / way
    let latitude = first.latitude + (last.latitude - first.latitude) * share
    self = .multiLineString([
      [first, Position(longitude: edge, latitude: latitude)],
      [Position(longitude: -edge, latitude: latitude), last],
    ])
  }
}
