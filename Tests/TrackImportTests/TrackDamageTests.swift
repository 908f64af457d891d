import Geodesy
import LocationFiltering
import Testing
import TrackImport

/// Texts and numbers that no receiver means, read without harm to the rest.
@Suite struct TrackDamageTests {
  private static func points(_ text: String) throws -> [TrackPoint] {
    try TrackReader.points(in: Array(text.utf8)).points
  }

  @Test(arguments: [
    "1000000", "1234567890123456789012345678901234567891", String(repeating: "7", count: 400),
  ])
  func `an angle of too many digits is a broken field`(angle: String) throws {
    let points = try Self.points("$GPGGA,123519,\(angle),N,01131.0,E,1,08,0.9,545.4,M,46.9,M,,\n")
    #expect(points.map { $0.problem?.reason } == [.field])
    #expect(points.first?.problem?.description.contains("is not a latitude") == true)
  }

  // Copied and counted again for every line, the row would cost 2 GB.
  @Test(.timeLimit(.minutes(1)))
  func `a quote that never closes ends at a limit, and costs what its bytes cost`() throws {
    let text = "lat,lon\n\"" + String(repeating: "\n", count: 70_000) + "37,127\n"
    let points = try Self.points(text)
    #expect(points.map { $0.problem?.reason } == [.rowQuote, nil])
    #expect(points.map(\.line) == [2, 70_002])
  }

  @Test func `a quoted cell goes on over lines, and closes`() throws {
    let points = try Self.points(
      "lat,lon,note\n37,127,\"one\n\ntwo \"\"three\"\"\n\"\n38,127,\"four\"\n")
    #expect(points.map(\.fix.latitude) == [37, 38])
    #expect(points.map(\.line) == [2, 6])
  }

  @Test func `GeoJSON that is cut off gives the fixes before its end`() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[127,37]}},
      {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[127.01,37]}},

      """
    let reader = TrackReader()
    #expect(try reader.read(Array(text.utf8)).isEmpty)
    let error = #expect(throws: TrackError.self) { try reader.finish() }
    #expect(error?.points.map(\.fix.longitude) == [127, 127.01])
    #expect(reader.counts.fixes == 2 && reader.counts.broken == 0)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a fix whose time is no finite number counts as one without a time`(time: Double) {
    let fixes = [
      Fix(latitude: 37, longitude: 127, time: 10), Fix(latitude: 37, longitude: 127, time: time),
      Fix(latitude: 37, longitude: 127, time: 5),
    ]
    let summary = TrackSummary(fixes.map { TrackPoint(fix: $0, line: 1) })
    #expect(summary.fixes == 3 && summary.timed == 2)
    #expect(summary.times == 5...10)
    #expect(summary.backwardSteps == 0 && summary.speeds.isEmpty)
  }

  @Test(
    arguments: [
      (-0.5, 0), (0, 0), (.nan, 0), (0.5, 1), (1, 1), (1.5, 1), (1e300, 1), (.infinity, 1),
    ] as [(Double, Int)])
  func `a fraction beyond all steps is that of the first or the last`(
    quantile: Double, step: Int
  ) throws {
    // A step of about 111 m in 10 s, then one of twice that.
    let fixes = [(37.0, 0.0), (37.001, 10.0), (37.003, 20.0)]
    let summary = TrackSummary(
      fixes.map { TrackPoint(fix: Fix(latitude: $0.0, longitude: 127, time: $0.1), line: 1) })
    try #require(summary.speeds.count == 2)
    #expect(summary.speed(quantile: quantile) == summary.speeds[step])
  }
}
