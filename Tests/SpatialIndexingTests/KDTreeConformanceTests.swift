import Foundation
import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

/// The vectors of `../shared/conformance/nearest`: 5,298 cities (tidwall/cities), judged by brute
/// force with GeographicLib's geodesics.
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
