import Foundation
import Geodesy
import MapProjections
import NearbyTestSupport
import Testing

/// `shared/conformance/crs`: values of PROJ 9.5 without grids, and of third parties.
@Suite(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)")) struct CRSConformanceTests
{
  private static let folder = "conformance/crs"
  /// 1 mm on the ground, in degrees.
  private static let geodeticDegrees = 1e-8
  /// 1 cm on the ground, in degrees.
  private static let wgs84Degrees = 1e-7
  /// What the files' four decimals allow.
  private static let meters = 0.001
  /// A datum shift leaves heights out, and so misses by 5 mm there and back.
  private static let shiftedMeters = 0.01

  @Test func `every row of projected.csv is met in both directions`() throws {
    var largest = (geodetic: 0.0, wgs84: 0.0, plane: 0.0, shifted: 0.0)
    let rows = try SharedFiles.rows("\(Self.folder)/projected.csv")
    #expect(rows.count == 768)
    for row in rows {
      let crs = try CRS(epsg: try row.integer("epsg"))
      let own = CRSTransform(
        from: crs, to: try CRS(epsg: crs.datum.geographicCode))
      let plane = PlanePosition(x: try row.number("easting"), y: try row.number("northing"))
      let geodetic = PlanePosition(
        x: try row.number("lon_geodetic"), y: try row.number("lat_geodetic"))
      let wgs84 = PlanePosition(x: try row.number("lon_wgs84"), y: try row.number("lat_wgs84"))
      largest.geodetic = max(largest.geodetic, try own.forward(plane).gap(to: geodetic))
      largest.wgs84 = max(largest.wgs84, try crs.toWGS84.forward(plane).gap(to: wgs84))
      largest.plane = max(largest.plane, try own.inverse(geodetic).gap(to: plane))
      largest.shifted = max(largest.shifted, try crs.toWGS84.inverse(wgs84).gap(to: plane))
    }
    #expect(largest.geodetic < Self.geodeticDegrees)
    #expect(largest.wgs84 < Self.wgs84Degrees)
    #expect(largest.plane < Self.meters)
    #expect(largest.shifted < Self.shiftedMeters)
    print("projected.csv, 768 rows: largest differences \(largest)")
  }

  @Test func `every code of operations.json has its operation and accuracy`() throws {
    let list = try JSONSerialization.jsonObject(
      with: Data(try SharedFiles.bytes("\(Self.folder)/operations.json")))
    let operations = try #require(list as? [[String: Any]])
    #expect(operations.count == 64)
    for expected in operations {
      let code = try #require(expected["epsg"] as? Int)
      let crs = try CRS(epsg: code)
      #expect(crs.name == expected["name"] as? String)
      #expect(crs.datum.geographicCode == expected["geodetic_crs"] as? Int)
      #expect(crs.datum.name == expected["geodetic_name"] as? String)
      let operation = crs.toWGS84.operation
      #expect(operation.accuracy == expected["accuracy_m"] as? Double)
      // Ours has no step for the order of the axes.
      let steps = try #require(expected["operation"] as? String)
        .split(separator: " + ").filter { $0 != "axis order change (2D)" }
      #expect(operation.name == steps.joined(separator: " + "))
    }
  }

  @Test func `the values of third parties are met`() throws {
    let rows = try SharedFiles.rows("\(Self.folder)/published.csv")
    #expect(rows.count == 5)
    for row in rows {
      let crs = try CRS(epsg: try row.integer("epsg"))
      let degrees = PlanePosition(x: try row.number("lon"), y: try row.number("lat"))
      let plane = PlanePosition(x: try row.number("easting"), y: try row.number("northing"))
      let tolerance = try row.number("tolerance_m")
      if row["direction"] == "projected to WGS84" {
        let found = try crs.toWGS84.coordinate(of: plane)
        let expected = try Coordinate(latitude: degrees.y, longitude: degrees.x)
        #expect(found.distance(to: expected).meters < tolerance)
      } else {
        let own = CRSTransform(from: crs, to: try CRS(epsg: crs.datum.geographicCode))
        #expect(try own.inverse(degrees).gap(to: plane) < tolerance, "\(row)")
      }
    }
  }

  @Test func `the origins of the Japanese zones are 0,0`() throws {
    let rows = try SharedFiles.rows("\(Self.folder)/jp_zone_origins.csv")
    #expect(rows.count == 10)
    for row in rows {
      let degrees = PlanePosition(x: try row.number("lon"), y: try row.number("lat"))
      let expected = PlanePosition(x: try row.number("easting"), y: try row.number("northing"))
      let transform = try CRS(epsg: try row.integer("epsg")).toWGS84
      #expect(try transform.inverse(degrees).gap(to: expected) < Self.meters)
    }
  }

  @Test func `Seoul's large stores land where PROJ puts them`() throws {
    let transform = try CRS(epsg: 5174).toWGS84
    let rows = try SharedFiles.rows("data/kr-large-stores/expected-wgs84.csv")
    #expect(rows.count == 936)
    var largest = 0.0
    for row in rows {
      let found = try transform.coordinate(
        of: PlanePosition(x: try row.number("x"), y: try row.number("y")))
      let expected = try Coordinate(
        latitude: try row.number("lat"), longitude: try row.number("lon"))
      largest = max(largest, found.distance(to: expected).meters)
    }
    #expect(largest < 0.5)
    print("kr-large-stores, 936 rows: largest difference \(largest) m")
  }
}

extension PlanePosition {
  /// The larger of the two differences.
  func gap(to other: PlanePosition) -> Double { max(abs(x - other.x), abs(y - other.y)) }
}

extension [String: String] {
  func number(_ column: String) throws -> Double {
    try #require(self[column].flatMap { Double($0) })
  }
  func integer(_ column: String) throws -> Int { try #require(self[column].flatMap { Int($0) }) }
}
