import CKernels
import Geodesy

/// `FewSearch` over a live tree: up to sixteen nearest, done in C as a whole.
enum LiveFewSearch {
  /// Whether it is a few that are wanted, of those that C can tell from others.
  @inline(__always)
  static func canAnswer(_ limit: Int, _ filter: LiveFilter) -> Bool {
    limit > 0 && limit <= 16 && filter.isIncluded == nil
  }

  /// Finds the nearest objects.
  ///
  /// - Parameters:
  ///   - limit: No more than there are.
  ///   - ids: Gets the ids in order where nothing ties; nil where candidates are wanted.
  ///   - candidates: Called with those among which the nearest are, when they are wanted or tie.
  /// - Returns: `NEARBY_FOUND`, or why there is no answer in `ids`.
  @inline(__always)
  static func run(
    _ limit: Int, _ origin: Coordinate, _ filter: LiveFilter, _ root: LiveBlock,
    level: VectorLevel = .greatest, ids: UnsafeMutablePointer<UInt64>?,
    candidates: ([LiveCandidate]) -> Void
  ) -> nearby_outcome {
    var question = nearby_live_question(
      latitude: origin.latitude, longitude: origin.longitude,
      limit: Int32(truncatingIfNeeded: limit), has_categories: filter.categories != .any,
      categories: filter.categories.rawValue, now: filter.now)
    return withUnsafeTemporaryAllocation(
      of: nearby_live_candidate.self, capacity: Int(NEARBY_MOST_LANES)
    ) { found in
      var count: Int32 = 0
      let outcome = nearby_find_live(
        level.rawValue, root.memory, &question, ids, found.baseAddress, &count)
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
}
