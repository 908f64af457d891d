import Foundation
import NearbyTestSupport
import Testing

/// The gate of `nearby track`: its options, and what `--explain` says of them.
@Suite struct TrackGateTests {
  @Test func `what is said would flip a verdict does, typed as an option`() throws {
    let folder = try TrackTests.folder()
    let explained = try Program.run(
      ["track", "walk.csv", "--explain", "--format", "jsonl"], in: folder)
    let third = try #require(
      try JSONSerialization.jsonObject(with: Data(explained.lines[2].utf8)) as? [String: Any])
    let option = try #require((third["otherwise"] as? [String])?.first)
    #expect(option.hasPrefix("--gate 199."))
    // One fix earlier nothing was accepted but the first, so that the third is measured from it.
    let other = try Program.run(
      ["track", "walk.csv", "--format", "jsonl"] + option.split(separator: " ").map(String.init),
      in: folder)
    #expect(other.lines[2].contains(#""verdict":"accepted""#))
    let text = try Program.run(["track", "walk.csv", "--explain", "--no-map"], in: folder)
    #expect(text.text.contains("accepted with --gate 99.8m"))
    #expect(text.text.contains("line 2: 37.5,127 ±5 m"))
  }

  @Test func `what is said would flip a move of exactly the threshold does, too`() throws {
    let folder = try Folder()
    // Still, and 0.0005° to the north: neither number itself is the answer.
    try folder.write(
      """
      lat,lon,time
      37.5,127,2026-11-22T01:00:00Z
      37.5,127,2026-11-22T01:01:00Z
      37.5005,127,2026-11-22T01:02:00Z
      37.5005,127,2026-11-22T01:00:30Z

      """, to: "steps.csv")
    for gate in [
      ["--gate", "0m"], ["--gate", "0m", "--inclusive"], ["--gate", "0.0005deg"],
      ["--gate", "0.0005deg", "--axes", "all"], ["--gate", "55.5m", "--min-interval", "30s"],
    ] {
      func verdicts(_ options: [String]) throws -> [(verdict: String, otherwise: [String])] {
        let outcome = try Program.run(
          ["track", "steps.csv", "--explain", "--format", "jsonl"] + options, in: folder)
        return try outcome.lines.map { line in
          let verdict = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
          return (
            verdict["verdict"] as? String ?? "", verdict["otherwise"] as? [String] ?? []
          )
        }
      }
      // The second fix, whose past is the same under any of these.
      let before = try verdicts(gate)[1]
      let option = try #require(before.otherwise.first).split(separator: " ").map(String.init)
      var kept = option[0] == "--gate" ? Array(gate.dropFirst(2)) : gate
      // No threshold has no axes, and saying both is refused.
      if option == ["--gate", "none"] { kept.removeAll { ["--axes", "all"].contains($0) } }
      let after = try verdicts(
        kept + option
          + before.otherwise.dropFirst().flatMap {
            $0.split(separator: " ").map(String.init)
          })[1]
      #expect(before.verdict != after.verdict, "\(gate) \(before) \(after)")
    }
    // No interval lets a fix pass that is from before the last accepted one.
    let late = try Program.run(
      ["track", "steps.csv", "--gate", "none", "--min-interval", "30s", "--explain", "--no-map"],
      in: folder)
    #expect(late.text.contains("accepted with no --min-interval"))
  }

  @Test func `what is said would flip a verdict leaves out only options that are there`() throws {
    let folder = try Folder()
    // A walk, then too fast, too fast to be usual, from before, and abroad.
    let walk = (0..<8).map { "2026-11-22T10:0\($0):00Z,\(37.5 + Double($0) * 0.0009),127\n" }
    try folder.write(
      "time,lat,lon\n" + walk.joined()
        + """
        2026-11-22T10:08:00Z,37.6000,127
        2026-11-22T10:09:00Z,37.6009,127
        2026-11-22T09:30:00Z,37.5007,127
        2026-11-22T10:10:00Z,48.85,2.35

        """, to: "steps.csv")
    func words(_ options: String...) throws -> Set<String> {
      let outcome = try Program.run(
        ["track", "steps.csv", "--explain", "--json"] + options, in: folder)
      let verdicts = try outcome.json["verdicts"] as? [[String: Any]] ?? []
      #expect(verdicts.count == 12, "\(outcome.errors)")
      return Set(verdicts.flatMap { $0["otherwise"] as? [String] ?? [] })
    }
    let careful = try words("--gate", "Careful")
    #expect(careful.isSuperset(of: ["another --gate than Careful", "--max-speed 100m/s"]))
    #expect(!careful.contains { $0.hasPrefix("no ") }, "\(careful)")
    let both = try words("--gate", "careful", "--in-order")
    #expect(both.isSuperset(of: ["another --gate than careful", "no --in-order"]), "\(both)")
    let plain = try words("--gate", "300m", "--in-order", "--region", "KR")
    #expect(plain.isSuperset(of: ["no --in-order", "no --region"]), "\(plain)")
    #expect(!plain.contains { $0.hasPrefix("another ") }, "\(plain)")
    let mart = try words("--gate", "mart0.0005deg")
    #expect(mart.contains("another --gate than mart0.0005deg") && !mart.contains("no --region"))
    // What is said does flip the tenth, whether the preset or an option learns.
    for gate in [["--gate", "careful"], ["--gate", "none", "--max-speed", "auto"]] {
      func tenth(_ options: [String]) throws -> String {
        try Program.run(["track", "steps.csv", "--format", "csv"] + options, in: folder).lines[10]
      }
      #expect(try !tenth(gate).contains("accepted"))
      #expect(try tenth(Array(gate.prefix(2)) + ["--max-speed", "100m/s"]).contains("accepted"))
    }
  }

  @Test func `no limit is said that no option takes`() throws {
    let folder = try Folder()
    // Half around the Earth in a second.
    try folder.write(
      """
      time,lat,lon
      2026-11-22T10:00:00Z,37.5,127
      2026-11-22T10:00:01Z,37.5,127
      2026-11-22T10:00:02Z,-37.5,-53

      """, to: "leap.csv")
    for (options, words) in [
      (["--gate", "none", "--max-speed", "12m/s"], ["no --max-speed"]),
      (["--gate", "careful"], ["another --gate than careful"]),
      (
        ["--gate", "careful", "--max-speed", "12m/s"],
        ["another --gate than careful", "no --max-speed"]
      ),
    ] {
      let outcome = try Program.run(
        ["track", "leap.csv", "--explain", "--json"] + options, in: folder)
      let verdicts = try outcome.json["verdicts"] as? [[String: Any]]
      #expect(verdicts?.last?["otherwise"] as? [String] == words, "\(outcome.text)")
    }
  }

  @Test func `presets, regions and degrees are gates`() throws {
    let folder = try TrackTests.folder()
    func verdicts(_ options: [String], _ rows: String) throws -> [String] {
      try folder.write("lat,lon\n" + rows, to: "t.csv")
      return try Program.run(["track", "t.csv", "--format", "csv"] + options, in: folder).lines
        .dropFirst().map { line in
          let cells = line.split(separator: ",", omittingEmptySubsequences: false)
          return "\(cells[5]) \(cells[6])"
        }
    }
    let rows = "37.5,127\n37.5005,127\n37.5006,127\n48.85,2.35\n"
    #expect(
      try verdicts(["--gate", "0.0005deg"], rows)
        == ["accepted first-fix", "accepted moved", "held moved", "accepted moved"])
    #expect(
      try verdicts(["--gate", "mart0.0005deg"], rows)
        == ["accepted first-fix", "accepted moved", "held moved", "rejected outside-region"])
    #expect(
      try verdicts(["--gate", "MARTASBUILT"], rows)
        == ["accepted first-fix", "held moved", "held moved", "rejected outside-region"])
    #expect(
      try verdicts(["--gate", "none", "--region", "KR"], rows)
        == [
          "accepted first-fix", "accepted no-rule", "accepted no-rule", "rejected outside-region",
        ])
    try folder.write(
      #"""
      {"type":"Polygon","coordinates":[[[126,37],[128,37],[128,38],[126,38],[126,37]],
       [[126.9,37.4],[127.1,37.4],[127.1,37.50055],[126.9,37.50055],[126.9,37.4]]]}
      """#, to: "ring.geojson")
    // Inside the hole, on no border, and beyond it.
    #expect(
      try verdicts(["--gate", "none", "--region", "ring.geojson"], rows)
        == [
          "rejected outside-region", "rejected outside-region", "accepted first-fix",
          "rejected outside-region",
        ])
    try folder.write("lat,lon\n48.85,2.35\n-1.3,36.8\n", to: "t.csv")
    let far = try Program.run(
      ["track", "t.csv", "--region", "KR", "--no-map"], in: folder)
    #expect(far.lines[1].hasSuffix("km outside KR"), "\(far.text)")
    let swapped = try Program.run(
      ["track", "t.csv", "--region", "-2,36,-1,37", "--explain", "--no-map"], in: folder)
    #expect(swapped.text.contains("latitude and longitude look swapped"), "\(swapped.text)")
  }

  @Test func `age is judged by the time that is said`() throws {
    let folder = try TrackTests.folder()
    let rules = ["--max-age", "230s", "--max-lead", "1min", "--now"]
    // As options and tracks have times, in UTC where they do not say.
    for now in [
      "2026-11-22T01:04:30Z", "2026-11-22T01:04", "2026-11-22T10:04:30+09:00", "1795309470",
      "2026/11/22 01:04:30", "20261122010430",
    ] {
      let outcome = try Program.run(
        ["track", "walk.csv", "--format", "jsonl"] + rules + [now], in: folder)
      let codes = outcome.lines.map { line in
        ["too-old", "in-future"].first { line.contains($0) } ?? ""
      }
      #expect(codes == ["too-old", "", "", "", "", "", "in-future", "", "", ""], "\(now)")
    }
    for now in ["now", "14:00", "2026-11-22", "14:00+09:00"] {
      let outcome = try Program.run(["track", "walk.csv", "--now", now], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test func `a log of two devices that report in turn is said to be perhaps of several`() throws {
    let folder = try Folder()
    let rows = (10..<50).map {
      "2026-11-30T00:\($0):00Z,\($0.isMultiple(of: 2) ? "37.5,127" : "35.1,129")"
    }
    try folder.write((["time,lat,lon"] + rows).joined(separator: "\n"), to: "two.csv")
    let outcome = try Program.run(["track", "two.csv", "--format", "jsonl"], in: folder)
    #expect(outcome.errors.contains("if the log is of several devices, give "), "\(outcome.errors)")
  }
}
