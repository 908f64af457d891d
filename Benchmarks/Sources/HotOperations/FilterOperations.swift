import NearbyKit
import SeededNumbers

extension HotOperation {
  /// What a phone does with every fix: judge it, at once or with hindsight, and ask whether it lies in a
  /// country.
  static func filtering() -> [HotOperation] {
    let fixes = Walk.fixes(count: 10_000)
    let outline = Walk.outline(vertices: 168)
    let positions = fixes.compactMap(\.coordinate)
    return [("gate", GatePolicy.cinema300m), ("gate-careful", .careful)].map { name, policy in
      HotOperation(name, calls: fixes.count) { _ in
        var gate = LocationGate(policy)
        var sum: UInt64 = 0
        for fix in fixes {
          switch gate.judge(fix) {
          case .accepted(let reasons): sum &+= 3 &* UInt64(reasons.count)
          case .held(let reasons): sum &+= UInt64(reasons.count)
          case .rejected(let reasons): sum &+= 1_000 &* UInt64(reasons.count)
          }
        }
        return sum
      }
    } + [
      HotOperation("hindsight", calls: fixes.count) { _ in
        var filter = OutlierFilter()
        var sum: UInt64 = 0
        for fix in fixes where filter.take(fix)?.objection != nil { sum &+= 1 }
        return filter.finish().reduce(sum) { $0 &+ ($1.objection == nil ? 0 : 1) }
      },
      HotOperation("polygon-contains", calls: positions.count) { _ in
        var sum: UInt64 = 0
        for position in positions where outline.contains(position) { sum &+= 1 }
        return sum
      },
    ]
  }
}

/// Somebody on the way, and a country that they leave at times.
private enum Walk {
  /// A fix a second, 1.4 m apart in slowly turning directions, off by some meters; one in a hundred
  /// is a spike.
  static func fixes(count: Int) -> [Fix] {
    var random = SplitMix64(seed: 300)
    var place = position(37.5, 127)
    var bearing = 0.0
    return (0..<count).map { second in
      bearing += 20 * random.around()
      place = place.destination(bearing: bearing, distance: .meters(1.4))
      let spike = second % 100 == 99 ? 100_000 * random.unit() : 0
      let shown = place.destination(
        bearing: 360 * random.unit(), distance: .meters(3 * random.unit() + spike))
      return Fix(shown, time: Double(second), accuracy: 5)
    }
  }

  /// A jagged outline some hundred meters across, about where the walk begins.
  static func outline(vertices: Int) -> Polygon {
    var random = SplitMix64(seed: 168)
    let center = position(37.5, 127)
    do {
      return try Polygon(
        outer: (0..<vertices).map { place in
          center.destination(
            bearing: 360 * Double(place) / Double(vertices),
            distance: .meters(200 + 400 * random.unit()))
        })
    } catch { fatalError("\(error)") }
  }

  private static func position(_ latitude: Double, _ longitude: Double) -> Coordinate {
    do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
      fatalError("\(error)")
    }
  }
}
