import Foundation
import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

/// The vectors of `../shared/conformance/nearest`: 5,298 cities (tidwall/cities), judged by brute
/// force with GeographicLib's geodesics, cases of Valkey's and Tile38's own tests, and fixtures of
/// kdbush and flatbush.
@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct `Shared nearest vectors` {
  /// The cities in the order of their ids, which is the order of ties.
  private struct Cities {
    let ids: [Int]
    let index: KDTreeIndex

    init() throws {
      let rows = try SharedFiles.text("conformance/nearest/cities.csv")
        .split(separator: "\n").dropFirst()
      var cities: [(id: Int, place: Coordinate)] = []
      for row in rows {
        // A name may hold commas: the id is the first cell, the position the last two.
        let cells = row.split(separator: ",", omittingEmptySubsequences: false)
        cities.append(
          (
            try #require(Int(cells[0])),
            try Coordinate(
              latitude: try #require(Double(cells[cells.count - 2])),
              longitude: try #require(Double(cells[cells.count - 1])))
          ))
      }
      cities.sort { $0.id < $1.id }
      ids = cities.map(\.id)
      index = KDTreeIndex(cities.map(\.place))
    }
  }

  private struct Query: Decodable {
    let id: String
    let lat: Double
    let lon: Double
    let k: Int?
    let radius_m: Double?
    let count: Int?
    let ids: [Int]
    let meters: [Double]?
    let ties: Bool?
  }

  private struct BoxQuery: Decodable {
    let id: String
    let bbox: [Double]
    let count: Int
    let ids: [Int]?
    let id_sum: Int?
  }

  /// Meters; what the vectors' README allows.
  private let tolerance = 1e-3

  @Test func `the nearest cities come in order, to the millimeter`() throws {
    let cities = try Cities()
    let queries = try SharedFiles.values("conformance/nearest/knn.jsonl") as [Query]
    #expect(queries.count == 166)
    for query in queries {
      let meters = try #require(query.meters)
      let neighbors = cities.index.nearest(
        try #require(query.k), to: try Coordinate(latitude: query.lat, longitude: query.lon)
      ).neighbors
      #expect(neighbors.count == query.ids.count, "\(query.id)")
      for (neighbor, expected) in zip(neighbors, meters) {
        #expect(abs(neighbor.distance.meters - expected) <= tolerance, "\(query.id)")
      }
      let found = neighbors.map { cities.ids[$0.offset] }
      if query.ties == true {
        #expect(inTieOrder(found, meters) == inTieOrder(query.ids, meters), "\(query.id)")
      } else {
        #expect(found == query.ids, "\(query.id)")
      }
    }
  }

  @Test func `the cities within a radius are all there, and counted`() throws {
    let cities = try Cities()
    let queries = try SharedFiles.values("conformance/nearest/radius.jsonl") as [Query]
    #expect(queries.count == 165)
    for query in queries {
      let origin = try Coordinate(latitude: query.lat, longitude: query.lon)
      let radius = Distance.meters(try #require(query.radius_m))
      let found = cities.index.neighbors(within: radius, of: origin)
        .map { cities.ids[$0.offset] }
      #expect(Set(found) == Set(query.ids), "\(query.id)")
      #expect(found.count == query.count, "\(query.id)")
      #expect(cities.index.count(within: radius, of: origin) == query.count, "\(query.id)")
    }
  }

  @Test func `the cities in a box are all there, and counted`() throws {
    let cities = try Cities()
    let queries = try SharedFiles.values("conformance/nearest/bbox.jsonl") as [BoxQuery]
    #expect(queries.count == 70)
    for query in queries {
      let box = try BoundingBox(
        south: query.bbox[1], west: query.bbox[0], north: query.bbox[3], east: query.bbox[2])
      let found = cities.index.positions(in: box).map { cities.ids[$0] }
      #expect(found.count == query.count, "\(query.id)")
      #expect(cities.index.count(in: box) == query.count, "\(query.id)")
      if let ids = query.ids { #expect(Set(found) == Set(ids), "\(query.id)") }
      if let sum = query.id_sum { #expect(found.reduce(0, +) == sum, "\(query.id)") }
    }
  }

  // MARK: Cases of servers

  /// Of the 24 rows two are left out and two have one more result; each is named.
  @Test func `the cases of two servers are answered as they answer them`() throws {
    let cases = try SharedFiles.values("conformance/nearest/server_cases.jsonl") as [ServerCase]
    #expect(cases.count == 24)
    var onSpheres: [String] = []
    var touching: [String: [String]] = [:]
    for one in cases {
      // The limit lies between the distance on their sphere and the one on the ellipsoid, which is
      // the only measure of an index here.
      if one.agrees_on_wgs84 == false {
        onSpheres.append(one.id)
        continue
      }
      let found = try one.answer()
      if one.order == "asc" || one.ordered == true {
        #expect(found.map(\.name) == one.expected, "\(one.id)")
      } else {
        let names = Set(found.map(\.name)), expected = Set(one.expected)
        #expect(names.count == found.count && names.isSuperset(of: expected), "\(one.id)")
        let others = names.subtracting(expected)
        if !others.isEmpty { touching[one.id] = others.sorted() }
      }
      for (name, kilometers) in one.distances_km_sphere ?? [:] {
        let distance = try #require(found.first { $0.name == name }?.distance, "\(one.id)")
        #expect(abs(distance.kilometers / kilometers - 1) <= 0.006, "\(one.id) \(name)")
      }
    }
    #expect(onSpheres == ["o-srv003", "o-srv008"])
    // `within` of Tile38 lists what lies in the area as a whole, an index here what shares a point
    // with it: both of these overlap its border.
    #expect(touching == ["o-srv012": ["poly10"], "o-srv013": ["poly12"]])
  }

  /// A case of Valkey, which has points and a center, or of Tile38, which has shapes and a query.
  private struct ServerCase: Decodable {
    let id: String
    let kind: String
    let points: [String: [Double]]?
    let center: [Double]?
    let radius_m, width_m, height_m: Double?
    let count: Int?
    let features: [String: WrittenShape]?
    let query: Query?
    let expected: [String]
    let distances_km_sphere: [String: Double]?
    let order: String?
    let ordered, agrees_on_wgs84: Bool?

    struct Query: Decodable {
      let near, circle: Circle?
      let bbox: [Double]?
      let geometry: WrittenShape?
    }

    struct Circle: Decodable {
      let lat, lon: Double
      let radius_m: Double?
    }

    typealias Found = (name: String, distance: Distance?)

    func answer() throws -> [Found] {
      if let points { return try answer(of: points) }
      let features = try #require(features), query = try #require(query)
      let names = features.keys.sorted()
      let index = ShapeIndex(try names.map { try #require(features[$0]).shape })
      if let circle = query.near ?? query.circle {
        let center = try Coordinate(latitude: circle.lat, longitude: circle.lon)
        return index.within(circle.radius_m.map { .meters($0) } ?? .infinity, of: center).map {
          (names[$0.shape], $0.distance)
        }
      }
      let numbers =
        if let edges = query.bbox {
          index.meeting(
            try BoundingBox(south: edges[1], west: edges[0], north: edges[3], east: edges[2]))
        } else {
          index.meeting(try #require(query.geometry).shape.area)
        }
      return numbers.map { (names[$0], nil) }
    }

    private func answer(of points: [String: [Double]]) throws -> [Found] {
      let names = points.keys.sorted()
      let index = KDTreeIndex(try names.map { try place(try #require(points[$0])) })
      let center = try place(try #require(center))
      var neighbors: [Neighbor]
      if let width_m {
        // The box around a circle is a square of its diameter. The only row with another box is one
        // that is left out.
        #expect(kind == "box" && height_m == width_m)
        let inside = Set(
          index.positions(in: BoundingBox(around: center, radius: .meters(width_m / 2))))
        neighbors = index.nearest(names.count, to: center).neighbors.filter {
          inside.contains($0.offset)
        }
      } else {
        neighbors = index.neighbors(within: .meters(try #require(radius_m)), of: center)
      }
      if let count {
        neighbors = Array(neighbors.prefix(count))
        #expect(neighbors == index.nearest(count, to: center).neighbors)
      }
      return neighbors.map { (names[$0.offset], $0.distance) }
    }

    private func place(_ xy: [Double]) throws -> Coordinate {
      try Coordinate(latitude: xy[1], longitude: xy[0])
    }
  }

  /// The GeoJSON geometries that the cases have.
  private struct WrittenShape: Decodable {
    let shape: GroundShape

    private enum Key: CodingKey { case type, coordinates }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      func numbers<Numbers: Decodable>(_ type: Numbers.Type) throws -> Numbers {
        try container.decode(type, forKey: .coordinates)
      }
      func vertex(_ xy: [Double]) throws -> PolygonVertex {
        try PolygonVertex(latitude: xy[1], longitude: xy[0])
      }
      func polygon(_ rings: [[[Double]]]) throws -> Polygon {
        let rings = try rings.map { try $0.map(vertex) }
        return try Polygon(outer: rings[0], holes: Array(rings.dropFirst()))
      }
      switch try container.decode(String.self, forKey: .type) {
      case "Point":
        let xy = try numbers([Double].self)
        shape = GroundShape(points: [try Coordinate(latitude: xy[1], longitude: xy[0])])
      case "LineString":
        shape = GroundShape(lines: [Polyline(try numbers([[Double]].self).map(vertex))])
      case "Polygon":
        shape = GroundShape(area: MultiPolygon([try polygon(numbers([[[Double]]].self))]))
      default:
        shape = GroundShape(area: MultiPolygon(try numbers([[[[Double]]]].self).map(polygon)))
      }
    }
  }

  // MARK: Fixtures of planar indexes

  /// A position of the plane as one near the equator, a thousandth of a degree for each unit.
  ///
  /// The order of coordinates is kept, and lengths are true to 0.7 %.
  private static func place(_ xy: ArraySlice<Double>) throws -> Coordinate {
    let (x, y) = (xy[xy.startIndex], xy[xy.startIndex + 1])
    return try Coordinate(latitude: (y - 50) / 1_000, longitude: (x - 50) / 1_000)
  }

  private static func box(_ edges: [Double]) throws -> BoundingBox {
    let low = try place(edges[..<2]), high = try place(edges[2...])
    return try BoundingBox(
      south: low.latitude, west: low.longitude, north: high.latitude, east: high.longitude)
  }

  @Test func `the points in kdbush's box are found`() throws {
    struct Fixture: Decodable {
      let points: [[Double]]
      let box: [Double]
      let expected: [Int]
    }
    let fixture = try JSONDecoder().decode(
      Fixture.self, from: Data(SharedFiles.bytes("conformance/nearest/kdbush_planar.json")))
    #expect(fixture.points.count == 100)
    let index = KDTreeIndex(try fixture.points.map { try Self.place($0[...]) })
    let box = try Self.box(fixture.box)
    #expect(index.positions(in: box).sorted() == fixture.expected.sorted())
    #expect(index.count(in: box) == fixture.expected.count)
  }

  @Test func `flatbush's boxes are found by box and by distance`() throws {
    struct Fixture: Decodable {
      let boxes: [[Double]]
      let cases: [Case]

      struct Case: Decodable {
        let search, nearest: [Double]?
        let k: Int?
        let expected: [Int]?
        let expected_count: Int?
      }
    }
    let fixture = try JSONDecoder().decode(
      Fixture.self, from: Data(SharedFiles.bytes("conformance/nearest/flatbush_planar.json")))
    #expect(fixture.boxes.count == 100 && fixture.cases.count == 3)
    let index = ShapeIndex(
      try fixture.boxes.map { edges in
        let corners = try [(0, 1), (2, 1), (2, 3), (0, 3)].map { column, row in
          try Self.place([edges[column], edges[row]])
        }
        // Some of the boxes are lines and points.
        return Set(corners).count == 4
          ? GroundShape(area: MultiPolygon([try Polygon(outer: corners)]))
          : GroundShape(lines: [Polyline([corners[0], corners[2]])])
      })
    for one in fixture.cases {
      let found =
        if let search = one.search {
          index.meeting(try Self.box(search))
        } else {
          index.nearest(one.k ?? .max, to: try Self.place(try #require(one.nearest)[...]))
            .map(\.shape)
        }
      if let expected = one.expected { #expect(found.sorted() == expected.sorted()) }
      #expect(found.count == one.expected_count ?? one.expected?.count)
    }
  }

  /// The ids with runs of distances closer than the tolerance put in the order of the ids.
  private func inTieOrder(_ ids: [Int], _ meters: [Double]) -> [Int] {
    var ordered: [Int] = [], run: [Int] = []
    for (place, id) in ids.enumerated() {
      if place > 0, meters[place] - meters[place - 1] >= tolerance {
        ordered += run.sorted()
        run = []
      }
      run.append(id)
    }
    return ordered + run.sorted()
  }
}
