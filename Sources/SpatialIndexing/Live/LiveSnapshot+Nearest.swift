import CNearbyKernels
import Geodesy

extension LiveSnapshot {
  /// Returns the objects nearest to an origin, nearest first.
  ///
  ///     let free = snapshot.nearest(3, to: here, within: .kilometers(2), categories: taxis, now: t)
  ///
  /// - Parameters:
  ///   - limit: The maximum number of objects to return.
  ///   - origin: Where distances are measured from.
  ///   - outer: The maximum distance, inclusive.
  ///   - categories: Objects must belong to one of these.
  ///   - now: Objects that expire at or before this instant do not count; by default all objects
  ///     count.
  ///   - isIncluded: Whether an object counts. Called during the search, before an object enters the
  ///     answer, and occasionally twice for one object.
  /// - Returns: At most `limit` neighbors by ascending (geodesic, id), as brute force would find them.
  ///   A distance is within 20 nm of its geodesic.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O((*k* + *m*) log *n*) expected, *m* being objects rejected on the way; O(*n*) at
  ///   worst.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    categories: CategorySet = .any, now: Double = -.infinity,
    where isIncluded: ((LiveObject) -> Bool)? = nil
  ) -> [LiveNeighbor] {
    let filter = LiveFilter(categories: categories, now: now, isIncluded: isIncluded)
    var statistics = SearchStatistics()
    return measured(limit, origin, outer, filter, &statistics) { candidate, distance in
      LiveNeighbor(object: candidate.leaf.object(candidate.slot), distance: distance)
    }
  }

  /// Returns the ids of the nearest objects, as offsets, and what the search did.
  ///
  /// - Precondition: Ids are at most `UInt32.max`.
  package func nearestIDs(
    _ limit: Int, to origin: Coordinate, within outer: Distance, categories: CategorySet,
    now: Double, where isIncluded: ((Int) -> Bool)?
  ) -> (neighbors: [Neighbor], statistics: SearchStatistics) {
    let asking = isIncluded.map(PredicateAsking.init)
    let filter = LiveFilter(
      categories: categories, now: now,
      isIncluded: asking.map { asking in { asking.includes(UInt32($0.id)) } })
    var statistics = SearchStatistics()
    let neighbors = measured(limit, origin, outer, filter, &statistics) { candidate, distance in
      Neighbor(offset: Int(candidate.leaf.id(candidate.slot)), distance: distance)
    }
    statistics.predicateCalls = asking?.calls ?? 0
    statistics.predicateRejections = asking?.rejections ?? 0
    return (neighbors, statistics)
  }

  /// Makes a value from each of the nearest objects, nearest first.
  @inline(__always)
  private func measured<Result>(
    _ limit: Int, _ origin: Coordinate, _ outer: Distance, _ filter: LiveFilter,
    _ statistics: inout SearchStatistics, _ make: (LiveCandidate, Distance) -> Result
  ) -> [Result] {
    precondition(limit >= 0, "cannot return \(limit) neighbors")
    return withRoot { root in
      let found = candidates(limit, origin, outer, filter, root, &statistics) ?? []
      return ordered(found, from: origin, within: outer, &statistics).prefix(limit).map {
        make(found[$0.slot], .meters($0.distance))
      }
    }
  }

  /// Measures candidates and sorts them, each as an offset in the list.
  private func ordered(
    _ found: [LiveCandidate], from origin: Coordinate, within outer: Distance,
    _ statistics: inout SearchStatistics
  ) -> [MeasuredCandidate] {
    var candidates = found.enumerated().map { index, candidate in
      MeasuredCandidate(
        latitude: candidate.leaf.latitude(candidate.slot),
        longitude: candidate.leaf.longitude(candidate.slot),
        number: candidate.leaf.id(candidate.slot), slot: index)
    }
    statistics.geodesics += candidates.measure(from: origin, within: outer)
    return candidates
  }

  /// Finds the ids of the objects nearest to an origin, nearest first, without measuring distances.
  ///
  /// The order is that of `nearest(_:to:)`. The answer replaces the contents of `ids`; with a reused array, this hardly
  /// allocates.
  ///
  /// - Precondition: `limit >= 0`.
  public func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    now: Double = -.infinity, into ids: inout [UInt64]
  ) {
    precondition(limit >= 0, "cannot find \(limit) objects")
    ids.removeAll(keepingCapacity: true)
    withRoot { root in
      let filter = LiveFilter(categories: categories, now: now, isIncluded: nil)
      let limit = min(limit, root.count)
      var statistics = SearchStatistics()
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 16) { few in
        let found = candidates(
          limit, origin, .infinity, filter, root, ids: few.baseAddress, &statistics)
        if let found {
          ids += ordered(found, from: origin, within: .infinity, &statistics).prefix(limit)
            .map(\.number)
        } else {
          ids.append(contentsOf: UnsafeBufferPointer(rebasing: few[..<limit]))
        }
      }
    }
  }

  /// Returns every object within a distance (inclusive), nearest first.
  ///
  /// - Returns: Neighbors by ascending (geodesic, id); empty for a negative radius.
  /// - Complexity: O(log *n* + *r* log *r*) expected for *r* results.
  public func neighbors(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    now: Double = -.infinity, where isIncluded: ((LiveObject) -> Bool)? = nil
  ) -> [LiveNeighbor] {
    nearest(
      .max, to: origin, within: radius, categories: categories, now: now, where: isIncluded)
  }

  /// Candidates that include the nearest objects.
  ///
  /// - Parameter ids: Gets the ids in order if few are wanted and none tie, where ids are enough.
  /// - Returns: nil if the ids were written.
  private func candidates(
    _ limit: Int, _ origin: Coordinate, _ outer: Distance, _ filter: LiveFilter,
    _ root: LiveBlock, ids: UnsafeMutablePointer<UInt64>? = nil,
    _ statistics: inout SearchStatistics
  ) -> [LiveCandidate]? {
    let limit = min(limit, root.count)
    let distances = DistanceRange(within: outer).effective
    guard limit > 0, !distances.isEmpty else { return [] }
    let squaredReach = nearby_rounded_up(
      ChordBracket.shell(around: distances.within.meters).upperBound)
    if limit <= 16 {
      let (outcome, few) = fewCandidates(
        limit, origin, filter, root, squaredReach, ids: ids, &statistics)
      if outcome == NEARBY_FOUND { return ids == nil ? few : nil }
      if outcome == NEARBY_TIED { return few }
    }
    let tree = LiveTree(root: root, filter: filter)
    if limit <= LiveSnapshot.greatestLocalLimit,
      let near = localCandidates(limit, origin, tree, squaredReach, &statistics)
    {
      return near
    }
    var walk = GroundWalk(tree, origin: origin, limit: limit, at: distances)
    defer { statistics = statistics + walk.statistics }
    return walk.run()
  }

  /// For more objects, stack memory is too small.
  private static let greatestLocalLimit = 4_096

  private func localCandidates(
    _ limit: Int, _ origin: Coordinate, _ tree: LiveTree, _ squaredReach: Float,
    _ statistics: inout SearchStatistics
  ) -> [LiveCandidate]? {
    typealias Walk = NearestFirstWalk<LiveTree>
    let metric = LocalMetric(origin)
    guard metric.squaredReach > 0 else { return nil }
    let capacity = Walk.capacity(limit: limit)
    return withUnsafeTemporaryAllocation(
      byteCount: Walk.byteCount(capacity: capacity), alignment: 64
    ) { memory in
      guard let memory = memory.baseAddress else { return nil }
      var walk = Walk(
        tree, metric: metric, limit: limit, squaredReach: squaredReach, capacity: capacity,
        memory: memory)
      defer { statistics = statistics + walk.statistics }
      guard let found = try? walk.run() else { return nil }
      return found.map { walk.tree.candidate(number: $0.slot) }
    }
  }

  /// `SmallKSearch` over a live tree: up to sixteen nearest objects, found entirely in C.
  ///
  /// - Parameters:
  ///   - limit: No more than the number of objects.
  ///   - squaredReach: The limit for squared distances, in square meters.
  ///   - ids: Gets the ids in order if nothing ties; nil if candidates are wanted.
  /// - Returns: `NEARBY_FOUND`, or why there is no answer; and candidates that include the nearest, if
  ///   they are wanted or tie.
  private func fewCandidates(
    _ limit: Int, _ origin: Coordinate, _ filter: LiveFilter, _ root: LiveBlock,
    _ squaredReach: Float, ids: UnsafeMutablePointer<UInt64>?, _ statistics: inout SearchStatistics
  ) -> (outcome: nearby_outcome, candidates: [LiveCandidate]) {
    var question = nearby_live_question(
      latitude: origin.latitude, longitude: origin.longitude,
      limit: Int32(truncatingIfNeeded: limit), has_categories: filter.categories != .any,
      categories: filter.categories.rawValue, now: filter.now, squared_reach: squaredReach,
      ask: filter.isIncluded == nil ? nil : LiveSnapshot.ask, context: nil)
    return withUnsafeTemporaryAllocation(
      of: nearby_live_candidate.self, capacity: Int(NEARBY_MOST_LANES)
    ) { found in
      var report = nearby_live_report()
      let outcome = withUnsafePointer(to: filter) { filter in
        question.context = UnsafeRawPointer(filter)
        return nearby_find_live(
          VectorLevel.greatest.rawValue, root.memory, &question, ids, found.baseAddress, &report)
      }
      statistics.nodeGroupsTested += Int(report.node_groups_tested)
      statistics.leavesRead += Int(report.leaves_read)
      statistics.candidates += Int(report.candidates)
      let candidates = found.prefix(Int(report.count)).map {
        LiveCandidate(
          leaf: LiveBlock(memory: UnsafeMutableRawPointer(mutating: $0.leaf)), slot: Int($0.slot))
      }
      return (outcome, candidates)
    }
  }

  private static let ask: nearby_live_ask = { context, leaf, slot in
    guard let context, let leaf else { return true }
    let filter = context.assumingMemoryBound(to: LiveFilter.self)
    let object = LiveBlock(memory: UnsafeMutableRawPointer(mutating: leaf)).object(Int(slot))
    return filter.pointee.isIncluded?(object) ?? true
  }
}

/// A slot of a leaf that may be part of an answer.
struct LiveCandidate {
  let leaf: LiveBlock
  let slot: Int
}
