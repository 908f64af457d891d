import Geodesy
import Geofencing
import NearbyTestSupport
import Testing

/// What an index of fences finds, and what a phone is handed of it.
@Suite struct FenceIndexTests {
  @Test(arguments: UInt64(0)..<60)
  func `queries agree with a look at every fence`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let scene = Scene(40, using: &generator)
    let index = FenceIndex(scene.fences)
    for _ in 0..<20 {
      let place = Scene.near(scene.middle, scene.spread * 1.5, using: &generator)
      #expect(
        index.fences(containing: place)
          == scene.fences.indices.filter { scene.fences[$0].contains(place) })
      let reach = Distance.meters(scene.spread * Double.random(in: 0...1, using: &generator))
      let near = index.fences(borderWithin: reach, of: place)
      let judged = scene.fences.indices.filter {
        abs(index.gap($0, to: place).meters) <= reach.meters
      }
      #expect(Set(near.map(\.number)) == Set(judged))
      #expect(near.map(\.distance) == near.map(\.distance).sorted())
      for number in scene.fences.indices {
        #expect((index.gap(number, to: place) <= .zero) == scene.fences[number].contains(place))
      }
    }
  }

  @Test func `polygons larger than half the Earth are found from everywhere`() throws {
    let corners: [(Double, Double)] = [(-60, -180), (-60, 180), (90, 180), (90, -180)]
    let world = try Fence(
      id: "inhabited",
      area: MultiPolygon([
        try Polygon(outer: corners.map { try PolygonVertex(latitude: $0.0, longitude: $0.1) })
      ]))
    let index = FenceIndex([world])
    for latitude in stride(from: -85.0, through: 85, by: 10) {
      for longitude in stride(from: -175.0, through: 175, by: 50) {
        let place = PointSet.legal(latitude, longitude)
        #expect(index.fences(containing: place) == (latitude >= -60 ? [0] : []))
      }
    }
    var monitor = FenceMonitor(index)
    #expect(monitor.take(PointSet.legal(-80, 0)).events.isEmpty)
    #expect(monitor.take(PointSet.legal(37, 127)).events.map(\.kind) == [.enter])
    #expect(monitor.take(PointSet.legal(-61, 127)).events.map(\.kind) == [.exit])
  }

  private static func limits(_ spread: Double, using generator: inout SeededGenerator)
    -> RegionPlan.Limits
  {
    var limits = RegionPlan.Limits()
    limits.count = Int.random(in: 2...20, using: &generator)
    if Bool.random(using: &generator) { limits.leastRadius = .meters(spread * 0.1) }
    if Bool.random(using: &generator) { limits.greatestRadius = .meters(spread * 0.2) }
    return limits
  }

  @Test(arguments: UInt64(0)..<120)
  func `within a plan's refresh circle no fence without a region is reached`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let scene = Scene(Int.random(in: 1...60, using: &generator), using: &generator)
    let index = FenceIndex(scene.fences)
    let limits = Self.limits(scene.spread, using: &generator)
    let place = Scene.near(scene.middle, scene.spread * 1.3, using: &generator)
    let plan = index.regionPlan(at: place, limits: limits)
    #expect(plan.regions.count < limits.count)
    let chosen = Set(plan.regions.map(\.fence))
    let others = scene.fences.indices.filter { !chosen.contains($0) }
    for number in others {
      #expect(abs(index.gap(number, to: place).meters) >= plan.refreshRadius.meters)
    }
    for region in plan.regions {
      #expect(region.radius <= limits.greatestRadius && region.radius >= limits.leastRadius)
      #expect(region.isInside == (region.center.distance(to: place) <= region.radius))
    }
    for _ in 0..<40 {
      let reach = min(plan.refreshRadius.meters, 1e7)
      let end = place.destination(
        bearing: Double.random(in: 0..<360, using: &generator),
        distance: .meters(reach * Double.random(in: 0..<1, using: &generator)))
      for number in others {
        #expect(scene.fences[number].contains(end) == scene.fences[number].contains(place))
      }
      // A fence with a region is not reached before the region is.
      for region in plan.regions
      where !region.isInside && region.center.distance(to: end) > region.radius {
        #expect(!scene.fences[region.fence].contains(end))
      }
    }
  }

  /// 12 × 10 plans.
  @Test(arguments: UInt64(0)..<12)
  func `within a plan's valid radius every plan chooses the same fences`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let radii = (0..<10).map { _ in Self.choosesAlike(using: &generator) }
    // Where two fences tie, there is no such radius.
    #expect(radii.contains { $0 > 0 }, "\(radii)")
  }

  /// Compares plans within the valid radius of another, and returns that.
  private static func choosesAlike(using generator: inout SeededGenerator) -> Double {
    let scene = Scene(Int.random(in: 1...60, using: &generator), using: &generator)
    let index = FenceIndex(scene.fences)
    let limits = Self.limits(scene.spread, using: &generator)
    let place = Scene.near(scene.middle, scene.spread * 1.3, using: &generator)
    let plan = index.regionPlan(at: place, limits: limits)
    let reach = min(plan.validRadius.meters, 1e7)
    for _ in 0..<10 {
      let end = place.destination(
        bearing: Double.random(in: 0..<360, using: &generator),
        distance: .meters(reach * Double.random(in: 0..<1, using: &generator)))
      let next = index.regionPlan(at: end, limits: limits)
      #expect(Set(next.regions.map(\.fence)) == Set(plan.regions.map(\.fence)))
    }
    return reach
  }

  @Test func `a plan of fewer fences than the phone watches has them all and no end`() throws {
    let fences = try (0..<5).map {
      try Fence(id: .init($0), center: PointSet.legal(37, 127 + Double($0)), radius: .meters(200))
    }
    let plan = FenceIndex(fences).regionPlan(at: PointSet.legal(37.1, 127))
    #expect(plan.regions.map(\.fence) == [0, 1, 2, 3, 4])
    #expect(plan.refreshRadius == .infinity && plan.validRadius == .infinity)
    #expect(FenceIndex([]).regionPlan(at: PointSet.legal(0, 0)).regions.isEmpty)
  }

  @Test func `polygons whose circle the phone is in end the refresh circle at their border`() throws
  {
    let corners = [(37.0, 127.0), (37.0, 127.1), (37.001, 127.0)].map { PointSet.legal($0.0, $0.1) }
    let sliver = try Fence(id: "sliver", area: MultiPolygon([try Polygon(outer: corners)]))
    let far = try Fence(id: "far", center: PointSet.legal(37.5, 127), radius: .meters(100))
    let index = FenceIndex([sliver, far])
    let plan = index.regionPlan(at: PointSet.legal(37.01, 127.05))
    #expect(plan.regions.map(\.fence) == [1])
    #expect(plan.unwatchable == [0])
    let toBorder = index.gap(0, to: PointSet.legal(37.01, 127.05))
    #expect(abs(plan.refreshRadius.meters - toBorder.meters) < 1e-5)
    // From afar its circle can be watched.
    #expect(index.regionPlan(at: PointSet.legal(36.9, 127.05)).regions.map(\.fence) == [0, 1])
  }
}
