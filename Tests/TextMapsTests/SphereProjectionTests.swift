import Geodesy
import NearbyTestSupport
import Testing

@testable import TextMaps

@Suite struct `Projection of a map` {
  private static func randomCoordinate(
    using generator: inout SeededGenerator
  ) throws -> Coordinate {
    try Coordinate(
      latitude: .random(in: -90...90, using: &generator),
      longitude: .random(in: -180...180, using: &generator))
  }

  /// Meters; rounding of the sine and cosine, times the Earth's radius.
  private static let tolerance = 1e-5

  @Test(arguments: UInt64(0)..<100)
  func `keeps distances from its center`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let center = try Self.randomCoordinate(using: &generator)
    let projection = SphereProjection(.azimuthalEquidistant, center: center)
    let position = try Self.randomCoordinate(using: &generator)
    let point = projection.project(position)
    let length = (point.x * point.x + point.y * point.y).squareRoot()
    #expect(abs(length - center.greatCircleDistance(to: position).meters) < Self.tolerance)
  }

  @Test(
    arguments: UInt64(0)..<100,
    [SphereProjection.Kind.azimuthalEquidistant, SphereProjection.Kind.plateCarree])
  func `brings positions back`(seed: UInt64, kind: SphereProjection.Kind) throws {
    var generator = SeededGenerator(seed: seed)
    let equator = try Coordinate(latitude: 0, longitude: 170)
    let center =
      kind == .plateCarree ? equator : try Self.randomCoordinate(using: &generator)
    let projection = SphereProjection(kind, center: center)
    let position = try Self.randomCoordinate(using: &generator)
    let back = try #require(projection.unproject(projection.project(position)))
    #expect(back.greatCircleDistance(to: position).meters < 0.1)
  }

  @Test func `puts east to the right and north to the top, across the antimeridian too`() throws {
    let projection = SphereProjection(
      .azimuthalEquidistant, center: try Coordinate(latitude: -17, longitude: 179.9))
    let point = projection.project(try Coordinate(latitude: -16.9, longitude: -179.9))
    #expect(point.x > 20_000 && point.x < 22_000)
    #expect(point.y > 11_000 && point.y < 12_000)
  }

  @Test func `has no Earth beyond the antipode or the edge of the world`() throws {
    let center = try Coordinate(latitude: 0, longitude: 0)
    let azimuthal = SphereProjection(.azimuthalEquidistant, center: center)
    #expect(azimuthal.unproject(PlanePoint(x: 20_100_000, y: 0)) == nil)
    let plate = SphereProjection(.plateCarree, center: center)
    #expect(plate.unproject(PlanePoint(x: 0, y: 10_100_000)) == nil)
    #expect(plate.unproject(PlanePoint(x: 20_100_000, y: 0)) == nil)
  }

  @Test func `gives the center and its antipode a point`() throws {
    let center = try Coordinate(latitude: 40, longitude: 20)
    let projection = SphereProjection(.azimuthalEquidistant, center: center)
    #expect(projection.project(center) == PlanePoint(x: 0, y: 0))
    let far = projection.project(try Coordinate(latitude: -40, longitude: -160))
    #expect(far.x.isFinite && far.y.isFinite)
  }
}

@Suite struct `Window of a map` {
  @Test(arguments: PointSet.allCases, UInt64(0)..<10)
  func `holds every position it is made for`(pointSet: PointSet, seed: UInt64) {
    let (points, origin) = pointSet.sample(40, seed: seed)
    let window = MapWindow(holding: points + [origin], margin: 3, columns: 62, rows: 17)
    for point in points + [origin] {
      #expect(window.cell(of: point) != nil, "seed \(seed): \(point)")
    }
  }

  @Test func `is never narrower than 200 m`() throws {
    let position = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    let window = MapWindow(
      holding: [position, position], margin: 3, columns: 62, rows: 17)
    #expect(window.halfWidth * 2 >= 200)
    #expect(window.halfWidth * 2 < 300)
  }

  @Test(arguments: [1.0, 3.7, 42, 999, 12_345, 300_000], [20, 38, 62, 200])
  func `has a scale bar of a round length in whole columns`(least: Double, columns: Int) {
    let bar = ScaleBar(metersPerColumn: least, columns: columns)
    #expect(bar.metersPerColumn >= least)
    #expect(bar.metersPerColumn <= least * (1 + 1 / Double(bar.columns)))
    #expect(bar.columns <= columns / 3 + 1)
    let digits = bar.label.filter(\.isNumber)
    #expect(["1", "2", "5"].contains(digits.prefix(1)))
    #expect(digits.dropFirst().allSatisfy { $0 == "0" })
  }

  @Test func `turns to the plate carrée for the world`() {
    let world = MapWindow(holding: [], margin: 0, columns: 62, rows: 17)
    #expect(world.projection.kind == .plateCarree)
    #expect(world.halfWidth >= 180 * SphereProjection.metersPerDegree)
  }
}
