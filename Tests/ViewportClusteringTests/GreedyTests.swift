import Foundation
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import ViewportClustering

/// The judge: supercluster's rule as its authors word it, asking every point for every other.
struct PlainGreedy {
  struct Item {
    var x: Double, y: Double
    var count = 1
    var members: [Int]
    var isTaken = false
  }
  /// The items of each zoom, and of the one past the last.
  var levels: [Int: [Item]] = [:]

  init(_ positions: [Coordinate], rule: GreedyRule) {
    var items = positions.enumerated().map { number, position in
      let s = sine(radians(position.latitude))
      let y = min(max(0.5 - areaHyperbolicTangent(s) / (2 * .pi), 0), 1)
      return Item(
        x: Double(Float(position.longitude / 360 + 0.5)), y: Double(Float(y)), members: [number])
    }
    levels[rule.zooms.upperBound + 1] = items
    for zoom in rule.zooms.reversed() {
      let radius = rule.radius / (rule.extent * Double(1 << zoom))
      var next: [Item] = []
      for place in items.indices { items[place].isTaken = false }
      for place in items.indices where !items[place].isTaken {
        items[place].isTaken = true
        let one = items[place]
        let near = items.indices.filter {
          let dx = Double(Float(items[$0].x)) - one.x, dy = Double(Float(items[$0].y)) - one.y
          return !items[$0].isTaken && dx * dx + dy * dy <= radius * radius
        }
        let count = near.reduce(one.count) { $0 + items[$1].count }
        if !near.isEmpty, count >= rule.minCount {
          var (x, y, members) = (one.x * Double(one.count), one.y * Double(one.count), one.members)
          for other in near {
            items[other].isTaken = true
            x += items[other].x * Double(items[other].count)
            y += items[other].y * Double(items[other].count)
            members += items[other].members
          }
          next.append(
            Item(x: x / Double(count), y: y / Double(count), count: count, members: members))
        } else {
          next.append(one)
          for other in near {
            items[other].isTaken = true
            next.append(items[other])
          }
        }
      }
      levels[zoom] = next
      items = next
    }
  }
}

