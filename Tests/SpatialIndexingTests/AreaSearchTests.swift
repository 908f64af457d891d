import CNearbyKernels
import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// The searches for circles and boxes, in every set of instructions that this processor has.
@Suite(.inBothOrders) struct AreaSearchTests {
  /// Radii in meters: nothing, a house, a town, a country and as far as some sample goes, besides the
  /// very distances of some positions, whose circles end on them.
  static func radii(_ ranked: [BruteForce.Hit]) -> [Double] {
    [0, 10, 1_000, 300_000, 1_500_000] + [0, 3, 40, 200, 699].map { ranked[$0].meters }
  }

  /// Boxes whose edges run through positions, and one across the antimeridian.
  private static func boxes(_ points: [Coordinate]) -> [BoundingBox] {
    func box(_ one: Coordinate, _ other: Coordinate) -> BoundingBox {
      BoundingBox(
        unchecked: min(one.latitude, other.latitude), min(one.longitude, other.longitude),
        max(one.latitude, other.latitude), max(one.longitude, other.longitude))
    }
    let crossing = box(points[1], points[2])
    return [
      box(points[0], points[0]), box(points[3], points[4]), box(points[5], points[600]), crossing,
      BoundingBox(unchecked: crossing.south, crossing.east, crossing.north, crossing.west),
      BoundingBox(unchecked: -90, -180, 90, 180),
    ]
  }

