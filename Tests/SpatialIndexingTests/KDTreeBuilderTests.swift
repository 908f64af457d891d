import CNearbyKernels
import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// The bytes of a packed tree, and what must hold of them.
@Suite struct KDTreeBuilderTests {
  private static let counts = [0, 1, 2, 15, 16, 17, 31, 33, 255, 256, 257, 272, 4_096, 4_111]
  /// Larger than what is split by ranks at once.
  private static let largeCount = 2 * RankSplitting.mostSites + 77

  // MARK: Positions

  @Test(arguments: PointSet.allCases, KDTreeBuilderTests.counts)
  func `every position stands in one slot, bit for bit`(pointSet: PointSet, count: Int) {
    let (points, _) = pointSet.sample(count, seed: 1)
    for points in [points, points.map(\.onGrid)] {
      for order in [KDTreeIndex.LeafOrder.spatial, .asGiven] {
        expectEveryPosition(of: points, in: build(points, order: order))
      }
    }
  }

  @Test(arguments: PointSet.allCases)
  func `a tree of several blocks holds every position in boxes that hold it`(pointSet: PointSet) {
    let (points, _) = pointSet.sample(KDTreeBuilderTests.largeCount, seed: 2)
    for points in [points, points.map(\.onGrid)] {
      let tree = build(points)
      expectEveryPosition(of: points, in: tree)
      expectBoxes(of: tree)
    }
  }

  @Test func `positions as given keep their order`() {
    let (points, _) = PointSet.uniform.sample(500, seed: 3)
    let tree = build(points, order: .asGiven)
    tree.withView { view in
      #expect(points.indices.allSatisfy { view.position($0) == UInt32($0) })
    }
  }

  // MARK: Encodings

  @Test func `multiples of 1e-7 degrees are written as integers, anything else as doubles`() {
    let (points, _) = PointSet.uniform.sample(1_000, seed: 4)
    let onGrid = points.map(\.onGrid)
    #expect(build(onGrid).encoding == .decimal)
    for place in [0, 500, 999] {
      var points = onGrid
      let nearby = points[place]
      points[place] = PointSet.legal(nearby.latitude.nextUp, nearby.longitude)
      #expect(build(points).encoding == .degrees)
      points[place] = PointSet.legal(nearby.latitude, nearby.longitude.nextDown)
      #expect(build(points).encoding == .degrees)
    }
    #expect(build([PointSet.legal(90, -180), PointSet.legal(-90, 180)]).encoding == .decimal)
    #expect(build([]).encoding == .decimal)
  }

  @Test(arguments: [1, 2, 255, 256, 257, 400])
  func `up to 256 sets of categories are coded, more are not, and all come back`(sets: Int) {
    let (points, _) = PointSet.clustered.sample(3_000, seed: 5)
    // The empty set is among them.
    let categories = points.indices.map {
      CategorySet(rawValue: UInt64($0 % sets) &* 0x9E37_79B9_7F4A_7C15)
    }
    let tree = build(points, categories)
    #expect(tree.categoryEncoding == (sets <= 256 ? .coded : .plain))
    tree.withView { view in
      let isRight = points.indices.allSatisfy {
        view.categories($0) == categories[Int(view.position($0))]
      }
      #expect(isRight)
    }
    expectUnions(of: tree)
  }

  @Test(arguments: [KDTreeIndex.LeafOrder.spatial, .asGiven])
  func `a node has the categories below it and no others`(order: KDTreeIndex.LeafOrder) {
    let (points, _) = PointSet.clustered.sample(4_500, seed: 5)
    // As given, neighboring leaves have different categories.
    let categories = points.indices.map { CategorySet(category: $0 / 16 % 64) }
    expectUnions(of: build(points, categories, order: order))
    // One of a kind, so that the sets are kept as they are.
    let rare = points.indices.map { CategorySet(rawValue: UInt64($0) << 13 | 1 << 50) }
    expectUnions(of: build(points, rare, order: order))
  }

