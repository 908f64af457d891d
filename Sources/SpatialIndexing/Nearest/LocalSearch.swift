import CNearbyKernels
import Geodesy

/// One search for the nearest by the local metric, if that can answer.
struct LocalSearch {
  let tree: TreeView
  let origin: Coordinate
  let limit: Int
  let categories: CategorySet
  /// nil if everything counts.
  var asking: PredicateAsking?

  /// The instruction set for the search for a few; nil if that search is known to fail.
  var level: VectorLevel? = .greatest

  /// What the search did, even if it found no answer.
  var statistics = SearchStatistics()

  /// Finds the nearest `limit` positions, in order.
  ///
  /// - Parameters:
  ///   - isMeasured: Whether distances are wanted too.
  ///   - buffer: Lends its memory.
  ///   - body: Called with the answer, which holds `limit` ranks.
  /// - Returns: nil if the answer cannot be found this way: fewer positions than `limit`, too far,
  ///   across the antimeridian, or around a pole.
  @inline(__always)
  mutating func run<Result>(
    isMeasured: Bool, buffer: inout QueryBuffer, _ body: (NearestRanking) -> Result
  ) -> Result? {
    guard let level, FewSearch.canAnswer(limit, categories, in: tree) else {
      return runNearestFirst(isMeasured: isMeasured, isCrowded: false, buffer: &buffer, body)
    }
    let memory = buffer.scratch(byteCount: FewSearch.byteCount)
    let search = FewSearch(
      tree: tree, origin: origin, limit: limit, categories: categories, asking: asking,
      memory: memory)
    let outcome = search.run(level: level, into: nil)
    statistics = search.statistics
    // The following search visits the same positions again.
    if outcome != NEARBY_FOUND { asking?.beginAgain() }
    let candidates =
      outcome == NEARBY_FOUND
      ? search.candidates : outcome == NEARBY_LOST ? search.crowd(level: level) : nil
    if let candidates {
      return body(
        rank(
          candidates, isMeasured: isMeasured, metric: LocalMetric(origin),
          count: candidates.count, memory: search.rankingMemory))
    }
    if outcome == NEARBY_BEYOND { return nil }
    return runNearestFirst(isMeasured: isMeasured, isCrowded: true, buffer: &buffer, body)
  }

  /// Walks to the nearest node first, with growing memory in case of coincident points.
  ///
  /// - Parameter isCrowded: Whether there are certainly coincident points.
  @inline(never)
  private mutating func runNearestFirst<Result>(
    isMeasured: Bool, isCrowded: Bool, buffer: inout QueryBuffer,
    _ body: (NearestRanking) -> Result
  ) -> Result? {
    typealias Walk = NearestFirstWalk<PackedTree>
    let metric = LocalMetric(origin)
    guard metric.squaredReach > 0, tree.canTell(categories) else { return nil }
    let packed = PackedTree(tree, categories: categories, asking: asking)
    var capacity = Walk.capacity(limit: limit) << (isCrowded ? 2 : 0)
    while capacity <= NearestRanking.greatestCount {
      let walkBytes = (Walk.byteCount(capacity: capacity) + 63) & ~63
      let memory = buffer.scratch(
        byteCount: walkBytes + NearestRanking.byteCount(capacity))
      var walk = Walk(packed, metric: metric, limit: limit, capacity: capacity, memory: memory)
      defer { statistics = statistics + walk.statistics }
      do {
        let candidates = try walk.run()
        return body(
          rank(
            candidates, isMeasured: isMeasured, metric: metric, count: capacity,
            memory: memory + walkBytes))
      } catch {
        asking?.beginAgain()
        guard error == .noRoom else { return nil }
        capacity *= 8
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func rank(
    _ candidates: UnsafeMutableBufferPointer<FlatCandidate>, isMeasured: Bool,
    metric: LocalMetric, count: Int, memory: UnsafeMutableRawPointer
  ) -> NearestRanking {
    var ranking = NearestRanking(tree: tree, origin: origin, count: count, memory: memory)
    statistics.geodesics &+=
      isMeasured
      ? ranking.measure(candidates)
      : ranking.order(candidates, limit: limit, metric: metric)
    return ranking
  }
}
