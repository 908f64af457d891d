import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import ViewportClustering

/// Annotations at the positions of a set, in the order of their ids.
func annotations(
  _ pointSet: PointSet, _ count: Int, seed: UInt64
) -> [BasicAnnotation] {
  let (points, _) = pointSet.sample(count, seed: seed)
  return points.enumerated().map { number, point in
    BasicAnnotation(
      id: AnnotationID(number), kind: number % 3 == 0 ? .cinema : number % 3 == 1 ? .mart : nil,
      coordinate: point,
      properties: number % 5 == 0 ? [:] : ["size": .double(Double(number) / 8)])
  }
}

/// Screens over and beside a set, at many zooms, across ±180° and at the poles too.
func screens(_ seed: UInt64, around center: Coordinate) -> [MapViewport] {
  var generator = SeededGenerator(seed: seed)
  return (0...24).flatMap { zoom in
    [center, PointSet.anywhere(using: &generator), PointSet.legal(-17.5, 179.99)].map {
      MapViewport(
        center: $0, zoom: Double(zoom) + Double.random(in: 0..<1, using: &generator),
        width: 1280, height: 800)
    }
  } + [MapViewport(.world, zoom: 0), MapViewport(.world, zoom: 3)]
}

/// Clusters found by asking each annotation for its cell, with none of the index's means.
struct NaiveClusters {
  var cells: [UInt64: [Int]] = [:]

  init(_ annotations: [BasicAnnotation], in box: BoundingBox, zoom: Int, rule: ClusterRule) {
    for (offset, annotation) in annotations.enumerated() {
      guard let position = annotation.coordinate, box.contains(position) else { continue }
      let size = Double(1 << (zoom + rule.subdivision))
      let turn = rule.alignment == .tiles ? 0 : Double(0x5555_5555) * 0x1p-32
      let x = (position.longitude + 180) / 360 + turn
      let s = sine(radians(position.latitude))
      let y = 0.5 - areaHyperbolicTangent(s) / (2 * .pi)
      let column = UInt64((x - x.rounded(.down)) * size)
      let row = UInt64(min(max(y, 0), 1 - 0x1p-40) * size)
      cells[column << 32 | row, default: []].append(offset)
    }
  }
}

@Suite struct `A cluster index` {
  @Test(arguments: PointSet.allCases, UInt64(0)..<4)
  func `draws as one what a cell holds, and counts the box it names exactly`(
    pointSet: PointSet, seed: UInt64
  ) {
    let rule = ClusterRule(
      cellSize: [32, 64, 256, 64][Int(seed)], maxZoom: seed == 2 ? 9 : 16,
      minCount: seed == 1 ? 4 : 2, alignment: seed % 2 == 0 ? .unbroken : .tiles)
    let items = annotations(pointSet, 700, seed: seed)
    let index = ClusterIndex(items, rule: rule)
    let center = items[3].coordinate ?? PointSet.legal(0, 0)
    for screen in screens(seed, around: center) {
      let view = index.view(of: screen)
      let box = view.box
      #expect(box.contains(screen.box), "\(screen)")
      #expect(view.count == items.count { box.contains($0.coordinate!) }, "\(screen) \(box)")
      let naive = NaiveClusters(items, in: box, zoom: screen.zoom, rule: rule)
      let together = naive.cells.values.filter {
        screen.zoom <= rule.maxZoom && $0.count >= rule.minCount
      }
      #expect(view.clusters.map(\.count).sorted() == together.map(\.count).sorted(), "\(screen)")
      let alone = naive.cells.values.filter {
        screen.zoom > rule.maxZoom || $0.count < rule.minCount
      }
      #expect(view.annotations.sorted() == alone.joined().sorted())
      for cluster in view.clusters {
        let leaves = index.leaves(of: cluster.id, limit: .max) ?? []
        #expect(leaves.count == cluster.count)
        #expect(naive.cells.values.contains { Set($0) == Set(leaves) })
      }
    }
  }

