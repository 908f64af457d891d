import Geodesy

extension Geometry {
  /// One position that represents the whole geometry.
  ///
  /// | Geometry | Position |
  /// |---|---|
  /// | point | itself |
  /// | points | the first |
  /// | line | its middle by length |
  /// | lines | that of the longest |
  /// | polygon | inside it, in the middle of the widest span of its mid-latitude |
  /// | polygons | that of the largest |
  /// | collection | that of the first member that has one |
  ///
  /// Edges are straight in longitude and latitude (RFC 7946 §3.1.1); one that spans more than 180°
  /// of longitude crosses the antimeridian, and one of 360° goes all the way round. Lengths are
  /// geodesic, areas are on the sphere; of equal ones the first is used. Lines and rings that
  /// continue past ±180° are read as in `wrapped`. Altitudes are ignored.
  ///
  /// - Returns: nil for a geometry without positions.
  /// - Throws: `CoordinateError` if a position that is used is not on the Earth.
  /// - Complexity: O(*n*), for polygons O(*n* + *c* log *c*) with *c* edges at their mid-latitude.
  public func representativePoint() throws(CoordinateError) -> Coordinate? {
    switch wrapped {
    case .point(let position): return try position.coordinate()
    case .multiPoint(let positions): return try positions.first?.coordinate()
    case .lineString(let line): return try Geometry.middle(ofLongest: [line])
    case .multiLineString(let lines): return try Geometry.middle(ofLongest: lines)
    case .polygon(let rings): return try Geometry.pointInside(largest: [rings])
    case .multiPolygon(let polygons): return try Geometry.pointInside(largest: polygons)
    case .geometryCollection(let members):
      for member in members {
        if let point = try member.representativePoint() { return point }
      }
      return nil
    }
  }

  // MARK: Lines

  private static func middle(ofLongest lines: [[Position]]) throws(CoordinateError) -> Coordinate? {
    var longest: (path: UnrolledPath, lengths: [Double], total: Double)?
    for line in lines where !line.isEmpty {
      let lengths = try stepLengths(of: line)
      let total = lengths.reduce(0, +)
      if total > longest?.total ?? -1 { longest = (try UnrolledPath(line: line), lengths, total) }
    }
    guard let longest, var last = longest.path.vertices.first else { return nil }
    var rest = longest.total / 2
    for (vertex, length) in zip(longest.path.vertices.dropFirst(), longest.lengths) {
      if length >= rest, length > 0 {
        let fraction = rest / length
        return try Coordinate(
          latitude: last.latitude + (vertex.latitude - last.latitude) * fraction,
          wrappingLongitude: last.longitude + (vertex.longitude - last.longitude) * fraction)
      }
      rest -= length
      last = vertex
    }
    // Rounding may leave a tiny rest of the length, and all positions of a line may be equal.
    return try Coordinate(latitude: last.latitude, wrappingLongitude: last.longitude)
  }

  /// The length of each step of a line, in meters.
  private static func stepLengths(of line: [Position]) throws(CoordinateError) -> [Double] {
    var lengths: [Double] = []
    lengths.reserveCapacity(line.count)
    var last: (longitude: Double, coordinate: Coordinate)?
    for position in line {
      let coordinate = try position.coordinate()
      if let last {
        lengths.append(
          (position.longitude - last.longitude).magnitude == 360
            ? lengthAllRound(from: last.coordinate.latitude, to: coordinate.latitude)
            : last.coordinate.distance(to: coordinate).meters)
      }
      last = (position.longitude, coordinate)
    }
    return lengths
  }

  /// The length of a step of 360°, in meters: that of its quarters, because both its ends are on one meridian.
  private static func lengthAllRound(from start: Double, to end: Double) -> Double {
    var length = 0.0
    for quarter in 0..<4 {
      let latitudes = (quarter...quarter + 1).map { start + (end - start) * Double($0) / 4 }
      length +=
        Coordinate(unchecked: latitudes[0], 0)
        .distance(to: Coordinate(unchecked: latitudes[1], 90)).meters
    }
    return length
  }

  // MARK: Polygons

  private static func pointInside(
    largest polygons: [[[Position]]]
  ) throws(CoordinateError) -> Coordinate? {
    var largest: (rings: [UnrolledPath], area: Double)?
    for polygon in polygons where polygon.first?.isEmpty == false {
      var rings: [UnrolledPath] = []
      for positions in polygon {
        var ring = try UnrolledPath(ring: positions)
        if let exterior = rings.first?.longitudes { ring.shift(into: exterior) }
        rings.append(ring)
      }
      let holes = rings.dropFirst().reduce(0) { $0 + abs($1.signedArea) }
      let area = abs(rings[0].signedArea) - holes
      if area > largest?.area ?? -.infinity { largest = (rings, area) }
    }
    guard let largest, let exterior = largest.rings.first, let start = exterior.vertices.first,
      let latitudes = exterior.latitudes
    else { return nil }
    let latitude = (latitudes.lowerBound + latitudes.upperBound) / 2
    // If holes cover that parallel, use the exterior alone; if the polygon is flat, its first
    // position.
    let longitude =
      amidWidestSpan(of: largest.rings, at: latitude)
      ?? amidWidestSpan(of: [exterior], at: latitude)
    guard let longitude else {
      return try Coordinate(latitude: start.latitude, wrappingLongitude: start.longitude)
    }
    return try Coordinate(latitude: latitude, wrappingLongitude: longitude)
  }

  /// The middle of the widest span of a parallel inside the rings, by the even-odd rule; nil if no
  /// span has a width.
  private static func amidWidestSpan(of rings: [UnrolledPath], at latitude: Double) -> Double? {
    let crossings = rings.flatMap { $0.crossings(of: latitude) }.sorted()
    var widest: (middle: Double, width: Double)?
    for index in stride(from: 0, to: crossings.count - 1, by: 2) {
      let width = crossings[index + 1] - crossings[index]
      if width > widest?.width ?? 0 { widest = (crossings[index] + width / 2, width) }
    }
    return widest?.middle
  }
}