@Suite struct `A greedy cluster index` {
  @Test(arguments: PointSet.allCases, UInt64(0)..<3)
  func `makes the clusters of the plain rule, with the same members`(
    pointSet: PointSet, seed: UInt64
  ) throws {
    let rule = GreedyRule(
      radius: [40, 60, 20][Int(seed)], zooms: seed == 1 ? 2...12 : 0...16,
      minCount: seed == 2 ? 5 : 2)
    let items = annotations(pointSet, 300, seed: seed)
    let judge = PlainGreedy(items.map { $0.coordinate! }, rule: rule)
    let index = GreedyClusterIndex(items, rule: rule)
    for zoom in rule.zooms.lowerBound...rule.zooms.upperBound + 1 {
      let view = index.view(of: MapViewport(.world, zoom: zoom))
      let expected = try #require(judge.levels[zoom])
      #expect(view.count == items.count)
      #expect(view.annotations == expected.filter { $0.count == 1 }.map { $0.members[0] })
      let together = expected.filter { $0.count > 1 }
      #expect(view.clusters.map(\.count) == together.map(\.count))
      for (cluster, one) in zip(view.clusters, together) {
        #expect(
          abs(cluster.column * 0x1p-32 - one.x) < 1e-15
            && abs(cluster.row * 0x1p-32 - one.y) < 1e-15)
        let leaves = try #require(index.leaves(of: cluster.id, limit: .max))
        #expect(leaves.sorted() == one.members.sorted())
        #expect(
          index.leaves(of: cluster.id, offset: 2, limit: 3) == Array(leaves.dropFirst(2).prefix(3)))
        #expect(index.children(of: cluster.id)?.count == cluster.count)
        let expansion = try #require(index.expansionZoom(of: cluster.id))
        #expect(cluster.id.zoom < expansion && expansion <= rule.zooms.upperBound + 1)
      }
    }
  }

  @Test func `has nothing where nothing is, and no cluster of another's name`() {
    let index = GreedyClusterIndex([BasicAnnotation(id: 1)])
    #expect(index.view(of: MapViewport(.world, zoom: 0)).count == 0)
    #expect(index.children(of: ClusterID(rawValue: .max)) == nil)
    #expect(index.leaves(of: ClusterID(ClusterRule(), zoom: 0, cell: 0)) == nil)
  }

  @Test func `shows what is beyond the Mercator limit in a box that is all beyond it`() {
    let items = [89.0, -86, 0].enumerated().map { number, latitude in
      BasicAnnotation(id: AnnotationID(number), coordinate: PointSet.legal(latitude, 10))
    }
    let index = GreedyClusterIndex(items), other = ClusterIndex(items)
    for zoom in 0...17 {
      for (south, north, expected) in [(86.0, 90.0, [0]), (-90, -86, [1]), (-90, -89, [1])] {
        let screen = MapViewport(BoundingBox(unchecked: south, 9, north, 11), zoom: zoom)
        #expect(index.view(of: screen).annotations == expected)
        #expect(other.view(of: screen).annotations.contains(expected[0]))
      }
    }
  }

  @Test func `has numbers for its clusters that a map can hold, and no two share`() throws {
    var numbers: Set<Int> = []
    let cells = [0, 1, 2, Int(Int32.max)]
    for zoom in 0...22 {
      for cell in cells {
        let id = try #require(ClusterID("g/\(zoom)/\(cell)"))
        #expect((1...1 << 53).contains(id.number))
        #expect(numbers.insert(id.number).inserted, "\(id)")
        for size in [32, 64, 128, 256, 512] {
          #expect(ClusterID(number: id.number, of: ClusterRule(cellSize: size)) == nil)
        }
      }
    }
  }

  @Test(arguments: [1e9, 1e300])
  func `clusters everything within a radius larger than the world`(radius: Double) {
    let items = annotations(.uniform, 50, seed: 1)
    let index = GreedyClusterIndex(items, rule: GreedyRule(radius: radius, extent: 1e-3))
    let view = index.view(of: MapViewport(.world, zoom: 16))
    #expect(view.clusters.map(\.count) == [50])
  }

  @Test func `refuses a radius that no number of tiles measures`() async {
    await #expect(processExitsWith: .failure) {
      _ = GreedyRule(radius: 1e308, extent: 1e-10)
    }
  }

  @Test(arguments: [1e-9, 1e-300, 5e-324])
  func `clusters what is in one place within any radius`(radius: Double) {
    let place = PointSet.legal(37.57, 126.97), other = PointSet.legal(37.57, 126.98)
    let items = [place, place, other, place].enumerated().map { number, coordinate in
      BasicAnnotation(id: AnnotationID(number), coordinate: coordinate)
    }
    let index = GreedyClusterIndex(items, rule: GreedyRule(radius: radius))
    let view = index.view(of: MapViewport(.world, zoom: 3))
    #expect(view.clusters.map(\.count) == [3])
    #expect(view.annotations == [2])
  }
}

