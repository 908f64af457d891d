import Foundation
import Geodesy
import NearbyTestSupport
import Testing

/// Flaws of rings, beside a look at every two edges in whole numbers.
@Suite struct PolygonFlawTests {
  typealias Point = WholeNumberJudge.Point

  private static func polygon(_ ring: [Point], holes: [[Point]] = []) throws -> Polygon {
    func vertices(_ ring: [Point]) throws -> [PolygonVertex] {
      try ring.map { try PolygonVertex(latitude: Double($0.y) / 8, longitude: Double($0.x) / 8) }
    }
    return try Polygon(outer: vertices(ring), holes: holes.map(vertices))
  }

  // MARK: The judge

  private static func cross(_ a: Point, _ b: Point, _ c: Point) -> Int {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// Whether a point of the line through an edge lies on the edge.
  private static func isOn(_ p: Point, _ a: Point, _ b: Point) -> Bool {
    min(a.x, b.x) <= p.x && p.x <= max(a.x, b.x) && min(a.y, b.y) <= p.y && p.y <= max(a.y, b.y)
  }

  private static func meet(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    let (p, q, r, s) = (cross(a, b, c), cross(a, b, d), cross(c, d, a), cross(c, d, b))
    if p.signum() * q.signum() < 0, r.signum() * s.signum() < 0 { return true }
    return p == 0 && isOn(c, a, b) || q == 0 && isOn(d, a, b) || r == 0 && isOn(a, c, d)
      || s == 0 && isOn(b, c, d)
  }

  /// The codes that a ring should have.
  private static func expected(_ ring: [Point]) -> Set<String> {
    var codes: Set<String> = []
    var corners: [Point] = []
    // The first vertex may stand at the end again.
    let ring = ring[0] == ring[ring.count - 1] ? Array(ring.dropLast()) : ring
    for point in ring where corners.last.map({ $0 != point }) ?? true { corners.append(point) }
    if corners.count > 1, corners[0] == corners[corners.count - 1] { corners.removeLast() }
    if corners.count < ring.count { codes.insert("polygon-repeated") }
    let count = corners.count
    var area = 0
    for here in 0..<count {
      let (before, after) = (corners[(here + count - 1) % count], corners[(here + 1) % count])
      let point = corners[here]
      area += point.x * after.y - after.x * point.y
      let goesBack =
        (point.x - before.x) * (after.x - point.x) + (point.y - before.y) * (after.y - point.y) < 0
      if goesBack, cross(before, point, after) == 0 { codes.insert("polygon-spike") }
      for other in (here + 2)..<max(here + 2, count) where (other + 1) % count != here {
        let (c, d) = (corners[other], corners[(other + 1) % count])
        if meet(point, after, c, d) { codes.insert("polygon-crossing") }
      }
    }
    if area < 0 { codes.insert("polygon-winding") }
    return codes
  }

  // MARK: The tests

  @Test(arguments: [3, 4, 5, 8, 23, 24, 30, 60])
  func `flaws are those that a look at every two edges finds`(count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    var seen: [String: Int] = [:]
    for round in 0..<600 {
      // A star is sound; small numbers repeat, touch and turn back.
      var ring: [Point] = (0..<count).map { number in
        guard round % 2 == 0 else {
          let size = round % 4 == 1 ? 6 : 60
          return (Int(random.next() % UInt64(size)), Int(random.next() % UInt64(size)))
        }
        let angle = 2 * Double.pi * Double(number) / Double(count)
        let radius = 200 + 150 * Double.random(in: 0..<1, using: &random)
        return (Int(radius * cos(angle)), Int(radius * sin(angle)))
      }
      if round % 6 == 0 { ring.reverse() }
      if round % 10 == 0 { ring.insert(ring[1], at: 1) }
      guard Set(ring.map { "\($0)" }).count >= 3 else { continue }
      let codes = Set(try Self.polygon(ring).flaws.map(\.code))
      #expect(codes == Self.expected(ring), "\(ring)")
      for code in codes { seen[code, default: 0] += 1 }
      if codes.isEmpty { seen["none", default: 0] += 1 }
    }
    #expect(seen["none", default: 0] >= 100 && seen["polygon-winding", default: 0] >= 100)
    if count > 4 { #expect(seen["polygon-crossing", default: 0] >= 100, "\(seen)") }
  }

  @Test func `a flaw says where it is and what was understood`() throws {
    let bow = try Self.polygon([(0, 0), (8, 8), (8, 0), (0, 8)])
    #expect(
      bow.flaws.map(\.description) == [
        "the polygon's outer ring meets itself at 0.5,0.5; inside is what it surrounds an odd number of times"
      ])
    let spike = try Self.polygon([(0, 0), (8, 0), (8, 8), (8, 16), (8, 8), (0, 8)])
    #expect(spike.flaws.map(\.code) == ["polygon-spike", "polygon-crossing"])
    #expect(
      spike.flaws[0].description
        == "the polygon's outer ring turns back on itself at 2,1; such a spike is a border and encloses nothing"
    )
    let square: [Point] = [(0, 0), (80, 0), (80, 80), (0, 80)]
    let hole: [Point] = [(8, 8), (16, 8), (16, 16), (16, 16), (8, 16)]
    #expect(
      try Self.polygon(square, holes: [hole]).flaws.map(\.description) == [
        "the polygon's hole 1 runs counterclockwise, the wrong way round; its area is the same either way",
        "the polygon's hole 1 repeats its vertex at 2,2; read once",
      ])
    #expect(
      try Self.polygon(square, holes: [hole.reversed()]).flaws.map(\.code) == ["polygon-repeated"])
  }

  @Test func `a ring across ±180° is looked at as it lies on the ground`() throws {
    func ring(_ places: [(Double, Double)]) throws -> [PolygonFlaw] {
      try Polygon(outer: places.map { try PolygonVertex(latitude: $0.0, longitude: $0.1) }).flaws
    }
    #expect(try ring([(0, 170), (0, -170), (10, -170), (10, 170)]).isEmpty)
    let bow = try ring([(0, 170), (10, -170), (0, -170), (10, 170)])
    #expect(
      bow.map(\.description) == [
        "the polygon's outer ring meets itself at 5,180; inside is what it surrounds an odd number of times"
      ])
  }

  @Test func `a zigzag of long edges costs no more than it may, and says what was not looked at`()
    throws
  {
    let count = 20_000
    var ring: [PolygonVertex] = try (0..<count).map { number in
      try PolygonVertex(latitude: number % 2 == 0 ? -60 : 60, longitude: Double(number) / 1000)
    }
    ring.append(try PolygonVertex(latitude: -80, longitude: 20))
    ring.append(try PolygonVertex(latitude: -80, longitude: 0))
    #expect(try Polygon(outer: ring).flaws.map(\.code).contains("polygon-unchecked"))
  }
}
