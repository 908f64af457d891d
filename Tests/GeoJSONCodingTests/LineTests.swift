import GeoJSONCoding
import Geodesy
import Testing

/// The line between two positions.
@Suite struct LineTests {
  private func line(_ start: (Double, Double), _ end: (Double, Double)) throws -> Geometry {
    Geometry(
      lineFrom: try Coordinate(latitude: start.0, longitude: start.1),
      to: try Coordinate(latitude: end.0, longitude: end.1))
  }

  private func position(_ longitude: Double, _ latitude: Double) -> Position {
    Position(longitude: longitude, latitude: latitude)
  }

  @Test func `a line goes the shorter way round and is cut at ±180`() throws {
    #expect(try line((1, 2), (3, 4)) == .lineString([position(2, 1), position(4, 3)]))
    let eastward = try line((0, 170), (4, -160))
    #expect(
      eastward
        == .multiLineString([
          [position(170, 0), position(180, 4 / 3.0)], [position(-180, 4 / 3.0), position(-160, 4)],
        ]))
    #expect(
      try line((0, -170), (4, 160))
        == .multiLineString([
          [position(-170, 0), position(-180, 4 / 3.0)], [position(180, 4 / 3.0), position(160, 4)],
        ]))
  }

  @Test func `an end on the antimeridian lies on the side of the other`() throws {
    #expect(try line((0, 180), (1, 170)) == .lineString([position(180, 0), position(170, 1)]))
    #expect(try line((0, -170), (1, 180)) == .lineString([position(-170, 0), position(-180, 1)]))
    #expect(try line((0, 175), (1, -180)) == .lineString([position(175, 0), position(180, 1)]))
  }
}
