import Geodesy

/// A path in the plane of degrees, whose longitudes continue past ±180 where it crosses the
/// antimeridian.
struct UnrolledPath {
  struct Vertex {
    let longitude: Double
    let latitude: Double
  }

  private(set) var vertices: [Vertex]

  /// Unrolls a line, each step going by the shorter way round the Earth.
  ///
  /// A step of 180° is taken as written, and one of 360°, from −180 to 180, goes all the way round.
  ///
  /// - Throws: `CoordinateError` if a position is not on the Earth.
  init(line positions: [Position]) throws(CoordinateError) {
    vertices = []
    vertices.reserveCapacity(positions.count)
    // Whole turns only, so that a longitude inside ±180 stays exact.
    var turns = 0.0
    var last: Double?
    for position in positions {
      _ = try position.coordinate()
      let step = position.longitude - (last ?? position.longitude)
      last = position.longitude
      if step.magnitude > 180, step.magnitude != 360 { turns += step < 0 ? 1 : -1 }
      vertices.append(
        Vertex(longitude: position.longitude + 360 * turns, latitude: position.latitude))
    }
  }

  /// Unrolls a ring like a line, or as written if that does not close or encloses nothing: then the
  /// ring runs round the Earth, as Antarctica's or that of the whole world.
  ///
  /// - Throws: `CoordinateError` if a position is not on the Earth.
  init(ring positions: [Position]) throws(CoordinateError) {
    try self.init(line: positions)
    let isClosed = vertices.first?.longitude == vertices.last?.longitude
    if !isClosed || signedArea == 0 {
      vertices = positions.map { Vertex(longitude: $0.longitude, latitude: $0.latitude) }
    }
  }

  /// The area inside a closed path on the unit sphere, positive if it runs counterclockwise.
  ///
  /// Exact for edges along meridians and parallels. For other edges that are straight in degrees,
  /// the relative error shrinks with the square of their length: good enough to compare polygons.
  ///
  /// Source: R. G. Chamberlain and W. H. Duquette, "Some Algorithms for Polygons on a Sphere", JPL
  /// Publication 07-03, 2007: its cylindrical equal-area sum.
  var signedArea: Double {
    var sum = 0.0
    for (start, end) in zip(vertices, vertices.dropFirst()) {
      sum -=
        radians(end.longitude - start.longitude)
        * (sine(radians(start.latitude)) + sine(radians(end.latitude))) / 2
    }
    return sum
  }

  /// From the southernmost to the northernmost vertex; nil without vertices.
  var latitudes: ClosedRange<Double>? { range(of: \.latitude) }

  /// From the westernmost to the easternmost vertex; nil without vertices.
  var longitudes: ClosedRange<Double>? { range(of: \.longitude) }

  private func range(of number: (Vertex) -> Double) -> ClosedRange<Double>? {
    guard let first = vertices.first.map(number) else { return nil }
    return vertices.reduce(first...first) { range, vertex in
      min(range.lowerBound, number(vertex))...max(range.upperBound, number(vertex))
    }
  }

  /// Moves the path by a whole turn if it begins outside a range, as for a hole that was unrolled
  /// on the other side of the antimeridian than its exterior.
  mutating func shift(into range: ClosedRange<Double>) {
    guard let start = vertices.first?.longitude, !range.contains(start) else { return }
    let turn = start < range.lowerBound ? 360.0 : -360
    vertices = vertices.map {
      Vertex(longitude: $0.longitude + turn, latitude: $0.latitude)
    }
  }

  /// The longitudes at which the path crosses a parallel, unordered.
  ///
  /// An edge includes its southern end and not its northern, so a vertex on the parallel counts
  /// once where the path crosses, and twice or never where it only touches.
  func crossings(of latitude: Double) -> [Double] {
    var longitudes: [Double] = []
    for (start, end) in zip(vertices, vertices.dropFirst())
    where (start.latitude <= latitude) != (end.latitude <= latitude) {
      let fraction = (latitude - start.latitude) / (end.latitude - start.latitude)
      longitudes.append(start.longitude + (end.longitude - start.longitude) * fraction)
    }
    return longitudes
  }
}
