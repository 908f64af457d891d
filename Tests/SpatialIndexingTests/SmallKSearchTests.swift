import CNearbyKernels
import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// The search for up to sixteen, in every set of instructions that this processor has.
@Suite(.inBothOrders) struct SmallKSearchTests {
  /// Limits on either side of where the number of lanes changes, and the last.
  private static let limits = [1, 2, 4, 5, 10, 12, 13, 16]

  /// A sample, and the same with seven decimals, which leaves hold as integers.
  static func samples(_ pointSet: PointSet, _ count: Int, seed: UInt64) -> [(
    points: [Coordinate], origin: Coordinate
  )] {
    let (points, origin) = pointSet.sample(count, seed: seed)
    return [(points, origin), (points.map(\.onGrid), origin)]
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<3)
  func `what is found is what brute force ranks first`(pointSet: PointSet, seed: UInt64) {
    for (points, origin) in SmallKSearchTests.samples(pointSet, 700, seed: seed) {
      let index = judgedIndex(points)
      let expected = BruteForce(points).ranked(from: origin)
      var buffer = QueryBuffer()
      for level in VectorLevel.available {
        let index = index.searched(with: level)
        for limit in SmallKSearchTests.limits {
          let first = expected.prefix(limit)
          index.findNearest(limit, to: origin, into: &buffer)
          #expect(Array(buffer.positions) == first.map(\.position), "k \(limit) by \(level)")
          index.find(limit, origin, .any, isMeasured: true, &buffer)
          #expect(agree(buffer.neighbors, first), "k \(limit) by \(level)")
        }
      }
    }
  }

