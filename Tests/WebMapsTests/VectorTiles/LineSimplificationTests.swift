import Foundation
import NearbyTestSupport
import Testing

@testable import WebMaps

@Suite struct LineSimplificationTests {
  private struct Vector: Decodable {
    let points: [[Double]]
    let expected: [[Double]]
  }

  /// The vertices that weigh more than a tolerance, first and last always.
  private func simplified(
    _ points: [[Double]], tolerance: Double, limit: Double
  ) -> [[Double]] {
    var line = points.map { ShapeVertex(x: $0[0], y: $0[1]) }
    LineSimplification.weigh(&line, limit: limit)
    return line.filter { $0.weight > tolerance * tolerance }.map { [$0.x, $0.y] }
  }

  @Test(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)"))
  func `the vector of geojson-vt is kept vertex for vertex`() throws {
    let vector = try JSONDecoder().decode(
      Vector.self, from: Data(SharedFiles.bytes("conformance/vector_tiles/simplify.json")))
    #expect(simplified(vector.points, tolerance: 0.005, limit: 0.001) == vector.expected)
  }

  @Test(arguments: UInt64(0)..<20)
  func `no vertex lies farther from the simplified line than the limit`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var points = [[0.0, 0.0]]
    for _ in 0..<500 {
      let last = points[points.count - 1]
      points.append([
        last[0] + .random(in: -1...1.5, using: &random),
        last[1] + .random(in: -1...1, using: &random),
      ])
    }
    for tolerance in [0.5, 2, 8] {
      // Above the limit the weights of splits that were not made count too, and nothing is promised.
      let kept = simplified(points, tolerance: tolerance, limit: tolerance)
      #expect(kept.first == points.first && kept.last == points.last)
      #expect(kept.count < points.count)
      var place = 0
      for point in points {
        // Each vertex belongs to the segment between the kept ones around it.
        if place + 1 < kept.count, point == kept[place + 1] { place += 1 }
        let distance = distance(
          from: point, to: kept[place], and: kept[min(place + 1, kept.count - 1)])
        #expect(distance <= tolerance * 1.000_001, "seed \(seed), tolerance \(tolerance)")
      }
    }
  }

  private func distance(from p: [Double], to a: [Double], and b: [Double]) -> Double {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1])
    let length = dx * dx + dy * dy
    let t = length == 0 ? 0 : ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length
    let part = Swift.min(Swift.max(t, 0), 1)
    let (ex, ey) = (p[0] - a[0] - part * dx, p[1] - a[1] - part * dy)
    return (ex * ex + ey * ey).squareRoot()
  }

  @Test func `a tolerance of nothing keeps all but what lies on the line`() {
    let points: [[Double]] = [[0, 0], [1, 0], [2, 0], [3, 1], [4, 0]]
    #expect(simplified(points, tolerance: 0, limit: 0) == [[0, 0], [2, 0], [3, 1], [4, 0]])
  }

  @Test func `lines of no and of one vertex stay what they are`() {
    var none: [ShapeVertex] = []
    LineSimplification.weigh(&none, limit: 1)
    #expect(none.isEmpty)
    var one = [ShapeVertex(x: 1, y: 2)]
    LineSimplification.weigh(&one, limit: 1)
    #expect(one == [ShapeVertex(x: 1, y: 2)])
  }
}
