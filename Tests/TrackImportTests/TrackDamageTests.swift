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

  @Test(arguments: [
    ("lat,lon,device\n37.5,127,7\" tablet\n37.6,127,7\" tablet\n37.7,127,\n", [37.5, 37.6, 37.7]),
    ("Logger 5\" v1\nlat,lon\n37.5,127\n37.6,127\n", [37.5, 37.6]),
    ("lat;lon;note\n37.5;127;,\"a\n37.6;127;\"b;c\"\n", [37.5, 37.6]),
  ])
  func `a quote within a cell is a character`(text: String, latitudes: [Double]) throws {
    let points = try Self.points(text)
    #expect(points.map(\.fix.latitude) == latitudes)
    #expect(points.allSatisfy { $0.problem == nil })
  }

  @Test(arguments: [10, 9_000])
  func `behind a quote that never closes, the next row is read`(rows: Int) throws {
    var text = "lat,lon,note\n37.5,127,ok\n37.5,127,\"nail\n"
    for row in 0..<rows { text += "37.5,127.\(row),\n" }
    let points = try Self.points(text)
    #expect(points.count == rows + 2)
    #expect(points.map(\.line) == Array(2...rows + 3))
    #expect(points.filter { $0.problem != nil }.map(\.line) == [3])
    #expect(points[1].problem?.reason == .rowQuote)
    // One that closes before something else than the end of its cell is damaged, too.
    let odd = try Self.points("lat,lon,note\n37.5,127,\"a\nb\" c\n37.6,127,\n")
    #expect(odd.map { $0.problem?.reason } == [.rowQuote, .rowFields, nil])
    // Behind that, another quote opens nothing.
    let twice = try Self.points("lat,lon,note\n37,127,\"a\" z,\"b\n38,127,\"one\ntwo\"\n")
    #expect(twice.map { $0.problem?.reason } == [.rowQuote, nil])
  }

  @Test func `an unknown column is answered with the columns of the header`() {
    let rows = (0..<30).map { "p\($0),37.5,127.\($0)\n" }.joined()
    var options = TrackOptions()
    options.latitudeField = "nope"
    let error = #expect(throws: TrackError.self) {
      try TrackReader.points(in: Array(("name,breite,laenge\n" + rows).utf8), options)
    }
    #expect(error?.description.contains("columns are name,breite,laenge") == true)
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

  @Test(arguments: [
    (Array("\u{E}\u{10}234567.FIT\0".utf8), "FIT", "gpsbabel -i garmin_fit"),
    (Array("<?xml version='1.0'?>\n<kml><Document>".utf8), "KML", "gpsbabel -i kml"),
    (Array("PK\u{3}\u{4}\u{14}\0\u{8}\0".utf8), "ZIP", "unzip"),
    (
      Array("id,lat,lon\0".utf8) + Array(repeating: 0, count: 246) + Array("ustar".utf8), "tar",
      "tar xf"
    ),
  ])
  func `a file of another program is named with the program that converts it`(
    bytes: [UInt8], name: String, program: String
  ) {
    let error = #expect(throws: TrackError.self) { try TrackReader.points(in: bytes) }
    #expect(error?.code == "format-unknown")
    let text = error?.description ?? ""
    #expect(text.contains(name) && text.contains(program), "\(text)")
  }

  @Test func `GPX that arrives without its first element is still read`() throws {
    let reader = TrackReader()
    #expect(try reader.read(Array("<?xml version='1.0'?>\n".utf8)).isEmpty)
    let rest = "<gpx version='1.1'><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
    let points = try reader.read(Array(rest.utf8)) + reader.finish()
    #expect(points.count == 1)
  }

  @Test func `a receiver's log is one, whatever stands before its first sentence`() throws {
    let fix = sentence("GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,")
    for prologue in [
      // What gpsd says of itself to each client.
      #"{"class":"VERSION","release":"3.22"}"# + "\n" + #"{"class":"DEVICES","devices":[]}"# + "\n"
        + #"{"class":"WATCH","enable":true}"# + "\n",
      "$PMTK010,001*2E\r\n$PMTK011,MTKGPS*08\r\n", "038,N,01131.000,E,1,8,1.03,61.7,M*4B\n",
      "a log of Monday\n", "\u{FFFD}\u{FFFD}\n",
    ] {
      let reader = TrackReader()
      var points: [TrackPoint] = []
      for byte in Array((prologue + fix + fix).utf8) { points += try reader.read([byte]) }
      points += try reader.finish()
      #expect(reader.counts.format == .nmea, "\(prologue)")
      #expect(points.count { $0.fix.latitude != nil } == 2, "\(prologue)")
    }
  }

  @Test func `a sentence in a cell makes no log of a table, nor gpsd's greeting of its reports`()
    throws
  {
    let cell = sentence("GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,")
    let table = "lat,lon,raw\n37.5,127,\"\(cell)\"\n"
    #expect(try TrackReader.points(in: Array(table.utf8)).counts.format == .csv)
    let reports = """
      {"class":"VERSION","release":"3.22"}
      {"class":"TPV","mode":3,"time":"2026-01-01T00:00:00Z","lat":37.5,"lon":127}

      """
    #expect(try TrackReader.points(in: Array(reports.utf8)).counts.format == .geojsonseq)
  }

  @Test func `the first row of a table is read before the next one comes`() throws {
    let reader = TrackReader()
    #expect(try reader.read(Array("lat,lon\n".utf8)).isEmpty)
    #expect(try reader.read(Array("37.5,127\n".utf8)).count == 1)
  }
}
