import Complaints
import NearbyKit
import PROJTransforms
import Stopwatches

/// Measures transforms in pure Swift beside PROJ's, and checks that they agree first.
///
///     swift run -c release --package-path Benchmarks ProjectionTable
@main
struct ProjectionTable {
  private static let count = 5_000
  private static let rounds = 200

  static func main() {
    Complaint.ending("usage: ProjectionTable, without arguments") { arguments in
      _ = try arguments.operands(0...0)
      try run()
    }
  }

  private static func run() throws {
    print("code,direction,swift_ns,proj_ns,proj_array_ns,ratio,largest_difference_m")
    for code in [5174, 5186, 6677, 30169, 32652, 3857] {
      let pure = try CRS(epsg: code).toWGS84
      let judge = try PROJTransform(from: "EPSG:\(code)")
      let planes = try places(of: pure)
      let degrees = try planes.map { (position) throws(CRSError) in try pure.forward(position) }
      var largest = 0.0
      for position in planes {
        let (ours, theirs) = (try pure.forward(position), try judge.forward(position))
        largest = max(largest, abs(ours.x - theirs.x) * 111_320, abs(ours.y - theirs.y) * 111_320)
      }
      let forward = try contest(
        { try pure.forward($0) }, { try judge.forward($0) }, { try judge.forward(&$0) }, planes)
      print(row(code, "to WGS 84", forward, largest))
      let inverse = try contest({ try pure.inverse($0) }, { try judge.inverse($0) }, nil, degrees)
      print(row(code, "from WGS 84", inverse, largest))
    }
  }

  /// Places within 1° of the middle of where a CRS is used.
  private static func places(of transform: CRSTransform) throws -> [PlanePosition] {
    guard let box = transform.areaOfUse?.boxes.first else { return [] }
    let (x, y) = ((box.west + box.east) / 2, (box.south + box.north) / 2)
    var state: UInt64 = 1
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / 0x1p52 - 1
    }
    return try (0..<count).map { _ in
      try transform.inverse(PlanePosition(x: x + random(), y: y + random()))
    }
  }

  /// The least nanoseconds of a position, of each side, in turns.
  private static func contest(
    _ pure: (PlanePosition) throws -> PlanePosition,
    _ proj: (PlanePosition) throws -> PlanePosition,
    _ projArray: ((inout [PlanePosition]) throws -> Void)?, _ positions: [PlanePosition]
  ) throws -> [Double] {
    var least = [Double.infinity, .infinity, .infinity]
    func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
      try Stopwatch.clock.measure(body) * 1e9 / Double(count)
    }
    var sum = 0.0
    for _ in 0..<rounds {
      least[0] = min(
        least[0], try nanoseconds { for position in positions { sum += try pure(position).x } })
      least[1] = min(
        least[1], try nanoseconds { for position in positions { sum += try proj(position).x } })
      guard let projArray else { continue }
      var copy = positions
      least[2] = min(least[2], try nanoseconds { try projArray(&copy) })
      sum += copy[0].x
    }
    // What is computed must be used, or nothing is.
    precondition(sum.isFinite)
    return least
  }

  private static func row(
    _ code: Int, _ direction: String, _ times: [Double], _ largest: Double
  ) -> String {
    let array = times[2].isFinite ? String(Int(times[2].rounded())) : ""
    let ratio = (times[0] / min(times[1], times[2]) * 100).rounded() / 100
    return "\(code),\(direction),\(Int(times[0].rounded())),\(Int(times[1].rounded())),\(array),"
      + "\(ratio),\(largest)"
  }
}
