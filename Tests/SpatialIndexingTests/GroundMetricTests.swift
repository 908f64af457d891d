import CNearbyKernels
import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// The bounds that searches over the whole Earth go by, beside the geodesic.
@Suite struct GroundMetricTests {
  /// A place at an arc and a direction on the sphere, both in degrees.
  private static func place(
    from origin: Coordinate, arc: Double, azimuth: Double
  ) -> Coordinate {
    let (f, d, t) = (radians(origin.latitude), radians(arc), radians(azimuth))
    let z = sine(f) * cosine(d) + cosine(f) * sine(d) * cosine(t)
    let x = cosine(f) * cosine(d) - sine(f) * sine(d) * cosine(t)
    let y = sine(t) * sine(d)
    return PointSet.legal(
      degrees(arcTangent(y: z, x: hypotenuse(x, y))),
      Coordinate.wrappedLongitude(origin.longitude + degrees(arcTangent(y: y, x: x))))
  }

  private static func origin(_ generator: inout SeededGenerator) -> Coordinate {
    let special = [(90.0, 10.0), (-90, 0), (0, 0), (0, -180), (45, 179.999), (1e-9, 20)]
    guard Int.random(in: 0..<4, using: &generator) == 0,
      let place = special.randomElement(using: &generator)
    else { return PointSet.anywhere(using: &generator) }
    return PointSet.legal(place.0, place.1)
  }

  private static func bounds(
    of positions: [Coordinate], from origin: Coordinate, level: VectorLevel = .greatest
  ) -> nearby_bounds {
    var bounds = nearby_bounds()
    let leaf = positions.map(\.latitude) + positions.map(\.longitude)
    leaf.withUnsafeBytes {
      GroundMetric(origin, level: level).bound(
        positions: $0.baseAddress!, isDecimal: false, &bounds)
    }
    return bounds
  }

  /// How far apart the bounds of a position may be, in meters, at an arc in degrees: 8 cm for each
  /// thousand kilometers, and near the other side of the Earth more.
  private static func width(arc: Double) -> Double {
    let half = radians(arc) / 2
    let complement = 4 * cosine(half) * cosine(half)
    return 3e-6 + 2 * 6_378_137 * radians(arc)
      * (4.1e-8 + 6.1e-9 * radians(arc) * radians(arc) / complement)
  }

  @Test(
    arguments: [
      0...1e-9, 0...1e-5, 0...0.01, 0...1, 1...10, 10...60, 60...120, 120...150, 150...165,
      165...172, 172...177, 177...180, 179.3...180,
    ], UInt64(0)..<3)
  func `the geodesic lies between the bounds of a position, which are meters apart`(
    arcs: ClosedRange<Double>, seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let origin = GroundMetricTests.origin(&generator)
      let turns = [0.0, 90, 180]
      let arc = (0..<16).map { _ in Double.random(in: arcs, using: &generator) }
      let positions = arc.map { arc in
        GroundMetricTests.place(
          from: origin, arc: arc,
          azimuth: Int.random(in: 0..<3, using: &generator) == 0
            ? turns.randomElement(using: &generator)! : .random(in: 0...360, using: &generator))
      }
      let bounds = GroundMetricTests.bounds(of: positions, from: origin)
      for lane in 0..<16 {
        let meters = origin.distance(to: positions[lane]).meters
        let (least, greatest) = (bounds.least(lane), bounds.greatest(lane))
        #expect(least <= meters && meters <= greatest, "\(origin) \(positions[lane])")
        // The reduced latitudes of both turn the arc by some thousandths.
        if arc[lane] < 176.4 {
          #expect(!bounds.isVague(lane))
          #expect(
            greatest - least <= GroundMetricTests.width(arc: min(arc[lane] + 0.4, 177)),
            "\(origin) \(positions[lane]) \(arc[lane])")
        }
      }
    }
  }

  @Test func `the error is at most half of what bounds allow for`() {
    var generator = SeededGenerator(seed: 11)
    var boundedCount = 0
    for _ in 0..<20_000 {
      let origin = GroundMetricTests.origin(&generator)
      let positions = (0..<16).map { _ in PointSet.anywhere(using: &generator) }
      let bounds = GroundMetricTests.bounds(of: positions, from: origin)
      for lane in 0..<16 where !bounds.isVague(lane) {
        boundedCount += 1
        let meters = origin.distance(to: positions[lane]).meters
        let middle = (bounds.least(lane) + bounds.greatest(lane)) / 2
        let half = (bounds.greatest(lane) - bounds.least(lane)) / 2
        #expect(abs(meters - middle) <= half / 2 + 1e-6, "\(origin) \(positions[lane])")
      }
    }
    // Of 320 000, only those near the other side of the Earth are vague.
    #expect(boundedCount > 300_000)
  }

  @Test(arguments: UInt64(0)..<6, [0.001, 0.3, 5, 60])
  func `no position in a box is nearer or farther than its bounds`(seed: UInt64, size: Double) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let origin = GroundMetricTests.origin(&generator)
      var edges = [Float](repeating: 0, count: 64)
      for lane in 0..<16 {
        let south = Float.random(in: -90...90, using: &generator)
        let west = Float.random(in: -180...180, using: &generator)
        edges[lane] = lane == 7 ? .infinity : south
        edges[16 + lane] = lane == 7 ? .infinity : west
        edges[32 + lane] =
          lane == 7 ? -.infinity : min(90, south + .random(in: 0...Float(size), using: &generator))
        edges[48 + lane] =
          lane == 7 ? -.infinity : min(180, west + .random(in: 0...Float(size), using: &generator))
        // From pole to pole.
        if lane == 3 { (edges[lane], edges[32 + lane]) = (-90, 90) }
      }
      for reach in [Double.infinity, 1_000] {
        var bounds = nearby_bounds()
        let metric = GroundMetric(origin)
        edges.withUnsafeBytes { group in
          metric.bound(nodes: group.baseAddress!, reach: reach, &bounds)
          #expect(bounds.least(7) == .infinity && !bounds.isVague(7))
          for lane in 0..<16 where bounds.isVague(lane) {
            metric.sharpen(lane, of: group.baseAddress!, &bounds)
          }
        }
        for lane in 0..<16 where lane != 7 {
          let south = Double(edges[lane]), west = Double(edges[16 + lane])
          let north = Double(edges[32 + lane]), east = Double(edges[48 + lane])
          for corner in 0..<12 {
            let position = PointSet.legal(
              corner & 1 == 0
                ? south : corner < 4 ? north : .random(in: south...north, using: &generator),
              corner & 2 == 0
                ? west : corner < 8 ? east : .random(in: west...east, using: &generator))
            let meters = origin.distance(to: position).meters
            #expect(
              bounds.least(lane) <= meters && meters <= bounds.greatest(lane),
              "\(origin) \(position) lane \(lane)")
          }
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<4)
  func `all sets of instructions find the same bounds, bit for bit`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func bits(_ bounds: nearby_bounds) -> [UInt64] {
      (0..<16).flatMap {
        [bounds.least($0).bitPattern, bounds.greatest($0).bitPattern, UInt64(bounds.vague)]
      }
    }
    for _ in 0..<100 {
      let origin = GroundMetricTests.origin(&generator)
      let positions = (0..<16).map { _ in PointSet.anywhere(using: &generator) }
      let expected = bits(GroundMetricTests.bounds(of: positions, from: origin, level: .target))
      for level in VectorLevel.available {
        #expect(
          bits(GroundMetricTests.bounds(of: positions, from: origin, level: level)) == expected)
      }
    }
  }
}
