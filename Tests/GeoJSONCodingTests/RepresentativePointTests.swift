import Geodesy
import NearbyTestSupport
import Testing

@testable import GeoJSONCoding

/// Positions from pairs of longitude and latitude.
func positions(_ numbers: (Double, Double)...) -> [Position] {
  numbers.map { Position(longitude: $0.0, latitude: $0.1) }
}

@Suite struct RepresentativePointTests {
  private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [Position] {
    positions((west, south), (east, south), (east, north), (west, north), (west, south))
  }

  private func at(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
    try Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test func `a point stands for itself and points for their first`() throws {
    let place = Position(longitude: 180, latitude: -17, altitude: 12)
    #expect(try Geometry.point(place).representativePoint() == at(-180, -17))
    #expect(
      try Geometry.multiPoint(positions((1, 2), (3, 4))).representativePoint() == at(1, 2))
  }

  @Test func `what has no position has no point`() throws {
    let empty: [Geometry] = [
      .multiPoint([]), .lineString([]), .multiLineString([]), .multiLineString([[]]), .polygon([]),
      .polygon([[]]), .multiPolygon([]), .multiPolygon([[]]), .geometryCollection([]),
      .geometryCollection([.lineString([])]),
    ]
    for geometry in empty {
      #expect(try geometry.representativePoint() == nil)
      #expect(geometry.isEmpty)
    }
  }

  @Test func `a line is represented by its middle by length, not by its middle vertex`() throws {
    let line = Geometry.lineString(positions((0, 0), (1, 0), (2, 0), (10, 0)))
    let middle = try #require(try line.representativePoint())
    #expect(middle.distance(to: try at(5, 0)) < .meters(0.001))
  }

