import Foundation
import Geodesy
import NearbyTestSupport
import SpatialIndexing
import Testing

@testable import Geofencing

/// Borders and paths, beside places sampled on them.
@Suite struct FencePathTests {
  /// All pieces of a border.
  private static func pieces(of area: MultiPolygon) -> [EdgePiece] {
    var pieces: [EdgePiece] = []
    GroundShape(area: area).forEachEdge { start, end in
      EdgePiece(start: start, end: end).forEachPiece(where: { _ in true }) { pieces.append($0) }
    }
    return pieces
  }

  private static func place(using generator: inout SeededGenerator) -> Coordinate {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: PointSet.legal(-17, Double.random(in: 179.9...180, using: &generator))
    case 1: PointSet.legal(Double.random(in: 89...90, using: &generator), 40)
    default: PointSet.anywhere(using: &generator)
    }
  }

  /// A place and an area around it, drawn until the corners make one.
  private static func area(
    using generator: inout SeededGenerator
  ) -> (center: Coordinate, size: Double, area: MultiPolygon) {
    while true {
      let center = place(using: &generator)
      let size: Double = [5, 500, 50_000, 900_000].randomElement(using: &generator) ?? 5
      if let area = Scene.area(center, size, using: &generator) { return (center, size, area) }
    }
  }

  @Test(arguments: UInt64(0)..<200)
  func `the nearest approach is nearer than every sampled place, and on the path`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let start = Self.place(using: &generator)
    let length: Double = [10, 1_000, 100_000, 1_900_000].randomElement(using: &generator) ?? 10
    let end = start.destination(
      bearing: Double.random(in: 0..<360, using: &generator), distance: .meters(length))
    let center = Scene.near(start, length * 3, using: &generator)
    let path = FencePath(from: start, to: end)
    let nearest = path.nearestApproach(to: center)
    let attained = path.position(at: nearest.along).distance(to: center).meters
    #expect(abs(attained - nearest.distance) < 1e-6)
    for number in 0...500 {
      let sampled = path.position(at: path.length * Double(number) / 500)
      #expect(sampled.distance(to: center).meters >= nearest.distance - 1e-7)
    }
  }

  @Test(arguments: UInt64(0)..<200)
  func `the lines of a path are as near to it as they say, and tell what it passes`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let start = Self.place(using: &generator)
    let length: Double = [1, 300, 7_000, 60_000, 900_000].randomElement(using: &generator) ?? 10
    let end = start.destination(
      bearing: Double.random(in: 0..<360, using: &generator), distance: .meters(length))
    let path = FencePath(from: start, to: end)
    let trail = FenceTrail(
      from: ECEFPosition(start), to: ECEFPosition(end), length: path.length + 1e-6
    ) { path }
    for number in 0...200 {
      let place = path.position(at: path.length * Double(number) / 200)
      #expect(trail.mayTouch(ECEFPosition(place), 0))
    }
    var toldCount = 0
    for _ in 0..<30 {
      let center = Scene.near(start, length * 2, using: &generator)
      let nearest = path.nearestApproach(to: center)
      // Radii around the least distance, down to those that lines leave open.
      let offset = nearest.distance * pow(10, Double(Int.random(in: -9...0, using: &generator)))
      for radius in [nearest.distance - offset, nearest.distance + offset] where radius >= 0 {
        let circle = FenceIndex.BorderCircle(center, radius)
        let isPassed = nearest.distance <= radius
        switch trail.passing(circle) {
        case .unknown: break
        case .apart:
          toldCount += 1
          #expect(!isPassed)
        case .within(let distance, let position):
          toldCount += 1
          #expect(isPassed)
          #expect(abs(distance - nearest.distance) < 1e-5)
          #expect(abs(position.distance(to: center).meters - distance) < 1e-6)
          let detour =
            start.distance(to: position).meters + position.distance(to: end).meters - path.length
          #expect(detour < 1e-5)
        }
      }
    }
    #expect(toldCount > 0)
  }

  @Test(arguments: UInt64(0)..<200)
  func `bounds hold the distance to the border`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (center, size, area) = Self.area(using: &generator)
    let outline = FenceOutline(area)
    let place = Scene.near(center, size * 3, using: &generator)
    let bounds = outline.distanceBounds(to: ECEFPosition(place))
    let exact = outline.distance(to: place)
    #expect(bounds.lower <= exact + 1e-6 && exact <= bounds.upper + 1e-6)
    #expect(abs(outline.shownDistance(to: FenceViewpoint(place)) - exact) < 1e-3)
    if !area.contains(place) {
      let judged = Region(name: "", polygons: area.polygons).distance(to: place).meters
      #expect(abs(judged - exact) < 1e-3)
    }
    let circle = outline.circle()
    for piece in Self.pieces(of: area) {
      for number in 0...8 {
        let border = piece.position(at: Double(number) / 8)
        #expect(border.distance(to: place).meters >= exact - 1e-3)
        #expect(border.distance(to: circle.center).meters <= circle.reach)
        // The edge bends away from its chord by no more than is said.
        #expect(piece.chordDistance(to: ECEFPosition(border)) <= piece.sag)
      }
    }
  }

  /// 20 × 20 paths.
  @Test(arguments: UInt64(0)..<20)
  func `a path meets a border where sampling says so, and first there`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let paths = (0..<20).map { _ in Self.meetsAsSampled(using: &generator) }
    // Both kinds are among them.
    #expect(paths.contains(true) && paths.contains(false))
  }

  /// Compares a path's first meeting with places on it; whether they lie on both sides of the border.
  private static func meetsAsSampled(using generator: inout SeededGenerator) -> Bool {
    let (center, size, area) = area(using: &generator)
    var path: FencePath
    repeat {
      path = FencePath(
        from: Scene.near(center, size * 2, using: &generator),
        to: Scene.near(center, size * 2, using: &generator))
    } while path.parts.count != 1
    let samples = (0...2_000).map { path.length * Double($0) / 2_000 }
    let sides = samples.map { [path] in area.contains(path.position(at: $0)) }
    let change = sides.indices.dropFirst().first { sides[$0] != sides[$0 - 1] }
    let meeting = path.firstMeeting(FenceOutline(area))
    if let change {
      #expect(
        meeting ?? .infinity <= samples[change] + 0.2,
        "the path changes sides after \(samples[change]) m")
    }
    if let meeting {
      #expect(FenceOutline(area).distance(to: path.position(at: meeting)) < 0.2)
    }
    return change != nil
  }

  @Test func `a path meets a box along an edge and through a corner, and not a meter beside it`()
    throws
  {
    let box = MultiPolygon([
      try Polygon(outer: [
        PointSet.legal(37, 127), PointSet.legal(37, 127.01), PointSet.legal(37.01, 127.01),
        PointSet.legal(37.01, 127),
      ])
    ])
    let outline = FenceOutline(box)
    func meets(_ from: Coordinate, _ to: Coordinate) -> Bool {
      FencePath(from: from, to: to).firstMeeting(outline) != nil
    }
    // Along the meridian of the western edge, and a meter beside it.
    #expect(meets(PointSet.legal(36.99, 127), PointSet.legal(37.02, 127)))
    #expect(!meets(PointSet.legal(36.99, 126.99999), PointSet.legal(37.02, 126.99999)))
    // From south to east past the corner, and through it.
    #expect(meets(PointSet.legal(36.999, 127.009), PointSet.legal(37.0011, 127.0111)))
    #expect(!meets(PointSet.legal(36.9989, 127.009), PointSet.legal(37.0009, 127.0111)))
    // The parallel's chord bulges north: a path between two places on the edge's own parallel leaves
    // it, but its ends touch.
    #expect(meets(PointSet.legal(37, 126.99), PointSet.legal(37, 127.02)))
  }

  @Test func `a path over the pole meets a cap round it`() throws {
    let corners: [(Double, Double)] = [
      (89.9, -180), (89.9, 180), (90, 180), (90, -180),
    ]
    let cap = MultiPolygon([
      try Polygon(
        outer: corners.map { try PolygonVertex(latitude: $0.0, longitude: $0.1) })
    ])
    let outline = FenceOutline(cap)
    #expect(
      FencePath(from: PointSet.legal(89.5, 20), to: PointSet.legal(89.5, -160))
        .firstMeeting(outline) != nil)
    #expect(
      FencePath(from: PointSet.legal(89.5, 20), to: PointSet.legal(89.5, 100))
        .firstMeeting(outline) == nil)
  }
}

extension FenceOutline {
  /// The border of a fence that is alone.
  fileprivate convenience init(_ area: MultiPolygon) {
    let borders = ShapeIndex([GroundShape(area: area)])
    self.init(borders, 0, groups: borders.groupsByShape[0])
  }
}

extension FencePath {
  /// The first meeting with a border, with lines of the path's own.
  fileprivate func firstMeeting(_ outline: FenceOutline) -> Double? {
    let trail = FenceTrail(
      from: ECEFPosition(start), to: ECEFPosition(end), length: length + 1e-6
    ) { self }
    return firstMeeting(outline, on: trail)
  }
}