@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct `The clustering vectors` {
  /// 163 features, of which one, Null Island, has no geometry.
  private let places: [BasicAnnotation]

  init() throws {
    let bytes = try SharedFiles.bytes("conformance/clustering/places.geojson")
    places = try GeoJSONReader().features(in: bytes).enumerated().map { number, feature in
      BasicAnnotation(
        id: AnnotationID(number), name: feature.properties?["name"]?.text,
        coordinate: try feature.geometry?.representativePoint())
    }
  }

  private func json(_ name: String) throws -> Any {
    try JSONSerialization.jsonObject(
      with: Data(try SharedFiles.bytes("conformance/clustering/\(name).json")))
  }

  @Test func `of the whole world in one tile are met in place, count and name`() throws {
    let object = try #require(json("places_z0") as? [String: Any])
    let features = try #require(object["features"] as? [[String: Any]])
    let expected = try features.map { feature -> String in
      let xy = try #require(feature["tile_xy"] as? [Int])
      let what = (feature["point_count"] as? Int).map(String.init) ?? (feature["name"] as? String)
      return "\(xy[0]) \(xy[1]) \(what ?? "?")"
    }
    let index = GreedyClusterIndex(places)
    let view = index.view(of: MapViewport(.world, zoom: 0))
    let placed = places.indices.filter { places[$0].coordinate != nil }
    let level = GreedyHierarchy(
      placed.compactMap { places[$0].coordinate }, places: placed.map { UInt32($0) },
      rule: GreedyRule()
    ).level(atZoom: 0)
    var got: [String] = []
    for (number, item) in level.items.enumerated() {
      let cluster = level.cluster(number)
      let what = cluster.map { "\($0.count)" } ?? places[Int(item.source)].name ?? "?"
      // As a tile has them: again on the other side where they reach into the tile by the radius.
      for turn in [-1.0, 0, 1] {
        let x = ((item.x + turn) * 512).rounded(), y = (item.y * 512).rounded()
        let margin = 40.0 / 512
        if (-margin...1 + margin).contains(item.x + turn) {
          got.append("\(Int(x)) \(Int(y)) \(what)")
        }
      }
    }
    #expect(got.sorted() == expected.sorted())
    #expect(view.count == 162)
    #expect(
      features.reduce(0) { $0 + ($1["point_count"] as? Int ?? 1) } == 196)

    let counts = try #require(
      object["clusters_at_zoom1_children_of_first_cluster_counts"] as? [Int])
    let first = try #require(view.clusters.first)
    let children = try #require(index.children(of: first.id))
    #expect(
      (children.clusters.map(\.count) + children.annotations.map { _ in 1 }).sorted()
        == counts.sorted())
  }

  @Test func `of boxes beyond all degrees are met in number`() throws {
    let object = try #require(json("weird_bbox") as? [String: Any])
    let boxes = try #require(object["boxes"] as? [[String: Any]])
    let index = GreedyClusterIndex(places)
    #expect(!boxes.isEmpty)
    for box in boxes {
      let edges = try #require(box["bbox"] as? [Double])
      let view = index.view(
        of: try MapViewport(
          unwrappedWest: edges[0], south: edges[1], east: edges[2], north: edges[3], zoom: 1))
      #expect(view.clusters.count + view.annotations.count == box["features"] as? Int, "\(edges)")
    }
  }

  @Test func `across ±180° and of nothing are met by both indexes`() throws {
    let cases = try #require(json("small") as? [[String: Any]])
    #expect(!cases.isEmpty)
    for vector in cases {
      let points = try #require(vector["points"] as? [[Double]])
      let items = try points.enumerated().map { number, point in
        BasicAnnotation(
          id: AnnotationID(number),
          coordinate: try Coordinate(latitude: point[1], longitude: point[0]))
      }
      let zoom = try #require(vector["zoom"] as? Int)
      let boxes = ["a", "b"].compactMap { vector[$0] as? [Double] }
      let views = try boxes.map {
        try MapViewport(
          unwrappedWest: $0[0], south: $0[1], east: $0[2], north: $0[3], zoom: zoom)
      }
      let counts = views.map { GreedyClusterIndex(items).view(of: $0).clusters.count }
      let ours = views.map { ClusterIndex(items).view(of: $0).clusters.count }
      #expect(Set(counts).count == 1 && Set(ours).count == 1)
      #expect((counts[0] > 0) == !items.isEmpty && (ours[0] > 0) == !items.isEmpty)
    }
  }

  @Test func `lose no place at any zoom, in either index`() {
    let index = ClusterIndex(places), greedy = GreedyClusterIndex(places)
    #expect(index.unplacedCount == 1)
    for zoom in 0...17 {
      #expect(index.view(of: MapViewport(.world, zoom: zoom)).count == 162)
      #expect(greedy.view(of: MapViewport(.world, zoom: zoom)).count == 162)
    }
  }
}
