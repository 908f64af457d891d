extension Geometry {
  /// Whether a position fulfills a condition; asks no more after one that does.
  @inlinable
  package func contains(where isMatch: (Position) -> Bool) -> Bool {
    switch self {
    case .point(let position): isMatch(position)
    case .multiPoint(let path), .lineString(let path): path.contains(where: isMatch)
    case .multiLineString(let paths), .polygon(let paths):
      paths.contains { $0.contains(where: isMatch) }
    case .multiPolygon(let polygons):
      polygons.contains { $0.contains { $0.contains(where: isMatch) } }
    case .geometryCollection(let members): members.contains { $0.contains(where: isMatch) }
    }
  }

  /// Calls a closure with each line and ring in order, and with each point alone.
  @inlinable
  package func forEachPath<Failure: Error>(
    _ body: ([Position]) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .point(let position): try body([position])
    case .multiPoint(let positions): for position in positions { try body([position]) }
    case .lineString(let path): try body(path)
    case .multiLineString(let paths), .polygon(let paths): for path in paths { try body(path) }
    case .multiPolygon(let polygons):
      for rings in polygons { for ring in rings { try body(ring) } }
    case .geometryCollection(let members): for member in members { try member.forEachPath(body) }
    }
  }

  /// The geometry with every position replaced.
  @inlinable
  package func mapPositions<Failure: Error>(
    _ change: (Position) throws(Failure) -> Position
  ) throws(Failure) -> Geometry {
    func path(_ positions: [Position]) throws(Failure) -> [Position] {
      try positions.map { (position) throws(Failure) in try change(position) }
    }
    func paths(_ parts: [[Position]]) throws(Failure) -> [[Position]] {
      try parts.map { (part) throws(Failure) in try path(part) }
    }
    switch self {
    case .point(let position): return .point(try change(position))
    case .multiPoint(let positions): return .multiPoint(try path(positions))
    case .lineString(let positions): return .lineString(try path(positions))
    case .multiLineString(let parts): return .multiLineString(try paths(parts))
    case .polygon(let rings): return .polygon(try paths(rings))
    case .multiPolygon(let polygons):
      return .multiPolygon(try polygons.map { (rings) throws(Failure) in try paths(rings) })
    case .geometryCollection(let members):
      return .geometryCollection(
        try members.map { (member) throws(Failure) in try member.mapPositions(change) })
    }
  }
}
