import Geodesy
import NearbyTestSupport
import Testing

@testable import GeoJSONCoding

/// Lines and rings that run on past ±180°.
@Suite struct WrappingTests {

  private func box(_ west: Double, _ east: Double) -> [Position] {
    positions((west, 0), (east, 0), (east, 10), (west, 10), (west, 0))
  }

  @Test func `what rounding puts past 180 is 180, and not once round the Earth`() throws {
    let past = 180.0.nextUp
    // The last is what Natural Earth's land goes to.
    for east in [past, 180.0000000005, 180.00000000000014] {
      for sign in [1.0, -1] {
        let written = Geometry.polygon([box(170 * sign, east * sign)])
        #expect(!written.runsPastAntimeridian)
        #expect(written.wrapped == .polygon([box(170 * sign, 180 * sign)]))
        #expect(try written.groundShape().shape.area.polygons.count == 1)
        #expect(
          try written.representativePoint() == Coordinate(latitude: 5, longitude: 175 * sign))
        let line = Geometry.lineString(positions((0, 1), (east * sign, 1)))
        #expect(line.wrapped == .lineString(positions((0, 1), (180 * sign, 1))))
      }
      #expect(Geometry.polygon([box(-east, east)]).wrapped == .polygon([box(-180, 180)]))
    }
    let crossing = Geometry.polygon([
      positions((170, 0), (180, 0), (past, 5), (190, 10), (170, 10), (170, 0))
    ])
    #expect(
      crossing.wrapped
        == .polygon([positions((170, 0), (180, 0), (180, 5), (-170, 10), (170, 10), (170, 0))]))
  }

  @Test func `a shape past ±180 is the one that crosses the antimeridian`() throws {
    let crossing = box(170, -170)
    for written in [box(170, 190), box(-190, -170)] {
      let geometry = Geometry.polygon([written])
      #expect(geometry.runsPastAntimeridian)
      #expect(geometry.wrapped == .polygon([crossing]))
      #expect(
        try geometry.representativePoint() == Geometry.polygon([crossing]).representativePoint())
    }
    // The Chatham Islands, as files of the Pacific count.
    #expect(
      try Geometry.polygon([box(183, 184)]).representativePoint()
        == (try Coordinate(latitude: 5, longitude: -176.5)))
    let line = Geometry.lineString(positions((-170, 1), (-190, 1)))
    #expect(line.wrapped == .lineString(positions((-170, 1), (170, 1))))
    #expect(try line.representativePoint() == (try Coordinate(latitude: 1, longitude: -180)))
    // 180 itself is within, and altitudes stay.
    var high = positions((180, 1), (181, 1))
    high[1].altitude = 7
    #expect(
      Geometry.multiLineString([high]).wrapped
        == .multiLineString([
          [
            Position(longitude: 180, latitude: 1),
            Position(longitude: -179, latitude: 1, altitude: 7),
          ]
        ]))
  }

  @Test func `a hole and a part are read by themselves`() throws {
    let polygon = Geometry.multiPolygon([[box(170, 190), box(171, 172)], [box(10, 20)]])
    #expect(polygon.wrapped == .multiPolygon([[box(170, -170), box(171, 172)], [box(10, 20)]]))
    let collection = Geometry.geometryCollection([
      .point(Position(longitude: 1, latitude: 2)), .polygon([box(350, 359)]),
    ])
    #expect(
      collection.wrapped
        == .geometryCollection([
          .point(Position(longitude: 1, latitude: 2)), .polygon([box(-10, -1)]),
        ]))
  }

  @Test func `what may be a slip stays an error`() {
    let slips: [(Geometry, Double)] = [
      (.point(Position(longitude: 190, latitude: 0)), 190),
      (.multiPoint(positions((190, 0), (191, 0))), 190),
      (.lineString(positions((721.4, 0), (720, 0))), 721.4),
      (.lineString(positions((10, 0), (361, 0))), 361),
      // A box round the world, and the half of it: which way is not said.
      (.polygon([box(0, 360)]), 360), (.polygon([box(90, 270)]), 270),
      (.lineString(positions((-170, 0), (190, 0))), 190),
      (.polygon([box(-360.5, -350)]), -360.5),
    ]
    for (geometry, longitude) in slips {
      #expect(!geometry.runsPastAntimeridian && geometry.wrapped == geometry)
      #expect(throws: CoordinateError.longitudeOutOfRange(longitude)) {
        try geometry.representativePoint()
      }
    }
  }

  @Test(arguments: UInt64(0)..<100)
  func `an outline is the same wherever its longitudes are counted from`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let middle = Double.random(in: -180...180, using: &generator)
    let count = Int.random(in: 3...20, using: &generator)
    var ring = (0..<count).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(count)
      let radius = Double.random(in: 1...8, using: &generator)
      // Sixteenths, which a whole turn more or less leaves as they are.
      return Position(
        longitude: ((middle + radius * cosine(angle)) * 16).rounded() / 16,
        latitude: 20 + radius * sine(angle))
    }
    ring.append(ring[0])
    func turned(_ turn: Double) -> Geometry {
      .polygon([
        ring.map { Position(longitude: $0.longitude + turn, latitude: $0.latitude) }
      ])
    }
    let judge = try Geometry.polygon([
      ring.map {
        Position(Coordinate(unchecked: $0.latitude, Coordinate.wrappedLongitude($0.longitude)))
      }
    ]).representativePoint()
    for turn in [-360.0, 0, 360] where ring.allSatisfy({ abs($0.longitude + turn) <= 360 }) {
      let point = try #require(try turned(turn).representativePoint())
      #expect(try point.distance(to: #require(judge)) < .meters(1e-6), "turn \(turn)")
    }
  }
}