  @Test(arguments: UInt64(0)..<50)
  func `a line's middle leaves as much before it as after it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var (longitude, latitude) = (Double.random(in: -180...180, using: &generator), 10.0)
    let line = (0..<20).map { _ in
      longitude = Coordinate.wrappedLongitude(
        longitude + Double.random(in: -1...1, using: &generator))
      latitude += Double.random(in: -1...1, using: &generator)
      return Position(longitude: longitude, latitude: latitude)
    }
    let middle = try #require(try Geometry.lineString(line).representativePoint())
    let coordinates = try line.map { try $0.coordinate() }
    let steps = zip(coordinates, coordinates.dropFirst()).map {
      $0.distance(to: $1).meters
    }
    let half = steps.reduce(0, +) / 2
    var before = 0.0
    // Some step holds the middle: the way to it is half of all. Straight in degrees, a step of
    // a degree strays from its geodesic by some meters.
    let fits = zip(coordinates, zip(coordinates.dropFirst(), steps)).contains { start, rest in
      defer { before += rest.1 }
      let toMiddle = start.distance(to: middle).meters
      let fromMiddle = middle.distance(to: rest.0).meters
      return abs(toMiddle + fromMiddle - rest.1) < 5 && abs(before + toMiddle - half) < 100
    }
    #expect(fits, "seed \(seed)")
  }

  @Test func `a line over the antimeridian has its middle there`() throws {
    let line = Geometry.lineString(positions((170, 10), (-170, 10)))
    #expect(try line.representativePoint() == at(-180, 10))
    let other = Geometry.lineString(positions((-175, 10), (165, 10)))
    #expect(try other.representativePoint() == at(175, 10))
  }

  @Test func `a step of 180 degrees is taken as written, and one of 360 goes all the way round`()
    throws
  {
    let equator = Geometry.lineString(positions((-180, 0), (180, 0)))
    #expect(try equator.representativePoint() == at(0, 0))
    let spiral = Geometry.lineString(positions((180, -10), (-180, 10)))
    #expect(try spiral.representativePoint() == at(0, 0))
    // From 190 on to 370 and 380.
    let eastward = Geometry.lineString(positions((170, 0), (-170, 0), (10, 0), (20, 0)))
    let middle = try #require(try eastward.representativePoint())
    #expect(middle.latitude == 0 && (-91 ... -79).contains(middle.longitude))
    // A band whose upper edge is written in three steps.
    let band = positions(
      (-180, -10), (180, -10), (180, 10), (60, 10), (-60, 10), (-180, 10), (-180, -10))
    #expect(try Geometry.polygon([band]).representativePoint() == at(0, 0))
  }

  @Test func `lines are represented by the longest, by meters and not by degrees`() throws {
    // Ten degrees at 80° north are shorter than three at the equator.
    let lines = Geometry.multiLineString([
      positions((0, 80), (10, 80)), positions((50, 0), (53, 0)), positions((50, 1), (51, 1)),
    ])
    let middle = try #require(try lines.representativePoint())
    #expect(middle.distance(to: try at(51.5, 0)) < .meters(0.001))
  }

  @Test func `a line whose positions are one is represented by it`() throws {
    #expect(
      try Geometry.lineString(positions((3, 4), (3, 4))).representativePoint() == at(3, 4))
  }

  @Test func `a concave polygon's point lies inside it`() throws {
    // A U, whose middle is outside; the left arm is the wider.
    let ring = positions(
      (0, 0), (10, 0), (10, 10), (8, 10), (8, 2), (3, 2), (3, 10), (0, 10), (0, 0))
    #expect(try Geometry.polygon([ring]).representativePoint() == at(1.5, 5))
    #expect(try Geometry.polygon([ring.reversed()]).representativePoint() == at(1.5, 5))
  }

  @Test func `a hole is not inside`() throws {
    let polygon = Geometry.polygon([box(0, 0, 10, 10), box(1, 1, 7, 9)])
    #expect(try polygon.representativePoint() == at(8.5, 5))
  }

  @Test func `a vertex on the mid-latitude neither hides nor doubles an edge`() throws {
    let diamond = Geometry.polygon([positions((0, 0), (5, 5), (0, 10), (-5, 5), (0, 0))])
    #expect(try diamond.representativePoint() == at(0, 5))
    // A tooth that reaches down to the mid-latitude from above.
    let tooth = Geometry.polygon([
      positions((0, 0), (10, 0), (10, 10), (6, 10), (5, 5), (4, 10), (0, 10), (0, 0))
    ])
    let point = try #require(try tooth.representativePoint())
    #expect(point.latitude == 5)
    #expect((0...10).contains(point.longitude))
  }

  @Test func `a polygon over the antimeridian is represented on its own side of the Earth`() throws
  {
    let fiji = positions((177, -19), (-178, -19), (-178, -15), (177, -15), (177, -19))
    #expect(try Geometry.polygon([fiji]).representativePoint() == at(179.5, -17))
    let hole = positions((-179.5, -18), (-178.5, -18), (-178.5, -16), (-179.5, -16), (-179.5, -18))
    #expect(try Geometry.polygon([fiji, hole]).representativePoint() == at(178.75, -17))
  }

  @Test func `a ring round the Earth is meant as written`() throws {
    #expect(try Geometry.polygon([box(-180, -90, 180, 90)]).representativePoint() == at(0, 0))
    #expect(
      try Geometry.polygon([box(-180, -90, 180, 90), box(-60, -80, 100, 80)])
        .representativePoint() == at(-120, 0))
    // Antarctica's shape: a coast from 180 to −180 and the pole's edge back.
    let coast = positions(
      (-180, -90), (180, -90), (180, -70), (90, -65), (0, -70), (-90, -65), (-180, -70), (-180, -90)
    )
    #expect(try Geometry.polygon([coast]).representativePoint() == at(0, -77.5))
  }

  @Test func `polygons are represented by the largest on the ground`() throws {
    // 20° × 5° at 75° north are smaller than 10° × 5° at the equator.
    let polygons = Geometry.multiPolygon([
      [box(0, 75, 20, 80)], [box(40, 0, 50, 5)], [box(60, 0, 80, 4), box(61, 1, 79, 3)],
    ])
    #expect(try polygons.representativePoint() == at(45, 2.5))
  }

  @Test func `a flat polygon is represented by where it starts`() throws {
    let flat = Geometry.polygon([positions((3, 4), (5, 4), (7, 4), (3, 4))])
    #expect(try flat.representativePoint() == at(3, 4))
  }

  @Test func `a collection is represented by its first member that has a point`() throws {
    let collection = Geometry.geometryCollection([
      .lineString([]), .polygon([box(0, 0, 2, 2)]), .point(Position(longitude: 9, latitude: 9)),
    ])
    #expect(try collection.representativePoint() == at(1, 1))
  }

  @Test(arguments: UInt64(0)..<200)
  func `the point of a star lies inside it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let center = (Double.random(in: -180...180, using: &generator), 20.0)
    let count = Int.random(in: 3...40, using: &generator)
    // Seen from its center each vertex has its own direction, so the ring does not cross itself.
    var offsets = (0..<count).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(count)
      let radius = Double.random(in: 0.5...8, using: &generator)
      return (radius * cosine(angle), radius * sine(angle))
    }
    offsets.append(offsets[0])
    let ring = offsets.map {
      Position(
        longitude: Coordinate.wrappedLongitude(center.0 + $0.0), latitude: center.1 + $0.1)
    }
    let point = try #require(try Geometry.polygon([ring]).representativePoint())
    let seen = (
      Coordinate.wrappedLongitude(point.longitude - center.0), point.latitude - center.1
    )
    #expect(windingNumber(of: offsets, around: seen) != 0, "seed \(seed)")
  }

  /// How often a ring runs round a point, from the angles under which its edges are seen.
  private func windingNumber(of ring: [(Double, Double)], around point: (Double, Double)) -> Int {
    let total = zip(ring, ring.dropFirst()).reduce(0.0) { sum, edge in
      let start = (edge.0.0 - point.0, edge.0.1 - point.1)
      let end = (edge.1.0 - point.0, edge.1.1 - point.1)
      return sum
        + arcTangent(
          y: start.0 * end.1 - start.1 * end.0, x: start.0 * end.0 + start.1 * end.1)
    }
    return Int((total / (2 * .pi)).rounded())
  }

  @Test func `a position off the Earth is an error that says which`() {
    #expect(throws: CoordinateError.looksSwapped(latitude: 127, longitude: 37)) {
      try Geometry.point(Position(longitude: 37, latitude: 127)).representativePoint()
    }
    #expect(throws: CoordinateError.longitudeOutOfRange(721.4)) {
      try Geometry.lineString(positions((721.4, 0), (720, 0))).representativePoint()
    }
    #expect(throws: CoordinateError.latitudeOutOfRange(-91)) {
      try Geometry.lineString(positions((100, 0), (190, -91))).representativePoint()
    }
  }

  @Test func `polygons are given as rings of positions`() {
    let rings = [box(0, 0, 10, 10), box(1, 1, 2, 2)]
    #expect(Geometry.polygon(rings).polygons == [rings])
    #expect(
      Geometry.geometryCollection([.multiPolygon([rings, rings])]).polygons == [rings, rings])
    #expect(Geometry.point(rings[0][0]).polygons == nil)
    #expect(
      Geometry.geometryCollection([.polygon(rings), .point(rings[0][0])]).polygons == nil)
  }
}
