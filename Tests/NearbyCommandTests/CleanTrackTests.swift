import Foundation
import NearbyTestSupport
import Testing

/// What `nearby track` writes of a track: what was believed of it, as GPX and GeoJSON.
@Suite struct CleanTrackTests {
  @Test func `the cleaned track is read back with what was believed of it`() throws {
    let folder = try TrackTests.folder()
    for name in ["clean.gpx", "clean.geojson"] {
      let written = try Program.run(
        ["track", "walk.csv", "--max-speed", "auto", "-o", name], in: folder)
      #expect(written.status == 0 && written.output.isEmpty)
      let again = try Program.run(["track", name, "--format", "json"], in: folder).json
      let summary = try #require(again["summary"] as? [String: Any])
      // All but the spike, the empty row, 0,0 and the swapped pair.
      #expect(summary["fixes"] as? Int == 6, "\(name)")
      #expect(summary["timed"] as? Int == 6, "\(name)")
      #expect(abs((summary["length"] as? Double ?? .nan) - 599.4) < 0.1, "\(name)")
    }
    let accepted = try Program.run(
      ["track", "walk.csv", "--max-speed", "auto", "--accepted-only", "--format", "geojson"],
      in: folder
    ).json
    let features = try #require(accepted["features"] as? [[String: Any]])
    let geometry = try #require(features[0]["geometry"] as? [String: Any])
    #expect((geometry["coordinates"] as? [Any])?.count == 2)
    let smooth = try Program.run(
      ["track", "walk.csv", "--max-speed", "auto", "--smooth", "1.5m/s", "--format", "gpx"],
      in: folder)
    #expect(smooth.text.contains("<trkpt lat=\"37.50") && smooth.status == 0)
  }

