import BusinessHours
import LocationFiltering
import Testing
import TrackImport

/// Fixes as plain JSON objects, one on each line.
@Suite struct TrackRowTests {
  private static func points(
    _ text: String, _ options: TrackOptions = TrackOptions()
  ) throws -> [TrackPoint] {
    try TrackReader.points(in: Array(text.utf8), options).points
  }

  @Test func `an object on each line is a row, as in a table of the same columns`() throws {
    let table = """
      lat,lon,time,accuracy
      37.5,127,2026-11-29T09:00:00Z,5
      37.6,,2026-11-29T09:01:00Z,
      97,x,2026-11-29T09:02:00Z,inf

      """
    let rows = #"""
      {"lat":37.5,"lon":127,"time":"2026-11-29T09:00:00Z","accuracy":5}
      {"time":"2026-11-29T09:01:00Z","lat":"37.6","lon":null}
      {"lat":97,"lon":"x","time":"2026-11-29T09:02:00Z","accuracy":"inf"}

      """#
    let (fixes, counts) = try TrackReader.points(in: Array(rows.utf8))
    let expected = try TrackReader.points(in: Array(table.utf8)).points
    #expect(counts.format == .geojsonseq && counts.parts == 1 && counts.broken == 0)
    // As texts, because one number is NaN.
    #expect(fixes.map { "\($0.fix)" } == expected.map { "\($0.fix)" })
    #expect(fixes.map(\.line) == [1, 2, 3])
    // One that ends the text without a line feed; names that are given; and no position at all.
    let one = try TrackReader.points(in: Array(#"{"lat":37.5,"lon":127}"#.utf8)).points
    #expect(one.map(\.fix.latitude) == [37.5] && one.map(\.fix.longitude) == [127])
    var options = TrackOptions()
    options.latitudeField = "north"
    options.longitudeField = "east"
    options.timeField = "t"
    let named = try TrackReader.points(
      in: Array("{\"north\":1,\"east\":2,\"t\":1795309200}\n{\"a\":1}\n".utf8), options
    ).points
    #expect(named.map(\.fix.time) == [1_795_309_200, nil])
    #expect(named.map { $0.problem?.code } == [nil, "bad-feature"])
    #expect(named.last?.problem?.description == "this row has no \"north\"")
  }

  /// The columns of an i-Blue 747 logger, and the same as an object.
  @Test(arguments: [
    "INDEX,DATE,TIME,LATITUDE,N/S,LONGITUDE,E/W\n1,2010/12/09,10:59:05,28.649061,N,17.896196,W\n",
    #"{"LATITUDE":28.649061,"N/S":"N","LONGITUDE":17.896196,"E/W":"W"}"# + "\n",
  ]) func `letters of hemispheres are the signs of coordinates`(track: String) throws {
    let points = try TrackReader.points(in: Array(track.utf8), TrackOptions()).points
    #expect(points.map(\.fix.latitude) == [28.649061])
    #expect(points.map(\.fix.longitude) == [-17.896196])
  }

  @Test(arguments: [
    "lat_deg,lat_min,lat_sec,lon\n37,30,15,127\n37,,,127\n37.5,0,0,127\n",
    "위도(도),위도(분),경도\n37,30,127\n37,,127\n",
    #"{"lat":37,"lat_min":30,"lon":127}"# + "\n" + #"{"lat":37,"lat_min":null,"lon":127}"# + "\n",
  ]) func `whole degrees beside minutes are no number`(track: String) throws {
    let points = try TrackReader.points(in: Array(track.utf8), TrackOptions()).points
    #expect(points[0].unreadDegrees?.hasPrefix("37 30") == true)
    #expect(points.dropFirst().allSatisfy { $0.unreadDegrees == nil && $0.fix.latitude ?? 0 >= 37 })
  }

  @Test(arguments: [
    (#"{"Y":37.5,"X":127}"#, "Y,X\n37.5,127\n", "z", "unknown-field"),
    (
      #"{"lat":1,"lon":2,"latitude":3,"longitude":4}"#, "lat,lon,latitude,longitude\n1,2,3,4\n",
      nil, "ambiguous-coordinate-fields"
    ),
  ])
  func `rows whose names do not fit the options are refused as a table is`(
    row: String, table: String, longitudeField: String?, code: String
  ) throws {
    var options = TrackOptions()
    options.longitudeField = longitudeField
    for (text, count) in [
      (row, 1), (row + "\n", 1), (row + "\n" + row + "\n", 2),
      (row + "\n{}\n" + row + "\n", 3),
    ] {
      let error = #expect(throws: TrackError.self) {
        try TrackReader.points(in: Array(text.utf8), options)
      }
      #expect(error?.code == code && error?.isUsage == true, "\(text)")
      // With what was rejected until then, in pieces as in the whole text.
      let reader = TrackReader(options)
      var points: [TrackPoint] = []
      let late = #expect(throws: TrackError.self) {
        for byte in text.utf8 { points += try reader.read([byte]) }
        _ = try reader.finish()
      }
      points += late?.points ?? []
      #expect(points.map { $0.problem?.code } == Array(repeating: "bad-feature", count: count))
      #expect(late?.code == code && reader.counts.broken == count)
    }
    let ofTable = #expect(throws: TrackError.self) {
      try TrackReader.points(in: Array(table.utf8), options)
    }
    #expect(ofTable?.code == code)
    // A record that is a fix shows that the options fit.
    let feature = #"{"type":"Point","coordinates":[127,37.5]}"#
    let mixed = try Self.points("\(row)\n\(feature)\n\(row)\n", options)
    #expect(mixed.map { $0.problem?.code } == ["bad-feature", nil, "bad-feature"])
    let between = try Self.points("\(feature)\n\(row)\n\(feature)\n", options)
    #expect(between.map { $0.problem?.code } == [nil, "bad-feature", nil])
    #expect(between.map(\.line) == [1, 2, 3])
  }

  @Test
  func `a time without a zone is by the clocks of the one in the options, in rows and GeoJSON`()
    throws
  {
    let eight = "2026-11-30T08:00:00.5"
    let line = #"{"type":"LineString","coordinates":[[127,37.5],[127,37.6]]}"#
    func texts(_ time: String) -> [String] {
      [
        "lat,lon,time\n37.5,127,\(time)\n", #"{"lat":37.5,"lon":127,"time":"\#(time)"}"#,
        #"{"type":"Feature","geometry":\#(line),"properties":{"times":["\#(time)","\#(time)"]}}"#,
      ]
    }
    var (utc, korea) = (TrackOptions(), TrackOptions())
    korea.zone = ZoneRules(fixed: 9 * 3_600)
    func first(_ text: String, _ options: TrackOptions) throws -> TrackPoint {
      try #require(try Self.points(text, options).first)
    }
    let seconds = 1_796_025_600.5
    for text in texts(eight) {
      let plain = try first(text, TrackOptions())
      #expect(plain.fix.time == seconds && plain.assumesUTC, "\(text)")
      let zoned = try first(text, korea)
      #expect(zoned.fix.time == seconds - 9 * 3_600 && !zoned.assumesUTC, "\(text)")
    }
    // What has a zone keeps it, and numbers count in UTC.
    for time in [eight + "Z", "2026-11-30T17:00:00.5+09:00", "1796025600.5", "1796025600500"] {
      for text in texts(time) {
        let point = try first(text, korea)
        #expect(point.fix.time == seconds && !point.assumesUTC, "\(text)")
      }
    }
    // So does a column whose name says UTC, but not one that says another offset.
    for (name, isUTC) in [
      ("time_utc", true), ("Time (UTC)", true), ("time_utc_iso8601", true), ("Date (UTC)", true),
      ("Time (UTC+9)", false), ("time_utc 9", false), ("Date (GMT-3)", false),
    ] {
      // A date column is found by its name alone.
      let field = name.hasPrefix("Date") ? nil : name
      (utc.timeField, korea.timeField) = (field, field)
      for text in [
        "lat,lon,\(name)\n37.5,127,\(eight)\n", #"{"lat":37.5,"lon":127,"\#(name)":"\#(eight)"}"#,
      ] {
        #expect(try first(text, utc).assumesUTC != isUTC, "\(text)")
        #expect(
          try first(text, korea).fix.time == (isUTC ? seconds : seconds - 9 * 3_600), "\(text)")
      }
    }
    // GPX has no local times.
    korea.timeField = nil
    let gpx =
      "<gpx><trk><trkseg><trkpt lat='37.5' lon='127'><time>\(eight)</time></trkpt></trkseg></trk></gpx>"
    let point = try first(gpx, korea)
    #expect(point.fix.time == seconds && !point.assumesUTC)
  }

  @Test func `of a time that clocks show twice the first is meant, and a skipped one is the next`()
    throws
  {
    var berlin = TrackOptions()
    berlin.zone = try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    let text = """
      lat,lon,time
      52.5,13.4,2026-10-25 02:30
      52.5,13.4,2026-03-29 02:30
      52.5,13.4,2026-03-29 03:00

      """
    let times = try Self.points(text, berlin).map(\.fix.time)
    #expect(times == [1_792_888_200, 1_774_746_000, 1_774_746_000])
  }

  @Test func `rows and GeoJSON may alternate, and each that is none says why`() throws {
    let text = #"""
      {"a":1}
      {"lat":37.5,"lon":127,"Time (UTC)":1795309200}
      {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"acc":5}}
      [{"lat":37.5,"lon":127}]
      {"Time":"","timestamp":1795309201,"lon":3,"lat":4,"acc":6}

      """#
    let points = try TrackReader.points(in: Array(text.utf8)).points
    #expect(points.map(\.fix.latitude) == [nil, 37.5, 2, nil, 4])
    #expect(points.map(\.fix.time) == [nil, 1_795_309_200, nil, nil, 1_795_309_201])
    #expect(points.map(\.fix.accuracy) == [nil, nil, 5, nil, 6])
    #expect(points[0].problem?.description == "this row has no latitude and longitude")
    #expect(
      points[3].problem?.description
        == "GeoJSON is an object; write one, such as a FeatureCollection")
  }

  @Test func `a feature between rows is read, and what is neither is rejected`() throws {
    let between = try Self.points(
      #"""
      {"lat":1,"lon":2}
      {"type":"Point","coordinates":[4,3]}
      {"lat":5,"lon":6}
      {"type":"Pint","a":1}
      {"q":1}
      {"lat":7,"lon":8}

      """#)
    #expect(between.map(\.fix.latitude) == [1, 3, 5, nil, nil, 7])
    let problems = between.compactMap(\.problem)
    #expect(problems.map(\.code) == ["bad-feature", "bad-feature"])
    #expect(problems.allSatisfy { $0.description == "this row has no latitude and longitude" })
  }
}
