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
      points += Self.pointsBetweenFields(of: ring)
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

  /// Points where one of the 8 by 8 fields ends and another begins, and those a rounding away from them.
  private static func pointsBetweenFields(of ring: PolygonRing) -> [UnrolledPoint] {
    let west = ring.westernmost.x, south = ring.latitudes.lowerBound
    let width = ring.easternmost.x - west, height = ring.latitudes.upperBound - south
    return (0...8).flatMap { column in
      (0...8).flatMap { row in
        let x = west + Double(column) / 8 * width, y = south + Double(row) / 8 * height
        return [x.nextDown, x, x.nextUp].flatMap { x in
          [y.nextDown, y, y.nextUp].map { UnrolledPoint(longitude: x, latitude: $0, turns: 0) }
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<30)
  func `a box that is told to lie on one side does so with every point, and no vertex lies in it`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var told: [PolygonRing.Side: Int] = [:]
    for shape in Shape.allCases {
      let count = Int.random(in: 20...400, using: &generator)
      let ring = try Self.ring(shape, count: count, using: &generator)
      for _ in 0..<200 {
        let scale: Double = [0.001, 0.01, 0.1, 1, 16].randomElement(using: &generator) ?? 1
        let size = scale * Double.random(in: 0.5...1, using: &generator)
        let south = Double.random(in: -12...12, using: &generator)
        let west = ring.westernmost.x + Double.random(in: -8...25, using: &generator)
        let box = try BoundingBox(
          south: south, west: Coordinate.wrappedLongitude(west), north: south + size,
          east: Coordinate.wrappedLongitude(west + size))
        let side = ring.side(of: box)
        told[side, default: 0] += 1
        guard side != .border else { continue }
        let corners = [0, 0.25, 0.5, 0.75, 1].flatMap { across in
          [0, 0.25, 0.5, 0.75, 1].map { up in
            (latitude: south + up * size, longitude: west + across * size)
          }
        }
        for corner in corners {
          let place = try Coordinate(
            latitude: min(corner.latitude, box.north), wrappingLongitude: corner.longitude)
          guard box.contains(place) else { continue }
          let sides = (-1...1).map { turns in
            ring.sideByAllEdges(
              of: UnrolledPoint(
                longitude: place.longitude, latitude: place.latitude, turns: turns))
          }
          #expect(sides.contains(.inside) == (side == .inside), "\(shape) \(box) \(place)")
          #expect(!sides.contains(.border), "\(shape) \(box) \(place)")
        }
        let vertex = try ring.vertices.first { vertex in
          box.contains(
            try Coordinate(latitude: vertex.latitude, wrappingLongitude: vertex.longitude))
        }
        #expect(vertex == nil, "\(shape) \(box)")
      }
    }
    // One that always answers `border` would pass the rest.
    #expect(told[.inside, default: 0] > 20 && told[.outside, default: 0] > 20, "\(told)")
  }
}