  @Test(arguments: PointSet.allCases, SmallKSearchTests.Spread.allCases)
  func `what is found in a circle or a box is what brute force finds`(
    pointSet: PointSet, spread: SmallKSearchTests.Spread
  ) {
    let seed = spread.seed
    for (points, origin) in SmallKSearchTests.samples(pointSet, 700, seed: seed) {
      let sets = spread.categories(points.count, seed: seed)
      let whole = judgedIndex(points, categories: sets, ownTrees: .noCategory)
      let indexes = VectorLevel.available.map { ($0, whole.searched(with: $0)) }
      let judge = BruteForce(points)
      let ranked = judge.ranked(from: origin)
      let radii = AreaSearchTests.radii(ranked)
      let boxes = AreaSearchTests.boxes(points).map { ($0, judge.positions(in: $0)) }
      var buffer = QueryBuffer()
      for categories in [.any] + SmallKSearchTests.asked {
        func isWanted(_ position: Int) -> Bool {
          categories == .any || !sets[position].isDisjoint(with: categories)
        }
        for radius in radii {
          let expected = ranked.prefix { $0.meters <= radius }.map(\.position).filter(isWanted)
            .sorted()
          for (level, index) in indexes {
            index.find(
              within: .meters(radius), of: origin, categories: categories, into: &buffer)
            #expect(
              buffer.positions.sorted() == expected, "\(radius) m, \(categories) by \(level)")
          }
        }
        for (box, inside) in boxes {
          let expected = inside.filter(isWanted)
          for (level, index) in indexes {
            index.find(in: box, categories: categories, into: &buffer)
            #expect(buffer.positions.sorted() == expected, "\(box), \(categories) by \(level)")
          }
        }
      }
    }
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<3)
  func `what is counted and measured is what is found`(pointSet: PointSet, seed: UInt64) {
    for (points, origin) in SmallKSearchTests.samples(pointSet, 700, seed: seed) {
      let index = judgedIndex(points)
      let ranked = BruteForce(points).ranked(from: origin)
      for radius in AreaSearchTests.radii(ranked) {
        let expected = ranked.filter { $0.meters <= radius }
        #expect(index.count(within: .meters(radius), of: origin) == expected.count)
        #expect(agree(index.neighbors(within: .meters(radius), of: origin), expected))
      }
      for box in AreaSearchTests.boxes(points) {
        #expect(index.count(in: box) == BruteForce(points).positions(in: box).count)
      }
    }
  }

  @Test(arguments: VectorLevel.available)
  func `more than there is room for comes out whole`(level: VectorLevel) throws {
    // Coincident points on the edge of a circle, where all must be measured, and one inside.
    let origin = try Coordinate(latitude: 37.5665, longitude: 126.978)
    let near = try Coordinate(latitude: 37.5666, longitude: 126.979)
    let edge = try Coordinate(latitude: 37.57, longitude: 126.99)
    let points = (0..<9_000).map { $0 % 3 == 0 ? near : edge }
    let index = judgedIndex(points).searched(with: level)
    let radius = origin.distance(to: edge)
    for (meters, count) in [(radius.meters, 9_000), (radius.meters.nextDown, 3_000)] {
      var buffer = QueryBuffer()
      index.find(within: .meters(meters), of: origin, into: &buffer)
      #expect(buffer.positions.count == count && Set(buffer.positions).count == count)
      #expect(index.count(within: .meters(meters), of: origin) == count)
      #expect(index.neighbors(within: .meters(meters), of: origin).count == count)
    }
    var buffer = QueryBuffer()
    index.find(in: BoundingBox(around: origin, radius: .kilometers(2)), into: &buffer)
    #expect(Set(buffer.positions).count == 9_000)
  }

  @Test(arguments: [PointSet.clustered, .city, .uniform])
  func `slots in a circle are those of a plain twin, bit for bit`(pointSet: PointSet) {
    var searchCount = 0
    for seed in UInt64(0)..<6 {
      for (points, origin) in SmallKSearchTests.samples(pointSet, 2_000, seed: seed) {
        let index = judgedIndex(points)
        let ranked = BruteForce(points).ranked(from: origin)
        index.withTree { tree in
          for rank in [0, 20, 300, 1_500] {
            guard
              let search = CircleSearch(
                tree: tree, origin: origin, radius: .meters(ranked[rank].meters), categories: .any)
            else { continue }
            searchCount += 1
            let expected = Twin(tree: tree, circle: search.circle).run()
            for level in VectorLevel.available {
              let found = AreaSearchTests.slots(in: search.circle, of: tree, level: level)
              let comment: Comment = "rank \(rank) by \(level), seed \(seed)"
              #expect(found.inside == expected.inside, comment)
              #expect(found.undecided == expected.undecided, comment)
            }
          }
        }
      }
    }
    // All over the Earth even the nearest may be farther than a flat metric reaches.
    #expect(searchCount > 0 || pointSet == .uniform)
  }

  private static func slots(
    in circle: nearby_circle, of tree: TreeView, level: VectorLevel
  ) -> (inside: [UInt32], undecided: [UInt32]) {
    var walk = nearby_area_walk(), searched = tree.searched, circle = circle
    var numbers = [UInt32](repeating: 0, count: 4_096)
    var edge = [UInt32](repeating: 0, count: Int(NEARBY_GROUP_SLOTS))
    var undecided: [UInt32] = []
    numbers.withUnsafeMutableBufferPointer { numbers in
      edge.withUnsafeMutableBufferPointer { edge in
        nearby_begin_area(&walk, &searched, NEARBY_SLOTS)
        walk.numbers = numbers.baseAddress
        walk.capacity = numbers.count
        walk.undecided = edge.baseAddress
        var outcome = NEARBY_FULL
        while outcome == NEARBY_FULL {
          outcome = nearby_find_in_circle(level.rawValue, &searched, nil, &circle, &walk)
          undecided += edge.prefix(Int(walk.undecided_count))
          walk.undecided_count = 0
        }
      }
    }
    return (numbers.prefix(walk.count).sorted(), undecided.sorted())
  }

  /// The same walk, lane by lane.
  private struct Twin {
    let tree: TreeView
    let circle: nearby_circle

    func run() -> (inside: [UInt32], undecided: [UInt32]) {
      var inside: [UInt32] = [], undecided: [UInt32] = []
      visit(group: 0, level: tree.shape.firstLevel, &inside, &undecided)
      return (inside.sorted(), undecided.sorted())
    }

    private func visit(
      group: Int, level: Int, _ inside: inout [UInt32], _ undecided: inout [UInt32]
    ) {
      let m = circle.metric, edges = tree.group(level: level, group)
      for lane in 0..<16 {
        let y = max(max(edges.south[lane] - m.north, m.south - edges.north[lane]), 0)
        let x = max(max(edges.west[lane] - m.east, m.west - edges.east[lane]), 0)
        guard y * y * m.meridian + x * x * m.parallel <= circle.outer_node else { continue }
        let farY = max(m.north - edges.south[lane], edges.north[lane] - m.south)
        let farX = max(m.east - edges.west[lane], edges.east[lane] - m.west)
        let node = group << 4 + lane
        if farY * farY * m.meridian + farX * farX * m.parallel <= circle.inner_node {
          inside += tree.slots(below: node, level: level).map { UInt32($0) }
        } else if level > 0 {
          visit(group: node, level: level - 1, &inside, &undecided)
        } else {
          for slot in tree.slots(below: node, level: 0) {
            let square = SmallKSearchTests.square(of: slot, in: tree, m)
            guard square <= circle.outer_position else { continue }
            if square <= circle.inner_position {
              inside.append(UInt32(slot))
            } else {
              undecided.append(UInt32(slot))
            }
          }
        }
      }
    }
  }
}

@Suite struct AscendingPositionTests {
  @Test(arguments: [0, 1, 2, 128, 129, 1_500, 70_000])
  func `positions come out as comparing sorts them`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    for greatest in [UInt32(0), 1, 2_047, 2_048, 1_000_000, .max] {
      let numbers = (0..<count).map { _ in UInt32.random(in: 0...greatest, using: &generator) }
      for order in [numbers, numbers.sorted(), numbers.sorted(by: >)] {
        #expect(
          order.withUnsafeBufferPointer { $0.ascending() } == numbers.sorted().map { Int($0) })
      }
    }
  }
}
