import Foundation
import NearbyKit
import SeededNumbers

/// A box of longitudes and latitudes that points are drawn from, uniformly by area.
struct SphereBox {
  let west: Double, south: Double, east: Double, north: Double

  init(_ west: Double, _ south: Double, _ east: Double, _ north: Double) {
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  static let world = SphereBox(-180, -90, 180, 90)

  /// In proportion to its area on the sphere.
  var weight: Double { (east - west) * (sine(north) - sine(south)) }

  func point(using generator: inout SplitMix64) -> (longitude: Double, latitude: Double) {
    let longitude = west + generator.unit() * (east - west)
    let height = sine(south) + generator.unit() * (sine(north) - sine(south))
    return (longitude, asin(min(1, max(-1, height))) * 180 / .pi)
  }

  func position(using generator: inout SplitMix64) -> Coordinate {
    let point = point(using: &generator)
    guard let position = try? Coordinate(latitude: point.latitude, longitude: point.longitude)
    else { preconditionFailure("\(point) is no position") }
    return position
  }

  private func sine(_ latitude: Double) -> Double { sin(latitude * .pi / 180) }
}

/// Draws among several things in proportion to their weights.
struct WeightedChoice {
  private let cumulative: [Double]

  init(_ weights: [Double]) {
    var sum = 0.0
    cumulative = weights.map { weight in
      sum += weight
      return sum
    }
  }

  func draw(using generator: inout SplitMix64) -> Int {
    let value = generator.unit() * (cumulative.last ?? 0)
    var low = 0, high = cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] > value { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
