import Geodesy
import Geofencing
import MapAnnotations
import NearbyTestSupport

/// Fences of every kind around some place of the Earth, and tracks through them, all from a seed.
struct Scene {
  let fences: [Fence]
  /// A circle around each fence.
  let circles: [(center: Coordinate, radius: Double)]
  let middle: Coordinate
  /// How far the fences lie around, in meters.
  let spread: Double

  /// - Parameter spread: In meters; nil for any of a few.
  init(_ count: Int, spread: Double? = nil, using generator: inout SeededGenerator) {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: middle = PointSet.legal(-17, 179.999)
    case 1: middle = PointSet.legal(89.99, 20)
    case 2: middle = PointSet.legal(-89.97, -150)
    case 3: middle = PointSet.anywhere(using: &generator)
    default: middle = PointSet.legal(37.55, 127)
    }
    let any: Double = [300, 3_000, 30_000, 300_000].randomElement(using: &generator) ?? 3_000
    let spread = spread ?? any
    self.spread = spread
    let middle = middle
    var fences: [Fence] = []
    var circles: [(center: Coordinate, radius: Double)] = []
    for number in 0..<count {
      let center = Scene.near(middle, spread, using: &generator)
      let size = spread * Double.random(in: 0.01...0.4, using: &generator)
      fences.append(Scene.fence(AnnotationID(number), center, size, using: &generator))
      // The island of an area lies 1.5 sizes away.
      circles.append((center, 2 * size))
    }
    self.fences = fences
    self.circles = circles
  }

  static func near(
    _ place: Coordinate, _ meters: Double, using generator: inout SeededGenerator
  ) -> Coordinate {
    place.destination(
      bearing: Double.random(in: 0..<360, using: &generator),
      distance: .meters(meters * Double.random(in: 0...1, using: &generator).squareRoot()))
  }

  private static func fence(
    _ id: AnnotationID, _ center: Coordinate, _ size: Double,
    using generator: inout SeededGenerator
  ) -> Fence {
    if Int.random(in: 0..<2, using: &generator) == 0,
      let area = area(center, size, using: &generator),
      let fence = try? Fence(id: id, area: area)
    {
      return fence
    }
    guard let circle = try? Fence(id: id, center: center, radius: .meters(size)) else {
      preconditionFailure("a radius of \(size) m is legal")
    }
    return circle
  }

  /// A star around a center, now and then with a hole or an island; nil where it goes round a pole.
  static func area(
    _ center: Coordinate, _ size: Double, using generator: inout SeededGenerator
  ) -> MultiPolygon? {
    let corners = Int.random(in: 3...12, using: &generator)
    let outer = ring(center, size, corners, using: &generator)
    var holes: [[PolygonVertex]] = []
    if Bool.random(using: &generator) {
      holes = [ring(center, size * 0.3, 5, least: 0.9, using: &generator)]
    }
    guard let polygon = try? Polygon(outer: outer, holes: holes) else { return nil }
    var polygons = [polygon]
    if Int.random(in: 0..<3, using: &generator) == 0 {
      let beside = center.destination(bearing: 70, distance: .meters(1.5 * size))
      let island = ring(beside, size * 0.2, 4, using: &generator)
      if let polygon = try? Polygon(outer: island) { polygons.append(polygon) }
    }
    return MultiPolygon(polygons)
  }

  private static func ring(
    _ center: Coordinate, _ size: Double, _ corners: Int, least: Double = 0.4,
    using generator: inout SeededGenerator
  ) -> [PolygonVertex] {
    (0..<corners).map { corner in
      PolygonVertex(
        center.destination(
          bearing: 360 * Double(corner) / Double(corners),
          distance: .meters(size * Double.random(in: least...1, using: &generator))))
    }
  }

  /// A fix of a track.
  struct Step {
    var position: Coordinate
    var time: Double?
    var accuracy: Double?
  }

  /// A track that strolls, rides, waits and now and then leaps.
  ///
  /// - Parameter pace: How long steps are, as a part of the spread; nil for any.
  func track(_ count: Int, pace: Double? = nil, using generator: inout SeededGenerator) -> [Step] {
    var place = Scene.near(middle, spread, using: &generator)
    var time = 1_000.0
    var bearing = Double.random(in: 0..<360, using: &generator)
    let stride = spread * (pace ?? Double.random(in: 0.001...0.3, using: &generator))
    return (0..<count).map { _ in
      bearing += Double.random(in: -40...40, using: &generator)
      let length: Double
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: length = 0
      case 1: length = spread
      case 2:
        // Back to where the fences are.
        length = 0
        place = Scene.near(middle, spread, using: &generator)
      default: length = stride * Double.random(in: 0...1, using: &generator)
      }
      place = place.destination(bearing: bearing, distance: .meters(length))
      time += Double(Int.random(in: 0...20, using: &generator))
      let hasTime = Int.random(in: 0..<30, using: &generator) > 0
      let hasAccuracy = Int.random(in: 0..<10, using: &generator) > 0
      return Step(
        position: place, time: hasTime ? time : nil,
        accuracy: hasAccuracy ? Double.random(in: 1...stride + 2, using: &generator) : nil)
    }
  }

  static func policy(_ spread: Double, using generator: inout SeededGenerator) -> FencePolicy {
    var policy = FencePolicy()
    if Bool.random(using: &generator) {
      policy.exitBuffer = .meters(spread * Double.random(in: 0...0.1, using: &generator))
    }
    policy.exitNeedsAccuracy = Bool.random(using: &generator)
    policy.entry = confirmation(using: &generator)
    policy.exit = confirmation(using: &generator)
    if Bool.random(using: &generator) {
      policy.dwell = Double(Int.random(in: 0...120, using: &generator))
    }
    if Int.random(in: 0..<3, using: &generator) == 0 { policy.greatestCrossingGap = 10 }
    return policy
  }

  private static func confirmation(
    using generator: inout SeededGenerator
  ) -> FencePolicy.Confirmation {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .fixes(Int.random(in: 2...4, using: &generator))
    case 1: .seconds(Double(Int.random(in: 0...40, using: &generator)))
    default: .fixes(1)
    }
  }
}
