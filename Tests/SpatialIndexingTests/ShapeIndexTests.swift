import Geodesy
import NearbyTestSupport
import SpatialIndexing
import Testing

/// Shapes found by their edges, beside a look at every edge with the geodesic.
@Suite struct ShapeIndexTests {
  // MARK: The judge

  /// How far a shape is, by the least distance along every edge; 0 inside.
  private static func distance(from origin: Coordinate, to shape: GroundShape) -> Double {
    if shape.area.contains(origin) { return 0 }
    var least = Double.infinity
    for (start, end) in edges(of: shape) {
      let span = max(abs(end.latitude - start.latitude), abs(end.longitude - start.longitude))
      let parts = max(1, Int((span / 0.2).rounded(.up)))
      func distance(_ fraction: Double) -> Double {
        origin.distance(
          to: Coordinate(
            unchecked: start.latitude + (end.latitude - start.latitude) * fraction,
            Coordinate.wrappedLongitude(
              start.longitude + (end.longitude - start.longitude) * fraction))
        ).meters
      }
      var before = distance(0)
      least = min(least, before)
      for part in 1...parts {
        let low = Double(part - 1) / Double(parts), high = Double(part) / Double(parts)
        let after = distance(high)
        least = min(least, after)
        // No part of 0.2° each way is longer than 32 km.
        if (before + after - 32_000) / 2 < least {
          least = min(least, leastPlace(in: low...high, of: distance).value)
        }
        before = after
      }
    }
    return least
  }

  private typealias Place = (latitude: Double, longitude: Double)

  /// The edges by the public vertices alone, each the shorter way round.
  private static func edges(of shape: GroundShape) -> [(Place, Place)] {
    var edges: [(Place, Place)] = shape.points.map {
      (($0.latitude, $0.longitude), ($0.latitude, $0.longitude))
    }
    func add(_ vertices: [PolygonVertex]) {
      for (start, end) in zip(vertices, vertices.dropFirst()) {
        var longitude = end.longitude
        if abs(longitude - start.longitude) > 180, abs(longitude - start.longitude) != 360 {
          longitude += longitude < start.longitude ? 360 : -360
        }
        edges.append(((start.latitude, start.longitude), (end.latitude, longitude)))
      }
    }
    for line in shape.lines {
      let vertices = line.vertices
      add(vertices.count == 1 ? vertices + vertices : vertices)
    }
    for polygon in shape.area.polygons {
      add(polygon.outerVertices)
      for hole in polygon.holeVertices { add(hole) }
    }
    return edges
  }

