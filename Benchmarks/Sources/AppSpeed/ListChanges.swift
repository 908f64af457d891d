import Complaints
import NearbyKit
import SeededNumbers
import Stopwatches

/// What building a `GeohashIndex` of a million places takes beside the tree, and changes to it, in milliseconds a
/// batch of 1,000; afterwards it must answer as an index over the places as they are then.
enum ListChanges {
  private static let size = 1_000

  static func time(_ world: World) {
    var numbers = SplitMix64(seed: 23)
    // As maps have them, in 10⁻⁷ degrees.
    var places = world.places.map { rounded($0) }
    let building = (0..<Turns.rounds).map { _ in
      (timed { _ = KDTreeIndex(places).count }, timed { _ = GeohashIndex(places).count })
    }
    report("tree: built of a million", building.map(\.0))
    report("list: built of a million", building.map(\.1))
    var index = GeohashIndex(places)
    for (name, meters) in [("400 m", 400.0), ("20 km", 20_000), ("300 km", 300_000)] {
      let milliseconds = (0..<Turns.rounds).map { _ in
        var chosen = Set<Int>()
        while chosen.count < size {
          chosen.insert(Int.random(in: 0..<places.count, using: &numbers))
        }
        let changes = chosen.sorted().map { number in
          let old = places[number]
          places[number] = rounded(
            old.destination(
              bearing: Double.random(in: 0..<360, using: &numbers),
              distance: .meters(meters * numbers.unit())))
          return GeohashChange.move(number: number, from: old, to: places[number])
        }
        return timed { apply(changes, to: &index) }
      }
      report("list: \(size) of a million moved up to \(name)", milliseconds)
    }
    let inserted = (0..<Turns.rounds).map { _ in
      let changes = (0..<size).map { _ in
        let place = places[Int.random(in: 0..<places.count, using: &numbers)]
        places.append(place)
        return GeohashChange.insert(number: places.count - 1, at: place)
      }
      return timed { apply(changes, to: &index) }
    }
    report("list: \(size) inserted", inserted)
    let wanted = GeohashIndex(places)
    for origin in world.origins(1_000)
    where index.nearest(10, to: origin).neighbors != wanted.nearest(10, to: origin).neighbors {
      Complaint("a changed list: answers differ", .badData).end()
    }
  }

  private static func apply(_ changes: [GeohashChange], to index: inout GeohashIndex) {
    do { try index.apply(changes) } catch { Complaint("\(error)", .badData).end() }
  }

  private static func rounded(_ place: Coordinate) -> Coordinate {
    do {
      return try Coordinate(
        latitude: (place.latitude * 1e7).rounded() / 1e7,
        longitude: (place.longitude * 1e7).rounded() / 1e7)
    } catch { Complaint("\(error)", .badData).end() }
  }

  private static func timed(_ body: () -> Void) -> Double {
    Stopwatch.clock.measure(body) * 1e3
  }

  private static func report(_ name: String, _ milliseconds: [Double]) {
    let median = milliseconds.sorted()[milliseconds.count / 2]
    print("\(name): \((median * 100).rounded() / 100) ms")
  }
}
