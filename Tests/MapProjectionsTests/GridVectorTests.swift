import Geodesy
import MapProjections
import NearbyTestSupport
import Testing

/// `Tests/Vectors/grids.csv`, by PROJ.
@Suite struct GridVectorTests {
  /// The file's four decimals, and heights that a shift of the datum leaves out.
  private static let meters = 0.01

  @Test func `positions land in their grid where PROJ puts them, and come back`() throws {
    let rows = try Vectors.rows("grids.csv")
    #expect(rows.count == 54)
    for row in rows {
      let transform = try CRS(epsg: try row.integer("epsg")).toWGS84
      let degrees = PlanePosition(x: try row.number("lon"), y: try row.number("lat"))
      let plane = PlanePosition(x: try row.number("x"), y: try row.number("y"))
      #expect(try transform.inverse(degrees).gap(to: plane) < Self.meters, "\(row)")
      let back = try transform.coordinate(of: plane)
      let expected = try Coordinate(latitude: degrees.y, longitude: degrees.x)
      #expect(back.distance(to: expected).meters < Self.meters, "\(row)")
    }
  }
}
