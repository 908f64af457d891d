import Geodesy
import MapProjections

/// The items of every zoom, each level made from the next deeper one.
struct GreedyHierarchy: Sendable {
  let rule: GreedyRule
  /// From the first zoom to one past the last, where every point is single.
  private let levels: [GreedyLevel]

  init(_ coordinates: [Coordinate], places: [UInt32], rule: GreedyRule) {
    self.rule = rule
    var points = GreedyLevel(
      zip(coordinates, places).map { coordinate, place in
        GreedyLevel.Item(
          x: Double(Float(coordinate.longitude / 360 + 0.5)),
          y: Double(Float(MercatorGrid.heightInSquare(coordinate.latitude))), count: 1,
          source: place)
      })
    points.index(cellSize: rule.reach(atZoom: rule.zooms.upperBound))
    var levels = [points]
    for zoom in rule.zooms.reversed() {
      var next = levels[levels.count - 1].clustered(
        zoom: zoom, radius: rule.reach(atZoom: zoom), minCount: rule.minCount)
      next.index(cellSize: rule.reach(atZoom: max(zoom - 1, rule.zooms.lowerBound)))
      levels.append(next)
    }
    self.levels = levels.reversed()
  }

  func level(atZoom zoom: Int) -> GreedyLevel {
    levels[min(max(zoom, rule.zooms.lowerBound), rule.zooms.upperBound + 1) - rule.zooms.lowerBound]
  }

  /// The items of a zoom whose own position is in a box.
  func items(in viewport: MapViewport) -> [Int] {
    let level = level(atZoom: viewport.zoom)
    let spans = viewport.box.longitudeSpans
    let north = MercatorGrid.heightInSquare(viewport.box.north)
    let south = MercatorGrid.heightInSquare(viewport.box.south)
    var items: [Int] = []
    for span in [spans.first, spans.second].compactMap(\.self) {
      level.appendItems(
        x: (span.lowerBound / 360 + 0.5)...(span.upperBound / 360 + 0.5), y: north...south,
        to: &items)
    }
    return items
  }

  /// The items of the next zoom in a cluster.
  func children(of id: ClusterID) -> [Int]? {
    guard id.isGreedy, rule.zooms.contains(id.zoom) else { return nil }
    let level = level(atZoom: id.zoom + 1)
    guard id.cell < UInt64(level.items.count) else { return nil }
    let origin = Int(id.cell)
    // A cluster has the number of the item that took the others; an item may have taken none.
    guard level.items[origin].parent == UInt32(origin) else { return nil }
    var near: [Int] = []
    level.forEachNear(origin, radius: rule.reach(atZoom: id.zoom)) { near.append($0) }
    return near.filter { level.items[$0].parent == UInt32(origin) }
  }

  func leaves(of id: ClusterID, offset: Int, limit: Int) -> [Int]? {
    guard let first = children(of: id) else { return nil }
    var leaves: [Int] = []
    var passed = 0
    var open = [(zoom: id.zoom + 1, items: first[...])]
    while leaves.count < limit, let part = open.popLast() {
      guard let item = part.items.first else { continue }
      open.append((part.zoom, part.items.dropFirst()))
      let level = level(atZoom: part.zoom)
      if let cluster = level.cluster(item) {
        if passed + cluster.count <= offset {
          passed += cluster.count
        } else if let children = children(of: cluster.id) {
          open.append((cluster.id.zoom + 1, children[...]))
        }
      } else {
        if passed >= offset { leaves.append(Int(level.items[item].source)) }
        passed += 1
      }
    }
    return leaves
  }
}

/// The points and clusters of one zoom, and a hash table of the squares that contain them.
struct GreedyLevel: Sendable {
  /// A point or a cluster.
  struct Item: Sendable {
    /// The position, in a world of width 1.
    let x, y: Double
    let count: UInt32
    /// For a point its offset in the input; for a cluster the item of the deeper level that took the others.
    let source: UInt32
    /// The zoom at which a cluster was made; 255 for a point.
    var zoom = GreedyLevel.ofPoint
    /// The item of this level that took it into a cluster of a lower zoom; none for a single one.
    var parent = GreedyLevel.none
  }

  private(set) var items: [Item]

  private var cellSize = 1.0
  private var heads: [UInt32] = []
  private var followers: [UInt32] = []

  private static var none: UInt32 { .max }
  private static var ofPoint: UInt8 { 255 }

  init(_ items: [Item]) { self.items = items }

  func cluster(_ number: Int) -> MapCluster? {
    let item = items[number]
    guard item.zoom != GreedyLevel.ofPoint else { return nil }
    return MapCluster(
      id: ClusterID(greedyZoom: Int(item.zoom), number: Int(item.source)), count: Int(item.count),
      column: item.x * 0x1p32, row: item.y * 0x1p32, grid: .tiles)
  }

