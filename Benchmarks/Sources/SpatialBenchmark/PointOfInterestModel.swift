import Foundation
import NearbyKit
import SeededNumbers

/// Points as a map has them: cities, streets, clumps, background and exact copies.
///
/// The rules are those of the issue's `gen.py`; the random numbers and the city centers are not, so
/// its known sums do not apply, and brute force judges. City centers are drawn from boxes of land.
struct PointOfInterestModel {
  private(set) var longitudes: [Double]
  private(set) var latitudes: [Double]
  /// Where questions come from that ask far off the data.
  let land: [SphereBox]

  private let count: Int
  private let isWorld: Bool
  /// Places of regular points, which the other kinds refer to.
  private var regular: [Int] = []

  static let metersPerDegree = Measure.sphereRadius * .pi / 180

  init(count: Int, isWorld: Bool, using generator: inout SplitMix64) {
    self.count = count
    self.isWorld = isWorld
    land = isWorld ? PointOfInterestModel.world : PointOfInterestModel.koreaAndJapan
    longitudes = [Double](repeating: 0, count: count)
    latitudes = longitudes
    let kinds = (0..<count).map { _ in generator.unit() }
    regular = kinds.indices.filter { kinds[$0] < 0.85 }
    placeInCities(kinds, using: &generator)
    placeClumps(kinds.indices.filter { (0.85..<0.91).contains(kinds[$0]) }, using: &generator)
    placeBackground(kinds.indices.filter { (0.91..<0.96).contains(kinds[$0]) }, using: &generator)
    if isWorld { placeEdges(using: &generator) }
    for id in 0..<count {
      if abs(longitudes[id]) > 180 { longitudes[id] = Coordinate.wrappedLongitude(longitudes[id]) }
      // As OpenStreetMap stores them.
      longitudes[id] = (longitudes[id] * 1e7).rounded() / 1e7
      latitudes[id] = (min(90, max(-90, latitudes[id])) * 1e7).rounded() / 1e7
    }
    placeCopies(kinds.indices.filter { kinds[$0] >= 0.96 }, using: &generator)
  }

  // MARK: Kinds of points

  /// 45 % scattered round a city's center, 40 % on the streets of its turned grid.
  private mutating func placeInCities(_ kinds: [Double], using generator: inout SplitMix64) {
    let areas = WeightedChoice(land.map(\.weight))
    let cities = (0..<(isWorld ? 3_000 : 900)).map { _ in
      (
        center: land[areas.draw(using: &generator)].point(using: &generator),
        angle: generator.unit() * .pi / 2
      )
    }
    // Zipf–Mandelbrot sizes.
    let weights = cities.indices.map { 1 / pow(Double($0) + 8, 0.9) }
    let choice = WeightedChoice(weights)
    for id in regular {
      let place = choice.draw(using: &generator)
      let city = cities[place]
      let size = 1_200 + 14_000 * sqrt(weights[place] / weights[0])
      let spread = generator.unit() < 0.5 ? 0.35 : 1.2
      let radius = size * min(abs(generator.normal()), 6) * spread
      let direction = generator.unit() * 2 * .pi
      var east = radius * cos(direction), north = radius * sin(direction)
      if kinds[id] >= 0.45 {
        let (c, s) = (cos(city.angle), sin(city.angle))
        var along = c * east + s * north, across = -s * east + c * north
        let offset = generator.normal() * 6
        if generator.unit() < 0.5 {
          along = (along / 110).rounded() * 110 + offset
        } else {
          across = (across / 85).rounded() * 85 + offset
        }
        (east, north) = (c * along - s * across, s * along + c * across)
      }
      put(id, east: east, north: north, of: city.center.longitude, city.center.latitude)
    }
  }

  /// 6 % in clumps of about 12 round another point: parks, campuses.
  private mutating func placeClumps(_ ids: [Int], using generator: inout SplitMix64) {
    let hubs = hubs(ids.count / 12, using: &generator)
    for id in ids {
      let hub = hubs[generator.below(hubs.count)]
      put(
        id, east: generator.normal() * 25, north: generator.normal() * 25, of: longitudes[hub],
        latitudes[hub])
    }
  }

  /// 5 % uniform over the sphere, or over the boxes.
  private mutating func placeBackground(_ ids: [Int], using generator: inout SplitMix64) {
    let boxes = isWorld ? [SphereBox.world] : land
    let areas = WeightedChoice(boxes.map(\.weight))
    for id in ids {
      let point = boxes[areas.draw(using: &generator)].point(using: &generator)
      (longitudes[id], latitudes[id]) = (point.longitude, point.latitude)
    }
  }

  /// Some at the antimeridian and at the poles, and both themselves.
  private mutating func placeEdges(using generator: inout SplitMix64) {
    let size = max(40, count / 2_000)
    let meridian: [(Double, Double)] = [(180, -17), (-180, -17), (180, 0), (-180, 0)]
    let poles: [(Double, Double)] = [(0, 90), (0, -90), (77.5, 90), (-120.25, -90)]
    for place in 0..<size {
      let near = regular[generator.below(regular.count)]
      longitudes[near] = Coordinate.wrappedLongitude(180 + generator.normal() * 0.05)
      latitudes[near] = min(80, max(-80, -17 + generator.normal() * 20))
      if place < meridian.count { (longitudes[near], latitudes[near]) = meridian[place] }
      let polar = regular[generator.below(regular.count)]
      let side = generator.unit() < 0.5 ? 1.0 : -1.0
      latitudes[polar] = side * (90 - abs(generator.normal() * 0.05))
      longitudes[polar] = generator.unit() * 360 - 180
      if place < poles.count { (longitudes[polar], latitudes[polar]) = poles[place] }
    }
  }

  /// 4 % exact copies of another point: malls.
  private mutating func placeCopies(_ ids: [Int], using generator: inout SplitMix64) {
    let malls = hubs(ids.count / 6, using: &generator)
    for id in ids {
      let mall = malls[generator.below(malls.count)]
      (longitudes[id], latitudes[id]) = (longitudes[mall], latitudes[mall])
    }
  }

  private func hubs(_ size: Int, using generator: inout SplitMix64) -> [Int] {
    (0..<max(1, size)).map { _ in regular[generator.below(regular.count)] }
  }

  private mutating func put(
    _ id: Int, east: Double, north: Double, of longitude: Double, _ latitude: Double
  ) {
    let degree = PointOfInterestModel.metersPerDegree
    latitudes[id] = latitude + north / degree
    longitudes[id] = longitude + east / (degree * cos(min(85, max(-85, latitude)) * .pi / 180))
  }

  // MARK: Land, roughly

  private static let world = [
    SphereBox(-124, 26, -68, 49), SphereBox(-117, 15, -87, 30), SphereBox(-80, -38, -36, 8),
    SphereBox(-10, 36, 40, 60), SphereBox(-16, 5, 48, 34), SphereBox(10, -34, 40, 5),
    SphereBox(35, 12, 60, 42), SphereBox(68, 8, 92, 33), SphereBox(95, 10, 109, 22),
    SphereBox(98, 20, 122, 45), SphereBox(126, 33, 142, 43), SphereBox(95, -9, 126, 19),
    SphereBox(114, -38, 153, -13), SphereBox(40, 50, 100, 60),
  ]

  private static let koreaAndJapan = [
    SphereBox(126.1, 34.3, 129.5, 38.3), SphereBox(129.6, 31, 132, 34),
    SphereBox(132, 33, 137, 35.6), SphereBox(136, 34.5, 140.9, 37.8),
    SphereBox(139.5, 37.5, 142, 41.5), SphereBox(140, 42, 145.5, 45.4),
  ]
}
