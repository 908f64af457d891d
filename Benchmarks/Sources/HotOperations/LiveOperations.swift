import NearbyKit
import SeededNumbers

extension HotOperation {
  /// Objects that move, up to 400 m there and back in batches of 1,000, and questions about them.
  static func living(_ world: World) -> [HotOperation] {
    var random = SplitMix64(seed: 44)
    let index = LiveIndex(
      world.positions.enumerated().map { LiveObject(id: UInt64($0.offset), at: $0.element) })
    let away = (0..<5).map { _ in
      (0..<1_000).map { _ in
        let id = random.below(world.positions.count)
        let place = world.positions[id]
        // Who would leave the map stays.
        let moved = try? Coordinate(
          latitude: place.latitude + 0.0036 * random.around(),
          longitude: place.longitude + 0.0036 * random.around())
        return LiveChange.put(LiveObject(id: UInt64(id), at: moved ?? place))
      }
    }
    let back = away.map { batch in
      batch.map { change in
        guard case .put(let object) = change else { return change }
        return LiveChange.put(LiveObject(id: object.id, at: world.positions[Int(object.id)]))
      }
    }
    let batches = away + back
    return [
      HotOperation("live-move", calls: batches.count, questions: 1_000 * batches.count) { _ in
        for batch in batches { index.apply(batch) }
        return UInt64(index.snapshot.count)
      },
      HotOperation("live-find-nearest-10", calls: world.questions.count) { _ in
        let snapshot = index.snapshot
        var ids: [UInt64] = []
        var sum: UInt64 = 0
        for question in world.questions {
          snapshot.findNearest(10, to: question, into: &ids)
          for (rank, id) in ids.enumerated() { sum &+= id &* UInt64(rank + 1) }
        }
        return sum
      },
    ]
  }
}
