import Geodesy
import MapAnnotations
import NearbySearch
import SpatialIndexing
import NearbyTestSupport
import Testing

@Suite struct AnnotationIndexTests {
  @Test(arguments: PointSet.allCases, UInt64(0)..<4)
  func `the nearest annotations are those of brute force, ties by id`(
    pointSet: PointSet, seed: UInt64
  ) throws {
    let shops = Shops(600, of: pointSet, kinds: 3, seed: seed)
    let index = AnnotationIndex(shops.annotations)
    let expected = shops.ranked(from: shops.origin)
    for limit in [0, 1, 10, 300, 600, .max] {
      let answer = index.nearest(limit, to: shops.origin)
      #expect(answer.map(\.annotation) == Array(expected.prefix(limit)), "k \(limit)")
      for result in answer {
        let distance = shops.distance(of: result.annotation, from: shops.origin)
        #expect(abs(result.distance.meters - distance.meters) <= 20e-9)
        let coordinate = try #require(result.coordinate)
        #expect(result.bearing == shops.origin.initialBearing(to: coordinate))
      }
    }
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<2)
  func `the nearest of many origins are those of brute force, one origin after another`(
    pointSet: PointSet, seed: UInt64
  ) async throws {
    let shops = Shops(300, of: pointSet, kinds: 3, seed: seed)
    let index = AnnotationIndex(shops.annotations)
    let origins = shops.annotations.compactMap(\.coordinate) + [shops.origin]
    for (limit, kinds) in [(1, nil), (7, ["kind 1"]), (16, nil)] as [(Int, Set<AnnotationKind>?)] {
      let found = try #require(await index.nearestOffsets(limit, toEach: origins, kinds: kinds))
      var asked = 0
      found.forEach(0..<origins.count) { origin, offsets in
        asked += 1
        guard origin % 5 == 0 else { return }
        let expected = shops.ranked(from: origins[origin]) {
          kinds == nil || $0.kind.map { kinds!.contains($0) } == true
        }
        #expect(
          offsets.map { shops.annotations[$0] } == Array(expected.prefix(limit)),
          "k \(limit) from \(origins[origin])")
      }
      #expect(asked == origins.count)
    }
    let tooMany = await index.nearestOffsets(17, toEach: origins)
    #expect(tooMany == nil)
    let answer = index.nearest(20, to: shops.origin)
    #expect(index.offsets(of: answer).map { shops.annotations[$0] } == answer.map(\.annotation))
  }

  @Test(arguments: PointSet.allCases)
  func `the order of the input changes nothing`(pointSet: PointSet) {
    var generator = SeededGenerator(seed: 1)
    var shops = Shops(400, of: pointSet, kinds: 3, seed: 8)
    let first = AnnotationIndex(shops.annotations)
    for _ in 0..<5 {
      shops.annotations.shuffle(using: &generator)
      for shortcuts: IndexingShortcuts in [[], .unindexedKinds, .unsortedPositions] {
        let index = AnnotationIndex(shops.annotations, shortcuts: shortcuts)
        for kinds: Set<AnnotationKind>? in [nil, ["kind 1"], ["kind 0", "kind 2", "no such"]] {
          let expected = first.nearest(50, to: shops.origin, kinds: kinds)
          let answer = index.nearest(50, to: shops.origin, kinds: kinds)
          #expect(answer.map(\.annotation) == expected.map(\.annotation))
          #expect(answer.validRadius == expected.validRadius)
        }
        #expect(index.kinds == first.kinds)
        #expect(index.annotations(in: .world) == first.annotations(in: .world))
      }
    }
  }

  @Test func `equal distances come out by id, equal ids by source and record`() throws {
    let place = try Coordinate(latitude: 37.5, longitude: 127)
    func shop(_ id: AnnotationID, _ source: String, _ record: Int) -> BasicAnnotation {
      BasicAnnotation(
        id: id, coordinate: place, origin: RecordOrigin(source: source, record: record))
    }
    let ordered = [
      shop("-5", "z.csv", 9), shop("2", "b.csv", 1), shop("10", "a.csv", 2),
      shop("10", "a.csv", 10),
      shop("10", "b.csv", 1), shop("10", "caf\u{65}\u{301}.csv", 7), shop("10", "caf\u{E9}.csv", 3),
      shop("010", "a.csv", 1), shop("a", "a.csv", 3),
    ]
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<20 {
      let index = AnnotationIndex(ordered.shuffled(using: &generator))
      #expect(index.nearest(.max, to: place).map(\.annotation) == ordered)
      #expect(index.nearest(4, to: place).map(\.annotation) == Array(ordered.prefix(4)))
      #expect(Array(index.annotations(in: .world)) == ordered)
    }
  }

  @Test func `ids known to ascend are taken as they stand`() throws {
    let place = try Coordinate(latitude: 1, longitude: 1)
    let numbers = [3, 1, 2]
    let annotations = numbers.map { BasicAnnotation(id: AnnotationID($0), coordinate: place) }
    let index = AnnotationIndex(annotations, shortcuts: .idsAscend)
    #expect(index.nearest(3, to: place).map(\.annotation) == annotations)
  }

  @Test func `an unplaced annotation is kept, counted, and never an answer`() throws {
    let origin = try Coordinate(latitude: 0, longitude: 0)
    let placed = BasicAnnotation(
      id: 1, kind: .mart, coordinate: try Coordinate(latitude: 60, longitude: 20))
    let unplaced = BasicAnnotation(id: 2, kind: .mart)
    let index = AnnotationIndex([unplaced, placed, unplaced])
    #expect(index.annotations.count == 3)
    #expect(index.unplacedCount == 2)
    #expect(index.placedCount == 1)
    #expect(index.nearest(.max, to: origin).map(\.annotation) == [placed])
    #expect(index.nearest(.max, to: origin, kinds: [.mart]).map(\.annotation) == [placed])
    #expect(index.annotations(within: .infinity, of: origin).map(\.annotation) == [placed])
    #expect(Array(index.annotations(in: .world)) == [placed])
    #expect(index.count(in: .world) == 1)
    #expect(index.count(within: .infinity, of: origin) == 1)
    let nothing = AnnotationIndex([unplaced])
    #expect(nothing.nearest(3, to: origin).isEmpty)
    #expect(nothing.kinds.isEmpty)
  }

  @Test func `an empty index answers with nothing`() throws {
    let origin = try Coordinate(latitude: 90, longitude: 0)
    let index = AnnotationIndex([BasicAnnotation]())
    #expect(index.nearest(3, to: origin).isEmpty)
    #expect(index.nearest(3, to: origin).validRadius == nil)
    #expect(index.annotations(in: .world).isEmpty)
    #expect(index.count(in: .world) == 0)
    #expect(index.placedCount == 0 && index.unplacedCount == 0)
  }

  @Test(arguments: [PointSet.city, .seamStraddling, .polarCap])
  func `how long an answer holds is what the positions say`(pointSet: PointSet) throws {
    let shops = Shops(300, of: pointSet, kinds: 3, seed: 4)
    let placed = shops.inTieOrder
    let positions = KDTreeIndex(placed.compactMap(\.coordinate))
    let index = AnnotationIndex(shops.annotations)
    let ranked = shops.ranked(from: shops.origin)
    let outer = shops.distance(of: ranked[120], from: shops.origin)
    let inner = shops.distance(of: ranked[30], from: shops.origin)
    for limit in [1, 5, 299, 400] {
      #expect(
        index.nearest(limit, to: shops.origin).validRadius
          == positions.nearest(limit, to: shops.origin).validRadius)
      let answer = index.nearest(limit, to: shops.origin, within: outer, beyond: inner)
      let expected = positions.nearest(limit, to: shops.origin, within: outer, beyond: inner)
      #expect(answer.validRadius == expected.validRadius)
      #expect(answer.map(\.annotation) == expected.neighbors.map { placed[$0.offset] })
    }
  }

  @Test func `a shape without a coordinate is unplaced, for an index and for a scan`() throws {
    let bank = try Coordinate(latitude: 37.5, longitude: 127)
    let mouth = try Coordinate(latitude: 37.6, longitude: 127)
    let river = BasicAnnotation(id: 1, shape: GroundShape(lines: [Polyline([bank, mouth])]))
    #expect(AnnotationIndex([river]).nearest(1, to: bank).isEmpty)
    #expect(try AnnotationScan([river]).nearest(1, to: bank).isEmpty)
    let box = try BoundingBox(south: 37, west: 126, north: 38, east: 128)
    #expect(try AnnotationScan([river]).count(in: box) == 0)
    var placed = river
    placed.coordinate = mouth
    #expect(AnnotationIndex([placed]).nearest(1, to: bank).first?.distance == .meters(0))
    #expect(try AnnotationScan([placed]).nearest(1, to: bank).first?.distance == .meters(0))
  }

  @Test func `many tasks at once get the same answers`() async throws {
    let shops = Shops(2_000, of: .clustered, kinds: 70, seed: 9)
    let index = AnnotationIndex(shops.annotations)
    var generator = SeededGenerator(seed: 10)
    let origins = (0..<40).map { _ in PointSet.anywhere(using: &generator) }
    let kinds: Set<AnnotationKind> = ["kind 3", "kind 64", "kind 69"]
    let alone = origins.map { index.nearest(15, to: $0, kinds: kinds).map(\.annotation) }
    await withTaskGroup { group in
      for task in 0..<64 {
        group.addTask {
          let order = origins.indices.map { ($0 + task) % origins.count }
          return order.map { ($0, index.nearest(15, to: origins[$0], kinds: kinds)) }
        }
      }
      for await answers in group {
        for (place, answer) in answers {
          #expect(answer.map(\.annotation) == alone[place])
        }
      }
    }
  }
}
