import CNearbyKernels
import Geodesy

/// `FewSearch` over a live tree: up to sixteen nearest objects, done entirely in C.
enum LiveFewSearch {
  /// Whether few enough objects are wanted.
  @inline(__always)
  static func canAnswer(_ limit: Int) -> Bool {
    limit > 0 && limit <= 16
  }

  /// Finds the nearest objects.
  ///
  /// - Parameters:
  ///   - limit: No more than the number of objects.
  ///   - squaredReach: The limit for squared distances, in square meters.
  ///   - ids: Gets the ids in order if nothing ties; nil if candidates are wanted.
  ///   - candidates: Called with candidates that include the nearest, if they are wanted or tie.
  /// - Returns: `NEARBY_FOUND`, or why there is no answer in `ids`.
  @inline(__always)
  static func run(
    _ limit: Int, _ origin: Coordinate, _ filter: LiveFilter, _ root: LiveBlock,
    squaredReach: Float = .infinity, level: VectorLevel = .greatest,
    ids: UnsafeMutablePointer<UInt64>?,
    candidates: ([LiveCandidate]) -> Void
  ) -> nearby_outcome {
    var question = nearby_live_question(
      latitude: origin.latitude, longitude: origin.longitude,
      limit: Int32(truncatingIfNeeded: limit), has_categories: filter.categories != .any,
      categories: filter.categories.rawValue, now: filter.now, squared_reach: squaredReach,
      ask: nil, context: nil)
    return withUnsafeTemporaryAllocation(
      of: nearby_live_candidate.self, capacity: Int(NEARBY_MOST_LANES)
    ) { found in
      var count: Int32 = 0
      let outcome: nearby_outcome
      if let isIncluded = filter.isIncluded {
        question.ask = ask
        outcome = withUnsafePointer(to: isIncluded) {
          question.context = UnsafeRawPointer($0)
          return nearby_find_live(
            level.rawValue, root.memory, &question, ids, found.baseAddress, &count)
        }
      } else {
        outcome = nearby_find_live(
          level.rawValue, root.memory, &question, ids, found.baseAddress, &count)
      }
      if count > 0 {
        candidates(
          found.prefix(Int(count)).map {
            LiveCandidate(
              leaf: LiveBlock(memory: UnsafeMutableRawPointer(mutating: $0.leaf)),
              slot: Int($0.slot))
          })
      }
      return outcome
    }
  }

  private static let ask: nearby_live_ask = { context, leaf, slot in
    guard let context, let leaf else { return true }
    let isIncluded = context.assumingMemoryBound(to: ((LiveObject) -> Bool).self).pointee
    return isIncluded(LiveBlock(memory: UnsafeMutableRawPointer(mutating: leaf)).object(Int(slot)))
  }
}

/// A slot of a leaf that may be part of an answer.
struct LiveCandidate {
  let leaf: LiveBlock
  let slot: Int
}
