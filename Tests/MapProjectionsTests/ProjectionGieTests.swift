import Foundation
import MapProjections
import NearbyTestSupport
import Testing

/// The rows of PROJ's own tests that are about projections in pure Swift: `tmerc`, `etmerc`, `utm`
/// and `merc`; `PROJTransformsTests` runs all of them through the library.
@Suite(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)")) struct ProjectionGieTests
{
  @Test func `PROJ's own expectations are met`() throws {
    var tested = 0
    for row in try GieRow.all() {
      // Series of the fifth order in the longitude are another, lesser projection.
      guard !row.operation.contains("+approx"), !row.operation.contains("evenden_snyder"),
        let projection = row.projection
      else { continue }
      tested += 1
      let found: PlanePosition
      if row.isForward {
        found = try projection.forward(
          GeodeticPosition(latitude: row.input.y, longitude: row.input.x))
      } else {
        let position = try projection.inverse(row.input)
        found = PlanePosition(x: position.longitude, y: position.latitude)
      }
      #expect(row.gap(to: found) <= row.tolerance + row.printed, "\(row.operation) \(row.input)")
    }
    // Of the other 23, 12 are of those series and 11 of Cassini.
    #expect(tested == 57)
    print("proj_gie.csv: \(tested) rows in pure Swift")
  }
}

/// A row of `proj_gie.csv`.
struct GieRow {
  let operation: String
  let isForward: Bool
  let input: PlanePosition
  let output: PlanePosition
  /// In meters.
  let tolerance: Double
  /// Half a unit of the last decimal that the expectation is printed with, on the ground.
  let printed: Double

  static func all() throws -> [GieRow] {
    try SharedFiles.rows("conformance/crs/proj_gie.csv").map { row in
      let words = try #require(row["tolerance"]).split(separator: " ")
      let text = words.joined()
      let units = [("nm", 1e-9), ("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)]
      let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1)
      let isForward = row["direction"] == "forward"
      let decimals =
        [row["out1"], row["out2"]].compactMap { $0 }.map { number in
          number.split(separator: ".").dropFirst().first?.prefix { $0.isNumber }.count ?? 0
        }.max() ?? 0
      return GieRow(
        operation: try #require(row["operation"]).trimmingCharacters(
          in: CharacterSet(charactersIn: " \\")),
        isForward: isForward,
        input: PlanePosition(x: try row.number("in1"), y: try row.number("in2")),
        output: PlanePosition(x: try row.number("out1"), y: try row.number("out2")),
        tolerance: try #require(Double(text.dropLast(unit.0.count))) * unit.1,
        printed: pow(10, -Double(decimals)) / 2 * (isForward ? 1 : 111_320))
    }
  }

  /// How far an answer lies from the expected one, in meters on the ground.
  func gap(to found: PlanePosition) -> Double {
    guard !isForward else { return found.gap(to: output) }
    let metersPerDegree = 111_320.0
    return max(
      abs(found.y - output.y), abs(found.x - output.x) * cos(output.y * .pi / 180))
      * metersPerDegree
  }

  /// The words of the operation, each by its name.
  private var words: [Substring: String] {
    Dictionary(
      operation.split(separator: " ").map { word in
        let parts = word.dropFirst().split(separator: "=", maxSplits: 1)
        return (parts[0], parts.count > 1 ? String(parts[1]) : "")
      }, uniquingKeysWith: { first, _ in first })
  }

  private func number(_ word: Substring) -> Double? { words[word].flatMap { Double($0) } }

  var ellipsoid: Ellipsoid {
    let named: [String: Ellipsoid] = ["GRS80": .grs80, "WGS84": .wgs84]
    let ellipsoid =
      if let radius = number("R") {
        Ellipsoid(equatorialRadius: radius, flattening: 0)
      } else if let a = number("a") {
        Ellipsoid(equatorialRadius: a, flattening: number("rf").map { 1 / $0 } ?? 0)
      } else {
        named[words["ellps"] ?? ""] ?? .grs80
      }
    guard words["R_C"] != nil else { return ellipsoid }
    // PROJ takes the conformal sphere of the equator, whatever latitude is given.
    let e2 = ellipsoid.flattening * (2 - ellipsoid.flattening)
    return Ellipsoid(
      equatorialRadius: ellipsoid.equatorialRadius * (1 - e2).squareRoot(), flattening: 0)
  }

  /// The projection in pure Swift; nil when there is none.
  var projection: (any MapProjection)? {
    switch words["proj"] {
    case "tmerc", "etmerc":
      TransverseMercator(
        ellipsoid, latitudeOfOrigin: number("lat_0") ?? 0, centralMeridian: number("lon_0") ?? 0,
        scale: number("k") ?? 1, falseEasting: number("x_0") ?? 0,
        falseNorthing: number("y_0") ?? 0)
    case "utm":
      TransverseMercator(
        ellipsoid, centralMeridian: (number("zone") ?? 0) * 6 - 183, scale: 0.9996,
        falseEasting: 500_000)
    case "merc":
      Mercator(ellipsoid, centralMeridian: number("lon_0") ?? 0, scale: number("k") ?? 1)
    case "webmerc":
      Mercator.web
    default: nil
    }
  }
}
