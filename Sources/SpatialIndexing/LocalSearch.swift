import Geodesy

/// One search for the nearest with all it needs to answer by the local metric, if it can.
struct LocalSearch {
  let tree: TreeView
  let origin: Coordinate
  let limit: Int
  let categories: CategorySet
  /// nil for any.
  let isIncluded: ((Int) -> Bool)?

  /// What the search did, also when it found no answer.
  var statistics = SearchStatistics()
  /// What the caller's predicate said, by position; for whoever searches on.
  var verdicts: [UInt32: Bool] = [:]

  init(
    tree: TreeView, origin: Coordinate, limit: Int, categories: CategorySet,
    isIncluded: ((Int) -> Bool)? = nil
  ) {
    self.tree = tree
    self.origin = origin
    self.limit = limit
    self.categories = categories
    self.isIncluded = isIncluded
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
    limit <= FewNearest.greatestLimit
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
    var walk = LocalWalk<Collector>(
      tree: tree, metric: LocalMetric(origin), limit: limit, squaredOuter: .infinity,
      categories: categories, isIncluded: isIncluded, memory: memory)
    let slots = walk.run()
    statistics = walk.statistics
    guard let slots, slots.count <= NearestRanking.greatestCount else {
      verdicts = walk.verdicts
      return nil
    }
    let ranking = NearestRanking(
      tree: tree, origin: origin, count: greatestCount, memory: memory + walkBytes)
    if slots.count == 1, !isMeasured {
      ranking.takeOnly(slots[0])
      return body(ranking)
    }
    statistics.geodesics = isMeasured ? ranking.measure(slots) : ranking.rank(slots)
    return body(ranking)
  }
}
