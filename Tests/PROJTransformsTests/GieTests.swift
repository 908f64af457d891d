import Foundation
import MapProjections
import NearbyTestSupport
import Testing

@testable import PROJTransforms

/// Every row of `proj_gie.csv` through the library: Cassini, the approximate series and what else
/// is not in pure Swift.
@Suite(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)")) struct GieTests {
  /// What PROJ 9.1, Debian 12's, does not pass of the tests of later versions.
  ///
  /// It does not know `+R_C` on an ellipsoid nor Cassini's `+hyperbolic`, finds no way back from a
  /// place 200 km off Cassini's meridian, and its spherical tmerc is 26 mm off on the equator at 4°.
  private static let laterThanDebian12 = [
    "+R_C +ellps", "+hyperbolic", "+lat_0=50.6177", "+R=1737400",
  ]

  @Test func `the library meets PROJ's own expectations`() throws {
    var (tested, skipped) = (0, 0)
    for row in try SharedFiles.rows("conformance/crs/proj_gie.csv") {
      let operation = try #require(row["operation"]).trimmingCharacters(
        in: CharacterSet(charactersIn: " \\"))
      guard !Self.laterThanDebian12.contains(where: operation.contains) else {
        skipped += 1
        continue
      }
      let transform: PROJTransform
      do {
        transform = try PROJTransform(pipeline: operation)
      } catch {
        Issue.record("\(operation): \(error)")
        continue
      }
      tested += 1
      let degree = Double.pi / 180
      let input = PlanePosition(x: try number(row, "in1"), y: try number(row, "in2"))
      let output = PlanePosition(x: try number(row, "out1"), y: try number(row, "out2"))
      let gap: Double
      if row["direction"] == "forward" {
        gap = try transform.forward(
          PlanePosition(x: input.x * degree, y: input.y * degree)
        ).gap(to: output)
      } else {
        let found = try transform.inverse(input)
        let metersPerDegree = 111_320.0
        gap =
          max(
            abs(found.x / degree - output.x) * cos(output.y * degree),
            abs(found.y / degree - output.y)) * metersPerDegree
      }
      #expect(gap < (try tolerance(row)), "\(operation) \(input): off by \(gap) m")
    }
    print("proj_gie.csv through the library: \(tested) rows, \(skipped) of later versions left out")
    #expect(tested == 74 && skipped == 6)
  }

  private func number(_ row: [String: String], _ column: String) throws -> Double {
    try #require(row[column].flatMap { Double($0) })
  }

  /// In meters, and never less than what the expectation's decimals allow.
  private func tolerance(_ row: [String: String]) throws -> Double {
    let text = try #require(row["tolerance"]).split(separator: " ").joined()
    let units = [("nm", 1e-9), ("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)]
    let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1)
    return try #require(Double(text.dropLast(unit.0.count))) * unit.1 + 6e-5
  }
}