  @Test func `without categories nothing is kept of them`() {
    let tree = build(PointSet.uniform.sample(300, seed: 6).points)
    #expect(tree.categoryEncoding == .none)
    #expect(tree.byteCount == tree.shape.groupCount * 256 + tree.shape.leafCount * 320)
  }

  // MARK: Boxes

  @Test(arguments: PointSet.allCases, KDTreeBuilderTests.counts)
  func `every box holds what is below it`(pointSet: PointSet, count: Int) {
    let (points, _) = pointSet.sample(count, seed: 7)
    for points in [points, points.map(\.onGrid)] {
      expectBoxes(of: build(points))
      expectBoxes(of: build(points, order: .asGiven))
    }
  }

  @Test func `edges of a leaf of doubles are rounded outward, and empty lanes have none`() {
    var generator = SeededGenerator(seed: 8)
    var values = [
      0.0, -0.0, 1e-300, -1e-300, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 0.1, -0.1, 180,
      -180, 90.00000001, -90.00000001,
      1e-45, -1e-45, 1e-40, -1e-40,
    ]
    values += (0..<1_000).map { _ in Double.random(in: -180...180, using: &generator) }
    for value in values {
      var edges = [Float](repeating: 0, count: 64)
      var leaf = [Double](repeating: .infinity, count: 32)
      (leaf[0], leaf[16], leaf[1], leaf[17]) = (value, -value, value, -value)
      nearby_leaf_edges(leaf, 2, &edges)
      #expect(edges[0] == KDTreeBuilderTests.roundedDown(value))
      #expect(edges[16] == KDTreeBuilderTests.roundedDown(-value))
      #expect(edges[32] == KDTreeBuilderTests.roundedUp(value))
      #expect(edges[48] == KDTreeBuilderTests.roundedUp(-value))
    }
  }

  @Test func `leaves of evenly strewn positions are about as wide as they are high`() {
    var generator = SeededGenerator(seed: 13)
    let points = (0..<4_096).map { _ in
      PointSet.legal(
        Double.random(in: 59.5...60.5, using: &generator),
        Double.random(in: 9...11, using: &generator))
    }
    // At 60° a degree of longitude is half as long.
    build(points).withView { view in
      var sides = 0.0, longer = 0.0
      for leaf in 0..<256 {
        let group = view.group(level: 0, leaf / 16), lane = leaf % 16
        let height = Double(group.north[lane] - group.south[lane])
        let width = Double(group.east[lane] - group.west[lane]) / 2
        sides += width + height
        longer += max(width, height)
      }
      // Squares would give one half; splitting the wrong axis gives over 0.8.
      #expect(longer / sides < 0.65)
    }
  }

  // MARK: Tasks

  @Test(arguments: [PointSet.clustered, .lattice, .allEqual])
  func `the bytes do not depend on how many tasks made them`(pointSet: PointSet) async throws {
    let (points, _) = pointSet.sample(KDTreeBuilderTests.largeCount, seed: 9)
    let categories = points.indices.map { CategorySet(category: $0 % 7) }
    for points in [points, points.map(\.onGrid)] {
      for order in [KDTreeIndex.LeafOrder.spatial, .asGiven] {
        let expected = build(points, categories, order: order).bytes
        for tasks in [1, 2, 7, nil] {
          let tree = try await KDTreeBuilder.build(
            points, categories: categories, leafOrder: order, maximumTasks: tasks)
          #expect(tree.bytes == expected, "\(String(describing: tasks)) tasks")
        }
      }
    }
  }

  @Test func `progress goes from 0 to 1 and never back`() async throws {
    let (points, _) = PointSet.clustered.sample(KDTreeBuilderTests.largeCount, seed: 10)
    let (shares, continuation) = AsyncStream.makeStream(of: Double.self)
    _ = try await KDTreeBuilder.build(points, categories: [], leafOrder: .spatial) {
      continuation.yield($0)
    }
    continuation.finish()
    var told: [Double] = []
    for await share in shares { told.append(share) }
    #expect(told.first == 0 && told.last == 1)
    #expect(told == told.sorted())
    #expect(told.count > 5)
    // The estimate adds up: what was told before the last word is all the work.
    #expect(told.dropLast().last == 1)
  }

