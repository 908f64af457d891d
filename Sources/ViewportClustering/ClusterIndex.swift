import Geodesy
import MapAnnotations

/// Annotations as a map draws them: stable clusters and single annotations.
///
///     let index = ClusterIndex(shops)
///     let screen = MapViewport(center: cityHall, zoom: 12, width: 1280, height: 800)
///     let view = index.view(of: screen)
///     print(view.clusters.count, view.annotations.count, view.count)
///
/// It is a value that is built once and shared freely; build it off the main actor and replace it as a whole. The same
/// annotations give the same clusters with the same ids, in whatever order they come.
///
/// Annotations without a coordinate are kept in `annotations` and counted in `unplacedCount`; they are in no cluster.
/// Lines and areas are in a cluster by their coordinate, and in a view by their shape.
///
/// - Complexity: O(*n*) to build, a radix sort, and O(*v*) for the vertices of shapes; about 17 bytes for each
///   annotation, at most 21, and 49 more for one with a shape, which views ask for again.
public struct ClusterIndex<Annotations: RandomAccessCollection & Sendable>: Sendable
where Annotations.Element: Annotation, Annotations.Index == Int {
  /// The annotations of the index; views refer to them by offset.
  public typealias Item = Annotations.Element

  /// The annotations in the order given.
  public let annotations: Annotations
  /// The rule for forming clusters.
  public let rule: ClusterRule
  /// The sums available in `summary(of:)`.
  public let aggregates: ClusterAggregates
  let tree: ClusterTree
  let columns: ClusterColumns?
  let shapes: ClusterShapes

  /// The number of annotations with a coordinate.
  public var placedCount: Int { tree.order.count }
  /// The number of annotations without a coordinate.
  public var unplacedCount: Int { annotations.count - placedCount }
  /// The size of the index without the annotations, in bytes; filters and aggregates take more.
  public var byteCount: Int { tree.order.byteCount + shapes.byteCount }

  /// Builds an index over annotations.
  ///
  /// - Parameters:
  ///   - annotations: In any order.
  ///   - rule: The rule for forming clusters.
  ///   - aggregates: The sums to prepare for `summary(of:)`.
  ///   - optsOut: Whether an annotation is never clustered, such as the shop that was searched for.
  ///     Called once for each placed annotation.
  /// - Precondition: Fewer than 2³² annotations.
  @inlinable
  public init(
    _ annotations: Annotations, rule: ClusterRule = ClusterRule(),
    aggregates: ClusterAggregates = ClusterAggregates(), optsOut: ((Item) -> Bool)? = nil
  ) {
    precondition(annotations.count < 1 << 32, "\(annotations.count) annotations; divide them")
    var coordinates: [Coordinate] = []
    var places: [UInt32] = []
    coordinates.reserveCapacity(annotations.count)
    places.reserveCapacity(annotations.count)
    var shapes = ClusterShapes()
    for (place, annotation) in annotations.enumerated() {
      guard let coordinate = annotation.coordinate else { continue }
      coordinates.append(coordinate)
      places.append(UInt32(place))
      if let shape = annotation.searchedShape { shapes.append(shape, offset: UInt32(place)) }
    }
    let start = annotations.startIndex
    let tree = withoutActuallyEscaping(optsOut ?? { _ in false }) { optsOut in
      ClusterTree(
        coordinates, places: places, rule: rule,
        isLoner: { optsOut(annotations[start + Int($0)]) },
        comesBefore: { left, right in
          ClusterIndex.precedes(annotations[start + Int(left)], annotations[start + Int(right)])
        })
    }
    self.init(annotations, tree: tree, shapes: shapes, aggregates: aggregates)
  }

  @usableFromInline
  init(
    _ annotations: Annotations, tree: ClusterTree, shapes: ClusterShapes,
    aggregates: ClusterAggregates
  ) {
    self.annotations = annotations
    self.tree = tree
    self.shapes = shapes.ranked(in: tree.order)
    self.aggregates = aggregates
    rule = tree.rule
    let start = annotations.startIndex
    columns =
      aggregates.isEmpty
      ? nil
      : ClusterColumns(
        aggregates, count: tree.order.count,
        kind: { annotations[start + Int(tree.order.places[$0])].kind },
        number: { annotations[start + Int(tree.order.places[$0])].property($1)?.number })
  }

  /// Orders annotations at the same position by id, then by source and record.
  @usableFromInline
  static func precedes(_ left: Item, _ right: Item) -> Bool {
    left.id != right.id ? left.id < right.id : RecordOrigin.order(left.origin, right.origin) < 0
  }

  /// The annotation at a view's offset.
  public func annotation(at offset: Int) -> Item { annotations[annotations.startIndex + offset] }

  // MARK: Views

  /// The view of a screen.
  ///
  /// A line or area counts where its coordinate is, in a cluster or alone. If its coordinate is outside the cells and
  /// its shape reaches into them, it is a single annotation: a cluster outside would count what is not there.
  ///
  /// - Parameters:
  ///   - viewport: The screen; it is widened to whole cells.
  ///   - selection: Only these annotations; nil for all. Clusters keep their ids; their counts and positions are those
  ///     of the selection.
  /// - Complexity: O(*c*) for *c* nonempty cells, O(*c* log *m*) at zooms where a cell holds few, and the single
  ///   annotations; with a selection up to 64 steps more for each cluster. With *s* lines and areas O(*s* / 64), and
  ///   O(*v*) for the vertices of those that come near from outside.
  public func view(of viewport: MapViewport, selection: ClusterSelection? = nil) -> ClusterView {
    let cells = rule.cells(of: viewport)
    return tree.view(
      cells, zoom: viewport.zoom, selection: selection,
      reaching: ranksReaching(into: cells, selection))
  }

  /// The view of the whole world at a zoom: the contents of all tiles of that zoom.
  ///
  /// - Parameters:
  ///   - zoom: 0…24; beyond the rule's last zoom with clusters all annotations are single.
  ///   - selection: Only these annotations; nil for all.
  /// - Complexity: O(nonempty cells), and the single annotations.
  public func view(ofZoom zoom: Int, selection: ClusterSelection? = nil) -> ClusterView {
    view(of: MapViewport(.world, zoom: zoom), selection: selection)
  }

  /// The lines and areas that reach into cells from outside.
  private func ranksReaching(into cells: CellBlock, _ selection: ClusterSelection?) -> [UInt32] {
    guard !shapes.isEmpty else { return [] }
    let box = cells.box(in: rule.grid)
    return shapes.ranksReaching(
      into: cells, box, of: tree.order, isIncluded: { selection?.included.contains($0) ?? true },
      meets: { annotation(at: $0).shape?.meets(box) ?? false })
  }

  /// Makes a filter by any predicate: a kind, opening hours, a day.
  ///
  /// - Parameter isIncluded: Called once for each placed annotation.
  /// - Complexity: O(*n*) calls of the predicate; a bit and 5 more bits for each annotation.
  public func selection(where isIncluded: (Item) -> Bool) -> ClusterSelection {
    // First in the order of the annotations, which are adjacent in memory, and then by rank.
    var bits = [UInt64](repeating: 0, count: (annotations.count + 63) / 64)
    for (place, annotation) in annotations.enumerated()
    where annotation.coordinate != nil && isIncluded(annotation) {
      bits[place / 64] |= 1 << UInt64(place % 64)
    }
    return ClusterSelection(tree) { rank in
      let place = Int(tree.order.places[rank])
      return bits[place / 64] >> UInt64(place % 64) & 1 == 1
    }
  }

  // MARK: One cluster

  /// The cluster with an id; nil if this rule has no such cluster, or too few annotations are left
  /// in its cell.
  public func cluster(_ id: ClusterID, selection: ClusterSelection? = nil) -> MapCluster? {
    tree.members(of: id, selection: selection).map { members in
      let sum =
        members.joined.map { $0.sum(in: members.run, of: tree.order) }
        ?? tree.order.sum(of: members.run)
      return MapCluster(id: id, count: members.count, sum: sum, grid: rule.grid)
    }
  }

  /// The parts of a cluster one zoom deeper; their counts add up to its own.
  ///
  /// - Returns: nil if there is no such cluster.
  public func children(of id: ClusterID, selection: ClusterSelection? = nil) -> ClusterView? {
    guard tree.members(of: id, selection: selection) != nil else { return nil }
    return tree.view(
      CellBlock(quartersOf: id.cell, level: rule.level(ofZoom: id.zoom)), zoom: id.zoom + 1,
      selection: selection, withLoners: false)
  }

  /// The offsets of a page of a cluster's annotations, in a fixed order.
  ///
  /// - Parameters:
  ///   - id: The cluster.
  ///   - offset: The number of annotations to skip, at least 0.
  ///   - limit: The maximum number of annotations, at least 0.
  ///   - selection: Only these annotations; nil for all.
  /// - Returns: Empty past the end; nil if there is no such cluster.
  /// - Complexity: O(log *n* + `limit`), wherever the page is.
  public func leaves(
    of id: ClusterID, offset: Int = 0, limit: Int = 10, selection: ClusterSelection? = nil
  ) -> [Int]? {
    precondition(offset >= 0 && limit >= 0, "a page of \(limit) from \(offset)")
    guard let (run, joined, count) = tree.members(of: id, selection: selection) else { return nil }
    guard offset < count else { return [] }
    let places = tree.order.places
    let end = offset + min(limit, count - offset)
    guard let joined else {
      return places[run.lowerBound + offset..<run.lowerBound + end].map { Int($0) }
    }
    guard offset < end else { return [] }
    let before = joined.count(in: 0..<run.lowerBound)
    var leaves: [Int] = []
    joined.forEach(
      in: joined.rank(of: before + offset)..<joined.rank(of: before + end - 1) + 1
    ) { leaves.append(Int(places[$0])) }
    return leaves
  }

  /// The first zoom at which a cluster splits: the zoom for a tap on it.
  ///
  /// - Returns: At most `rule.maxZoom + 1`, at which all are single, possibly at one position; nil
  ///   if there is no such cluster.
  /// - Complexity: O(log *n*).
  public func expansionZoom(of id: ClusterID, selection: ClusterSelection? = nil) -> Int? {
    guard let (run, joined, _) = tree.members(of: id, selection: selection),
      let (first, last) = joined.map({ $0.ends(in: run) })
        ?? (run.lowerBound, run.upperBound - 1)
    else { return nil }
    let codes = tree.order.codes
    let together = (codes[first] ^ codes[last]).leadingZeroBitCount / 2
    return min(together + 1 - rule.subdivision, rule.maxZoom + 1)
  }

  /// A summary of a cluster's annotations: counts by kind, and the minimum, maximum and sum of
  /// properties, if the index was built with them.
  ///
  /// - Returns: nil if there is no such cluster.
  /// - Complexity: O(*m* / 256) for *m* annotations, O(*m*) with a selection or if some opt out.
  public func summary(
    of id: ClusterID, selection: ClusterSelection? = nil
  ) -> ClusterSummary? {
    tree.members(of: id, selection: selection).map { members in
      columns?.summary(of: members.run, members.joined, count: members.count)
        ?? ClusterSummary(count: members.count, kinds: [:], unnamedCount: 0, properties: [:])
    }
  }

  /// The single annotations of a view that share their position with others, to be fanned out.
  public func stacks(in view: ClusterView) -> [ClusterView.Stack] {
    var stacks: [ClusterView.Stack] = []
    var next = 0
    while next < view.ranks.count {
      let rank = Int(view.ranks[next]), code = tree.order.codes[rank]
      var first = rank, end = rank + 1
      while first > 0, tree.order.codes[first - 1] == code { first -= 1 }
      while end < tree.order.count, tree.order.codes[end] == code { end += 1 }
      var shown: [Int] = []
      while next < view.ranks.count, Int(view.ranks[next]) < end {
        shown.append(Int(view.ranks[next]))
        next += 1
      }
      guard end - first > 1 else { continue }
      stacks.append(
        ClusterView.Stack(
          annotations: shown.map { Int(tree.order.places[$0]) }, slots: shown.map { $0 - first },
          size: end - first))
    }
    return stacks
  }
}