  /// Whether the index says what the judge does, of all shapes; how many it found.
  private func expect(
    _ index: ShapeIndex, from origin: Coordinate, _ comment: Comment
  ) -> Int {
    let found = index.nearest(.max, to: origin)
    for (left, right) in zip(found, found.dropFirst()) {
      #expect((left.distance, left.shape) < (right.distance, right.shape), comment)
    }
    #expect(
      Set(found.map(\.shape)) == Set((0..<index.count).filter { !index.shape($0).isEmpty }),
      comment)
    for neighbor in found {
      let expected = Self.distance(from: origin, to: index.shape(neighbor.shape))
      #expect(
        abs(neighbor.distance.meters - expected) < 1e-3,
        "\(comment): \(neighbor.distance.meters), not \(expected), of \(neighbor.shape)")
      let toPoint = origin.distance(to: neighbor.nearestPoint).meters
      #expect(abs(toPoint - neighbor.distance.meters) < 1e-3, comment)
    }
    let few = index.nearest(3, to: origin)
    #expect(few == Array(found.prefix(3)), comment)
    if let last = few.last {
      #expect(
        index.within(last.distance, of: origin)
          == Array(found.prefix { $0.distance <= last.distance }), comment)
    }
    #expect(
      index.containing(origin)
        == (0..<index.count).filter { index.shape($0).area.contains(origin) }, comment)
    return found.count
  }

  // MARK: Shapes by chance

  private static func beside(
    _ center: Coordinate, _ north: Double, _ east: Double
  ) throws -> Coordinate {
    try Coordinate(
      latitude: min(90, max(-90, center.latitude + north)),
      wrappingLongitude: center.longitude + east)
  }

  private static func star(
    _ center: Coordinate, _ reach: Double, using generator: inout SeededGenerator
  ) throws -> [Coordinate] {
    let count = Int.random(in: 3...12, using: &generator)
    return try (0..<count).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(count)
      let length = reach * Double.random(in: 0.3...1, using: &generator)
      return try beside(center, length * sine(angle), length * cosine(angle))
    }
  }

  static func shape(
    _ center: Coordinate, using generator: inout SeededGenerator
  ) throws -> GroundShape {
    let reaches: [Double] = [0.0001, 0.01, 0.3, 2]
    let reach = reaches.randomElement(using: &generator) ?? 1
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return GroundShape(points: [center])
    case 1:
      return GroundShape(lines: [Polyline(try star(center, reach, using: &generator))])
    case 2:
      return GroundShape(
        points: [try beside(center, reach, 0)],
        lines: [Polyline([center]), Polyline(try star(center, reach, using: &generator))],
        area: MultiPolygon([try Polygon(outer: star(center, reach, using: &generator))]))
    case 3:
      let corners: [(Double, Double)] = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
      let hole = try corners.map { north, east in
        PolygonVertex(try beside(center, north * reach / 8, east * reach / 8))
      }
      let outer = try star(center, reach, using: &generator).map(PolygonVertex.init)
      return GroundShape(area: MultiPolygon([try Polygon(outer: outer, holes: [hole])]))
    case 4: return GroundShape()
    default:
      return GroundShape(
        area: MultiPolygon(
          try (0..<2).map { _ in try Polygon(outer: star(center, reach, using: &generator)) }))
    }
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<1)
  func `the nearest shapes are those of every edge, to a millimeter`(
    pointSet: PointSet, seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let (points, origin) = pointSet.sample(40, seed: seed)
    var shapes: [GroundShape] = []
    while shapes.count < 14 {
      let center = points[shapes.count]
      // Rings round a pole are refused.
      guard let shape = try? Self.shape(center, using: &generator) else {
        shapes.append(GroundShape(points: [center]))
        continue
      }
      shapes.append(shape)
    }
    // Twice the same: ties by number.
    shapes.append(shapes[0])
    let index = ShapeIndex(shapes)
    var origins = [origin, points[35]]
    // Vertices, and places opposite.
    if let vertex = shapes.lazy.flatMap(\.area.polygons).first?.outerVertices.first {
      origins.append(Coordinate(unchecked: vertex.latitude, vertex.longitude))
    }
    origins.append(
      try Coordinate(latitude: -origin.latitude, wrappingLongitude: origin.longitude + 180))
    var found = 0
    for origin in origins {
      found += expect(index, from: origin, "\(pointSet), seed \(seed), from \(origin)")
    }
    #expect(found >= 4 * 9)
  }

  @Test(arguments: [
    (90.0, 0.0), (-90, 12), (0, 180), (89.9999, -180), (0, 0), (-0.001, 179.9999),
  ])
  func `poles and ±180° are places like others`(latitude: Double, longitude: Double) throws {
    let origin = try Coordinate(latitude: latitude, longitude: longitude)
    func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws -> GroundShape
    {
      GroundShape(
        area: MultiPolygon([
          try Polygon(
            outer: [(south, west), (south, east), (north, east), (north, west)].map {
              try PolygonVertex(latitude: $0.0, longitude: $0.1)
            })
        ]))
    }
    let meridian = try GroundShape(lines: [
      Polyline([
        PolygonVertex(latitude: -80, longitude: 180), PolygonVertex(latitude: 80, longitude: 180),
      ])
    ])
    let parallel = try GroundShape(lines: [
      Polyline([
        PolygonVertex(latitude: 60, longitude: -180), PolygonVertex(latitude: 60, longitude: 180),
      ])
    ])
    let index = ShapeIndex([
      try box(-5, 170, 5, -170), try box(-5, 170, 5, 180), try box(-90, -180, -60, 180),
      try box(60, -180, 90, 180), meridian, parallel, try box(10, -1, 12, 1),
    ])
    #expect(expect(index, from: origin, "\(origin)") == 7)
  }

  @Test(arguments: UInt64(0)..<1)
  func `far from everything, and opposite of it, distances hold`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let center = try Coordinate(
      latitude: Double.random(in: -70...70, using: &generator),
      longitude: Double.random(in: -180..<180, using: &generator))
    let index = ShapeIndex(
      try (0..<6).map { _ in
        GroundShape(
          area: MultiPolygon([try Polygon(outer: Self.star(center, 1, using: &generator))]))
      })
    for (north, east) in [(0.0, 180.0), (20, 90), (0, 178.5), (-1, 179.9)] {
      let latitude = east > 170 ? -center.latitude + north : center.latitude + north
      let origin = try Coordinate(
        latitude: min(90, max(-90, latitude)), wrappingLongitude: center.longitude + east)
      #expect(expect(index, from: origin, "seed \(seed), from \(origin)") == 6)
    }
  }

  /// Ends in whole degrees, and fractions of which both coordinates are exact: those are on the edge, whatever is found
  /// beside them.
  @Test(arguments: [
    (start: (37.0, 127.0), end: (37.1, 127.0)), ((37, 127), (37, 127.8)), ((0, 0), (16, 32)),
    ((-60, -100), (-44, -36)), ((60, 172), (76, 204)), ((-8, 180), (8, 180)),
  ])
  func `a position on a line is nowhere else, and one beside it is not on it`(
    start: (latitude: Double, longitude: Double), end: (latitude: Double, longitude: Double)
  ) throws {
    let line = try GroundShape(lines: [
      Polyline(
        [start, end].map {
          try PolygonVertex(
            latitude: $0.latitude, longitude: Coordinate.wrappedLongitude($0.longitude))
        })
    ])
    let index = ShapeIndex([line])
    let isAlongOneAxis = start.latitude == end.latitude || start.longitude == end.longitude
    for step in 0...64 {
      let part = isAlongOneAxis ? Double(step) / 61.5 : Double(step) / 64
      guard part <= 1 else { continue }
      let origin = try Coordinate(
        latitude: start.latitude + (end.latitude - start.latitude) * part,
        wrappingLongitude: start.longitude + (end.longitude - start.longitude) * part)
      #expect(
        index.nearest(1, to: origin)
          == [ShapeNeighbor(shape: 0, distance: .zero, nearestPoint: origin)], "\(origin)")
      let beside = try Coordinate(
        latitude: origin.latitude + (start.latitude == end.latitude ? 1e-6 : 0),
        wrappingLongitude: origin.longitude + (start.latitude == end.latitude ? 0 : 1e-6))
      let found = try #require(index.nearest(1, to: beside).first)
      #expect(found.distance > .zero, "\(beside)")
    }
  }

  @Test func `an index of nothing, and of what is nowhere, finds nothing`() throws {
    let origin = try Coordinate(latitude: 1, longitude: 2)
    for index in [
      ShapeIndex([]),
      ShapeIndex([GroundShape(), GroundShape(lines: [Polyline([PolygonVertex]())])]),
    ] {
      #expect(index.nearest(3, to: origin).isEmpty)
      #expect(index.containing(origin).isEmpty)
      #expect(index.meeting(BoundingBox.world).isEmpty)
      #expect(index.meeting(MultiPolygon([])).isEmpty)
    }
    let one = ShapeIndex([GroundShape(points: [origin])])
    #expect(one.nearest(0, to: origin).isEmpty)
    #expect(
      one.nearest(5, to: origin)
        == [ShapeNeighbor(shape: 0, distance: .zero, nearestPoint: origin)])
  }

  // MARK: Meeting

  /// Whole degrees: what two closed figures of unit cells, edges and corners share, has a corner in it; a slanted
  /// line is judged by whole numbers, side by side.
  private struct LatticeFigure {
    enum Kind { case plate, point, line }
    typealias Box = (south: Int, west: Int, north: Int, east: Int)
    let kind: Kind
    let outer: Box
    let hole: Box?
    let line: ((x: Int, y: Int), (x: Int, y: Int))

    init(using generator: inout SeededGenerator) {
      func box(in outer: Box) -> Box {
        let south = Int.random(in: outer.south..<outer.north, using: &generator)
        let west = Int.random(in: outer.west..<outer.east, using: &generator)
        return (
          south, west, Int.random(in: south + 1...outer.north, using: &generator),
          Int.random(in: west + 1...outer.east, using: &generator)
        )
      }
      func place() -> (x: Int, y: Int) {
        (
          Int.random(in: 0...10, using: &generator), Int.random(in: 0...10, using: &generator)
        )
      }
      kind = [.plate, .plate, .line, .point].randomElement(using: &generator) ?? .plate
      outer = box(in: (0, 0, 10, 10))
      hole = Bool.random(using: &generator) ? box(in: outer) : nil
      line = (place(), place())
    }

    func shape(east offset: Double) throws -> GroundShape {
      func vertex(_ x: Int, _ y: Int) throws -> PolygonVertex {
        PolygonVertex(
          try Coordinate(latitude: Double(y), wrappingLongitude: Double(x) + offset))
      }
      func ring(_ box: Box) throws -> [PolygonVertex] {
        try [
          (box.west, box.south), (box.east, box.south), (box.east, box.north),
          (box.west, box.north),
        ]
        .map { try vertex($0.0, $0.1) }
      }
      switch kind {
      case .plate:
        return GroundShape(
          area: MultiPolygon([
            try Polygon(outer: ring(outer), holes: hole.map { [try ring($0)] } ?? [])
          ]))
      case .point:
        let vertex = try vertex(line.0.x, line.0.y)
        return GroundShape(points: [Coordinate(unchecked: vertex.latitude, vertex.longitude)])
      case .line:
        return GroundShape(lines: [
          Polyline([try vertex(line.0.x, line.0.y), try vertex(line.1.x, line.1.y)])
        ])
      }
    }

    func holds(_ x: Int, _ y: Int) -> Bool {
      switch kind {
      case .plate:
        let isInHole = hole.map { $0.south < y && y < $0.north && $0.west < x && x < $0.east }
        return outer.south <= y && y <= outer.north && outer.west <= x && x <= outer.east
          && !(isInHole ?? false)
      case .point: return (x, y) == line.0
      case .line: return Self.turn(line.0, line.1, (x, y)) == 0 && isBetween((x, y))
      }
    }

    private func isBetween(_ p: (x: Int, y: Int)) -> Bool {
      (min(line.0.x, line.1.x)...max(line.0.x, line.1.x)).contains(p.x)
        && (min(line.0.y, line.1.y)...max(line.0.y, line.1.y)).contains(p.y)
    }

    private static func turn(
      _ a: (x: Int, y: Int), _ b: (x: Int, y: Int), _ c: (x: Int, y: Int)
    ) -> Int {
      ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)).signum()
    }

    /// Whether a line crosses a side of a plate between corners; a touched corner is a place of the lattice.
    private func crosses(_ box: Box) -> Bool {
      let corners = [
        (x: box.west, y: box.south), (x: box.east, y: box.south), (x: box.east, y: box.north),
        (x: box.west, y: box.north),
      ]
      return corners.indices.contains { place in
        let a = corners[place], b = corners[(place + 1) % 4]
        return Self.turn(line.0, line.1, a) * Self.turn(line.0, line.1, b) < 0
          && Self.turn(a, b, line.0) * Self.turn(a, b, line.1) <= 0
      }
    }

    func meets(_ plate: LatticeFigure) -> Bool {
      for y in 0...10 {
        for x in 0...10 where holds(x, y) && plate.holds(x, y) { return true }
      }
      guard kind == .line else { return false }
      if crosses(plate.outer) { return true }
      return plate.hole.map(crosses) ?? false
    }
  }

  @Test(arguments: UInt64(0)..<10, [0.0, 175])
  func `what meets a box or an area is as whole numbers have it`(seed: UInt64, east: Double) throws
  {
    var generator = SeededGenerator(seed: seed)
    let figures = (0..<40).map { _ in LatticeFigure(using: &generator) }
    let index = ShapeIndex(try figures.map { try $0.shape(east: east) })
    var met = 0, missed = 0
    for plate in figures where plate.kind == .plate {
      let expected = figures.indices.filter { figures[$0].meets(plate) }
      let area = try plate.shape(east: east).area
      #expect(index.meeting(area) == expected, "seed \(seed), \(plate.outer) \(plate.hole as Any)")
      met += expected.count
      missed += figures.count - expected.count
      guard plate.hole == nil else { continue }
      let box = area.boundingBoxes[0]
      #expect(index.meeting(box) == expected, "seed \(seed), \(plate.outer)")
    }
    #expect(met > 100 && missed > 100)
  }
}
