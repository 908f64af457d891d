import Foundation
import NearbyTestSupport
import Testing

/// `nearby track`: verdicts, reasons, the cleaned track, streams.
@Suite struct TrackTests {
  /// A walk to the north of 100 m a row in 60 s, with one spike, one row without a position, one at
  /// 0,0 and one whose pair is swapped.
  static let walk = """
    time,lat,lon,accuracy
    2026-11-22T01:00:00Z,37.5000,127.0,5
    2026-11-22T01:01:00Z,37.5009,127.0,5
    2026-11-22T01:02:00Z,37.5018,127.0,5
    2026-11-22T01:03:00Z,37.5027,127.0,5
    2026-11-22T01:04:00Z,37.5036,127.0,5
    2026-11-22T01:05:00Z,37.6500,127.0,5
    2026-11-22T01:06:00Z,37.5054,127.0,5
    2026-11-22T01:07:00Z,,,
    2026-11-22T01:08:00Z,0,0,5
    2026-11-22T01:09:00Z,127.0,37.5081,5

    """

  static func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(walk, to: "walk.csv")
    return folder
  }

  @Test func `each fix has its line, then come a summary and a map`() throws {
    let folder = try Self.folder()
    let outcome = try Program.run(
      ["track", "walk.csv", "--max-speed", "12m/s", "--no-map"], in: folder)
    #expect(outcome.status == 0)
    #expect(
      outcome.text == """
           fix  time                  verdict   why
             1  2026-11-22T01:00:00Z  accepted  the first fix
             2  2026-11-22T01:01:00Z  held      moved 99.9 m of 300 m
             3  2026-11-22T01:02:00Z  held      moved 199.8 m of 300 m
             4  2026-11-22T01:03:00Z  held      moved 299.7 m of 300 m
             5  2026-11-22T01:04:00Z  accepted  moved 399.6 m of 300 m
             6  2026-11-22T01:05:00Z  rejected  implied 266.2 m/s, more than 12 m/s
             7  2026-11-22T01:06:00Z  held      moved 199.8 m of 300 m
             8  2026-11-22T01:07:00Z  rejected  there is no position here
             9  2026-11-22T01:08:00Z  rejected  0,0 is what devices send when they have…
            10  2026-11-22T01:09:00Z  rejected  latitude and longitude look swapped

        fixes     10 from CSV, in 1 part
        time      2026-11-22T01:00:00Z to 2026-11-22T01:09:00Z, 9 min 0 s
        accepted  2: first-fix 1, moved 1
        held      4: moved 4
        rejected  4: lat-lon-swapped 1, no-fix 1, null-island 1, speed 1
        length    13222 km recorded, 599 m believed, 400 m accepted
        speed     1.7 m/s median, 109909.1 m/s greatest recorded, 1.7 m/s believed

        """)
    let shown = try Program.run(
      ["track", "walk.csv", "--max-speed", "auto", "--summary"], in: folder)
    #expect(shown.lines.count > 15 && shown.text.contains("◆") && shown.text.contains("rejected"))
    let whole = try Program.run(["track", "walk.csv", "--json"], in: folder).text
    let summary = try Program.run(["track", "walk.csv", "--json", "--summary"], in: folder).text
    #expect(summary.hasPrefix("{\"summary\":{\"fixes\":10,"), "\(summary)")
    #expect(whole.hasSuffix("]," + String(summary.dropFirst())))
    let narrow = try Program.run(
      ["track", "walk.csv", "--size", "40x12"], environment: ["COLUMNS": "40"], in: folder)
    #expect(narrow.lines.allSatisfy { $0.count <= 40 })
  }

  @Test func `JSON Lines hold a verdict a fix, with its numbers`() throws {
    let folder = try Self.folder()
    let outcome = try Program.run(["track", "walk.csv", "--format", "jsonl"], in: folder)
    #expect(outcome.lines.count == 10)
    #expect(
      outcome.lines[0] == #"{"fix":1,"verdict":"accepted","reasons":[{"code":"first-fix"}]}"#)
    let second = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.lines[1].utf8)) as? [String: Any])
    let reason = try #require((second["reasons"] as? [[String: Any]])?.first)
    #expect(second["fix"] as? Int == 2 && second["verdict"] as? String == "held")
    #expect(reason["code"] as? String == "moved" && reason["unit"] as? String == "m")
    #expect(reason["limit"] as? Double == 300)
    #expect(abs((reason["value"] as? Double ?? .nan) - 99.89) < 0.1)
    #expect(
      outcome.lines[7] == #"{"fix":8,"verdict":"rejected","reasons":[{"code":"no-fix"}]}"#)
    #expect(outcome.errors.contains("note: 3 of 10 fixes rejected"))
    let whole = try Program.run(["track", "walk.csv", "--format", "json"], in: folder).json
    #expect((whole["verdicts"] as? [Any])?.count == 10)
    #expect((whole["summary"] as? [String: Any])?["fixes"] as? Int == 10)
  }

  @Test func `a threshold that looks like degrees gets a note, and small limits are written out`()
    throws
  {
    let folder = try Self.folder()
    func run(_ options: String...) throws -> Program.Outcome {
      try Program.run(["track", "walk.csv", "--no-map"] + options, in: folder)
    }
    let bare = try run("--gate", "0.0005")
    #expect(bare.errors.contains("note: --gate 0.0005 is 0.0005 m; write 0.0005deg for degrees\n"))
    #expect(bare.text.contains("moved 99.9 m of 0.0005 m\n"))
    for gate in ["0.0005deg", "0.0005m", "0", "1", "careful"] {
      #expect(try !run("--gate", gate).errors.contains("note: --gate"), "\(gate)")
    }
    #expect(try run("--max-jump", "0.0004m").text.contains("more than 0.0004 m\n"))
  }

  @Test func `a record that is no fix has the same code in every format`() throws {
    let input = Array("{\"a\":1}\n{\"a\":2}\n".utf8)
    let folder = try Folder()
    let table = try Program.run(["track", "-", "--no-map"], input: input, in: folder)
    #expect(table.text.contains("rejected  2: bad-feature 2\n"), "\(table.text)")
    #expect(!table.text.contains("geojson-type"))
    let lines = try Program.run(["track", "-", "--format", "jsonl"], input: input, in: folder).lines
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains(#"{"code":"bad-feature"}"#) })
  }

  @Test func `degrees that are no number are told as they are written`() throws {
    let folder = try Folder()
    try folder.write("lat,lon\n\"37,5\",\"127,0\"\n", to: "log.csv")
    try folder.write("{\"lat\":37.5,\"lon\":\"E127\"}\n", to: "log.jsonl")
    try folder.write(
      #"<gpx><trk><trkseg><trkpt lat="?" lon="127"/></trkseg></trk></gpx>"#, to: "log.gpx")
    try folder.write("id,lat,lon,radius\na,37.5,127,50m\n", to: "fences.csv")
    for (file, why) in [
      ("log.csv", #""37,5" is not a number; use a dot"#),
      ("log.jsonl", #""E127" is not a number; write "#),
      ("log.gpx", #""?" is not a number; write "#),
    ] {
      let track = try Program.run(["track", file, "--explain", "--no-map"], in: folder)
      #expect(track.text.contains(why) && !track.text.contains("nan"), "\(track.text)")
      let fence = try Program.run(["fence", file, "fences.csv", "--explain"], in: folder)
      #expect(fence.text.contains(why), "\(fence.text)")
    }
  }

  @Test func `times that cannot be read are told, and what the rules make of them`() throws {
    let folder = try Folder()
    try folder.write(
      "lat,lon,time\n37.5,127,22/11/2026 09:00\n37.5,127,2026-11-22 09:01Z\n37.5,127,soon\n",
      to: "log.csv")
    let outcome = try Program.run(["track", "log.csv", "--format", "json"], in: folder)
    #expect(
      outcome.errors == """
        note: 2 of 3 fixes have a time that cannot be read, such as "22/11/2026 09:00" in line 2; rules \
        on order, age and intervals skip them, and rules on speed count them as measured at the time of \
        the last good fix; write 2026-11-22T09:00:00Z

        """)
    let summary = try outcome.json["summary"] as? [String: Any]
    #expect(summary?["unreadTimes"] as? Int == 2)
    try folder.write("id,lat,lon,radius\na,37.5,127,50m\n", to: "fences.csv")
    let fence = try Program.run(["fence", "log.csv", "fences.csv"], in: folder)
    #expect(fence.errors == outcome.errors)
    // 1.1 km from the fix before, which is too much for the second that its time may be off.
    try folder.write(
      """
      time,lat,lon
      2026-11-22T10:00:00Z,37.5,127
      22.11.2026 10:10,37.51,127
      2026-11-22T10:20:00Z,37.52,127

      """, to: "steps.csv")
    func rejected(_ rule: String...) throws -> [Int] {
      try Program.run(
        ["track", "steps.csv", "--gate", "none", "--format", "jsonl"] + rule, in: folder
      )
      .lines.enumerated().filter { $0.element.contains("rejected") }.map { $0.offset + 1 }
    }
    #expect(try rejected("--max-speed", "50m/s") == [2])
    #expect(try rejected("--in-order", "--max-age", "1h", "--now", "2026-11-22T10:30:00Z") == [])
  }

  @Test func `times without a zone are those of --tz, and without it UTC, with a note`() throws {
    let folder = try Folder()
    try folder.write(
      "lat,lon,time\n37.5,127,2026. 11. 30. 오전 8:00\n37.5,127,2026-11-30T09:01Z\n", to: "log.csv")
    try folder.write("id,lat,lon,radius\na,37.5,127,50m\n", to: "fences.csv")
    func run(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(
        ["track", "log.csv", "--gate", "none", "--format", "gpx"] + arguments, in: folder)
    }
    let plain = try run()
    #expect(plain.text.contains("<time>2026-11-30T08:00:00Z</time>"))
    #expect(
      plain.errors == """
        note: 1 of 2 fixes has a time without a zone, which is taken as UTC; if it is another zone's, name \
        that with --tz

        """)
    #expect(try Program.run(["fence", "log.csv", "fences.csv"], in: folder).errors == plain.errors)
    for zone in ["Asia/Seoul", "+09:00"] {
      let zoned = try run("--tz", zone)
      #expect(zoned.text.contains("<time>2026-11-29T23:00:00Z</time>"), "\(zoned.text)")
      #expect(zoned.text.contains("<time>2026-11-30T09:01:00Z</time>") && zoned.errors == "")
    }
    #expect(try run("--tz", "Asia/Sol").errors.hasPrefix("error: zone-unknown: "))
  }

  @Test func `the fixes before an error have their verdicts, however the track comes`() throws {
    let folder = try Folder()
    let points = (0..<3_000).map { "<trkpt lat=\"37.\(1_000 + $0)\" lon=\"127\"/>\n" }
    try folder.write(
      "<gpx><trk><trkseg>\n" + points.joined() + "</trk>\n" + points.joined(), to: "a.gpx")
    for line in [
      "$nearby track a.gpx --format csv", "cat a.gpx | $nearby track - --format csv",
      "while read -r line; do echo \"$line\"; done < a.gpx | $nearby track - --format csv",
      "gzip a.gpx && $nearby track a.gpx.gz --format csv",
    ] {
      let outcome = try Program.shell(line, in: folder)
      #expect(outcome.status == 65 && outcome.lines.count == 3_001, "\(line): \(outcome.errors)")
      #expect(outcome.errors.contains("error: xml-syntax: "), "\(line): \(outcome.errors)")
    }
  }

  @Test func `accuracies that cannot be read are told, and rejected where one is asked for`() throws
  {
    let folder = try Folder()
    try folder.write(
      "lat,lon,accuracy\n37.5,127,500 m\n37.5,127,\"1,500\"\n37.5,127,10\n", to: "log.csv")
    let outcome = try Program.run(
      ["track", "log.csv", "--max-accuracy", "50m", "--format", "json"], in: folder)
    #expect(
      outcome.errors == """
        note: 1 of 3 fixes has an accuracy that cannot be read, such as "1,500" in line 3; a rule on \
        accuracy rejects them; write 12.5 or 12.5m

        """)
    let summary = try outcome.json["summary"] as? [String: Any]
    #expect(summary?["unreadAccuracies"] as? Int == 1)
    #expect((summary?["rejected"] as? [String: Int])?["accuracy"] == 2)
    try folder.write("id,lat,lon,radius\na,37.5,127,50m\n", to: "fences.csv")
    let fence = try Program.run(
      ["fence", "log.csv", "fences.csv", "--max-accuracy", "50m"], in: folder)
    #expect(fence.errors == outcome.errors)
  }

  @Test
  func `a track that runs on past ±180° has the verdicts and events of the same track within`()
    throws
  {
    let folder = try Folder()
    // A ship to the west and back, with a jump and one fix that is repeated.
    let longitudes = [179.99, 179.995, 180, 180.004, 180.0041, 180.9, 180.008, 180.003, 179.998]
    let times = longitudes.indices.map { "\"2026-11-22T01:0\($0):00Z\"" }.joined(separator: ",")
    for (name, shift) in [("within", 360.0), ("past", 0)] {
      let line = longitudes.map { "[\($0 > 180 ? $0 - shift : $0),-17]" }.joined(separator: ",")
      try folder.write(
        """
        {"type":"Feature","properties":{"coordTimes":[\(times)]},
        "geometry":{"type":"LineString","coordinates":[\(line)]}}
        """, to: "\(name).geojson")
    }
    try folder.write("id,lat,lon\nreef,-17,-179.995\n", to: "reef.csv")
    for arguments in [
      ["track", "--gate", "300m", "--max-speed", "50m/s", "--format", "jsonl"],
      ["track", "--gate", "300m", "--max-speed", "50m/s", "--explain"],
      ["fence", "reef.csv", "--radius", "500m", "--max-speed", "50m/s", "--format", "jsonl"],
    ] {
      func outcome(_ name: String) throws -> Program.Outcome {
        var arguments = arguments
        arguments.insert("\(name).geojson", at: 1)
        return try Program.run(arguments, in: folder)
      }
      let within = try outcome("within")
      let past = try outcome("past")
      #expect((past.status, within.status) == (0, 0))
      #expect(past.text == within.text)
      #expect(within.text.contains("speed") || arguments[0] == "fence")
      #expect(!within.errors.contains("lon-wrapped"))
      #expect(
        past.errors.contains(
          "note: lon-wrapped: 1 of past.geojson's features runs on past ±180°; read as crossing"))
    }
    // Points have no neighbors that could tell.
    let points = longitudes.map { #"{"type":"Point","coordinates":[\#($0),-17]}"# }
    try folder.write(points.joined(separator: "\n"), to: "points.geojsonl")
    let outcome = try Program.run(
      ["track", "points.geojsonl", "--format", "jsonl", "--gate", "none"], in: folder)
    #expect(outcome.lines.count { $0.contains("lon-range") } == 5, "\(outcome.text)")
  }

  /// A pipe that stays open: an answer must not wait for its end.
  @Test(arguments: ["csv", "nmea", "gpx", "geojsonseq", "rows"])
  func `a stream is answered fix by fix while it goes on`(format: String) throws {
    let pieces: [String] =
      switch format {
      case "csv":
        ["lat,lon\n", "37.5,127\n", "37.6,127\n"]
      case "nmea":
        [
          "", "$GPRMC,123205.00,A,5106.94085,N,01701.51689,E,0.016,,280214,,,A*7B\r\n",
          "$GPGGA,092725.00,4717.11399,N,00833.91590,E,1,08,1.01,499.6,M,48.0,M,,*5B\r\n",
        ]
      case "gpx":
        [
          "<gpx><trk><trkseg>", "<trkpt lat=\"37.5\" lon=\"127\"></trkpt>\n",
          "<trkpt lat=\"37.6\" lon=\"127\"/>",
        ]
      case "rows":
        ["", "{\"lat\":37.5,\"lon\":127}\n", "{\"lat\":37.6,\"lon\":127}\n"]
      default:
        [
          "\u{1E}", "{\"type\":\"Point\",\"coordinates\":[127,37.5]}\n",
          "\u{1E}{\"type\":\"Point\",\"coordinates\":[127,37.6]}\n",
        ]
      }
    let process = Process()
    process.executableURL = TestedProgram.url
    process.arguments = ["track", "-", "--format", "jsonl"]
    process.environment = TestedProgram.environment
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    try input.fileHandleForWriting.write(contentsOf: Data(pieces[0].utf8))
    for number in 1...2 {
      try input.fileHandleForWriting.write(contentsOf: Data(pieces[number].utf8))
      // Waits for what is there, and for no more; a program that waited for the end would hang here.
      let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(answer.hasPrefix("{\"fix\":\(number),\"verdict\":\"accepted\""), "\(answer)")
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    // The GPX is cut off: what was answered stays true.
    #expect(process.terminationStatus == 0)
  }

  @Test func `mistakes are named, with what to write instead`() throws {
    let folder = try Self.folder()
    try folder.write("", to: "empty.gpx")
    try folder.write("a,b\n1,2\n", to: "nothing.csv")
    try folder.write("<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>", to: "waypoint.gpx")
    for (arguments, code, status) in [
      (["walk.csv", "--gate", "fast"], "bad-gate", Int32(64)),
      (["walk.csv", "--gate", "300ft"], "bad-distance", 64),
      (["walk.csv", "--gate", "-5m"], "bad-distance", 64),
      (["walk.csv", "--gate", "-5deg"], "bad-gate", 64),
      (["walk.csv", "--gate", "abcdeg"], "bad-gate", 64),
      (["walk.csv", "--max-speed", "quick"], "bad-speed", 64),
      (["walk.csv", "--max-speed", "0"], "bad-speed", 64),
      (["walk.csv", "--max-speed", "80"], "bad-speed", 64),
      (["walk.csv", "--smooth", "5", "--format", "gpx"], "bad-speed", 64),
      (["walk.csv", "--max-age", "1y"], "bad-duration", 64),
      (["walk.csv", "--max-age", "1h", "--now", "noon"], "bad-time", 64),
      (["walk.csv", "--now", "noon"], "bad-time", 64),
      (["walk.csv", "--axes", "both"], "bad-axes", 64),
      (["walk.csv", "--axes", "all"], "missing-gate", 64),
      (["walk.csv", "--axes", "any", "--gate", "mart0.0005deg"], "missing-gate", 64),
      (["walk.csv", "--inclusive", "--gate", "none"], "missing-gate", 64),
      (["walk.csv", "--inclusive", "--gate", "careful"], "missing-gate", 64),
      (["walk.csv", "--reference", "first"], "bad-reference", 64),
      (["walk.csv", "--region", "XX"], "unknown-region", 64),
      (["walk.csv", "--first", "0"], "bad-count", 64),
      (["walk.csv", "--format", "ids"], "bad-format", 64),
      (["walk.csv", "--input-format", "kml"], "bad-input-format", 64),
      (["walk.csv", "--time-field", "when"], "unknown-field", 64),
      (["walk.csv", "-o", "x.gpkg"], "bad-format", 64),
      (["walk.csv", "--smooth", "2m/s"], "bad-format", 64),
      (["walk.csv", "--summary", "--format", "jsonl"], "bad-format", 64),
      (["walk.csv", "--summary", "--html"], "bad-format", 64),
      (["walk.csv", "--summary", "-o", "x.gpx"], "bad-format", 64),
      (["walk.cvs"], "no-such-file", 66), (["."], "is-directory", 66),
      (["empty.gpx"], "empty-input", 65), (["nothing.csv"], "no-coordinate-fields", 65),
      (["walk.csv", "--input-format", "gpx"], "xml-syntax", 65), ([], "usage", 64),
    ] {
      let outcome = try Program.run(["track"] + arguments, in: folder)
      #expect(outcome.status == status, "\(arguments) \(outcome.errors)")
      #expect(outcome.errors.contains("error: \(code):"), "\(arguments) \(outcome.errors)")
    }
    #expect(
      try Program.run(["track", "walk.csv", "--input-format", "gpx"], in: folder).errors
        .hasPrefix("error: xml-syntax: walk.csv: line 1, column "))
    let none = try Program.run(["track", "waypoint.gpx"], in: folder)
    #expect(none.status == 0)
    #expect(none.text == "no fixes from GPX: waypoints 1, points of routes 0, track points 0\n")
    // Nothing remarkable in it, so that it does not matter how soon the pipe closes.
    let closed = try Program.shell("$nearby track walk.csv --max-speed 12m/s | head -1", in: folder)
    #expect(closed.status == 0 && closed.errors.isEmpty)
  }

  @Test(
    .enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `every track of conformance has a verdict a fix`() throws {
    let folder = try Folder()
    let rows = try SharedFiles.text("conformance/gpx/index.jsonl").split(separator: "\n")
    #expect(rows.count == 24)
    for row in rows {
      let summary = try #require(
        try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])
      let file = try #require(summary["file"] as? String)
      let path = SharedFiles.root.appending(path: "conformance/gpx/" + file).path
      for gate in ["300m", "careful"] {
        let outcome = try Program.run(
          ["track", path, "--format", "jsonl", "--gate", gate], in: folder)
        #expect(outcome.status == 0, "\(file) \(outcome.errors)")
        #expect(outcome.lines.count == summary["trackpoints"] as? Int, "\(file)")
        let isBad = (summary["points_out_of_range"] as? Int ?? 0) > 0
        #expect(outcome.lines.contains { $0.contains("lon-range") } == isBad, "\(file)")
      }
    }
  }

  @Test(arguments: [(bad: 1, kept: 29), (bad: 2, kept: 28), (bad: 4, kept: 29)])
  func `what is doubted is in the cleaned track only where more agree with it`(
    bad: Int, kept: Int
  ) throws {
    let folder = try Folder()
    var rows = "time,lat,lon,accuracy\n"
    for number in 0..<30 {
      let aside = (15..<(15 + bad)).contains(number) ? 0.002 : 0
      rows +=
        "\(1_800_000_000 + number * 10),\(37.5 + Double(number) * 0.0001),\(127 + aside),5\n"
    }
    try folder.write(rows, to: "walk.csv")
    let outcome = try Program.run(
      ["track", "walk.csv", "--gate", "careful", "-o", "clean.gpx"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try folder.text("clean.gpx").components(separatedBy: "<trkpt").count - 1 == kept)
  }
}
