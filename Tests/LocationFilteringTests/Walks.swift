import Geodesy
import LocationFiltering
import NearbyTestSupport

/// Made-up ways of a device, step by step.
enum Walks {
  /// How far, which way in degrees from north, and how long it takes.
  typealias Step = (meters: Double, bearing: Double, seconds: Double)

  /// Twenty steps of somebody who walks.
  static let walk = Array(repeating: Step(meters: 14, bearing: 45, seconds: 10), count: 20)

  /// Fixes along a way from a start.
  static func fixes(
    _ steps: [Step], from start: Coordinate = PointSet.legal(37.5, 127), accuracy: Double = 5
  ) -> [Fix] {
    var place = start, time = 1_000.0
    return [Fix(place, time: time, accuracy: accuracy)]
      + steps.map { step in
        place = place.destination(bearing: step.bearing, distance: .meters(step.meters))
        time += step.seconds
        return Fix(place, time: time, accuracy: accuracy)
      }
  }

  /// Fixes, each with a change.
  static func changed(_ fixes: [Fix], _ change: (inout Fix) -> Void) -> [Fix] {
    fixes.map { fix in
      var fix = fix
      change(&fix)
      return fix
    }
  }

  /// A fix some meters aside.
  static func moved(_ fix: Fix, _ meters: Double, bearing: Double) -> Fix {
    var moved = fix
    let place = fix.coordinate?.destination(bearing: bearing, distance: .meters(meters))
    (moved.latitude, moved.longitude) = (place?.latitude, place?.longitude)
    return moved
  }
}
