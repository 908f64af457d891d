import Foundation
import NearbyTestSupport
import Testing

/// `--hindsight` of `nearby track` and `nearby fence`.
@Suite struct HindsightTests {
  /// A walk to the north, 14 m in 10 s; rows 13 and 31 to 33 are 220 m aside, row 21 has no position.
  private static let walk =
    "time,lat,lon,accuracy\n"
    + (1...40).map { row in
      let isAside = row == 13 || (31...33).contains(row)
      let latitude = row == 21 ? "" : String(37.5 + Double(row) * 0.000_125)
      let time = String(format: "2026-11-22T01:%02d:%02dZ", row / 6, row % 6 * 10)
      return "\(time),\(latitude),\(isAside ? 127.0025 : 127),8\n"
    }.joined()

  private static func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(walk, to: "walk.csv")
    // A shop where the bad fixes are, and one where the walk leads.
    try folder.write(
      "id,lat,lon,radius\naside,37.5039,127.0025,80\nahead,37.5048,127,40\n", to: "shops.csv")
    return folder
  }

  /// The verdict and the codes of each fix.
  private static func verdicts(
    _ outcome: Program.Outcome
  ) throws -> [(verdict: String, codes: [String])] {
    try outcome.lines.map { line in
      let row = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let reasons = try #require(row["reasons"] as? [[String: Any]])
      return (row["verdict"] as? String ?? "", reasons.map { $0["code"] as? String ?? "" })
    }
  }

  @Test func `outliers are rejected, and nothing else, whatever the gate is`() throws {
    let folder = try Self.folder()
    for gate in ["careful", "none", "300m", "0.0005deg"] {
      let outcome = try Program.run(
        ["track", "walk.csv", "--gate", gate, "--hindsight", "--format", "jsonl"], in: folder)
      let verdicts = try Self.verdicts(outcome)
      #expect(verdicts.count == 40)
      let rejected = (1...40).filter { verdicts[$0 - 1].verdict == "rejected" }
      #expect(rejected == [13, 21, 31, 32, 33], "\(gate)")
      #expect(verdicts[12].codes == ["outlier"] && verdicts[20].codes == ["no-fix"])
      #expect(outcome.errors.contains("note: 5 of 40 fixes rejected: outlier 4, no-fix 1"))
    }
    // Without it the gate must guess.
    let careful = try Self.verdicts(
      try Program.run(
        ["track", "walk.csv", "--gate", "careful", "--format", "jsonl"], in: folder))
    #expect(careful[32].verdict == "accepted")
  }

  @Test func `every format has the fixes that still waited when the track ended`() throws {
    let folder = try Self.folder()
    let options = ["track", "walk.csv", "--gate", "none", "--hindsight"]
    let table = try Program.run(options + ["--no-map"], in: folder)
    #expect(table.text.contains("    40  2026-11-22T01:06:40Z  accepted"))
    #expect(table.text.contains("fixes     40 from CSV"))
    #expect(table.text.contains("rejected  5: outlier 4, no-fix 1"))
    #expect(try Program.run(options + ["--format", "csv"], in: folder).lines.count == 41)
    let json = try Program.run(options + ["--format", "json"], in: folder).json
    #expect((json["verdicts"] as? [Any])?.count == 40)
    for name in ["clean.gpx", "clean.geojson"] {
      #expect(try Program.run(options + ["-o", name], in: folder).status == 0)
      let again = try Program.run(
        ["track", name, "--gate", "none", "--format", "json"], in: folder
      ).json
      let summary = try #require(again["summary"] as? [String: Any])
      #expect(summary["fixes"] as? Int == 35, "\(name)")
      // 39 steps of 13.9 m.
      #expect(abs((summary["length"] as? Double ?? .nan) - 541) < 2, "\(name)")
    }
  }

  @Test func `what is said would flip an outlier does`() throws {
    let folder = try Self.folder()
    let strict = "track walk.csv --gate none --max-speed 12m/s --format jsonl"
      .split(separator: " ").map(String.init)
    let explained = try Program.run(strict + ["--hindsight", "--explain"], in: folder)
    let row = try #require(
      try JSONSerialization.jsonObject(with: Data(explained.lines[12].utf8)) as? [String: Any])
    let otherwise = try #require(row["otherwise"] as? [String])
    #expect(otherwise.count == 2 && otherwise[0] == "no --hindsight")
    #expect(otherwise[1].hasPrefix("--max-speed "))
    let loosened = try Program.run(
      strict + otherwise[1].split(separator: " ").map(String.init), in: folder)
    #expect(try Self.verdicts(loosened).dropFirst(12).first?.verdict == "accepted")
    let plain = try Program.run(
      ["track", "walk.csv", "--gate", "none", "--hindsight", "--explain"], in: folder)
    #expect(plain.text.contains("accepted with no --hindsight\n"))
    let without = try Program.run(
      ["track", "walk.csv", "--gate", "none", "--format", "jsonl"], in: folder)
    #expect(try Self.verdicts(without)[12].verdict == "accepted")
  }

  @Test func `a stream is answered when eight more fixes have come`() throws {
    let folder = try Self.folder()
    let outcome = try Program.shell(
      "(head -n 10 walk.csv; sleep 20) | $nearby track - --gate none --hindsight --format jsonl"
        + " | head -n 1",
      in: folder)
    #expect(
      outcome.lines == [#"{"fix":1,"verdict":"accepted","reasons":[{"code":"first-fix"}]}"#])
  }

  @Test func `fences hear nothing of outliers`() throws {
    let folder = try Self.folder()
    let options = ["fence", "walk.csv", "shops.csv", "--gate", "none", "--format", "jsonl"]
    #expect(try Program.run(options, in: folder).text.contains(#""aside""#))
    let outcome = try Program.run(options + ["--hindsight"], in: folder)
    #expect(outcome.status == 0 && outcome.lines.count == 1)
    #expect(outcome.text.contains(#""event":"enter","fence":"ahead""#))
    #expect(outcome.errors.contains("note: 5 of 40 fixes rejected, 0 late"))
    let explained = try Program.run(
      ["fence", "walk.csv", "shops.csv", "--gate", "none", "--hindsight", "--explain"], in: folder)
    #expect(explained.text.contains("off its neighbors"))
  }
}