  @Test(arguments: PointSet.allCases)
  func `a batch finds what brute force ranks first`(pointSet: PointSet) {
    // Not a multiple of how many are answered at a time.
    let origins = (0..<21).map { pointSet.sample(1, seed: UInt64($0)).1 }
    for (points, _) in SmallKSearchTests.samples(pointSet, 300, seed: 7) {
      let index = judgedIndex(points)
      let judge = BruteForce(points)
      let expected = origins.map { judge.ranked(from: $0).map(\.position) }
      for level in VectorLevel.available {
        let index = index.searched(with: level)
        for limit in [1, 5, 10, 16] {
          let batch = index.findNearest(limit, toEach: origins)
          #expect(batch.count == origins.count)
          for (question, found) in batch.enumerated() {
            #expect(
              Array(found) == Array(expected[question].prefix(limit)),
              "question \(question), k \(limit) by \(level)")
          }
        }
      }
    }
    for level in VectorLevel.available {
      let none = KDTreeIndex([]).searched(with: level).findNearest(3, toEach: origins)
      #expect(none.count == origins.count && none.allSatisfy { $0.isEmpty })
    }
  }

  /// How sets of categories are spread over positions, and so how an index writes them down.
  enum Spread: CaseIterable {
    /// One of three, and one position in forty belongs to none.
    case one
    /// More sets with a category than are compared one by one.
    case several
    /// More different sets than a byte can tell apart.
    case many

    /// One for each, so that they are not asked from one origin alone.
    var seed: UInt64 { UInt64(Spread.allCases.firstIndex(of: self) ?? 0) }

    func categories(_ count: Int, seed: UInt64) -> [CategorySet] {
      var generator = SeededGenerator(seed: seed)
      return (0..<count).map { _ in
        switch self {
        case .one:
          let number = Int.random(in: 0..<40, using: &generator)
          return number == 0 ? [] : CategorySet(category: number % 3)
        case .several:
          return CategorySet(rawValue: .random(in: 0..<64, using: &generator))
        case .many:
          return CategorySet(rawValue: .random(in: 0..<1 << 20, using: &generator))
        }
      }
    }
  }

  /// A common category, two of them, a rare one and none that any position belongs to.
  static let asked: [CategorySet] = [
    CategorySet(category: 1), [CategorySet(category: 0), CategorySet(category: 2)],
    CategorySet(category: 5), CategorySet(category: 40), [],
  ]

  @Test(arguments: PointSet.allCases, Spread.allCases)
  func `what is found of some categories is what brute force ranks first`(
    pointSet: PointSet, spread: Spread
  ) {
    let seed = spread.seed
    for (points, origin) in SmallKSearchTests.samples(pointSet, 700, seed: seed) {
      let sets = spread.categories(points.count, seed: seed)
      let index = judgedIndex(points, categories: sets, ownTrees: .noCategory)
      let ranked = BruteForce(points).ranked(from: origin).map(\.position)
      var buffer = QueryBuffer()
      for categories in SmallKSearchTests.asked {
        let expected = ranked.filter { !sets[$0].isDisjoint(with: categories) }
        for limit in SmallKSearchTests.limits {
          let first = Array(expected.prefix(limit))
          for level in VectorLevel.available {
            let index = index.searched(with: level)
            index.findNearest(limit, to: origin, categories: categories, into: &buffer)
            #expect(Array(buffer.positions) == first, "k \(limit) of \(categories) by \(level)")
            index.find(limit, origin, categories, isMeasured: true, &buffer)
            #expect(Array(buffer.positions) == first, "k \(limit) of \(categories) by \(level)")
          }
        }
      }
    }
  }

  @Test(arguments: Spread.allCases)
  func `a batch finds of some categories what brute force ranks first`(spread: Spread) {
    let origins = (0..<21).map { PointSet.clustered.sample(1, seed: UInt64($0)).1 }
    for (points, _) in SmallKSearchTests.samples(.clustered, 300, seed: 7) {
      let sets = spread.categories(points.count, seed: 3)
      let index = judgedIndex(points, categories: sets, ownTrees: .noCategory)
      let judge = BruteForce(points)
      let ranked = origins.map { judge.ranked(from: $0).map(\.position) }
      for categories in SmallKSearchTests.asked {
        let wanted = ranked.map { $0.filter { !sets[$0].isDisjoint(with: categories) } }
        for limit in [1, 5, 10, 16] {
          for level in VectorLevel.available {
            let batch = index.searched(with: level).findNearest(
              limit, toEach: origins, categories: categories)
            #expect(batch.count == origins.count)
            for (question, found) in batch.enumerated() {
              #expect(
                Array(found) == Array(wanted[question].prefix(limit)),
                "question \(question), k \(limit) by \(level)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: [1, 2, 5, 9, 40, 600], VectorLevel.available)
  func `places with many positions come out by position`(size: Int, level: VectorLevel) {
    var generator = SeededGenerator(seed: UInt64(size))
    let places = (0..<(size < 100 ? 60 : 8)).map { _ in
      PointSet.legal(
        51.5 + .random(in: 0...0.01, using: &generator),
        -0.1 + .random(in: 0...0.01, using: &generator))
    }
    // Every place `size` times, far apart in the order of the input.
    let points = (0..<size).flatMap { _ in places.shuffled(using: &generator) }
    let sets = Spread.one.categories(points.count, seed: 1)
    let index = judgedIndex(points, categories: sets, ownTrees: .noCategory)
      .searched(with: level)
    let origins = [places[0], places[7], PointSet.legal(51.505, -0.095)]
    let ranked = origins.map { BruteForce(points).ranked(from: $0).map(\.position) }
    for categories in [CategorySet.any, CategorySet(category: 1)] {
      for limit in SmallKSearchTests.limits where limit <= points.count {
        let batch = index.findNearest(limit, toEach: origins, categories: categories)
        var buffer = QueryBuffer()
        for (question, origin) in origins.enumerated() {
          let wanted = ranked[question].filter {
            categories == .any || !sets[$0].isDisjoint(with: categories)
          }
          let expected = Array(wanted.prefix(limit))
          index.findNearest(limit, to: origin, categories: categories, into: &buffer)
          #expect(Array(buffer.positions) == expected, "k \(limit)")
          #expect(Array(batch[question]) == expected, "k \(limit)")
          index.find(limit, origin, categories, isMeasured: true, &buffer)
          #expect(Array(buffer.positions) == expected, "k \(limit)")
        }
      }
    }
  }

  @Test(arguments: [0, 40, 3_000], VectorLevel.available)
  func `places with many positions at one distance come out by position`(
    size: Int, level: VectorLevel
  ) {
    // North and south of the equator, and east of the origin no nearer than a millimeter may tell.
    let nearest = Array(repeating: PointSet.legal(0.001, 20), count: 3)
    let north = Array(repeating: PointSet.legal(0.01, 20), count: 9 + size)
    let south = Array(repeating: PointSet.legal(-0.01, 20), count: 9 + size)
    let far = [PointSet.legal(0.02, 20.02), PointSet.legal(-0.010_000_1, 20)]
    let points = zip(north, south).flatMap { [$0, $1] } + far + nearest
    let index = judgedIndex(points).searched(with: level)
    var buffer = QueryBuffer()
    for origin in [PointSet.legal(0, 20), PointSet.legal(0.000_3, 20), PointSet.legal(-0.01, 20)] {
      let expected = BruteForce(points).ranked(from: origin).map(\.position)
      for limit in SmallKSearchTests.limits {
        index.findNearest(limit, to: origin, into: &buffer)
        #expect(Array(buffer.positions) == Array(expected.prefix(limit)), "k \(limit)")
      }
    }
  }

  /// A dense coast, and origins up to some 500 km out at sea in all directions.
  private static func coast(
    _ count: Int, seed: UInt64
  ) -> (points: [Coordinate], origins: [Coordinate]) {
    var generator = SeededGenerator(seed: seed)
    let latitude = [-62.0, 0.5, 55, 71][Int(seed) % 4]
    func rounded(_ degrees: Double) -> Double { (degrees * 1e5).rounded() / 1e5 }
    let points = (0..<count).map { _ in
      PointSet.legal(
        rounded(latitude + .random(in: -1...1, using: &generator)),
        rounded(-3 + .random(in: -0.4...0.4, using: &generator)))
    }
    let directions = [(1.0, 0.0), (0.7, 1.4), (0, 2), (-0.7, 1.4), (-1, 0), (0, -2)]
    let origins = [1.2, 2, 4.5].flatMap { distance in
      directions.map { north, east in
        PointSet.legal(latitude + distance * north, -3 + distance * east)
      }
    }
    return (points, origins)
  }

  @Test(arguments: UInt64(0)..<4)
  func `what lies far away is what brute force ranks first`(seed: UInt64) {
    let (points, origins) = SmallKSearchTests.coast(300, seed: seed)
    let index = judgedIndex(points)
    let judge = BruteForce(points)
    let expected = origins.map { judge.ranked(from: $0).prefix(16).map(\.position) }
    var buffer = QueryBuffer()
    for level in VectorLevel.available {
      let index = index.searched(with: level)
      for limit in SmallKSearchTests.limits {
        let batch = index.findNearest(limit, toEach: origins)
        for (question, origin) in origins.enumerated() {
          let first = Array(expected[question].prefix(limit))
          index.findNearest(limit, to: origin, into: &buffer)
          #expect(Array(buffer.positions) == first, "\(origin), k \(limit) by \(level)")
          #expect(Array(batch[question]) == first, "\(origin), k \(limit) by \(level)")
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<4)
  func `what lies far away is found by reading a few leaves`(seed: UInt64) {
    let (points, origins) = SmallKSearchTests.coast(5_000, seed: seed)
    let index = judgedIndex(points)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: SmallKSearch.byteCount, alignment: 64)
    defer { memory.deallocate() }
    for level in VectorLevel.available {
      index.searched(with: level).withTree { tree in
        var leavesRead = 0
        for origin in origins {
          let search = SmallKSearch(
            tree: tree, origin: origin, limit: 1, categories: .any, memory: memory)
          _ = search.run(into: nil)
          leavesRead += search.statistics.leavesRead
        }
        // Of 313 each; with the gaps of nodes nearby it would be three times as many.
        // A list of geohashes reads some more.
        #expect(leavesRead <= (JudgedOrder.leafOrder == .spatial ? 8 : 10) * origins.count)
        for origin in origins.prefix(6) {
          SmallKSearchTests.compareCandidates(of: tree, .any, origin: origin)
        }
      }
    }
  }

  @Test(arguments: [PointSet.clustered, .city, .uniform, .allEqual], UInt64(0)..<4)
  func `candidates are those of a plain twin, bit for bit`(pointSet: PointSet, seed: UInt64) {
    let spread = Spread.allCases[Int(seed) % Spread.allCases.count]
    for (points, origin) in SmallKSearchTests.samples(pointSet, 900, seed: seed) {
      let sets = spread.categories(points.count, seed: seed)
      let index = judgedIndex(points, categories: sets, ownTrees: .noCategory)
      for level in VectorLevel.available {
        index.searched(with: level).withTree { tree in
          for categories in [CategorySet.any] + SmallKSearchTests.asked {
            SmallKSearchTests.compareCandidates(of: tree, categories, origin: origin)
          }
        }
      }
    }
  }

  private static func compareCandidates(
    of tree: TreeView, _ categories: CategorySet, origin: Coordinate
  ) {
    let metric = LocalMetric(origin)
    let keys = SmallKSearchTests.keys(of: tree, metric.kernel).filter {
      tree.slot(Int(UInt32(truncatingIfNeeded: $0)), isIn: categories)
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: SmallKSearch.byteCount, alignment: 64)
    defer { memory.deallocate() }
    for limit in limits {
      let search = SmallKSearch(
        tree: tree, origin: origin, limit: limit, categories: categories, memory: memory)
      let outcome = search.run(into: nil)
      let farthest =
        limit <= keys.count ? Float(bitPattern: UInt32(keys[limit - 1] >> 32)) : .infinity
      guard farthest <= metric.squaredReach else {
        #expect(outcome == NEARBY_BEYOND)
        continue
      }
      // So far away it may give up.
      if outcome == NEARBY_BEYOND, farthest * 1.01 > metric.nearestReach { continue }
      let reach = metric.positionLimit(upTo: farthest)
      let within = keys.prefix { Float(bitPattern: UInt32($0 >> 32)) <= reach }
      // So many as far as the last one that some are dropped is a case, too.
      let room = limit <= 4 ? 8 : limit <= 12 ? 16 : 24
      guard within.count <= room else {
        #expect(outcome == NEARBY_LOST)
        let overflowed = search.overflowed.map { $0.sorted() }
        #expect(overflowed == (within.count > SmallKSearch.greatestCount ? nil : Array(within)))
        continue
      }
      #expect(outcome == NEARBY_FOUND)
      #expect(Array(search.candidates) == Array(within), "k \(limit) by \(tree.level)")
    }
  }

  /// The keys of all positions, ascending, lane by lane.
  private static func keys(of tree: TreeView, _ m: nearby_metric) -> [UInt64] {
    tree.slots(below: 0, level: tree.shape.topLevel).map { slot in
      let square = square(of: slot, in: tree, m) + 1e-30
      return UInt64(square.bitPattern) << 32 | UInt64(slot)
    }
    .sorted()
  }

  /// The flat square of a slot's position.
  static func square(of slot: Int, in tree: TreeView, _ m: nearby_metric) -> Float {
    var north = Float(tree.latitude(slot) - m.degrees_latitude)
    var east = Float(tree.longitude(slot) - m.degrees_longitude)
    if tree.encoding == .decimal {
      let latitude = Int32((tree.latitude(slot) * 1e7).rounded())
      let longitude = Int32((tree.longitude(slot) * 1e7).rounded())
      north = (Float(latitude &- m.latitude) - m.latitude_rest) * 1e-7
      east = (Float(longitude &- m.longitude) - m.longitude_rest) * 1e-7
    }
    return KernelTests.square(m, north, east)
  }

  @Test func `flat Earths are the same, bit for bit, eight at a time or alone`() {
    var generator = SeededGenerator(seed: 11)
    var origins = [
      (0.0, 0.0), (-0.0, -0.0), (1e-300, -1e-300), (90, 0), (-90, 10), (37.5665, 126.978),
      (-33.5, -179.9999), (0.1, -180),
    ].map { PointSet.legal($0.0, $0.1) }
    origins += (0..<400).map { _ in PointSet.anywhere(using: &generator) }
    for start in stride(from: 0, to: origins.count, by: 8) {
      let eight = origins[start..<start + 8]
      for level in VectorLevel.available {
        var locals = [nearby_local](repeating: nearby_local(), count: 8)
        nearby_locals(level.rawValue, eight.map(\.latitude), eight.map(\.longitude), &locals)
        for (origin, local) in zip(eight, locals) {
          var alone = nearby_local()
          nearby_local_at(origin.latitude, origin.longitude, &alone)
          let bits = SmallKSearchTests.bits(local)
          #expect(bits == SmallKSearchTests.bits(alone), "\(origin) by \(level)")
        }
      }
    }
  }

  private static func bits(_ local: nearby_local) -> [UInt64] {
    bits(local.metric)
      + [local.position_error, local.node_slope, local.node_error, local.squared_reach].map {
        UInt64($0.bitPattern)
      }
  }

  private static func bits(_ m: nearby_metric) -> [UInt64] {
    [m.latitude, m.longitude].map { UInt64(UInt32(bitPattern: $0)) }
      + [m.degrees_latitude, m.degrees_longitude].map(\.bitPattern)
      + [
        m.latitude_rest, m.longitude_rest, m.south, m.north, m.west, m.east, m.meridian,
        m.parallel, m.meridian_slope, m.meridian_bend, m.parallel_slope, m.parallel_bend,
        m.turn_bend,
      ].map { UInt64($0.bitPattern) }
  }
}
