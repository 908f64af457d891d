import Geodesy
import MapProjections
import NearbyTestSupport
import Testing

@Suite struct ProjectionTests {
  /// A nanometer on the ground is some 10⁻¹⁴ degrees; this is 20 nm.
  private static let roundTripDegrees = 2e-13
  /// 1 mm, which is promised to the end of the domain.
  private static let domainDegrees = 1e-8

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `transverse Mercator goes there and back, up to the end of its domain`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sphere = Ellipsoid(equatorialRadius: 6_400_000, flattening: 0)
    for ellipsoid in [Ellipsoid.wgs84, .grs80, .bessel1841, sphere] {
      let projection = TransverseMercator(
        ellipsoid, latitudeOfOrigin: 38, centralMeridian: 127, scale: 0.9996, falseEasting: 200_000,
        falseNorthing: 500_000)
      for _ in 0..<2_000 {
        let start = GeodeticPosition(
          latitude: .random(in: -89.9...89.9, using: &random),
          longitude: 127 + .random(in: -66...66, using: &random))
        let end = try projection.inverse(try projection.forward(start))
        let tolerance = Self.domainDegrees
        #expect(abs(end.latitude - start.latitude) < tolerance)
        let turn = (end.longitude - start.longitude).remainder(dividingBy: 360)
        // Degrees of longitude shrink toward the poles.
        #expect(abs(turn) < tolerance / (1 - abs(start.latitude) / 90))
      }
    }
  }

  @Test(arguments: [4, 5] as [UInt64])
  func `within 4000 km the round trip misses by nanometers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let projection = TransverseMercator(.grs80, centralMeridian: 127)
    for _ in 0..<5_000 {
      let start = GeodeticPosition(
        latitude: .random(in: -60...60, using: &random),
        longitude: 127 + .random(in: -35...35, using: &random))
      let end = try projection.inverse(try projection.forward(start))
      #expect(abs(end.latitude - start.latitude) < Self.roundTripDegrees)
      #expect(abs(end.longitude - start.longitude) < Self.roundTripDegrees * 2)
    }
  }

  @Test(arguments: [6, 7] as [UInt64])
  func `Mercator goes there and back`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for projection in [Mercator.web, Mercator(.wgs84), Mercator(.bessel1841, scale: 0.99)] {
      for _ in 0..<2_000 {
        let start = GeodeticPosition(
          latitude: .random(in: -89.9...89.9, using: &random),
          longitude: .random(in: -180...180, using: &random))
        let end = try projection.inverse(try projection.forward(start))
        #expect(abs(end.latitude - start.latitude) < Self.roundTripDegrees)
        #expect(abs(end.longitude - start.longitude) < Self.roundTripDegrees)
      }
    }
  }

  @Test func `the poles are on the central meridian, however one arrives`() throws {
    let projection = TransverseMercator(.wgs84, centralMeridian: 129, falseEasting: 500_000)
    // Half a meridian of WGS 84: Karney 2011, section 3.
    let quarter = 10_001_965.729_3
    for longitude in [-180, -51, 0, 39, 129, 170] as [Double] {
      let north = try projection.forward(GeodeticPosition(latitude: 90, longitude: longitude))
      #expect(abs(north.x - 500_000) < 1e-8)
      #expect(abs(north.y - quarter) < 1e-4)
      let south = try projection.forward(GeodeticPosition(latitude: -90, longitude: longitude))
      #expect(abs(south.y + quarter) < 1e-4)
    }
    let back = try projection.inverse(PlanePosition(x: 500_000, y: quarter))
    #expect(abs(back.latitude - 90) < 1e-9)
  }

  @Test func `over the pole the other side goes on`() throws {
    let projection = TransverseMercator(.wgs84, centralMeridian: 0)
    let beyond = try projection.forward(GeodeticPosition(latitude: 80, longitude: 175))
    #expect(beyond.y > 10_001_966)
    let back = try projection.inverse(beyond)
    #expect(abs(back.latitude - 80) < 1e-10 && abs(back.longitude - 175) < 1e-10)
  }

  @Test func `the longitude may be given round the Earth once more`() throws {
    let projection = TransverseMercator(.wgs84, centralMeridian: -177)
    let one = try projection.forward(GeodeticPosition(latitude: 10, longitude: 179))
    let other = try projection.forward(GeodeticPosition(latitude: 10, longitude: -181))
    #expect(one == other)
    let back = try projection.inverse(one)
    #expect(abs(back.longitude - 179) < 1e-12)
  }

  @Test func `what is outside a domain is refused with the numbers`() throws {
    let grid = TransverseMercator(.wgs84, centralMeridian: 0)
    #expect(throws: CRSError.self) {
      try grid.forward(GeodeticPosition(latitude: 0, longitude: 90))
    }
    #expect(throws: CRSError.self) {
      try grid.forward(GeodeticPosition(latitude: 0, longitude: 70))
    }
    for position in [
      PlanePosition(x: 1.1e7, y: 0), PlanePosition(x: 0, y: 2.1e7), PlanePosition(x: 1e300, y: 1),
    ] {
      #expect(throws: CRSError.outsideDomain(position, of: "transverse Mercator")) {
        try grid.inverse(position)
      }
    }
    #expect(throws: CRSError.self) {
      try Mercator.web.forward(GeodeticPosition(latitude: 90, longitude: 0))
    }
    #expect(throws: CRSError.self) { try Mercator.web.inverse(PlanePosition(x: 1e9, y: 0)) }
    let problem = CRSError.outsideDomain(PlanePosition(x: 1e9, y: 0), of: "Mercator")
    #expect(problem.code == "crs-domain")
    #expect(problem.description.contains("1000000000,0"))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not finite is refused`(number: Double) throws {
    let projections: [any MapProjection] = [
      TransverseMercator(.wgs84, centralMeridian: 0), Mercator.web,
    ]
    for projection in projections {
      for position in [PlanePosition(x: number, y: 0), PlanePosition(x: 0, y: number)] {
        do throws(CRSError) {
          _ = try projection.inverse(position)
          Issue.record("\(position) was projected")
        } catch {
          #expect(error.code == "not-a-number")
        }
      }
      do throws(CRSError) {
        _ = try projection.forward(GeodeticPosition(latitude: 0, longitude: number))
        Issue.record("\(number) was projected")
      } catch {
        #expect(error.code == "not-a-number")
      }
    }
  }

  @Test func `a latitude past a pole is refused`() throws {
    do throws(CRSError) {
      _ = try Mercator.web.forward(GeodeticPosition(latitude: 127, longitude: 37))
      Issue.record("127 was projected")
    } catch {
      #expect(error.code == "lat-range")
    }
  }

  @Test func `the corner of Web Mercator's square is where web maps end it`() throws {
    // The square that web maps use ends at half the equator's length.
    let corner = try Mercator.web.inverse(
      PlanePosition(x: 20_037_508.342_789_244, y: 20_037_508.342_789_244))
    #expect(abs(corner.latitude - 85.051_128_779_806_59) < 1e-12)
    #expect(abs(abs(corner.longitude) - 180) < 1e-12)
    let top = try Mercator.web.inverse(PlanePosition(x: 0, y: 1e12))
    #expect(top.latitude == 90)
  }
}
