import Foundation
import NearbyTestSupport
import Testing

/// `nearby fence`: events, formats, streams, plans and mistakes.
@Suite struct FenceTests {
  /// A walk to the north past a school and a kiosk, with a late row and one at 0,0.
  private static let walk = """
    time,lat,lon,accuracy
    2026-11-22T01:00:00Z,37.5000,127.0,5
    2026-11-22T01:01:00Z,37.5009,127.0,5
    2026-11-22T01:02:00Z,37.5018,127.0,5
    2026-11-22T01:01:30Z,37.5018,127.0,5
    2026-11-22T01:03:00Z,0,0,5
    2026-11-22T01:09:00Z,37.5018,127.0001,5
    2026-11-22T01:10:00Z,37.5060,127.0,5

    """

  private static let points = """
    id,name,lat,lon,radius
    school,학교,37.5018,127.0,80
    kiosk,Kiosk,37.5040,127.0,20m
    far,Far,37.7,127,1km

    """

  private static let areas = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":"park","properties":{"name":"Park"},"geometry":{"type":"Polygon",
    "coordinates":[[[126.999,37.5010],[127.001,37.5010],[127.001,37.5030],[126.999,37.5030],[126.999,37.5010]]]}},
    {"type":"Feature","id":7,"properties":{"radius":30},"geometry":{"type":"Point","coordinates":[127.0,37.5009]}}]}
    """

  private static func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(walk, to: "walk.csv")
    try folder.write(points, to: "points.csv")
    try folder.write(areas, to: "areas.geojson")
    return folder
  }

  @Test func `each event has its line, then come a summary and a plan`() throws {
    let folder = try Self.folder()
    let outcome = try Program.run(
      ["fence", "walk.csv", "points.csv", "--dwell", "5min", "--plan", "--regions", "3"], in: folder
    )
    #expect(outcome.status == 0)
    #expect(
      outcome.text == """
           fix  time                  event     fence             why
             3  2026-11-22T01:02:00Z  enter     학교              inside by 80 m
             6  2026-11-22T01:09:00Z  dwell     학교              inside for 420 s of 3…
             7  2026-11-22T01:10:00Z  exit      학교              outside by 386.1 m
             7  2026-11-22T01:10:00Z  cross     Kiosk             passed 4.2 m from the…

        fixes     7, rejected 1, late 1, in doubt 0
        fences    3
        events    enter 1, exit 1, cross 1, dwell 1
        inside    none

        regions to watch from 37.506,127.0
          Kiosk             radius 20 m, border 202 m away
          학교              radius 80 m, border 386 m away
        plan again after moving 20.5 km away
        the choice is valid within 10.1 km

        """)
    let narrow = try Program.run(
      ["fence", "walk.csv", "points.csv"], environment: ["COLUMNS": "40"], in: folder)
    #expect(narrow.lines.allSatisfy { $0.count <= 40 })
    #expect(narrow.text.contains("events    enter 1, exit 1, cross 1,\n          dwell 0\n"))
    #expect(narrow.text.contains("inside by 80 m"))
  }

  @Test func `explained, no reason is left out and no fix that changed nothing`() throws {
    let outcome = try Program.run(
      ["fence", "walk.csv", "points.csv", "--explain"], in: try Self.folder())
    for text in [
      "Z  late\n        30 s before the last fix\n", "0,0 is what devices send",
      "after 480 s", "event 2 of visit 1", "passed 4.2 m from the center, radius 20 m",
    ] {
      #expect(outcome.text.contains(text), "\(text)")
    }
    // The first of two that must agree changes nothing, either.
    let cautious = try Program.run(
      ["fence", "walk.csv", "points.csv", "--explain", "--first", "2"], in: try Self.folder())
    #expect(cautious.text.contains("Z  held\n        1 of 2 fixes that must agree"))
  }

  @Test func `polygons and points with a radius are fences of one file`() throws {
    let folder = try Self.folder()
    let outcome = try Program.run(
      ["fence", "walk.csv", "areas.geojson", "--format", "jsonl"], in: folder)
    let events = try outcome.lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(events.map { $0["event"] as? String } == ["enter", "exit", "enter", "exit"])
    #expect(events.map { $0["fence"] as? String } == ["7", "7", "park", "park"])
    #expect(events.map { $0["fix"] as? Int } == [2, 3, 3, 7])
    #expect(events.map { $0["order"] as? Int } == [1, 2, 3, 4])
    #expect(events.map { $0["visit"] as? Int } == [1, 1, 3, 3])
    let reason = try #require((events[1]["reasons"] as? [[String: Any]])?.first)
    #expect(reason["code"] as? String == "outside" && reason["limit"] as? Double == 0)
    #expect(abs((reason["value"] as? Double ?? .nan) - 69.888) < 0.001)
    #expect(outcome.errors.contains("note: 1 of 7 fixes rejected, 1 late"))
  }

  @Test func `fixes in doubt are counted, and are not part of the way on the page`() throws {
    let folder = try Self.folder()
    /// A walk with some fixes 150 km aside.
    func write(aside: ClosedRange<Int>) throws {
      let rows = (0..<32).map { number in
        String(
          format: "2026-11-22T10:%02d:%02dZ,%d.50%02d,127\n", number / 6, number % 6 * 10,
          aside.contains(number) ? 38 : 37, number)
      }
      try folder.write("time,lat,lon\n" + rows.joined(), to: "aside.csv")
    }
    func run(_ options: String...) throws -> Program.Outcome {
      try Program.run(
        ["fence", "aside.csv", "points.csv", "--gate", "careful"] + options, in: folder)
    }
    // One too few to be believed: the second agrees with the first.
    try write(aside: 20...21)
    let note = "note: 1 of 32 fixes rejected, 0 late, 1 in doubt; they changed nothing\n"
    #expect(try run().text.contains("fixes     32, rejected 1, late 0, in doubt 1\n"))
    let summary = try run("--json").json["summary"] as? [String: Any]
    #expect(summary?["inDoubt"] as? Int == 1)
    #expect(try run("--format", "jsonl").errors == note)
    let page = try run("--html")
    #expect(page.errors == note)
    #expect(page.text.contains("[127,37.5019],[127,37.5022]"), "\(page.text)")
    // The first fix is on the way, too, as on the page of `track`; and so is what others confirm.
    #expect(page.text.contains("[[127,37.5],[127,37.5001]"), "\(page.text)")
    try write(aside: 20...31)
    let confirmed = try run("--html")
    #expect(confirmed.text.contains("[127,37.5019],[127,38.5021],[127,38.5022]"))
    #expect(confirmed.errors.contains("0 in doubt"), "\(confirmed.errors)")
  }

  @Test func `a rule on accuracy is told of where no fix has one`() throws {
    let folder = try Self.folder()
    let note =
      "note: no fix has an accuracy in meters, so the rule on it does nothing; if the track has a column "
      + "of them, name it with --accuracy-field\n"
    for (line, wanted) in [("lat,lon\n37.5,127\n", note), ("lat,lon,accuracy\n37.5,127,9\n", "")] {
      try folder.write(line, to: "log.csv")
      for command in [["track", "log.csv"], ["fence", "log.csv", "points.csv"]] {
        let outcome = try Program.run(command + ["--max-accuracy", "50m"], in: folder)
        #expect(outcome.errors == wanted, "\(command): \(outcome.errors)")
      }
    }
    #expect(
      try Program.run(["track", "log.csv", "--gate", "careful"], in: folder).errors.contains(
        "accuracy") == false)
  }

  @Test func `rules that need times are named where no fix has one`() throws {
    let folder = try Self.folder()
    try folder.write(
      Self.walk.replacingOccurrences(of: "time,", with: "when_ts,"), to: "untimed.csv")
    func errors(_ arguments: String...) throws -> String {
      try Program.run(arguments, in: folder).errors
    }
    func note(_ rules: String) -> String {
      "note: no fix has a time, so these rules do nothing: \(rules); use a track with times or, if "
        + "it has columns, name the one with times with --time-field\n"
    }
    #expect(try errors("track", "untimed.csv") == "")
    #expect(
      try errors("track", "untimed.csv", "--time-field", "when_ts", "--max-speed", "12m/s") == "")
    #expect(
      try errors("track", "untimed.csv", "--max-speed", "12m/s", "--min-interval", "30s")
        == note("speed, interval"))
    #expect(try errors("track", "untimed.csv", "--gate", "careful") == note("speed, order"))
    #expect(
      try errors(
        "fence", "untimed.csv", "points.csv", "--max-age", "1h", "--dwell", "5min",
        "--confirm-enter", "30s", "--max-gap", "1min") == note("age, dwell, confirmation, gap"))
  }

  @Test func `a polygon without positions is no fence, and one that cannot be one is named`() throws
  {
    let folder = try Self.folder()
    func run(_ coordinates: String) throws -> Program.Outcome {
      try folder.write(
        Self.areas.replacingOccurrences(
          of: "]}}]}",
          with: "]}},\n{\"type\":\"Feature\",\"id\":\"odd\",\"properties\":{},\"geometry\":"
            + "{\"type\":\"Polygon\",\"coordinates\":\(coordinates)}}]}"), to: "odd.geojson")
      return try Program.run(["fence", "walk.csv", "odd.geojson", "--format", "csv"], in: folder)
    }
    let empty = try run("[]")
    #expect(empty.status == 0 && empty.lines.count == 5, "\(empty.errors)")
    let flat = try run("[[[127,37],[128,37],[127,37],[127,37]]]")
    #expect(flat.status == 65)
    #expect(
      flat.errors.contains("error: polygon-vertices: odd.geojson: fence odd: the polygon's outer "),
      "\(flat.errors)")
  }

  @Test func `every format has every event`() throws {
    let folder = try Self.folder()
    let whole = try Program.run(
      ["fence", "walk.csv", "points.csv", "--format", "json", "--plan"], in: folder
    ).json
    #expect((whole["events"] as? [Any])?.count == 3)
    #expect((whole["summary"] as? [String: Any])?["cross"] as? Int == 1)
    let plan = try #require(whole["plan"] as? [String: Any])
    #expect(
      (plan["regions"] as? [[String: Any]])?.map { $0["fence"] as? String }
        == ["kiosk", "school", "far"])
    #expect(plan["refreshRadius"] is NSNull)
    let rows = try Program.run(
      ["fence", "walk.csv", "points.csv", "--format", "csv"], in: folder)
    #expect(rows.lines.count == 4)
    #expect(rows.lines[1] == "3,2026-11-22T01:02:00Z,enter,school,학교,1,1,37.5018,127,inside,80,,m")
    _ = try Program.run(["fence", "walk.csv", "points.csv", "-o", "events.geojson"], in: folder)
    let again = try Program.run(["info", "events.geojson", "--format", "json"], in: folder)
    #expect(again.text.contains("3"))
    let none = try Program.run(
      ["fence", "walk.csv", "points.csv", "--region", "JP", "--format", "geojson"], in: folder)
    #expect((try none.json["features"] as? [Any])?.isEmpty == true)
  }

  @Test func `fences are read by options of their own, and the track by its own`() throws {
    let folder = try Self.folder()
    // The school and the kiosk on Korea's plane, from `cs2cs EPSG:4326 EPSG:5179`.
    try folder.write(
      """
      Bezeichnung;Nord;Ost;Schlüssel
      학교;1944843.415;955805.877;S-1
      Kiosk;1945087.491;955807.174;K-1

      """, to: "plane.csv")
    try folder.write(
      Self.walk.replacingOccurrences(of: "time,lat,lon", with: "time,breite,länge"), to: "gang.csv")
    let reading = [
      "--fences-crs", "EPSG:5179", "--fences-y", "Nord", "--fences-x", "Ost", "--fences-delimiter",
      ";", "--fences-id-field", "Schlüssel", "--fences-name-field", "Bezeichnung",
    ]
    let plane = try Program.run(
      ["fence", "gang.csv", "plane.csv", "--radius", "80m", "--lat-field", "breite"]
        + ["--lon-field", "länge", "--format", "csv"] + reading, in: folder)
    #expect(plane.status == 0, "\(plane.errors)")
    let rows = plane.lines.map { $0.split(separator: ",").map(String.init) }
    #expect(rows.dropFirst().map { $0[3] }.contains("S-1") && rows.contains { $0[4] == "Kiosk" })
    #expect(rows[1][2...4] == ["enter", "S-1", "학교"])
    // What is wrong is said by the name that the option has here.
    for (options, words) in [
      (["--fences-crs", "EPSG:99999"], "EPSG:99999"),
      (["--fences-encoding", "klingon"], "the encoding \"klingon\""),
      (["--fences-delimiter", ""], "--fences-delimiter"),
    ] {
      let outcome = try Program.run(
        ["fence", "walk.csv", "plane.csv", "--radius", "80m"] + options, in: folder)
      #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }
    let unnamed = try Program.run(
      ["fence", "walk.csv", "plane.csv", "--radius", "80m", "--fences-delimiter", ";"], in: folder)
    #expect(unnamed.status == 65, "\(unnamed.errors)")
    #expect(unnamed.errors.contains("--fences-lat-field"), "\(unnamed.errors)")
  }

  @Test func `rules are those that options name`() throws {
    let folder = try Self.folder()
    func kinds(_ options: String...) throws -> [String] {
      try Program.run(
        ["fence", "walk.csv", "points.csv", "--format", "csv"] + options, in: folder
      ).lines.dropFirst().map { String($0.split(separator: ",")[2]) }
    }
    #expect(try kinds() == ["enter", "exit", "cross"])
    #expect(try kinds("--no-cross") == ["enter", "exit"])
    #expect(try kinds("--max-gap", "30s") == ["enter", "exit"])
    #expect(try kinds("--exit-buffer", "500m", "--no-cross") == ["enter"])
    #expect(try kinds("--confirm-enter", "2") == ["enter", "exit", "cross"])
    #expect(try kinds("--confirm-enter", "3") == ["cross"])
    #expect(try kinds("--confirm-exit", "10s", "--no-cross") == ["enter"])
    #expect(try kinds("--policy", "phone", "--no-cross") == ["enter"])
    #expect(try kinds("--accurate-exit", "--assume-accuracy", "1km").contains("exit"))
  }

  @Test func `a stream is answered fix by fix`() throws {
    let folder = try Self.folder()
    // The event must be there before the stream ends.
    let outcome = try Program.shell(
      #"(head -n 4 walk.csv; sleep 20) | $nearby fence - points.csv --format jsonl | head -n 1"#,
      in: folder)
    #expect(outcome.text.contains(#""event":"enter","fence":"school""#))
  }

  @Test(
    arguments: [
      (["fence", "walk.csv", "nope.csv"], "no-such-file", 66),
      (["fence", "nope.csv", "points.csv"], "no-such-file", 66),
      (["fence", "walk.csv", "empty.csv"], "empty-input", 65),
      (["fence", "empty.csv", "points.csv"], "empty-input", 65),
      (["fence", "walk.csv", "bare.csv"], "fence-radius", 65),
      (["fence", "walk.csv", "wide.csv"], "fence-radius", 65),
      (["fence", "walk.csv", "huge.csv"], "fence-radius", 65),
      (["fence", "walk.csv", "LineString.geojson", "--radius", "1km"], "fence-shape", 65),
      (["fence", "walk.csv", "MultiPoint.geojson", "--radius", "1km"], "fence-shape", 65),
      (["fence", "walk.csv", "-"], "fence-standard-input", 64),
      (["fence", "walk.csv", "bare.csv", "--radius", "-5m"], "bad-distance", 64),
      (
        ["fence", "walk.csv", "bare.csv", "--radius", "5m", "--radius-field", "reach"],
        "unknown-field", 64
      ),
      (["fence", "walk.csv", "points.csv", "--confirm-exit", "0"], "bad-count", 64),
      (["fence", "walk.csv", "points.csv", "--dwell", "soon"], "bad-duration", 64),
      (["fence", "walk.csv", "points.csv", "--policy", "strict"], "bad-policy", 64),
      (["fence", "walk.csv", "points.csv", "--regions", "1"], "bad-count", 64),
      (["fence", "walk.csv", "points.csv", "--regions", "5"], "missing-plan", 64),
      (["fence", "walk.csv", "points.csv", "--confirm-enter", "2.5"], "bad-duration", 64),
      (["fence", "walk.csv", "points.csv", "--plan", "--format", "csv"], "bad-format", 64),
      (["fence", "walk.csv", "points.csv", "-o", "x.gpx"], "bad-format", 64),
    ] as [([String], String, Int32)])
  func `a mistake has its code and its status`(
    arguments: [String], code: String, status: Int32
  ) throws {
    let folder = try Self.folder()
    try folder.write("", to: "empty.csv")
    try folder.write("id,lat,lon\n1,37,127\n", to: "bare.csv")
    try folder.write("id,lat,lon,radius\n1,37,127,wide\n", to: "wide.csv")
    try folder.write("id,lat,lon,radius\n1,37,127,6000km\n", to: "huge.csv")
    for type in ["LineString", "MultiPoint"] {
      try folder.write(
        #"{"type":"\#(type)","coordinates":[[127,37.5],[127.01,37.51]]}"#, to: "\(type).geojson")
    }
    let outcome = try Program.run(arguments, in: folder)
    #expect(outcome.status == status)
    #expect(outcome.errors.hasPrefix("error: \(code): "), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }
}
