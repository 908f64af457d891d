import CNearbyKernels
import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// What `GeohashIndex` knows beside the tree: the whole of `PositionIndex` through its own door, changes,
/// merging, cells of databases and files.
@Suite struct GeohashListTests {
  /// The same question put to either index.
  private func answers(
    _ index: some PositionIndex, _ origin: Coordinate, _ categories: CategorySet
  ) async -> [[Int]] {
    var buffer = QueryBuffer()
    let box = BoundingBox(around: origin, radius: .kilometers(900))
    let radius = Distance.kilometers(700)
    func found(_ body: (inout QueryBuffer) -> Void) -> [Int] {
      body(&buffer)
      return buffer.positions.map { Int($0) }
    }
    return [
      [index.count],
      index.nearest(7, to: origin, within: .infinity, beyond: nil, categories: categories)
        .neighbors.map(\.offset),
      index.nearest(
        7, to: origin, within: radius, beyond: .kilometers(10), categories: categories
      ) { $0 % 3 != 0 }.neighbors.map(\.offset),
      index.neighborsByDistance(from: origin).prefix(20).map(\.offset),
      index.neighbors(within: radius, of: origin, categories: categories) { $0 % 2 == 0 }
        .map(\.offset),
      [index.count(within: radius, of: origin), index.count(in: box)],
      index.positions(in: box, categories: categories),
      index.positions(in: Region.southKorea, categories: categories),
      found { index.findNearest(9, to: origin, categories: categories, into: &$0) },
      found { index.measureNearest(9, to: origin, categories: categories, into: &$0) },
      found { index.find(in: box, categories: categories, into: &$0) }.sorted(),
      found { index.find(within: radius, of: origin, categories: categories, into: &$0) }.sorted(),
      index.findNearest(4, toEach: [origin, origin], categories: categories)
        .flatMap { $0.map { Int($0) } },
      await index.findNearest(
        4, toEach: [origin, origin], categories: categories, maximumTasks: 2
      ).flatMap { $0.map { Int($0) } },
    ]
  }

  @Test(arguments: PointSet.allCases, [0, 1, 40, 2_000])
  func `it answers every question as the tree does`(pointSet: PointSet, size: Int) async {
    let (points, origin) = pointSet.sample(size, seed: 5)
    let sets = points.indices.map { CategorySet(category: $0 % 3) }
    for categories in [[], sets] {
      for asked in categories.isEmpty ? [CategorySet.any] : [.any, CategorySet(category: 1)] {
        let tree = await answers(KDTreeIndex(points, categories: categories), origin, asked)
        let list = await answers(GeohashIndex(points, categories: categories), origin, asked)
        #expect(list == tree)
      }
    }
  }

  // MARK: Order

  @Test(arguments: PointSet.allCases, [1, 31, 33, 1_500, 40_000])
  func `positions stand in the order of their geohashes, ties as they were given`(
    pointSet: PointSet, size: Int
  ) {
    for isDecimal in [true, false] {
      let points = pointSet.sample(size, seed: 3).points.map { rounded($0, if: isDecimal) }
      let codes = points.map { BinaryGeohash($0, bitCount: 64).bits }
      let expected = points.indices.sorted { (codes[$0], $0) < (codes[$1], $1) }
      let order = GeohashIndex(points).withCodes { list in (0..<list.count).map(list.position) }
      #expect(order.map { Int($0) } == expected)
    }
  }

  @Test(arguments: PointSet.allCases, [0, 1, 5_000, 60_000])
  func `built by several tasks it is the same list`(pointSet: PointSet, size: Int) async throws {
    for isDecimal in [true, false] {
      let points = pointSet.sample(size, seed: 4).points.map { rounded($0, if: isDecimal) }
      func list(_ index: GeohashIndex) -> [UInt64] {
        index.withCodes { list in
          (0..<list.count).flatMap { [list.codeRead($0), UInt64(list.position($0))] }
        }
      }
      let built = try await GeohashIndex(building: points, maximumTasks: 2)
      #expect(list(built) == list(GeohashIndex(points)))
    }
  }

