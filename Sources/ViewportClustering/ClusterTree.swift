import Geodesy

/// Clusters over bare positions, and the annotations that are never clustered.
@usableFromInline
struct ClusterTree: Sendable {
  let rule: ClusterRule
  let order: ClusterOrder
  /// The ranks of the annotations that are never clustered, ascending.
  let loners: [UInt32]
  /// All other ranks; nil if there are no loners.
  let joined: RankSet?

  init(_ order: ClusterOrder, rule: ClusterRule, isLoner: ((UInt32) -> Bool)?) {
    self.rule = rule
    self.order = order
    var loners: [UInt32] = []
    if let isLoner {
      for (rank, place) in order.places.enumerated() where isLoner(place) {
        loners.append(UInt32(rank))
      }
    }
    self.loners = loners
    guard !loners.isEmpty else {
      joined = nil
      return
    }
    var next = loners[...]
    joined = RankSet(of: order) { rank in
      guard next.first == UInt32(rank) else { return true }
      next.removeFirst()
      return false
    }
  }

  @usableFromInline
  init(
    _ coordinates: [Coordinate], places: [UInt32], rule: ClusterRule,
    isLoner: ((UInt32) -> Bool)?, comesBefore: (UInt32, UInt32) -> Bool
  ) {
    self.init(
      ClusterOrder(coordinates, places: places, grid: rule.grid, comesBefore: comesBefore),
      rule: rule, isLoner: isLoner)
  }

  /// The view of a block of cells.
  ///
  /// - Parameters:
  ///   - withLoners: Whether to include annotations that are never clustered.
  ///   - reaching: The ranks of further single annotations, from outside the cells.
  func view(
    _ cells: CellBlock, zoom: Int, selection: ClusterSelection?, withLoners: Bool = true,
    reaching: [UInt32] = []
  ) -> ClusterView {
    var clusters: [MapCluster] = []
    var ranks: [UInt32] = []
    let drawsAsOne = zoom <= rule.maxZoom
    let joined = selection.map(\.joined) ?? self.joined
    let alone = withLoners ? selection?.included : joined
    if drawsAsOne {
      clusters.reserveCapacity(min(Int(clamping: cells.count), order.count / 2 + 1, 1024))
    }
    ranks.reserveCapacity(64)
    let start = ClusterID(rule, zoom: zoom, cell: 0).rawValue
    order.forEachRun(in: cells) { cell, run, sum in
      let count = joined.map { $0.count(in: run) } ?? run.count
      guard drawsAsOne, count >= rule.minCount else {
        if let alone {
          alone.forEach(in: run) { ranks.append(UInt32($0)) }
        } else {
          for rank in run { ranks.append(UInt32(rank)) }
        }
        return
      }
      let sum = joined.map { $0.sum(in: run, of: order) } ?? sum ?? order.sum(of: run)
      clusters.append(
        MapCluster(
          id: ClusterID(rawValue: start | cell), count: count, sum: sum, grid: rule.grid))
      if withLoners, !loners.isEmpty { appendLoners(in: run, selection, to: &ranks) }
    }
    ranks += reaching
    // Cells round the Earth come in two ranges, whose ranks may be interleaved.
    if !reaching.isEmpty || cells.columnRanges.second != nil { ranks.sort() }
    return ClusterView(
      zoom: zoom, clusters: clusters, annotations: ranks.map { Int(order.places[Int($0)]) },
      ranks: ranks, cells: cells, grid: rule.grid)
  }

  private func appendLoners(
    in run: Range<Int>, _ selection: ClusterSelection?, to ranks: inout [UInt32]
  ) {
    var lower = loners.partitioningCount { Int($0) < run.lowerBound }
    while lower < loners.count, Int(loners[lower]) < run.upperBound {
      if selection?.included.contains(Int(loners[lower])) ?? true { ranks.append(loners[lower]) }
      lower += 1
    }
  }

  /// The run of a cluster's cell, and its members that may be clustered; nil if the rule has no
  /// such cluster, or too few are left.
  func members(
    of id: ClusterID, selection: ClusterSelection?
  ) -> (run: Range<Int>, joined: RankSet?, count: Int)? {
    guard id.belongs(to: rule) else { return nil }
    let run = order.run(ofCell: id.cell, level: rule.level(ofZoom: id.zoom))
    let joined = selection.map(\.joined) ?? self.joined
    let count = joined.map { $0.count(in: run) } ?? run.count
    return count >= rule.minCount ? (run, joined, count) : nil
  }
}

/// The annotations of an index that pass a filter.
///
/// Made by `ClusterIndex.selection(where:)`, and valid only for that index.
public struct ClusterSelection: Sendable {
  let included: RankSet
  /// The annotations among them that may be clustered.
  let joined: RankSet

  init(_ tree: ClusterTree, where isIncluded: (Int) -> Bool) {
    included = RankSet(of: tree.order, where: isIncluded)
    guard let others = tree.joined else {
      joined = included
      return
    }
    let included = included
    joined = RankSet(of: tree.order) { included.contains($0) && others.contains($0) }
  }

  /// The number of annotations that pass.
  public var count: Int { included.count }
}
