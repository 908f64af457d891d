import Foundation
import GPXCoding
import Geodesy
import NearbyTestSupport
import Testing

/// `Tests/Vectors/walk.gpx`, written by gpxpy, counted by Python's own parser.
@Suite struct WalkVectorTests {
  private struct Counts: Decodable {
    var trk, trkseg, trkpt, rte, rtept, wpt, time: Int
    var meters: Double
  }

  @Test func `a file of gpxpy has the points, groups, times and length that it was given`() throws {
    let values: [Counts] = try Vectors.values("walk.jsonl")
    let expected = try #require(values.first)
    var points: [GPXPoint] = []
    let document = try GPXReader().read(Array(Vectors.text("walk.gpx").utf8)) { points.append($0) }
    #expect(document.tracks == expected.trk && document.segments == expected.trkseg)
    #expect(document.trackPoints == expected.trkpt && document.waypoints == expected.wpt)
    #expect(document.routes == expected.rte && document.routePoints == expected.rtept)
    #expect(points.count { $0.time != nil } == expected.time)
    #expect(points.contains { $0.fields.contains { $0.text == "시청 <1>" } })
    var meters = 0.0
    for (last, next) in zip(points, points.dropFirst()) where last.role == next.role {
      guard case .trackPoint = last.role else { continue }
      meters += try last.coordinate().distance(to: next.coordinate()).meters
    }
    #expect(abs(meters - expected.meters) < 0.001)
  }
}
