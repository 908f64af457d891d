import NearbyTestSupport
import Testing

@testable import Geodesy

/// Rings whose edges are kept by latitude, against the same rings gone through edge by edge.
@Suite struct PolygonBandsTests {
  private enum Shape: CaseIterable {
    /// Round, jagged, of whole degrees in part, so that edges and vertices lie on parallels.
    case star, stairs, zigzag, flat
  }

  private static func ring(
    _ shape: Shape, count: Int, using generator: inout SeededGenerator
  ) throws -> PolygonRing {
    var vertices: [PolygonVertex] = []
    for step in 0..<count {
      let turn = Double(step) / Double(count) * 2 * .pi
      let place: (latitude: Double, longitude: Double)
      switch shape {
      case .star:
        let radius = Double.random(in: 2...10, using: &generator)
        place = (radius * sine(turn), radius * cosine(turn) + 178)
      case .stairs:
        place = (
          (10 * sine(turn)).rounded(), (10 * cosine(turn)).rounded() + 0.1 * Double(step % 2)
        )
      case .zigzag:
        place = (step.isMultiple(of: 2) ? -30 : 30, Double(step) / Double(count) * 40)
      case .flat:
        place = (step == 0 ? 1e-300 : 0, Double(step) / Double(count) * 40)
      }
      vertices.append(
        try PolygonVertex(
          latitude: place.latitude, longitude: Coordinate.wrappedLongitude(place.longitude)))
    }
    return try PolygonRing(vertices, number: 0)
  }

  @Test(arguments: UInt64(0)..<30)
  func `every position lies on the side that all edges say`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for shape in Shape.allCases {
      let count = Int.random(in: 20...400, using: &generator)
      let ring = try Self.ring(shape, count: count, using: &generator)
      var sides: Set<PolygonRing.Side> = []
      var points = Array(ring.vertices)
      for _ in 0..<600 {
        // Half of them on the parallels that vertices lie on.
        let vertex = ring.vertices.randomElement(using: &generator)
        let latitude =
          Bool.random(using: &generator)
          ? Double.random(in: -12...12, using: &generator) : vertex?.latitude ?? 0
        let longitude = Coordinate.wrappedLongitude(
          (vertex?.x ?? 0) + Double.random(in: -15...15, using: &generator))
        for turns in -1...1 {
          points.append(UnrolledPoint(longitude: longitude, latitude: latitude, turns: turns))
        }
      }
      let different = points.filter { point in
        let side = ring.side(of: point)
        sides.insert(side)
        return side != ring.sideByAllEdges(of: point)
      }
      #expect(different.isEmpty)
      #expect(sides.contains(.border))
      #expect(shape == .flat || sides.contains(.inside))
    }
  }
}