  @Test(arguments: PointSet.allCases)
  func `does not depend on the order of the annotations, nor on the viewport`(pointSet: PointSet) {
    let items = annotations(pointSet, 500, seed: 7)
    var generator = SeededGenerator(seed: 9)
    let index = ClusterIndex(items)
    let shuffled = ClusterIndex(items.shuffled(using: &generator))
    let center = items[0].coordinate ?? PointSet.legal(0, 0)
    for screen in screens(1, around: center) {
      let view = index.view(of: screen), other = shuffled.view(of: screen)
      #expect(view.clusters == other.clusters)
      #expect(
        view.annotations.map { items[$0].id }
          == other.annotations.map { shuffled.annotations[$0].id })
      // Each cluster is the one that the whole world has there.
      for cluster in view.clusters {
        #expect(index.cluster(cluster.id) == cluster)
        #expect(cluster.id.number < 1 << 53)
        #expect(ClusterID(number: cluster.id.number, of: index.rule) == cluster.id)
      }
    }
  }

  @Test(arguments: PointSet.allCases)
  func `has children that add up, pages that lose nothing, and a zoom to fall apart at`(
    pointSet: PointSet
  ) throws {
    let items = annotations(pointSet, 400, seed: 3)
    let index = ClusterIndex(items)
    var open = index.view(of: MapViewport(.world, zoom: 0)).clusters
    #expect(!open.isEmpty)
    while let cluster = open.popLast() {
      let children = try #require(index.children(of: cluster.id))
      #expect(children.count == cluster.count)
      var pages: [Int] = []
      while let page = index.leaves(of: cluster.id, offset: pages.count, limit: 7), !page.isEmpty {
        pages += page
      }
      #expect(pages == index.leaves(of: cluster.id, limit: cluster.count))
      #expect(Set(pages).count == cluster.count)

      let zoom = try #require(index.expansionZoom(of: cluster.id))
      var (only, level) = (cluster, cluster.id.zoom)
      while level < zoom - 1 {
        let next = try #require(index.children(of: only.id))
        #expect(next.annotations.isEmpty && next.clusters.count == 1)
        (only, level) = (try #require(next.clusters.first), level + 1)
      }
      let parts = try #require(index.children(of: only.id))
      #expect(parts.clusters.count + parts.annotations.count > 1)
      if cluster.id.zoom < 5 || cluster.id.cell % 7 == 0 { open += children.clusters }
    }
  }

  @Test func `merges across ±180° and across Greenwich, but for tiles`() {
    let items = [(-17.0, 179.9999), (-17, -179.9999), (51.5, 0.0001), (51.5, -0.0001)].map {
      BasicAnnotation(id: AnnotationID("\($1)"), coordinate: PointSet.legal($0, $1))
    }
    for zoom in 0...10 {
      let screen = MapViewport(.world, zoom: zoom)
      #expect(ClusterIndex(items).view(of: screen).clusters.map(\.count).sorted().last ?? 0 >= 2)
      let fiji = MapViewport(
        BoundingBox(unchecked: -18, 179, -16, -179), zoom: zoom)
      let view = ClusterIndex(items).view(of: fiji)
      #expect(view.clusters.contains { abs($0.coordinate.longitude) > 179 || zoom < 3 })
      let tiled = ClusterIndex(items, rule: ClusterRule(alignment: .tiles)).view(of: screen)
      #expect(zoom < 2 || tiled.clusters.isEmpty)
    }
  }

  @Test(arguments: UInt64(0)..<3)
  func `filters without being built anew`(seed: UInt64) {
    let items = annotations(.clustered, 900, seed: seed)
    let index = ClusterIndex(items, aggregates: ClusterAggregates(countsKinds: true))
    let cinemas = items.filter { $0.kind == .cinema }
    let fresh = ClusterIndex(cinemas)
    let selection = index.selection { $0.kind == .cinema }
    #expect(selection.count == cinemas.count)
    for screen in screens(seed, around: items[1].coordinate!) {
      let view = index.view(of: screen, selection: selection)
      let expected = fresh.view(of: screen)
      #expect(view.clusters == expected.clusters)
      #expect(view.annotations.map { items[$0].id } == expected.annotations.map { cinemas[$0].id })
      for cluster in view.clusters.prefix(20) {
        #expect(
          index.leaves(of: cluster.id, offset: 1, limit: 5, selection: selection)?
            .map { items[$0].id }
            == fresh.leaves(of: cluster.id, offset: 1, limit: 5)?.map { cinemas[$0].id })
        #expect(
          index.expansionZoom(of: cluster.id, selection: selection)
            == fresh.expansionZoom(of: cluster.id))
        #expect(
          index.summary(of: cluster.id, selection: selection)?.kinds == [.cinema: cluster.count])
      }
    }
    #expect(
      index.view(of: MapViewport(.world, zoom: 2), selection: index.selection { _ in false })
        .count == 0)
  }

  @Test func `lets an annotation opt out`() throws {
    let items = annotations(.city, 300, seed: 5)
    let index = ClusterIndex(items) { $0.id == 17 || $0.id == 18 }
    let others = ClusterIndex(items.filter { $0.id != 17 && $0.id != 18 })
    for zoom in 0...17 {
      let view = index.view(of: MapViewport(.world, zoom: zoom))
      #expect(view.count == 300)
      #expect(Set(view.annotations).isSuperset(of: [17, 18]))
      let rest = others.view(of: MapViewport(.world, zoom: zoom))
      #expect(view.clusters == rest.clusters)
      #expect(view.annotations.count == rest.annotations.count + 2)
    }
    let cluster = try #require(index.view(of: MapViewport(.world, zoom: 3)).clusters.first)
    #expect(index.children(of: cluster.id)?.count == cluster.count)
    #expect(index.leaves(of: cluster.id, limit: .max)?.contains(17) == false)
    let selection = index.selection { $0.id != 17 }
    #expect(
      index.view(of: MapViewport(.world, zoom: 0), selection: selection).annotations == [18])
  }

  @Test(arguments: UInt64(0)..<3)
  func `sums up kinds and properties as counting one by one does`(seed: UInt64) throws {
    let items = annotations(.clustered, 3_000, seed: seed)
    let index = ClusterIndex(
      items, aggregates: ClusterAggregates(countsKinds: true, properties: ["size", "nothing"]))
    for zoom in [0, 2, 6, 9] {
      let clusters = index.view(of: MapViewport(.world, zoom: zoom)).clusters
      #expect(!clusters.isEmpty, "zoom \(zoom)")
      for cluster in clusters {
        let members = try #require(index.leaves(of: cluster.id, limit: .max)).map { items[$0] }
        let summary = try #require(index.summary(of: cluster.id))
        #expect(summary.count == cluster.count)
        #expect(summary.kinds[.cinema] ?? 0 == members.count { $0.kind == .cinema })
        #expect(summary.kinds[.mart] ?? 0 == members.count { $0.kind == .mart })
        #expect(summary.unnamedCount == members.count { $0.kind == nil })
        let sizes = members.compactMap { $0.property("size")?.number }
        #expect(summary.properties["nothing"] == nil)
        #expect(summary.properties["size"]?.count ?? 0 == sizes.count)
        #expect(summary.properties["size"]?.minimum == sizes.min())
        #expect(summary.properties["size"]?.maximum == sizes.max())
        // Eighths are exact.
        #expect(summary.properties["size"]?.sum ?? 0 == sizes.reduce(0, +))
      }
    }
  }

  @Test(arguments: [1e308, -1e308])
  func `has an infinite sum of numbers that are too large together`(number: Double) throws {
    // More than two blocks of sums.
    let items = (0..<700).map {
      BasicAnnotation(
        id: AnnotationID($0), coordinate: PointSet.legal(37.5, 127),
        properties: ["size": .double(number)])
    }
    let index = ClusterIndex(items, aggregates: ClusterAggregates(properties: ["size"]))
    let cluster = try #require(index.view(of: MapViewport(.world, zoom: 0)).clusters.first)
    let size = try #require(index.summary(of: cluster.id)?.properties["size"])
    #expect(size.count == 700 && size.minimum == number && size.maximum == number)
    #expect(size.sum == number * .infinity)
  }

  @Test func `keeps what is beyond the Mercator limit, and what has no position apart`() {
    let items =
      [90.0, 89, 85.06, -85.06, -90].enumerated().map { number, latitude in
        BasicAnnotation(id: AnnotationID(number), coordinate: PointSet.legal(latitude, 10))
      } + [BasicAnnotation(id: 9)]
    let index = ClusterIndex(items)
    #expect(index.unplacedCount == 1 && index.placedCount == 5)
    for zoom in 0...17 {
      let view = index.view(of: MapViewport(.world, zoom: zoom))
      #expect(view.count == 5)
      #expect(view.box == .world)
    }
    let arctic = index.view(of: MapViewport(BoundingBox(unchecked: 86, 9, 87, 11), zoom: 8))
    #expect(arctic.box.north == 90)
    #expect(arctic.clusters.map(\.count) == [3])
    #expect(abs((arctic.clusters.first?.coordinate.latitude ?? 0) - 85.0511) < 0.0001)
  }

  @Test func `is empty when nothing is placed`() {
    for items in [[], [BasicAnnotation(id: 1)]] {
      let index = ClusterIndex(items)
      for screen in screens(1, around: PointSet.legal(0, 0)) {
        #expect(index.view(of: screen).count == 0)
      }
      #expect(index.selection { _ in true }.count == 0)
      #expect(index.cluster(ClusterID(ClusterRule(), zoom: 0, cell: 0)) == nil)
    }
  }

  @Test func `has no cluster of another rule's name`() throws {
    let index = ClusterIndex(annotations(.allEqual, 10, seed: 1))
    let id = try #require(index.view(of: MapViewport(.world, zoom: 4)).clusters.first).id
    let wide = ClusterIndex(annotations(.allEqual, 10, seed: 1), rule: ClusterRule(cellSize: 128))
    #expect(wide.cluster(id) == nil && wide.children(of: id) == nil)
    #expect(wide.leaves(of: id) == nil && wide.expansionZoom(of: id) == nil)
    #expect(wide.summary(of: ClusterID(rawValue: .max)) == nil)
    #expect(index.cluster(id)?.count == 10)
  }

  @Test(arguments: ["c64/12/3405/1580", "t512/0/0/0", "g/3/17", "c32/22/67108863/0"])
  func `has ids that are read back from their text`(text: String) {
    #expect(ClusterID(text)?.description == text)
  }

  @Test(
    arguments: [
      "", "c64", "c64/1/2", "c64/0/8/0", "c63/0/0/0", "x64/0/0/0", "c64/+1/2/3", "c64/01/2/3",
      "c64/23/0/0", "c64/1/2/3/4", "c64/1/-2/3", "g/32/1", "g/1", "c99999999999/0/0/0",
      "c64/4294967295/1/1", "t64/1/4294967295/1",
    ])
  func `has no id of any other text`(text: String) {
    #expect(ClusterID(text) == nil)
  }

  @Test func `has no id of a number that is no cell of its zooms`() {
    let rule = ClusterRule(maxZoom: 2)
    for number in [Int.min, -1, 0, 1, 63, 128, 1 << 12, Int.max] {
      #expect(ClusterID(number: number, of: rule) == nil, "\(number)")
    }
    #expect(ClusterID(number: 64, of: rule)?.description == "c64/0/0/0")
    #expect(ClusterID(number: (1 << 11) - 1, of: rule)?.description == "c64/2/31/31")
  }

  @Test func `finds those at one spot, and gives each a slot that filters do not move`() {
    let spot = PointSet.legal(34.7, 135.5)
    let items =
      (0..<5).map { BasicAnnotation(id: AnnotationID($0), coordinate: spot) }
      + [BasicAnnotation(id: 9, coordinate: PointSet.legal(34.71, 135.5))]
    let index = ClusterIndex(items)
    let screen = MapViewport(center: spot, zoom: 17, width: 20_000, height: 20_000)
    let all = index.stacks(in: index.view(of: screen))
    #expect(all.map(\.annotations) == [[0, 1, 2, 3, 4]])
    #expect(all.map(\.slots) == [[0, 1, 2, 3, 4]])
    let odd = index.view(of: screen, selection: index.selection { $0.id != 0 && $0.id != 2 })
    #expect(index.stacks(in: odd).map(\.slots) == [[1, 3, 4]])
    #expect(index.stacks(in: odd).map(\.size) == [5])
  }
}

@Suite struct `Pins fanned out` {
  @Test(arguments: [2, 3, 8, 9, 50, 440])
  func `are at least nine tenths of the spacing apart, and keep close`(count: Int) {
    let fan = FanOut(count: count, spacing: 30)
    let offsets = (0..<count).map { fan[$0] }
    for (place, one) in offsets.enumerated() {
      for other in offsets[..<place] {
        let gap = ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y))
          .squareRoot()
        #expect(gap >= 27 - 1e-9)
      }
      let radius = (one.x * one.x + one.y * one.y).squareRoot()
      #expect(radius <= 30 * (1 + 0.6 * Double(count).squareRoot()))
    }
  }

  @Test func `stay on their spot when alone`() {
    #expect(FanOut(count: 1)[0] == FanOut.Offset(x: 0, y: 0))
  }
}
