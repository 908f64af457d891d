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
    if let level, asking == nil, FewSearch.canAnswer(limit, categories) {
      let memory = buffer.scratch(byteCount: FewSearch.byteCount)
      let search = FewSearch(tree: tree, origin: origin, limit: limit, memory: memory)
      let outcome = search.run(level: level, into: nil)
      statistics = search.statistics
      if outcome == NEARBY_FOUND {
        let ranking = search.ranking
        statistics.geodesics =
          isMeasured
          ? ranking.measure(search.candidates)
          : ranking.order(search.candidates, limit: limit, metric: LocalMetric(origin))
        return body(ranking)
      }
      if outcome == NEARBY_BEYOND { return nil }
    }
    return limit <= FewNearest.greatestLimit
      ? run(FewNearest.self, isMeasured: isMeasured, buffer: &buffer, body)
      : run(ManyNearest.self, isMeasured: isMeasured, buffer: &buffer, body)
  }

  @inline(__always)
  private mutating func run<Collector: NearestCollector, Result>(
    _: Collector.Type, isMeasured: Bool, buffer: inout QueryBuffer,
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
    guard let candidates, candidates.count <= NearestRanking.greatestCount else { return nil }
    let ranking = NearestRanking(
      tree: tree, origin: origin, count: greatestCount, memory: memory + walkBytes)
    statistics.geodesics =
      isMeasured
      ? ranking.measure(candidates)
      : ranking.order(candidates, limit: limit, metric: metric)
    return body(ranking)
  }
}