  @Test func `what a cleaned track leaves out is counted, what was held in doubt as well`() throws {
    let folder = try Folder()
    // A walk, and at the end two fixes far away that agree with each other, one too few to be believed.
    let latitudes = (0..<8).map { 37.5 + Double($0) * 0.0009 } + [37.6, 37.6009]
    let rows = latitudes.enumerated().map { "2026-11-22T10:0\($0):00Z,\($1),127\n" }
    try folder.write("time,lat,lon\n" + rows.joined(), to: "far.csv")
    func run(_ options: String...) throws -> Program.Outcome {
      try Program.run(["track", "far.csv", "--gate", "careful"] + options, in: folder)
    }
    let verdicts = try run("--format", "csv")
    #expect(verdicts.lines.count { $0.contains("rejected") } == 1)
    #expect(verdicts.errors == "note: 1 of 10 fixes rejected: speed 1\n")
    let written = try run("--format", "gpx")
    #expect(written.text.split(separator: "<trkpt").count - 1 == 10 - 2)
    for outcome in try [written, run("--format", "geojson"), run("--html")] {
      #expect(
        outcome.errors == """
          note: 1 of 10 fixes rejected: speed 1
          note: 1 of 10 fixes held in doubt and left out

          """)
    }
    // One more confirms the one in doubt.
    try folder.write(
      "time,lat,lon\n" + rows.joined() + "2026-11-22T10:10:00Z,37.6018,127\n", to: "far.csv")
    #expect(try !run("--format", "gpx").errors.contains("in doubt"))
  }

  @Test func `a cleaned track is written as GPX while its fixes come`() throws {
    let folder = try TrackTests.folder()
    // The point must be there before the stream ends.
    let outcome = try Program.shell(
      #"(printf 'lat,lon\n37.5,127\n'; sleep 20) | $nearby track - --format gpx | head -n 5"#,
      in: folder)
    #expect(outcome.lines.last == #"<trkpt lat="37.5" lon="127"></trkpt>"#)
    let empty = try Program.shell(
      "printf 'lat,lon\n' | $nearby track - --format gpx", in: folder)
    #expect(empty.lines.suffix(3) == ["<trk>", "</trk>", "</gpx>"])
  }

  @Test func `a cleaned track as GeoJSON has a line a part, cut at the antimeridian`() throws {
    let folder = try TrackTests.folder()
    try folder.write(
      """
      <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="-17" lon="179.9"><ele>3.5</ele><time>2026-11-22T00:00:00Z</time></trkpt>
      <trkpt lat="-17" lon="180"></trkpt>
      <trkpt lat="-17" lon="-179.9"><time>2026-11-22T00:10:00Z</time></trkpt>
      </trkseg><trkseg><trkpt lat="1" lon="2"/></trkseg><trkseg><trkpt lat="3" lon="4">
      <time>2026-11-22T00:10:00Z</time></trkpt></trkseg>
      <trkseg><trkpt lat="90" lon="4"/><trkpt lat="89.9" lon="-4"/></trkseg></trk></gpx>
      """, to: "parts.gpx")
    let outcome = try Program.run(
      ["track", "parts.gpx", "--gate", "none", "--format", "geojson"], in: folder)
    #expect(
      outcome.text == #"""
        {"type":"FeatureCollection","bbox":[-4,-17,-179.9,90],"features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[179.9,-17,3.5]},\#
        "properties":{"part":1,"time":"2026-11-22T00:00:00Z"}},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[-180,-17],[-179.9,-17]]},\#
        "properties":{"part":1,"coordTimes":[null,"2026-11-22T00:10:00Z"]}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"part":2}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[4,3]},\#
        "properties":{"part":3,"time":"2026-11-22T00:10:00Z"}},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[4,90],[-4,89.9]]},\#
        "properties":{"part":4}}]}

        """#)
    let empty = try Program.shell(
      "printf 'lat,lon\n' | $nearby track - --format geojson", in: folder)
    #expect(empty.text == "{\"type\":\"FeatureCollection\",\"features\":[]}\n")
  }

  @Test(.enabled(if: TestedProgram.memoryIsItsOwn, "a sanitizer has the memory"))
  func `a long cleaned track takes hardly more memory than a short one`() throws {
    let folder = try TrackTests.folder()
    let rows = (0..<120_000).map { "37.\(1_000_000 + $0),127,\(1_700_000_000 + $0)\n" }
    try folder.write("lat,lon,time\n" + rows.joined(), to: "long.csv")
    try folder.write("lat,lon,time\n" + rows[..<100].joined(), to: "short.csv")
    // What the short one needs, to 5 MB, and 20 MB more: the positions alone of the long one would
    // take 30.
    let outcome = try Program.shell(
      #"""
      kilobytes=30000
      until (ulimit -v $kilobytes; exec $nearby track short.csv --format geojson) >short 2>&1; do
        kilobytes=$((kilobytes + 5000)); [ $kilobytes -lt 1000000 ] || exit 1
      done
      ulimit -v $((kilobytes + 20000))
      exec $nearby track long.csv --gate none --format geojson -o long.geojson
      """#, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let times = try folder.text("long.geojson").split(separator: "T").count { $0.contains("Z\"") }
    #expect(times == 120_000)
  }

  @Test func `a track that is too long for the temporary folder is told so, and writes nothing`()
    throws
  {
    let folder = try TrackTests.folder()
    let rows = (0..<30_000).map { "37.\(1_000_000 + $0),127\n" }
    try folder.write("lat,lon\n" + rows.joined(), to: "long.csv")
    let outcome = try Program.run(
      ["track", "long.csv", "--gate", "none", "--format", "geojson"],
      environment: ["TMPDIR": folder.url.appending(path: "nowhere").path], in: folder)
    #expect(outcome.status == 74 && outcome.output.isEmpty)
    #expect(
      outcome.errors.hasPrefix("error: write-failed: no temporary file: "), "\(outcome.errors)")
    #expect(outcome.errors.contains("set TMPDIR to a folder with room"))
  }
}
