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

  // MARK: Views

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

  // MARK: One cluster

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

  func cluster(_ id: ClusterID, selection: ClusterSelection?) -> MapCluster? {
    members(of: id, selection: selection).map { members in
      let sum =
        members.joined.map { $0.sum(in: members.run, of: order) } ?? order.sum(of: members.run)
      return MapCluster(id: id, count: members.count, sum: sum, grid: rule.grid)
    }
  }

  /// The parts of a cluster one zoom deeper.
  func children(of id: ClusterID, selection: ClusterSelection?) -> ClusterView? {
    guard members(of: id, selection: selection) != nil else { return nil }
    return view(
      CellBlock(quartersOf: id.cell, level: rule.level(ofZoom: id.zoom)), zoom: id.zoom + 1,
      selection: selection, withLoners: false)
  }

  /// The offsets of a part of a cluster's annotations, in the order of their positions.
  func leaves(
    of id: ClusterID, offset: Int, limit: Int, selection: ClusterSelection?
  ) -> [Int]? {
    guard let (run, joined, count) = members(of: id, selection: selection) else { return nil }
    guard offset < count else { return [] }
    let end = offset + min(limit, count - offset)
    guard let joined else {
      return order.places[run.lowerBound + offset..<run.lowerBound + end].map { Int($0) }
    }
    guard offset < end else { return [] }
    let before = joined.count(in: 0..<run.lowerBound)
    var leaves: [Int] = []
    joined.forEach(
      in: joined.rank(of: before + offset)..<joined.rank(of: before + end - 1) + 1
    ) { leaves.append(Int(order.places[$0])) }
    return leaves
  }

  /// The first zoom at which a cluster splits.
  func expansionZoom(of id: ClusterID, selection: ClusterSelection?) -> Int? {
    guard let (run, joined, _) = members(of: id, selection: selection),
      let (first, last) = joined.map({ $0.ends(in: run) })
        ?? (run.lowerBound, run.upperBound - 1)
    else { return nil }
    let together = (order.codes[first] ^ order.codes[last]).leadingZeroBitCount / 2
    return min(together + 1 - rule.subdivision, rule.maxZoom + 1)
  }

  /// The single annotations of a view that share their position with others.
  func stacks(in view: ClusterView) -> [ClusterView.Stack] {
    var stacks: [ClusterView.Stack] = []
    var next = 0
    while next < view.ranks.count {
      let rank = Int(view.ranks[next]), code = order.codes[rank]
      var first = rank, end = rank + 1
      while first > 0, order.codes[first - 1] == code { first -= 1 }
      while end < order.count, order.codes[end] == code { end += 1 }
      var shown: [Int] = []
      while next < view.ranks.count, Int(view.ranks[next]) < end {
        shown.append(Int(view.ranks[next]))
        next += 1
      }
      guard end - first > 1 else { continue }
      stacks.append(
        ClusterView.Stack(
          annotations: shown.map { Int(order.places[$0]) }, slots: shown.map { $0 - first },
          size: end - first))
    }
    return stacks
  }
}

extension CellBlock {
  /// The four cells of the next level inside one cell.
  fileprivate init(quartersOf cell: UInt64, level: Int) {
    self.level = level + 1
    let place = 2 &* gridPlace(cell)
    west = place.x
    width = 2
    rows = place.y...place.y + 1
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
