import CKernels
import Geodesy

/// One search for the nearest with all it needs to answer by the local metric, if it can.
struct LocalSearch {
  let tree: TreeView
  let origin: Coordinate
  let limit: Int
  let categories: CategorySet
  /// nil where everything counts; knows afterwards what its predicate said.
  let asking: PredicateAsking?

  /// What the search for a few is to be done with; nil where it is known to lead nowhere.
  private let level: VectorLevel?

  /// What the search did, also when it found no answer.
  var statistics = SearchStatistics()

  init(
    tree: TreeView, origin: Coordinate, limit: Int, categories: CategorySet,
    asking: PredicateAsking? = nil, level: VectorLevel? = .greatest
  ) {
    self.level = level
    self.tree = tree
    self.origin = origin
    self.limit = limit
    self.categories = categories
    self.asking = asking
  }

  /// Finds the nearest `limit`, in order.
  ///
  /// - Parameters:
  ///   - isMeasured: Whether distances are wanted too.
  ///   - buffer: Lends its memory.
  ///   - body: Called with the answer, which holds `limit` ranks.
  /// - Returns: nil when the answer cannot be told this way: fewer positions than `limit`, or too
  ///   far, or across the antimeridian, or round a pole.
  @inline(__always)
  mutating func run<Result>(
    isMeasured: Bool, buffer: inout QueryBuffer, _ body: (NearestRanking) -> Result
  ) -> Result? {
    if let level, asking == nil, FewSearch.canAnswer(limit, categories, in: tree) {
      let memory = buffer.scratch(byteCount: FewSearch.byteCount)
      let search = FewSearch(
        tree: tree, origin: origin, limit: limit, categories: categories, memory: memory)
      let outcome = search.run(level: level, into: nil)
      statistics = search.statistics
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
    }
    var isCrowded = false
    if limit <= FewNearest.greatestLimit {
      if let result = run(
        FewNearest.self, isMeasured: isMeasured, buffer: &buffer, isCrowded: &isCrowded, body)
      {
        return result
      }
      guard isCrowded, categories == .any, asking == nil else { return nil }
    }
    if categories == .any, asking == nil {
      return runNearestFirst(
        isMeasured: isMeasured, isCrowded: isCrowded, buffer: &buffer, body)
    }
    return run(
      ManyNearest.self, isMeasured: isMeasured, buffer: &buffer, isCrowded: &isCrowded, body)
  }

  /// - Parameter isCrowded: Set where there is no answer because there are more candidates than room.
  @inline(__always)
  private mutating func run<Collector: NearestCollector, Result>(
    _: Collector.Type, isMeasured: Bool, buffer: inout QueryBuffer, isCrowded: inout Bool,
    _ body: (NearestRanking) -> Result
  ) -> Result? {
    let walkBytes = LocalWalk<Collector>.byteCount(limit: limit)
    let greatestCount = Collector.greatestCount(limit: limit)
    let memory = buffer.scratch(
      byteCount: walkBytes + NearestRanking.byteCount(greatestCount))
    let metric = LocalMetric(origin)
    var walk = LocalWalk<Collector>(
      tree: tree, metric: metric, limit: limit, categories: categories, asking: asking,
      memory: memory)
    let candidates = walk.run()
    statistics = walk.statistics
    guard let candidates, candidates.count <= NearestRanking.greatestCount else {
      isCrowded = walk.isInReach
      return nil
    }
    return body(
      rank(
        candidates, isMeasured: isMeasured, metric: metric, count: greatestCount,
        memory: memory + walkBytes))
  }

  /// Walks to the nearest node first, with ever more room where there are crowds.
  ///
  /// - Parameter isCrowded: Whether there is a crowd for certain.
  @inline(never)
  private mutating func runNearestFirst<Result>(
    isMeasured: Bool, isCrowded: Bool, buffer: inout QueryBuffer,
    _ body: (NearestRanking) -> Result
  ) -> Result? {
    typealias Walk = NearestFirstWalk<LocalSight>
    let metric = LocalMetric(origin)
    guard metric.nearestReach > 0 else { return nil }
    var capacity = Walk.capacity(limit: limit) << (isCrowded ? 2 : 0)
    while capacity <= NearestRanking.greatestCount {
      let walkBytes = (Walk.byteCount(capacity: capacity) + 63) & ~63
      let memory = buffer.scratch(
        byteCount: walkBytes + NearestRanking.byteCount(capacity))
      var walk = Walk(
        tree: tree, sight: LocalSight(metric: metric), limit: limit, capacity: capacity,
        memory: memory)
      defer { statistics = statistics + walk.statistics }
      do {
        let candidates = try walk.run()
        return body(
          rank(
            candidates, isMeasured: isMeasured, metric: metric, count: capacity,
            memory: memory + walkBytes))
      } catch {
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
