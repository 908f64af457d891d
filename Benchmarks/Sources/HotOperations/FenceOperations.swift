import NearbyKit
import SeededNumbers

extension HotOperation {
  /// What every fix costs an app that watches 10,000 fences: on foot, in a car, and where a phone
  /// reports every 300 m.
  static func watching() -> [HotOperation] {
    let index = FenceIndex(FencedCity.fences(10_000))
    let paces = [
      ("fences-walking", 1.4, 10_000), ("fences-driving", 15, 10_000),
      ("fences-every-300m", 300, 2_000),
    ]
    return paces.map { name, meters, count in
      let way = FencedCity.way(meters: meters, count: count)
      return HotOperation(name, calls: count) { _ in
        var monitor = FenceMonitor(index)
        var sum: UInt64 = 0
        for (second, place) in way.enumerated() {
          for event in monitor.take(place, time: Double(second)).events {
            sum &+= UInt64(event.order) &* UInt64(event.fence &+ 1) &* event.kind.weight
          }
        }
        return sum
      }
    }
  }
}

extension FenceEvent.Kind {
  fileprivate var weight: UInt64 {
    switch self {
    case .exit: 1
    case .cross: 3
    case .enter: 5
    case .dwell: 7
    }
  }
}

/// A city in which each place lies in three fences or so, and somebody who goes through it.
private enum FencedCity {
  /// Circles of 50 to 500 m, and every fifth a polygon of 4 to 40 corners of that size.
  static func fences(_ count: Int) -> [Fence] {
    var random = SplitMix64(seed: 10_000)
    return (0..<count).map { number in
      let middle = position(37.55 + 0.15 * random.around(), 127 + 0.15 * random.around())
      let size = 50 + 450 * random.unit()
      do {
        guard number % 5 == 0 else {
          return try Fence(id: .init(number), center: middle, radius: .meters(size))
        }
        let corners = 4 + Int(random.below(37))
        let ring = (0..<corners).map { corner in
          middle.destination(
            bearing: 360 * Double(corner) / Double(corners),
            distance: .meters(size * (0.5 + 0.5 * random.unit())))
        }
        return try Fence(id: .init(number), area: MultiPolygon([Polygon(outer: ring)]))
      } catch { fatalError("\(error)") }
    }
  }

  /// A way that bends, and turns back to the middle at the edge of the city.
  static func way(meters: Double, count: Int) -> [Coordinate] {
    var random = SplitMix64(seed: 7)
    let center = position(37.55, 127)
    var here = center, bearing = 360 * random.unit()
    return (0..<count).map { _ in
      bearing += 5 * random.around()
      if here.distance(to: center).kilometers > 12 {
        bearing = here.initialBearing(to: center) ?? 0
      }
      here = here.destination(bearing: bearing, distance: .meters(meters))
      return here
    }
  }

  private static func position(_ latitude: Double, _ longitude: Double) -> Coordinate {
    do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
      fatalError("\(error)")
    }
  }
}