  @Test func `a build on the caller's thread is done even in a canceled task`() async {
    let (points, _) = PointSet.uniform.sample(1_000, seed: 12)
    let isSame =
      await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return build(points).bytes
      }.value == build(points).bytes
    #expect(isSame)
  }

  // MARK: Judging

  private func build(
    _ points: [Coordinate], _ categories: [CategorySet] = [],
    order: KDTreeIndex.LeafOrder = .spatial
  ) -> BuiltTree {
    points.withUnsafeBufferPointer { points in
      categories.withUnsafeBufferPointer { categories in
        KDTreeBuilder.build(points, categories: categories, leafOrder: order)
      }
    }
  }

  /// The greatest float no greater than a value.
  private static func roundedDown(_ value: Double) -> Float {
    let float = Float(value)
    return Double(float) > value ? float.nextDown : float
  }

  /// The least float no less than a value.
  private static func roundedUp(_ value: Double) -> Float { -roundedDown(-value) }

  private func expectEveryPosition(of points: [Coordinate], in tree: BuiltTree) {
    #expect(tree.shape.count == points.count)
    tree.withView { view in
      var seen = [Bool](repeating: false, count: points.count)
      var wrong = 0
      for slot in points.indices {
        let position = Int(view.position(slot))
        guard points.indices.contains(position), !seen[position] else {
          wrong += 1
          continue
        }
        seen[position] = true
        let point = points[position]
        if view.latitude(slot).bitPattern != point.latitude.bitPattern
          || view.longitude(slot).bitPattern != point.longitude.bitPattern
        {
          wrong += 1
        }
      }
      #expect(wrong == 0)
    }
  }

  /// Leaves hold their positions, nodes their children, as tightly as floats allow; lanes without a
  /// node are empty.
  private func expectBoxes(of tree: BuiltTree) {
    tree.withView { view in
      var wrong = 0
      for level in 0..<tree.shape.levelCount {
        let nodes = tree.shape.nodeCount(level: level)
        for node in 0..<(nodes + 15) / 16 * 16 {
          let group = view.group(level: level, node / 16), lane = node % 16
          let edges = [group.south[lane], group.west[lane], -group.north[lane], -group.east[lane]]
          guard node < nodes else {
            wrong += edges == [.infinity, .infinity, .infinity, .infinity] ? 0 : 1
            continue
          }
          var low = [Double](repeating: .infinity, count: 4)
          for slot in tree.shape.slots(below: node, level: level) {
            let latitude = view.latitude(slot), longitude = view.longitude(slot)
            low[0] = min(low[0], latitude)
            low[1] = min(low[1], longitude)
            low[2] = min(low[2], -latitude)
            low[3] = min(low[3], -longitude)
          }
          wrong += edges == low.map(KDTreeBuilderTests.roundedDown) ? 0 : 1
        }
      }
      #expect(wrong == 0)
    }
  }

  private func expectUnions(of tree: BuiltTree) {
    tree.withView { view in
      var wrong = 0
      for level in 0..<tree.shape.levelCount {
        for node in 0..<tree.shape.nodeCount(level: level) {
          let union = tree.shape.slots(below: node, level: level).reduce(into: CategorySet()) {
            $0.formUnion(view.categories($1))
          }
          for category in 0..<64 {
            let one = CategorySet(category: category)
            wrong += view.node(node, level: level, holds: one) == union.contains(one) ? 0 : 1
          }
        }
      }
      #expect(wrong == 0)
    }
  }
}

extension BuiltTree {
  fileprivate func withView<Result>(_ body: (TreeView) -> Result) -> Result {
    withExtendedLifetime(memory) { body(TreeView(self)) }
  }

  fileprivate var bytes: [UInt8] { Array(memory.bytes.prefix(byteCount)) }
}
