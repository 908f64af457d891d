import Geodesy
import NearbyTestSupport
import Testing

/// The vectors of `../shared/conformance/geodesic`: Karney's GeodTest (doi:10.5281/zenodo.32156) and
/// regression cases of GeographicLib and geofire.
@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct `Shared geodesic vectors` {
  private func rows(_ name: String) throws -> [Row] {
    try SharedFiles.rows("conformance/geodesic/\(name).csv").map(Row.init)
  }

  @Test func `every row of GeodTest agrees to a tenth of a micrometer`() throws {
    let rows = try rows("geodtest_wgs84")
    #expect(rows.count == 2_500)
    // Between vertices the line meets its neighbors again at the end: there the azimuth moves by
    // 10⁻⁴ degrees when rounding moves an end by a nanometer, and PROJ misses by 3·10⁻⁴. Short lines
    // and lines that graze both poles turn by 10⁻⁸.
    let tolerances = [
      "between-vertices": 1e-3, "ends-near-vertices": 1e-3, "short": 2e-8,
      "both-ends-near-opposite-poles": 2e-8,
    ]
    for row in rows {
      let line = try row.pair.inverse
      let expected = try row["s12"]
      #expect(abs(line.distance - expected) <= 0.1e-6, "\(row)")
      let distanceOnly = try row.pair.distance
      #expect(distanceOnly == line.distance)
      let tolerance = tolerances[row.text("class"), default: 1e-9]
      #expect(turn(line.azimuth1, try row["azi1"]) <= tolerance, "\(row)")
      #expect(turn(line.azimuth2, try row["azi2"]) <= tolerance, "\(row)")
    }
  }

  @Test func `every row of GeodTest, followed from its start, arrives at its end`() throws {
    for row in try rows("geodtest_wgs84") {
      let pair = try row.pair
      let end = Geodesic.direct(
        latitude: pair.latitude1, longitude: pair.longitude1, azimuth: try row["azi1"],
        distance: try row["s12"])
      let miss = Geodesic.distance(
        latitude1: end.latitude, longitude1: end.longitude, latitude2: pair.latitude2,
        longitude2: pair.longitude2)
      // The file gives 0.1 µm.
      #expect(miss <= 0.2e-6, "\(row)")
    }
  }

  @Test func `every shifted row agrees to a tenth of a micrometer`() throws {
    let rows = try rows("geodtest_shifted")
    #expect(rows.count == 600)
    for row in rows {
      let distance = try row.pair.distance
      #expect(abs(distance - (try row["s12"])) <= 0.1e-6, "\(row)")
    }
  }

  @Test func `every edge case agrees within its tolerance`() throws {
    let rows = try rows("edge_cases")
    #expect(rows.count == 20)
    for row in rows {
      let distance = try row.pair.inverse.distance
      let tolerance = try row["tolerance_m"]
      #expect(abs(distance - (try row["s12"])) <= tolerance, "\(row)")
    }
  }

  @Test func `longitudes wrap as they should`() throws {
    let rows = try rows("wrap_longitude")
    #expect(rows.count == 9)
    for row in rows {
      let wrapped = Coordinate.wrappedLongitude(try row["lon_in"])
      #expect((-180...180).contains(wrapped))
      #expect(turn(wrapped, try row["lon_out"]) <= 1e-6, "\(row)")
    }
  }

  /// The file's widths mix a sphere and the ellipsoid and are good to a thousandth.
  ///
  /// They are lengths along the parallel, while a box is as wide as its circle. Near the pole, where
  /// 1 km along the parallel leads a quarter round it, the circle holds the pole.
  @Test func `a box around a radius is as wide as the radius in degrees`() throws {
    let rows = try rows("metres_to_lon_degrees")
    #expect(rows.count == 6)
    for row in rows {
      let latitude = try row["lat"]
      let meters = try row["metres"]
      let degrees = try row["degrees"]
      let center = try Coordinate(latitude: latitude, longitude: 20)
      let box = BoundingBox(around: center, radius: .meters(meters))
      if degrees == 360 || latitude > 89 {
        #expect(box.width == 360, "\(row)")
      } else {
        #expect(abs(box.width / 2 / degrees - 1) <= 1e-3, "\(row)")
      }
    }
  }

  @Test func `great circles agree to a kilometer`() throws {
    let rows = try rows("sphere_km")
    #expect(rows.count == 5)
    for row in rows {
      let pair = try row.pair
      let start = try Coordinate(latitude: pair.latitude1, longitude: pair.longitude1)
      let end = try Coordinate(latitude: pair.latitude2, longitude: pair.longitude2)
      let expected = try row["km_sphere"]
      #expect(abs(start.greatCircleDistance(to: end).kilometers - expected) <= 1, "\(row)")
      #expect(abs(start.distance(to: end).kilometers / expected - 1) <= 0.006, "\(row)")
    }
  }
}

/// One row of a CSV file.
private struct Row: CustomStringConvertible {
  let cells: [String: String]

  init(_ cells: [String: String]) { self.cells = cells }

  subscript(column: String) -> Double {
    get throws { try #require(Double(text(column)), "column \(column)") }
  }

  func text(_ column: String) -> String { cells[column] ?? "" }

  var pair: PositionPair {
    get throws {
      PositionPair(
        latitude1: try self["lat1"], longitude1: try self["lon1"], latitude2: try self["lat2"],
        longitude2: try self["lon2"])
    }
  }

  var description: String {
    cells.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
  }
}