  private func rounded(_ position: Coordinate, if isDecimal: Bool) -> Coordinate {
    isDecimal ? position.onGrid : position
  }

  @Test(arguments: UInt64(0)..<4)
  func `the geohash of whole 10⁻⁷ degrees is that of the double, and gives them back`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    var sites: [(Int32, Int32)] = [
      (900_000_000, -1_800_000_000), (-900_000_000, 1_799_999_999), (0, 0), (450_000_000, 0),
      (-1, -1), (225_000_000, 900_000_000), (899_999_999, 1_799_999_999),
    ]
    for _ in 0..<50_000 {
      sites.append(
        (
          Int32.random(in: -900_000_000...900_000_000, using: &generator),
          Int32.random(in: -1_800_000_000...1_799_999_999, using: &generator)
        ))
    }
    // Beside the borders of cells.
    for _ in 0..<50_000 {
      let row = Int64.random(in: 1..<1 << 32, using: &generator)
      let column = Int64.random(in: 1..<1 << 32, using: &generator)
      let latitude = (Double(row - 1 << 31) * 180 / 0x1p32 * 1e7).rounded()
      let longitude = (Double(column - 1 << 31) * 360 / 0x1p32 * 1e7).rounded()
      sites.append((Int32(latitude), Int32(min(longitude, 1_799_999_999))))
    }
    var wrong = 0
    for (latitude, longitude) in sites {
      let position = PointSet.legal(Double(latitude) / 1e7, Double(longitude) / 1e7)
      let code = nearby_decimal_code(latitude, longitude)
      var site: (latitude: Int32, longitude: Int32) = (0, 0)
      nearby_decimal_site(code, &site.latitude, &site.longitude)
      let isRight =
        code == BinaryGeohash(position, bitCount: 64).bits && site == (latitude, longitude)
      if !isRight { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  // MARK: Borders of great cells

  /// Positions on, beside and around borders of cells, many of them at one place.
  private func borderPoints(_ count: Int, isDecimal: Bool, seed: UInt64) -> [Coordinate] {
    var generator = SeededGenerator(seed: seed)
    let crossings = (0..<6).map { _ in
      PointSet.legal(
        Double(Int.random(in: -8...8, using: &generator)) * 11.25,
        Double(Int.random(in: -16...16, using: &generator)) * 11.25)
    }
    return (0..<count).map { _ in
      let crossing = crossings.randomElement(using: &generator) ?? crossings[0]
      let reach: Double = [0, 1e-7, 1e-5, 1e-3, 0.2].randomElement(using: &generator) ?? 0
      func moved(_ degrees: Double, limit: Double) -> Double {
        min(max(degrees + Double.random(in: -1...1, using: &generator) * reach, -limit), limit)
      }
      return rounded(
        PointSet.legal(
          moved(crossing.latitude, limit: 90), moved(crossing.longitude, limit: 180)),
        if: isDecimal)
    }
  }

  @Test(arguments: UInt64(0)..<12, [true, false])
  func `nothing is left out beside the borders of great cells`(
    seed: UInt64, isDecimal: Bool
  ) throws {
    let points = borderPoints([90, 700, 5_000][Int(seed % 3)], isDecimal: isDecimal, seed: seed)
    let whole = KDTreeIndex(points, leafOrder: .geohash)
    let indexes = VectorLevel.available.map { ($0, whole.searched(with: $0)) }
    let judge = BruteForce(points)
    var generator = SeededGenerator(seed: seed &+ 100)
    var buffer = QueryBuffer()
    for _ in 0..<6 {
      // Corners that are positions themselves.
      let corners = (0..<2).map { _ in points.randomElement(using: &generator) ?? points[0] }
      let latitudes = corners.map(\.latitude).sorted(),
        longitudes = corners.map(\.longitude).sorted()
      let box = try BoundingBox(
        south: latitudes[0], west: longitudes[0], north: latitudes[1], east: longitudes[1])
      let inside = judge.positions(in: box)
      let origin = corners[0]
      let ranked = judge.ranked(from: origin)
      let radius = ranked[Int.random(in: 0..<ranked.count, using: &generator)].meters
      let near = ranked.prefix { $0.meters <= radius }.map(\.position).sorted()
      for (level, index) in indexes {
        index.find(in: box, into: &buffer)
        #expect(buffer.positions.sorted() == inside, "\(box) by \(level)")
        index.find(within: .meters(radius), of: origin, into: &buffer)
        #expect(buffer.positions.sorted() == near, "\(radius) m of \(origin) by \(level)")
        for limit in [1, 3, 10, 16] {
          index.findNearest(limit, to: origin, into: &buffer)
          #expect(
            Array(buffer.positions) == ranked.prefix(limit).map(\.position),
            "k \(limit) of \(origin) by \(level)")
        }
      }
    }
  }

  // MARK: Changes

  @Test(arguments: PointSet.allCases, UInt64(0)..<6)
  func `after changes it is what a new index is`(pointSet: PointSet, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let size = [1, 15, 16, 17, 300, 1_000][Int(seed)]
    let isDecimal = seed % 2 == 0
    let (points, origin) = pointSet.sample(size, seed: seed)
    let given = points.map { rounded($0, if: isDecimal) }
    // By number; nil where a number is free.
    var model: [Coordinate?] = given
    var index = GeohashIndex(given)
    var copies: [(GeohashIndex, [Coordinate?])] = []
    for round in 0..<12 {
      if round % 3 == 0 { copies.append((index, model)) }
      var changes: [GeohashChange] = []
      for number in model.indices.shuffled(using: &generator).prefix([1, 5, 40][round % 3]) {
        let other = rounded(
          pointSet.sample(1, seed: generator.next()).points[0], if: isDecimal)
        switch (model[number], Int.random(in: 0..<4, using: &generator)) {
        case (nil, _):
          changes.append(.insert(number: number, at: other))
          model[number] = other
        case (.some(let old), 0):
          changes.append(.remove(number: number, at: old))
          model[number] = nil
        case (.some(let old), 1):
          let near = rounded(
            PointSet.legal(
              min(90, old.latitude + 0.001), Coordinate.wrappedLongitude(old.longitude + 0.001)),
            if: isDecimal)
          changes.append(.move(number: number, from: old, to: near))
          model[number] = near
        case (.some(let old), _):
          changes.append(.move(number: number, from: old, to: other))
          model[number] = other
        }
      }
      if round % 4 == 1 {
        let new = rounded(origin, if: isDecimal)
        changes.append(.insert(number: model.count, at: new))
        model.append(new)
      }
      try index.apply(changes.shuffled(using: &generator))
      expect(index, is: model, origin, "round \(round)")
    }
    // What was copied before has not changed.
    for (copy, model) in copies { expect(copy, is: model, origin, "a copy") }
  }

  /// The list is rewritten in place, and lags behind itself by many leaves, or runs ahead.
  @Test(arguments: PointSet.allCases, [true, false])
  func `moves from one end of the list to the other leave what a new index is`(
    pointSet: PointSet, isDecimal: Bool
  ) throws {
    var generator = SeededGenerator(seed: 31)
    let (points, origin) = pointSet.sample(2_003, seed: 31)
    var model = points.map { rounded($0, if: isDecimal) }
    var index = GeohashIndex(model)
    for (round, count) in [1, 15, 16, 17, 33, 400, 1_000, 2_003].enumerated() {
      let codes = model.map { BinaryGeohash($0, bitCount: 64).bits }
      let order = model.indices.sorted { (codes[$0], $0) < (codes[$1], $1) }
      for goesForward in [true, false] {
        let moved = goesForward ? order.suffix(count) : order.prefix(count)
        let other = goesForward ? order.prefix(count) : order.suffix(count)
        let places = round.isMultiple(of: 2) ? other.map { model[$0] } : moved.map { model[$0] }
        let changes = zip(moved, places.shuffled(using: &generator)).map { number, place in
          defer { model[number] = place }
          return GeohashChange.move(number: number, from: model[number], to: place)
        }
        try index.apply(changes.shuffled(using: &generator))
        expect(index, is: model, origin, "\(count) moved, \(goesForward)")
      }
    }
  }

  /// Compares an index with brute force over a list in which some numbers are free.
  private func expect(
    _ index: GeohashIndex, is model: [Coordinate?], _ origin: Coordinate, _ comment: Comment
  ) {
    let numbers = model.indices.filter { model[$0] != nil }
    let points = numbers.compactMap { model[$0] }
    #expect(index.count == points.count, comment)
    let ranked = BruteForce(points).ranked(from: origin).map { numbers[$0.position] }
    #expect(index.nearest(.max, to: origin).neighbors.map(\.offset) == ranked, comment)
    #expect(
      index.nearest(10, to: origin).neighbors.map(\.offset) == Array(ranked.prefix(10)), comment)
    let codes = points.map { BinaryGeohash($0, bitCount: 64).bits }
    let order = points.indices.sorted { (codes[$0], numbers[$0]) < (codes[$1], numbers[$1]) }
    #expect(
      index.withCodes { list in (0..<list.count).map { Int(list.position($0)) } }
        == order.map { numbers[$0] }, comment)
    let verdict = index.packed.withTree { tree -> IndexFileError? in
      do {
        try TreeVerification(tree: tree).verifyGeohashOrder()
        return nil
      } catch { return error as? IndexFileError }
    }
    #expect(verdict == nil, comment)
    let cell = Geohash(origin, precision: 3)
    #expect(index.count(in: cell) == points.count { cell.contains($0) }, comment)
  }

  @Test func `a change that does not fit changes nothing and says which`() throws {
    let points = PointSet.clustered.sample(500, seed: 1).points
    var index = GeohashIndex(points)
    let elsewhere = PointSet.legal(1, 2)
    let here = index.nearest(.max, to: elsewhere).neighbors
    #expect(throws: GeohashChangeError.notThere(number: 3, at: elsewhere)) {
      try index.apply([
        .move(number: 4, from: points[4], to: elsewhere), .remove(number: 3, at: elsewhere),
      ])
    }
    #expect(throws: GeohashChangeError.notThere(number: 7, at: points[6])) {
      try index.apply([.move(number: 7, from: points[6], to: elsewhere)])
    }
    #expect(throws: GeohashChangeError.illegalNumber(-1)) {
      try index.apply([.insert(number: -1, at: elsewhere)])
    }
    // A slot that is removed twice would leave the list shorter than its memory says.
    for twice in [
      GeohashChange.remove(number: 5, at: points[5]),
      .move(number: 5, from: points[5], to: elsewhere),
    ] {
      #expect(throws: GeohashChangeError.changedTwice(number: 5, at: points[5])) {
        try index.apply([.remove(number: 5, at: points[5]), twice])
      }
    }
    #expect(throws: GeohashChangeError.changedTwice(number: 600, at: elsewhere)) {
      try index.apply([
        .insert(number: 600, at: elsewhere), .insert(number: 600, at: elsewhere),
      ])
    }
    #expect(index.nearest(.max, to: elsewhere).neighbors == here)
    try index.apply([])
    #expect(index.nearest(.max, to: elsewhere).neighbors == here)
  }

  @Test func `changes may empty a list, and fill it again`() throws {
    let points = PointSet.allEqual.sample(40, seed: 1).points
    var index = GeohashIndex(points)
    try index.apply(points.indices.map { .remove(number: $0, at: points[$0]) })
    #expect(index.count == 0)
    #expect(index.nearest(3, to: points[0]).neighbors.isEmpty)
    try index.apply([.insert(number: 9, at: points[0]), .insert(number: 2, at: points[0])])
    #expect(index.nearest(3, to: points[0]).neighbors.map(\.offset) == [2, 9])
  }

  @Test(arguments: PointSet.allCases)
  func `with categories it changes and merges likewise`(pointSet: PointSet) throws {
    let (points, origin) = pointSet.sample(600, seed: 8)
    let sets = points.indices.map { CategorySet(category: $0 % 4) }
    var index = GeohashIndex(points, categories: sets)
    try index.apply([
      .move(number: 5, from: points[5], to: origin), .remove(number: 6, at: points[6]),
    ])
    var moved = points
    moved[5] = origin
    for category in 0..<4 {
      let expected = BruteForce(moved).ranked(from: origin) { $0 != 6 && $0 % 4 == category }
      let found = index.nearest(20, to: origin, categories: CategorySet(category: category))
      #expect(agree(found.neighbors, Array(expected.prefix(20))))
    }
  }

  @Test(arguments: PointSet.allCases, [0, 1, 17, 900])
  func `merging two lists makes the index over both`(pointSet: PointSet, size: Int) {
    let (points, origin) = pointSet.sample(1_000, seed: 4)
    for sets in [[], points.indices.map { CategorySet(category: $0 % 2) }] {
      let first = GeohashIndex(
        Array(points[..<size]), categories: sets.isEmpty ? [] : Array(sets[..<size]))
      let second = GeohashIndex(
        Array(points[size...]), categories: sets.isEmpty ? [] : Array(sets[size...]))
      let both = first.merged(with: second, numberedFrom: size)
      let expected = BruteForce(points).ranked(from: origin)
      #expect(agree(both.nearest(.max, to: origin).neighbors, expected))
      #expect(
        both.withCodes { list in (0..<list.count).map(list.position) }
          == GeohashIndex(points).withCodes { list in (0..<list.count).map(list.position) })
    }
  }

  // MARK: From elsewhere

  @Test func `codes of a database make an index over the middles of their cells`() throws {
    let points = PointSet.clustered.sample(2_000, seed: 2).points
    for bits in [26, 52, 64] {
      let cells = points.map { BinaryGeohash($0, bitCount: bits) }.sorted { $0.bits < $1.bits }
      let index = GeohashIndex(middlesOf: cells)
      let origin = points[17]
      let expected = BruteForce(cells.map(\.middle)).ranked(from: origin)
      #expect(agree(index.nearest(50, to: origin).neighbors, Array(expected.prefix(50))))
      // A middle lies in its own cell, so that cells hold what they held.
      let probe = BinaryGeohash(origin, bitCount: 20)
      #expect(index.count(in: probe) == points.count { BinaryGeohash($0, bitCount: 20) == probe })
    }
  }

  @Test func `an index file gives the list back, and a tree is none`() throws {
    let (points, origin) = PointSet.clustered.sample(3_000, seed: 6)
    let list = GeohashIndex(points)
    for (index, isList) in [(list.packed, true), (KDTreeIndex(points), false)] {
      for validation in [IndexValidation.structure, .everything] {
        let opened = try IndexBytes(
          guarding: index.fileBytes(attachment: []), validation: validation
        ).index
        #expect(opened.nearest(9, to: origin).neighbors == list.nearest(9, to: origin).neighbors)
        let again = GeohashIndex(opened)
        #expect((again != nil) == isList)
        guard let again else { continue }
        let cell = Geohash(origin, precision: 4)
        #expect(again.offsets(in: cell) == list.offsets(in: cell))
        #expect(again.damage == nil)
        let world = again.cells(in: .world, precision: 5)
        #expect(world == list.cells(in: .world, precision: 5))
        #expect(world.count > 10)
      }
    }
  }

  // MARK: Grids

  @Test(arguments: PointSet.allCases, [0.0005, 0.01, 1.0 / 60, 7])
  func `cells of a grid count what lies in them`(pointSet: PointSet, degrees: Double) {
    let (points, origin) = pointSet.sample(800, seed: 12)
    let index = GeohashIndex(points)
    let grid = DegreeGrid(degrees: degrees)
    for box in [BoundingBox.world, BoundingBox(around: origin, radius: .kilometers(300))] {
      var expected: [GridCell: Int] = [:]
      for point in points where box.contains(point) {
        expected[grid.cell(at: point), default: 0] += 1
      }
      let counts = index.cells(in: box, of: grid)
      #expect(Dictionary(uniqueKeysWithValues: counts.map { ($0.cell, $0.count) }) == expected)
      #expect(counts.map(\.cell) == expected.keys.sorted())
    }
    let cell = grid.cell(at: origin)
    for probe in [cell] + grid.neighbors(of: cell) {
      #expect(index.count(in: probe, of: grid) == points.count { grid.cell(at: $0) == probe })
    }
  }
}
