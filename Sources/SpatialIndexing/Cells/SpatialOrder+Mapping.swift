import Geodesy

/// Processes many places on all cores, neighboring places consecutively, so that data cached for one serves
/// the next.
///
/// - Parameter work: Takes the offset of a place.
/// - Returns: The results, in the order of `places`.
package func mappedInSpatialOrder<Result: Sendable>(
  _ places: [Coordinate], _ work: @escaping @Sendable (Int) -> Result
) async -> [Result] {
  guard !places.isEmpty else { return [] }
  let order = SpatialOrder.offsets(of: places)
  let results = MappedResults<Result>(count: places.count)
  // A share is small compared with the whole and takes long compared with a lock.
  let share = max(16, min(256, places.count / 64))
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<min(64, (places.count + share - 1) / share) {
      group.addTask {
        while true {
          let start = results.next(share)
          guard start < places.count else { return }
          for offset in order[start..<min(start + share, places.count)] {
            results.set(Int(offset), to: work(Int(offset)))
          }
        }
      }
    }
  }
  return results.all()
}

/// Storage for results, each set once by one task.
private final class MappedResults<Result>: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<Result>
  private let count: Int
  /// The offset of the first place that no task has taken.
  private let taken = SharedValue(0)

  init(count: Int) {
    self.count = count
    memory = .allocate(capacity: count)
  }

  deinit { memory.deallocate() }

  /// Takes a share of the work, and returns its start.
  func next(_ share: Int) -> Int {
    taken.withLock { taken in
      defer { taken += share }
      return taken
    }
  }

  func set(_ offset: Int, to result: Result) { (memory + offset).initialize(to: result) }

  /// Moves the results out, once all are set.
  func all() -> [Result] {
    [Result](unsafeUninitializedCapacity: count) { room, initialized in
      guard let start = room.baseAddress else { return }
      start.moveInitialize(from: memory, count: count)
      initialized = count
    }
  }
}
