import Geodesy
import MapAnnotations
import NearbySearch
import NearbyTestSupport
import SpatialIndexing
import Testing

@Suite struct KindTests {
  /// Around the 64 that category masks can tell apart.
  private static let kindCounts = [1, 3, 63, 64, 65, 90]

  @Test(arguments: kindCounts, [PointSet.clustered, .allEqual])
  func `kinds are found by masks as by a predicate, however many there are`(
    kindCount: Int, pointSet: PointSet
  ) {
    let shops = Shops(800, of: pointSet, kinds: kindCount, seed: 3)
    let wanted: [Set<AnnotationKind>] = [
      ["kind 0"], ["kind 0", "kind 2"], ["kind 62"], ["kind 63"], ["kind 64", "kind 1"],
      ["kind 89"], ["no such"], [],
      Set((0..<kindCount).map { AnnotationKind(rawValue: "kind \($0)") }),
    ]
    for shortcuts in [IndexingShortcuts(), .unindexedKinds] {
      let index = AnnotationIndex(shops.annotations, shortcuts: shortcuts)
      for kinds in wanted {
        let expected = shops.ranked(from: shops.origin) { $0.kind.map(kinds.contains) ?? false }
        let byMask = index.nearest(25, to: shops.origin, kinds: kinds)
        #expect(byMask.map(\.annotation) == Array(expected.prefix(25)))
        let byPredicate = index.nearest(25, to: shops.origin) {
          $0.kind.map(kinds.contains) ?? false
        }
        #expect(byPredicate.map(\.annotation) == Array(expected.prefix(25)))
        #expect(byMask.validRadius == byPredicate.validRadius)
        #expect(
          Array(index.annotations(in: .world, kinds: kinds))
            == shops.inTieOrder.filter { $0.kind.map(kinds.contains) ?? false })
        #expect(
          index.annotations(within: .kilometers(900), of: shops.origin, kinds: kinds)
            .map(\.annotation)
            == expected.filter { shops.distance(of: $0, from: shops.origin) <= .kilometers(900) })
      }
    }
  }

  @Test func `annotations without a kind answer who asks for no kind`() throws {
    let place = try Coordinate(latitude: 1, longitude: 1)
    let plain = BasicAnnotation(id: 1, coordinate: place)
    let mart = BasicAnnotation(id: 2, kind: .mart, coordinate: place)
    let mixed = AnnotationIndex([plain, mart])
    #expect(mixed.nearest(5, to: place).map(\.annotation) == [plain, mart])
    #expect(mixed.nearest(5, to: place, kinds: [.mart]).map(\.annotation) == [mart])
    #expect(Array(mixed.annotations(in: .world)) == [plain, mart])
    #expect(mixed.kinds == [.mart])
    let unnamed = AnnotationIndex([plain])
    #expect(unnamed.nearest(5, to: place).map(\.annotation) == [plain])
    #expect(unnamed.nearest(5, to: place, kinds: [.mart]).isEmpty)
    #expect(unnamed.annotations(in: .world, kinds: [.mart]).isEmpty)
    #expect(unnamed.kinds.isEmpty)
  }

  @Test(arguments: [3, 64, 90], [PointSet.city, .lattice])
  func `the nearest of each kind come kind after kind, those without one last`(
    kindCount: Int, pointSet: PointSet
  ) throws {
    let shops = Shops(700, of: pointSet, kinds: kindCount, seed: 5)
    for shortcuts in [IndexingShortcuts(), .unindexedKinds] {
      let index = AnnotationIndex(shops.annotations, shortcuts: shortcuts)
      let names = Set(shops.inTieOrder.compactMap(\.kind?.rawValue)).sorted()
      let ranked = shops.ranked(from: shops.origin)
      var expected = names.flatMap { name in
        ranked.filter { $0.kind?.rawValue == name }.prefix(2)
      }
      expected += ranked.filter { $0.kind == nil }.prefix(2)
      var query = NearbyQuery(from: shops.origin, limit: 2)
      query.isPerKind = true
      let answer = try index.answer(query)
      #expect(answer.map(\.annotation) == expected)
      let radii = index.kinds.compactMap {
        index.nearest(2, to: shops.origin, kinds: [$0]).validRadius
      }
      let unnamed = index.nearest(2, to: shops.origin) { $0.kind == nil }.validRadius
      #expect(answer.validRadius == (radii + [unnamed].compactMap { $0 }).min())
      // Only the kinds asked for, and none for those that do not occur.
      query.limit = 1
      query.kinds = ["kind 2", "kind 0", "x"]
      #expect(try index.answer(query).map(\.annotation.kind) == ["kind 0", "kind 2"])
    }
  }

  /// Many kinds are found together, and what ties with another kind must not show in a distance.
  @Test(arguments: [PointSet.city, .lattice, .seamStraddling])
  func `the nearest of each kind are those of a search for it alone, to the last bit`(
    pointSet: PointSet
  ) throws {
    let shops = Shops(1_000, of: pointSet, kinds: 120, seed: 11)
    let index = AnnotationIndex(shops.annotations)
    let live = LiveAnnotationIndex(shops.annotations)
    let ranked = shops.ranked(from: shops.origin).map {
      shops.distance(of: $0, from: shops.origin).meters
    }
    // Between two neighbors, where no rounding decides.
    let steps = zip(ranked, ranked.dropFirst()).filter { $1 - $0 > 0.001 }
    let near = steps[steps.count / 4]
    let far = steps[steps.count / 2]
    let inner = Distance.meters((near.0 + near.1) / 2)
    let outer = Distance.meters((far.0 + far.1) / 2)
    for distances in [
      DistanceRange(), DistanceRange(within: outer), DistanceRange(beyond: inner),
      DistanceRange(beyond: inner, within: outer),
    ] {
      for limit in [2, .max] {
        var query = NearbyQuery(from: shops.origin, limit: limit)
        query.distances = distances
        try Self.check(query, index, index.kinds)
        try Self.check(query, live.snapshot, index.kinds)
      }
    }
  }

  /// Compares the answer for each kind with the answers to one query for each.
  private static func check<Search: AnnotationSearching<BasicAnnotation>>(
    _ query: NearbyQuery, _ search: Search, _ kinds: [AnnotationKind]
  ) throws {
    var alone: [NearbyAnswer<BasicAnnotation>] = []
    for kind in kinds {
      var one = query
      one.kinds = [kind]
      alone.append(try search.answer(one))
    }
    var each = query
    each.isPerKind = true
    each.kinds = Set(kinds)
    let answer = try search.answer(each)
    let wanted = alone.joined()
    #expect(answer.map(\.annotation) == wanted.map(\.annotation), "\(query.text)")
    #expect(answer.map(\.distance) == wanted.map(\.distance), "\(query.text)")
    #expect(answer.validRadius == alone.compactMap(\.validRadius).min(), "\(query.text)")
  }

  @Test func `thousands of kinds take one walk, not one each`() throws {
    let shops = Shops(8_000, of: .clustered, kinds: 2_000, seed: 9)
    let index = AnnotationIndex(shops.annotations)
    var query = NearbyQuery(from: shops.origin, limit: 1)
    query.isPerKind = true
    let answer = try index.answer(query)
    var first: [String: BasicAnnotation] = [:]
    for shop in shops.ranked(from: shops.origin).reversed() {
      first[shop.kind?.rawValue ?? "~"] = shop
    }
    #expect(answer.map(\.annotation) == first.keys.sorted().compactMap { first[$0] })
    // One walk for each kind would ask some ten million times.
    #expect(answer.statistics.predicateCalls + answer.statistics.candidates < 50_000)
  }

  @Test func `a predicate is asked once for each annotation, of the wanted kinds only`() {
    let shops = Shops(600, of: .clustered, kinds: 90, seed: 7)
    for shortcuts in [IndexingShortcuts(), .unindexedKinds] {
      let index = AnnotationIndex(shops.annotations, shortcuts: shortcuts)
      let kinds: Set<AnnotationKind> = ["kind 1", "kind 70", "kind 80"]
      var asked: [RecordOrigin?] = []
      let answer = index.nearest(5, to: shops.origin, kinds: kinds) {
        asked.append($0.origin)
        #expect($0.kind.map(kinds.contains) == true)
        return $0.id.text.hasSuffix("1")
      }
      #expect(Set(asked).count == asked.count)
      let expected = shops.ranked(from: shops.origin) {
        ($0.kind.map(kinds.contains) ?? false) && $0.id.text.hasSuffix("1")
      }
      #expect(answer.map(\.annotation) == Array(expected.prefix(5)))
    }
  }

  @Test func `annotations of different types share one index behind a common one`() throws {
    let place = try Coordinate(latitude: 34.87, longitude: 138.32)
    let shop = BasicAnnotation(id: 4, placeID: "shop-4", coordinate: place)
    let items = [
      BasicAnnotation(copying: Deal(shop, terms: "10 % off")),
      BasicAnnotation(copying: Mart(BasicAnnotation(id: 5, placeID: "shop-4", coordinate: place))),
      BasicAnnotation(copying: Cinema(BasicAnnotation(id: 6, coordinate: place))),
    ]
    let index = AnnotationIndex(items)
    #expect(index.kinds == [.cinema, .deal, .mart])
    #expect(index.nearest(9, to: place, kinds: [.deal]).map(\.annotation.id) == [4])
    #expect(index.nearest(9, to: place).map(\.annotation.placeID) == ["shop-4", "shop-4", nil])
  }
}
