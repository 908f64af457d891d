import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

@Suite struct LiveIndexTests {
  /// The same objects in the same order, distances within 20 nm.
  private func expectEqual(
    _ found: [LiveNeighbor], _ expected: some Collection<LiveNeighbor>,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(found.map(\.object) == expected.map(\.object), sourceLocation: sourceLocation)
    #expect(
      zip(found, expected).allSatisfy {
        abs($0.distance.meters - $1.distance.meters) <= distanceTolerance
      }, sourceLocation: sourceLocation)
  }

  /// Compares everything that can be asked of a snapshot with the model.
  private func expectAgreement(
    _ snapshot: LiveSnapshot, _ model: LiveModel, from origin: Coordinate,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(snapshot.count == model.objects.count, sourceLocation: sourceLocation)
    for now in [-Double.infinity, 50] {
      for categories in [CategorySet.any, CategorySet(category: 1)] {
        let ranked = model.ranked(from: origin, categories: categories, now: now)
        for limit in [1, 10, 40, 1_000_000] {
          expectEqual(
            snapshot.nearest(limit, to: origin, categories: categories, now: now),
            ranked.prefix(limit), sourceLocation)
          var ids: [UInt64] = [7]
          snapshot.findNearest(limit, to: origin, categories: categories, now: now, into: &ids)
          #expect(ids == ranked.prefix(limit).map(\.object.id), sourceLocation: sourceLocation)
        }
        let radius = ranked.count > 5 ? ranked[ranked.count / 3].distance : .kilometers(1)
        expectEqual(
          snapshot.neighbors(within: radius, of: origin, categories: categories, now: now),
          ranked.filter { $0.distance <= radius }, sourceLocation)
        let third: (LiveObject) -> Bool = { $0.id % 3 == 0 }
        expectEqual(
          snapshot.nearest(
            8, to: origin, within: radius, categories: categories, now: now, where: third),
          ranked.filter { third($0.object) && $0.distance <= radius }.prefix(8), sourceLocation)
        let box = BoundingBox(around: origin, radius: .kilometers(300))
        let inBox = model.counted(categories: categories, now: now).filter {
          box.contains($0.coordinate)
        }
        #expect(
          snapshot.objects(in: box, categories: categories, now: now) == inBox,
          sourceLocation: sourceLocation)
        #expect(
          snapshot.count(in: box, categories: categories, now: now) == inBox.count,
          sourceLocation: sourceLocation)
      }
      #expect(snapshot.objects(now: now) == model.counted(now: now), sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<2)
  func `answers agree with brute force after every batch`(pointSet: PointSet, seed: UInt64) {
    var world = LiveWorld(pointSet, count: 1_200, seed: seed)
    var model = LiveModel()
    let index = LiveIndex()
    for round in 0..<6 {
      let batch = world.batch([1, 300, 40, 700, 5, 900][round])
      model.apply(batch)
      expectAgreement(index.apply(batch), model, from: world.origin)
    }
  }

  @Test(arguments: UInt64(0)..<2)
  func `a snapshot answers later as it did at first`(seed: UInt64) {
    var world = LiveWorld(.city, count: 2_000, seed: seed)
    let index = LiveIndex()
    var model = LiveModel()
    var kept: [(snapshot: LiveSnapshot, model: LiveModel)] = []
    for round in 0..<60 {
      let batch = world.batch(150)
      model.apply(batch)
      index.apply(batch)
      if round % 9 == 0 { kept.append((index.snapshot, model)) }
      // Some are let go before others that are older.
      if round % 20 == 19 { kept.remove(at: 1) }
      for entry in kept {
        #expect(entry.snapshot.objects() == entry.model.counted())
      }
    }
    for entry in kept { expectAgreement(entry.snapshot, entry.model, from: world.origin) }
  }

  @Test func `of one id the last change of a batch counts`() throws {
    let here = try Coordinate(latitude: 37.5, longitude: 127)
    let there = try Coordinate(latitude: 37.6, longitude: 127)
    let index = LiveIndex([LiveObject(id: 1, at: here), LiveObject(id: 2, at: here)])
    index.apply([
      .put(LiveObject(id: 1, at: there)), .remove(1), .remove(2),
      .put(LiveObject(id: 2, at: there)),
      .put(LiveObject(id: 3, at: here)), .remove(3), .put(LiveObject(id: 3, at: there)),
      .put(LiveObject(id: 3, at: here)), .remove(4),
    ])
    let objects = [LiveObject(id: 2, at: there), LiveObject(id: 3, at: here)]
    #expect(index.snapshot.objects() == objects)
    #expect(index.object(1) == nil)
    #expect(index.object(2) == objects[0])
    #expect(index.object(3) == objects[1])
  }

  /// In one leaf; and in several, with the ids among others that share their places.
  @Test(arguments: [UInt64(0), 40])
  func `up to three changes of three ids, in any order, end as in a dictionary`(
    others: UInt64
  ) throws {
    let places = [
      try Coordinate(latitude: 37.5, longitude: 127), try Coordinate(latitude: 38, longitude: 127),
    ]
    let ids: [UInt64] = [20, 40, 60]
    let objects = ids.flatMap { id in places.map { LiveObject(id: id, at: $0) } }
    var choices: [LiveChange?] = [nil]
    choices += objects.map { LiveChange.put($0) }
    choices += ids.map { LiveChange.remove($0) }
    for id in ids { choices += objects.map { LiveChange.replace(id, with: $0) } }

    let beside = (0..<others).map { number in
      LiveObject(id: 2 * number + 1, at: places[Int(number % 2)])
    }
    // Two of them, at one place.
    let start = [objects[0], objects[2]]
    let beginning = ids.map { LiveChange.remove($0) } + start.map { LiveChange.put($0) }
    var model = LiveModel()
    model.apply(beginning)
    let index = LiveIndex(beside)
    var wrong: [[LiveChange]] = []
    for first in choices {
      for second in choices {
        for third in choices {
          let batch = [first, second, third].compactMap { $0 }
          index.apply(beginning)
          let snapshot = index.apply(batch)
          var expected = model
          expected.apply(batch)
          let isRight =
            snapshot.count == beside.count + expected.objects.count
            && ids.allSatisfy { index.object($0) == expected.objects[$0] }
          if !isRight { wrong.append(batch) }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    #expect(index.apply(beginning).objects() == (beside + start).sorted { $0.id < $1.id })
  }

  @Test(arguments: [PointSet.city, .uniform, .allEqual], UInt64(0)..<15)
  func `objects that take over one another's ids end as in a dictionary`(
    pointSet: PointSet, seed: UInt64
  ) {
    // Four to eight ids: in one leaf, in one that becomes too full, or in several.
    var world = LiveWorld(pointSet, count: 8 + 2 * Int(seed % 5), seed: seed)
    let beside = (0..<[0, 12, 30][Int(seed % 3)]).map { number in
      LiveChange.put(
        LiveObject(id: UInt64(number + 1), at: world.points[number % world.points.count]))
    }
    let index = LiveIndex()
    var model = LiveModel()
    model.apply(beside)
    index.apply(beside)
    for _ in 0..<40 {
      let batch = world.batch(8)
      model.apply(batch)
      #expect(index.apply(batch).objects() == model.counted(), "\(batch)")
      #expect(model.objects.values.allSatisfy { index.object($0.id) == $0 }, "\(batch)")
    }
  }

  @Test func `an id that was removed may come again`() throws {
    let here = try Coordinate(latitude: -17, longitude: 180)
    let index = LiveIndex((0..<100).map { LiveObject(id: $0, at: here) })
    index.apply((0..<100).map { .remove($0) })
    #expect(index.snapshot.isEmpty)
    #expect(index.snapshot.nearest(3, to: here).isEmpty)
    index.apply([.put(LiveObject(id: 7, at: here))])
    #expect(index.snapshot.nearest(3, to: here).map(\.object.id) == [7])
  }

  @Test func `an empty index and an empty batch answer nothing`() throws {
    let here = try Coordinate(latitude: 90, longitude: 0)
    let index = LiveIndex()
    #expect(index.apply([]).nearest(3, to: here).isEmpty)
    #expect(index.snapshot.objects(in: BoundingBox(around: here, radius: .kilometers(1))).isEmpty)
    #expect(index.snapshot.neighbors(within: .kilometers(1), of: here).isEmpty)
    #expect(index.object(0) == nil)
  }

  @Test func `places so near that the squares of distances are no numbers are in order`() throws {
    let places = try (0..<50).map {
      try Coordinate(latitude: Double($0) * 1e-161, longitude: 0)
    }
    let objects = places.enumerated().map { LiveObject(id: UInt64($0), at: $1) }
    var model = LiveModel()
    model.apply(objects.map { .put($0) })
    let ranked = model.ranked(from: places[0])
    expectEqual(
      LiveIndex(objects).snapshot.neighbors(within: .meters(1), of: places[0]), ranked)
    #expect(
      KDTreeIndex(places).neighbors(within: .meters(1), of: places[0]).map(\.offset)
        == ranked.map { Int($0.object.id) })
  }

  @Test func `thousands at one place come out by id, and go again`() throws {
    let here = try Coordinate(latitude: 37.5, longitude: 127)
    let ids = (0..<5_000).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
    let index = LiveIndex(ids.map { LiveObject(id: $0, at: here) })
    #expect(index.snapshot.nearest(100, to: here).map(\.object.id) == Array(ids.sorted()[..<100]))
    index.apply(ids.dropFirst(10).map { .remove($0) })
    #expect(index.snapshot.objects().map(\.id) == ids[..<10].sorted())
  }

  @Test func `an object expires when a question says so, and not before`() throws {
    let here = try Coordinate(latitude: 37.5, longitude: 127)
    let index = LiveIndex([
      LiveObject(id: 1, at: here, expiry: 10), LiveObject(id: 2, at: here),
      LiveObject(id: 3, at: here, expiry: 20),
    ])
    func ids(now: Double) -> [UInt64] {
      index.snapshot.nearest(5, to: here, now: now).map(\.object.id)
    }
    #expect(ids(now: 9.999) == [1, 2, 3])
    #expect(ids(now: 10) == [2, 3])
    #expect(ids(now: 1e9) == [2])
    // A later fix puts the end off.
    index.apply([.put(LiveObject(id: 1, at: here, expiry: 30))])
    #expect(ids(now: 25) == [1, 2])
  }

  @Test func `nothing counts at an instant that is not a number, and compaction drops nothing`()
    async throws
  {
    let here = try Coordinate(latitude: 37.5, longitude: 127)
    let box = BoundingBox(around: here, radius: .kilometers(1))
    // Leaves where something expires, and leaves where nothing does.
    for expiring in [0, 3, 50] {
      let index = LiveIndex(
        (0..<50).map { number in
          LiveObject(id: UInt64(number), at: here, expiry: number < expiring ? 10 : .infinity)
        })
      let snapshot = index.snapshot
      for limit in [1, 10, 40] {
        #expect(snapshot.nearest(limit, to: here, now: .nan).isEmpty)
        #expect(snapshot.nearest(limit, to: here, now: .nan) { _ in true }.isEmpty)
        var ids: [UInt64] = [7]
        snapshot.findNearest(limit, to: here, now: .nan, into: &ids)
        #expect(ids.isEmpty)
      }
      #expect(snapshot.neighbors(within: .meters(5), of: here, now: .nan).isEmpty)
      #expect(snapshot.objects(in: box, now: .nan).isEmpty)
      #expect(snapshot.count(in: box, now: .nan) == 0)
      #expect(snapshot.objects(now: .nan).isEmpty)
      #expect(try await index.compact(now: .nan) == 0)
      #expect(index.snapshot.count == 50)
    }
  }

  @Test(arguments: [PointSet.clustered, .collinear, .allEqual])
  func `compaction drops what has expired and nothing else`(pointSet: PointSet) async throws {
    var world = LiveWorld(pointSet, count: 12_000, seed: 3)
    var model = LiveModel()
    let batch = world.batch(12_000)
    model.apply(batch)
    let index = LiveIndex()
    let before = index.apply(batch)
    let count = model.objects.count
    let expired = model.objects.values.first { $0.expiry <= 50 }
    model.dropExpired(now: 50)
    #expect(try await index.compact(now: 50) == count - model.objects.count)
    expectAgreement(index.snapshot, model, from: world.origin)
    #expect(before.count == count)
    #expect(try index.object(#require(expired).id) == nil)
    #expect(try await index.compact(now: 50) == 0)
  }

  @Test func `a tree that grows on one side stays a good one`() throws {
    // In ascending order, the worst for a tree that only splits.
    let points = (0..<20_000).map { PointSet.legal(Double($0) * 0.001, Double($0 % 7) * 0.001) }
    let index = LiveIndex()
    for start in stride(from: 0, to: points.count, by: 100) {
      index.apply(
        (start..<start + 100).map { .put(LiveObject(id: UInt64($0), at: points[$0])) })
    }
    // Without rebuilding there would be some eighty levels.
    #expect(index.snapshot.withRoot { $0.height } <= 8)
    let brute = BruteForce(points)
    for origin in [points[0], points[9_999], points[19_999]] {
      #expect(
        index.snapshot.nearest(20, to: origin).map { Int($0.object.id) }
          == brute.ranked(from: origin).prefix(20).map(\.position))
    }
    // And as it empties from one side.
    for start in stride(from: 0, to: 19_900, by: 100) {
      index.apply((start..<start + 100).map { .remove(UInt64($0)) })
    }
    #expect(index.snapshot.objects().map(\.id) == Array(19_900..<20_000))
  }

  @Test(arguments: [PointSet.uniform, .city, .seamStraddling, .polarCap])
  func `many small moves lose nobody`(pointSet: PointSet) {
    var world = LiveWorld(pointSet, count: 4_000, seed: 5, hasAttributes: false)
    let index = LiveIndex()
    var model = LiveModel()
    for _ in 0..<150 {
      let batch = world.batch(60, removing: 9)
      model.apply(batch)
      index.apply(batch)
    }
    expectAgreement(index.snapshot, model, from: world.origin)
  }
}
