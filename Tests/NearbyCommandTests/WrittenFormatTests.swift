import Foundation
import Testing

/// One rule for every command: `--format` is obeyed, else the ending of `-o` says the format, and one
/// that is not written is a mistake.
@Suite struct WrittenFormatTests {
  /// A command, what it writes by itself, and endings with the formats they stand for.
  struct Case: CustomStringConvertible, Sendable {
    let command: String
    /// Whether it writes something without `--format` to a name without an ending.
    var hasDefault = true
    var hasOption = true
    let endings: [(ending: String, format: String)]
    var description: String { command }
  }

  private static let results = [
    ("json", "json"), ("jsonl", "jsonl"), ("ndjson", "jsonl"), ("csv", "csv"),
    ("geojson", "geojson"), ("geojsonl", "geojsonseq"), ("gpx", "gpx"), ("txt", "table"),
    ("CSV", "csv"), ("ids", "ids"),
  ]

  static let cases = [
    Case(command: "find --lat 37.5 --lon 127 s.csv", endings: results),
    Case(command: "bbox 126,37,128,38 s.csv", endings: results),
    Case(command: "within a.geojson s.csv", endings: results),
    Case(
      command: "track s.csv --gate none",
      endings: [("csv", "csv"), ("jsonl", "jsonl"), ("geojson", "geojson"), ("txt", "table")]),
    Case(
      command: "fence s.csv a.geojson --gate none",
      endings: [("csv", "csv"), ("jsonl", "jsonl"), ("geojson", "geojson"), ("txt", "table")]),
    Case(
      command: "join s.csv s.csv -k 1",
      endings: [("csv", "csv"), ("json", "json"), ("jsonl", "jsonl")]),
    Case(
      command: "hours Mo-Fr --at 2026-11-23T00:00 --tz UTC",
      endings: [("json", "json"), ("txt", "text")]),
    Case(
      command: "cluster --bbox 126,37,128,38 --zoom 9 s.csv",
      endings: [("geojson", "geojson"), ("geojsonl", "geojsonseq")]),
    Case(
      command: "cluster diff --from-view 126,37,128,38,9 --to-view 126,37,129,38,9 s.csv",
      endings: [("json", "json"), ("geojson", "geojson")]),
    Case(
      command: "convert s.csv", hasDefault: false,
      endings: [("csv", "csv"), ("geojson", "geojson"), ("geojsonl", "geojsonseq")]),
    Case(command: "map s.csv", hasOption: false, endings: [("txt", "")]),
    Case(
      command: "export s.csv --days 0 --title t", hasDefault: false,
      hasOption: false, endings: [("html", ""), ("htm", "")]),
    Case(command: "index build s.csv", hasOption: false, endings: []),
  ]

  private static func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write("id,lat,lon\n1,37.5,127\n2,37.6,127\n", to: "s.csv")
    try folder.write(
      #"{"type":"Polygon","coordinates":[[[126,37],[128,37],[128,38],[126,38],[126,37]]]}"#,
      to: "a.geojson")
    return folder
  }

  private static func run(_ line: String, in folder: Folder) throws -> Program.Outcome {
    try Program.run(line.split(separator: " ").map(String.init), in: folder)
  }

  @Test(arguments: cases)
  func `an ending that is not written is refused, and nothing is created`(test: Case) throws {
    let folder = try Self.folder()
    let before = try folder.names
    let refused = ["shp", "parquet", "xlsx", "kml", "pdf", "csv.gz", "tsv", "fgb", "csv.bak"]
    for ending in refused {
      let outcome = try Self.run("\(test.command) -o x.\(ending)", in: folder)
      #expect(outcome.status == 64, "\(ending): \(outcome.errors)")
      let last = ending.split(separator: ".").last.map(String.init) ?? ""
      #expect(
        outcome.errors.hasPrefix("error: bad-format: x.\(ending) ends in .\(last), "),
        "\(outcome.errors)")
      for (written, _) in test.endings where !["ndjson", "CSV", "htm"].contains(written) {
        #expect(outcome.errors.contains(".\(written)"), "\(outcome.errors)")
      }
    }
    #expect(try folder.names == before)
  }

  @Test func `a web page that a command does not write is one of export`() throws {
    let outcome = try Self.run("map s.csv -o x.html", in: Self.folder())
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("end it in .txt; for a web page, use nearby export"))
  }

  @Test(arguments: cases)
  func `an ending that is written is the format it stands for`(test: Case) throws {
    let folder = try Self.folder()
    for (ending, format) in test.endings {
      let named = try Self.run("\(test.command) -o x.\(ending)", in: folder)
      let option = test.hasOption ? " --format \(format)" : test.hasDefault ? "" : " --html"
      let asked = try Self.run(test.command + option, in: folder)
      #expect((named.status, asked.status) == (0, 0), "\(ending): \(named.errors)\(asked.errors)")
      #expect(try folder.bytes("x.\(ending)") == asked.output, "\(ending)")
    }
  }

  @Test(arguments: cases)
  func `a name without an ending is written as standard output is`(test: Case) throws {
    let folder = try Self.folder()
    guard !test.command.hasPrefix("index") else { return }
    for name in ["plain", ".hidden", "ends.with.a.dot."] {
      let named = try Self.run("\(test.command) -o \(name)", in: folder)
      guard test.hasDefault else {
        #expect(named.status == 64 && named.errors.contains("missing-format"))
        continue
      }
      #expect(named.status == 0, "\(named.errors)")
      #expect(try folder.bytes(name) == Self.run(test.command, in: folder).output)
    }
  }

  @Test(arguments: cases.filter(\.hasOption))
  func `the format that is asked for is obeyed whatever the name`(test: Case) throws {
    let folder = try Self.folder()
    for (_, format) in test.endings {
      let asked = try Self.run("\(test.command) --format \(format)", in: folder)
      for name in ["x.shp", "x.csv", "x.gpkg", "x"] {
        let named = try Self.run("\(test.command) --format \(format) -o \(name)", in: folder)
        #expect(named.status == 0, "\(name): \(named.errors)")
        #expect(try folder.bytes(name) == asked.output, "\(name) as \(format)")
      }
    }
  }
}