  // MARK: The rule

  /// The next level: each item that is not taken yet takes those within the radius that are not.
  mutating func clustered(zoom: Int, radius: Double, minCount: Int) -> GreedyLevel {
    var next: [Item] = []
    next.reserveCapacity(items.count / 2)
    var isTaken = [Bool](repeating: false, count: items.count)
    var near: [Int] = []
    for number in items.indices where !isTaken[number] {
      isTaken[number] = true
      near.removeAll(keepingCapacity: true)
      forEachNear(number, radius: radius) { if !isTaken[$0] { near.append($0) } }
      // In the order of the items, because sums are rounded and the next level goes by it.
      near.sort()
      for other in near { isTaken[other] = true }
      let item = items[number]
      let count = near.reduce(item.count) { $0 + items[$1].count }
      if !near.isEmpty, Int(count) >= minCount {
        var x = item.x * Double(item.count), y = item.y * Double(item.count)
        for other in near {
          x += items[other].x * Double(items[other].count)
          y += items[other].y * Double(items[other].count)
          items[other].parent = UInt32(number)
        }
        items[number].parent = UInt32(number)
        next.append(
          Item(
            x: x / Double(count), y: y / Double(count), count: count, source: UInt32(number),
            zoom: UInt8(zoom)))
      } else {
        // Too few stay apart on this level: none of them may join others, as in supercluster.
        next.append(item)
        for other in near { next.append(items[other]) }
      }
    }
    return GreedyLevel(next)
  }

  // MARK: Squares

  /// Adds all items to a hash table of squares.
  mutating func index(cellSize: Double) {
    // Of squares smaller than the rounding of positions, a search would visit too many.
    self.cellSize = max(cellSize, 0x1p-24)
    var size = 16
    while size < 2 * items.count { size *= 2 }
    heads = [UInt32](repeating: GreedyLevel.none, count: size)
    followers = [UInt32](repeating: GreedyLevel.none, count: items.count)
    // In reverse order, so that chains run from the first to the last.
    for item in items.indices.reversed() {
      let slot = slot(square(items[item].x), square(items[item].y))
      followers[item] = heads[slot]
      heads[slot] = UInt32(item)
    }
  }

  @inline(__always)
  private func square(_ value: Double) -> Int { Int((value / cellSize).rounded(.down)) }

  @inline(__always)
  private func slot(_ column: Int, _ row: Int) -> Int {
    let mixed =
      UInt64(truncatingIfNeeded: column) &* 0x9E37_79B9_7F4A_7C15
      ^ UInt64(truncatingIfNeeded: row) &* 0xC2B2_AE3D_27D4_EB4F
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9 >> 32)
      & (heads.count - 1)
  }

  /// Calls `body` once for each item in some squares.
  @inline(__always)
  private func forEachInSquares(
    _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, _ body: (Int) -> Void
  ) {
    for row in rows {
      for column in columns {
        var item = heads[slot(column, row)]
        while item != GreedyLevel.none {
          // Other squares may share the slot.
          if square(items[Int(item)].x) == column, square(items[Int(item)].y) == row {
            body(Int(item))
          }
          item = followers[Int(item)]
        }
      }
    }
  }

  /// Calls `body` for each item within a radius, border and itself included, unordered; positions
  /// other than the item's own are in single precision, as in supercluster's tree.
  @inline(__always)
  func forEachNear(_ item: Int, radius: Double, _ body: (Int) -> Void) {
    let x = items[item].x, y = items[item].y
    // Single precision may round a position into the next square.
    let reach = radius + 0x1p-24
    forEachInSquares(
      square(x - reach)...square(x + reach), square(y - reach)...square(y + reach)
    ) { other in
      let dx = Double(Float(items[other].x)) - x, dy = Double(Float(items[other].y)) - y
      if other == item || dx * dx + dy * dy <= radius * radius { body(other) }
    }
  }

  /// Appends each item in a box of the unit square, the border included, in ascending order.
  func appendItems(
    x: ClosedRange<Double>, y: ClosedRange<Double>, to found: inout [Int]
  ) {
    let first = found.count
    func take(_ item: Int) {
      if x.contains(Double(Float(items[item].x))), y.contains(Double(Float(items[item].y))) {
        found.append(item)
      }
    }
    let columns = square(max(x.lowerBound, 0) - 0x1p-24)...square(min(x.upperBound, 1) + 0x1p-24)
    let rows = square(y.lowerBound - 0x1p-24)...square(y.upperBound + 0x1p-24)
    if columns.count.multipliedReportingOverflow(by: rows.count).overflow
      || columns.count * rows.count > items.count
    {
      for item in items.indices { take(item) }
    } else {
      forEachInSquares(columns, rows, take)
      found[first...].sort()
    }
  }
}
