import NearbyKit
import SeededNumbers

/// A city of fences and ways through it, the same for a seed everywhere.
enum City {
  static let center = (latitude: 37.55, longitude: 127.0)

  /// How somebody moves: so many meters between fixes.
  struct Pace {
    let name: String
    let meters: Double
    let steps: Int
  }

  static let paces = [
    Pace(name: "walking, 1.4 m a fix", meters: 1.4, steps: 200_000),
    Pace(name: "driving, 15 m a fix", meters: 15, steps: 100_000),
    Pace(name: "a fix every 300 m", meters: 300, steps: 5_000),
    Pace(name: "anywhere in the city", meters: .infinity, steps: 500),
  ]

  /// A place in a square of so many degrees each way.
  static func place(
    extent: Double = 0.15, using numbers: inout SplitMix64
  ) -> Coordinate {
    place(
      center.latitude + Double.random(in: -extent...extent, using: &numbers),
      center.longitude + Double.random(in: -extent...extent, using: &numbers))
  }

  private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
      fatalError("\(error)")
    }
  }

  /// Circles of 50 to 500 m, and every fifth a polygon of 4 to 40 corners of that size.
  static func fences(_ count: Int) -> [Fence] {
    var numbers = SplitMix64(seed: 1)
    return (0..<count).map { number in
      let middle = place(using: &numbers)
      let size = Double.random(in: 50...500, using: &numbers)
      do {
        if number % 5 != 0 {
          return try Fence(id: .init(number), center: middle, radius: .meters(size))
        }
        let corners = Int.random(in: 4...40, using: &numbers)
        let ring = (0..<corners).map { corner in
          middle.destination(
            bearing: 360 * Double(corner) / Double(corners),
            distance: .meters(size * Double.random(in: 0.5...1, using: &numbers)))
        }
        return try Fence(id: .init(number), area: MultiPolygon([Polygon(outer: ring)]))
      } catch { fatalError("\(error)") }
    }
  }

  /// A way that bends, and turns back at the edge of the city.
  static func way(_ pace: Pace, steps: Int, seed: UInt64) -> [Coordinate] {
    var numbers = SplitMix64(seed: seed &+ 1_000)
    var here = place(using: &numbers)
    var bearing = Double.random(in: 0..<360, using: &numbers)
    return (0..<steps).map { _ in
      guard pace.meters.isFinite else { return place(using: &numbers) }
      bearing += Double.random(in: -5...5, using: &numbers)
      if abs(here.latitude - center.latitude) > 0.15
        || abs(here.longitude - center.longitude) > 0.15
      {
        bearing = here.initialBearing(to: place(center.latitude, center.longitude)) ?? 0
      }
      here = here.destination(bearing: bearing, distance: .meters(pace.meters))
      return here
    }
  }
}

/// The plain rival and the judge: every fence is looked at.
struct AllFences {
  let fences: [Fence]

  init(_ fences: [Fence]) { self.fences = fences }

  func containing(_ place: Coordinate) -> [Int] {
    fences.indices.filter { fences[$0].contains(place) }
  }
}

extension Fence {
  var isPolygon: Bool { if case .polygons = shape { true } else { false } }
}
