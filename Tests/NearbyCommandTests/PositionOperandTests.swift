import Foundation
import Testing

/// A position among the operands, in place of `--lat` and `--lon`.
@Suite struct PositionOperandTests {
  private static let here = ["--lat", "37.57", "--lon", "126.97"]

  private func run(_ arguments: [String], in folder: Folder? = nil) throws -> Program.Outcome {
    try Program.run(arguments, in: try folder ?? Folder.withShops())
  }

  @Test(arguments: [
    ["37.57,126.97"], ["37.57, 126.97"], ["37.57,", "126.97"], ["37.57 126.97"],
    ["37°34'12\"N 126°58'12\"E"], ["37°34'12\"N", "126°58'12\"E"], ["37°34′12″N,126°58′12″E"],
    ["37.57° N, 126.97° E"], ["126.97E", "37.57N"], ["geo:37.57,126.97"],
    ["北緯37度34分12秒 東経126度58分12秒"], ["37.57", "126.97"],
    ["[37.57, 126.97]"], ["[37.57,", "126.97]"], ["lat: 37.57, lon: 126.97"],
    ["https://www.google.com/maps/@37.57,126.97,15z"],
    ["https://www.openstreetmap.org/#map=15/37.57/126.97"],
  ])
  func `answers as the two options do`(operands: [String]) throws {
    for rest in [["shops.csv"], ["shops.csv", "-k", "2", "--format", "json"]] {
      let expected = try run(Self.here + rest)
      #expect(expected.status == 0)
      for arguments in [operands + rest, rest + operands, ["find"] + operands + rest] {
        let outcome = try run(arguments)
        #expect(outcome.output == expected.output, "\(arguments) \(outcome.errors)")
        #expect(outcome.status == 0)
      }
    }
  }

  @Test func `may have the signs that people copy with it, also in the options`() throws {
    let expected = try run(["--lat", "-33.86", "--lon", "-70.67", "shops.csv"])
    for options in [
      ["--lat", "−33.86", "--lon", "−70.67"],
      ["--lat", "-33.86\u{3000}", "--lon", "\u{200B}-70.67\u{A0}"],
    ] {
      #expect(try run(options + ["shops.csv"]).output == expected.output, "\(options)")
    }
    #expect(expected.status == 0)
  }

  @Test func `needs no parser for the shortest question`() throws {
    let folder = try Folder()
    let expected = try run(Self.here + ["-k", "2"], in: folder)
    #expect(!expected.output.isEmpty)
    for arguments in [
      ["37.57,126.97", "-k", "2"], ["-k", "2", "37.57,126.97"], ["-k", "2", "--", "37.57,126.97"],
      ["--sample", "37.57,126.97", "-k", "2"],
    ] {
      #expect(try run(arguments, in: folder).output == expected.output, "\(arguments)")
    }
  }

  @Test func `may be in the south and the west`() throws {
    let expected = try run(["--lat", "-33.86", "--lon", "-70.67", "shops.csv", "--format", "csv"])
    for operands in [
      ["-33.86,-70.67"], ["--", "-33.86,-70.67"], ["33.86S", "70.67W"], ["-33.86, -70.67"],
      ["-33°51'36\"", "-70°40'12\""], ["−33.86,−70.67"],
    ] {
      let outcome = try run(["shops.csv", "--format", "csv"] + operands)
      #expect(outcome.output == expected.output, "\(operands) \(outcome.errors)")
    }
  }

  @Test func `serves every command that measures from a position`() throws {
    let folder = try Folder.withShops()
    try folder.write(
      #"{"type":"Polygon","coordinates":[[[126,37],[128,37],[128,38],[126,38],[126,37]]]}"#,
      to: "area.geojson")
    try folder.write("west,south,east,north\n126,37,128,38\n", to: "boxes.csv")
    for (command, rest) in [
      (["bbox", "126,37,128,38"], ["shops.csv"]), (["bbox", "10km"], ["shops.csv"]),
      (["bbox", "10km"], ["shops.csv", "--count"]),
      (["bbox", "--boxes", "boxes.csv"], ["shops.csv", "--within", "1km"]),
      (["within", "area.geojson"], ["shops.csv", "--format", "json"]),
      (["map"], ["shops.csv", "--within", "5km"]),
      (["convert"], ["shops.csv", "--within", "1km", "--format", "csv"]),
      (["export", "--html"], ["shops.csv", "--within", "1km"]),
    ] {
      let expected = try run(command + Self.here + rest, in: folder)
      let outcome = try run(command + ["37.57,126.97"] + rest, in: folder)
      #expect(expected.status == 0, "\(command) \(expected.errors)")
      #expect(outcome.output == expected.output, "\(command) \(outcome.errors)")
      #expect(!outcome.output.isEmpty)
    }
  }

  @Test func `is a file where one has that name`() throws {
    let folder = try Folder.withShops()
    try folder.write(Fixture.shops, to: "37.57,126.97")
    let outcome = try run(["37.57,126.97", "--lat", "37.57", "--lon", "126.97"], in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("시네마"))
    #expect(try run(["37.57,126.97"], in: folder).errors.hasPrefix("error: missing-position"))
  }

  @Test(arguments: [
    (["37.57,126.97", "--lat", "37.57", "--lon", "126.97"], "position-twice", "37.57,126.97"),
    (["37.57,126.97", "37.6,127"], "position-twice", "37.6,127"),
    (["48,14", "11,58"], "position-twice", "give only one, with decimal points: 48.14,11.58"),
    (["37,57", "126,97"], "position-twice", "with decimal points: 37.57,126.97"),
    (["126.97,37.57"], "lat-lon-swapped", "try latitude 37.57, longitude 126.97"),
    (["126.97,37.57", "shops.csv"], "lat-lon-swapped", "126.97"),
    (["[126.97, 37.57]"], "lat-lon-swapped", "try latitude 37.57, longitude 126.97"),
    (["37.57N 126.97N"], "missing-position", "37.57N 126.97N is neither a position nor a file"),
    (["shops.csv", "none.csv"], "missing-position", " none.csv is neither a position nor a file"),
    (
      ["maps.google.com/none.csv"], "missing-position",
      "maps.google.com/none.csv is neither a position nor a file"
    ),
    (
      ["https://maps.app.goo.gl/x"], "not-a-position",
      "goo.gl/x does not contain exactly one position; open"
    ),
    (["37.5.7,126.97"], "not-a-position", "37.5.7,126.97"),
    (["shops.csv", "-"], "missing-position", "missing-position: say where to look from"),
    (["95,200", "shops.csv"], "lat-range", "95"), (["37.57,181"], "lon-range", "181"),
    (["nan,1"], "not-a-number", "nan"), (["0,0"], "null-island", "--allow-null-island"),
    (["126.9,37.4,127.1,37.6", "shops.csv"], "not-a-position", "37.57,126.97"),
    (["37,57 126,97"], "not-a-position", "37,57 126,97"),
    (["37°61'N", "126°58'E"], "not-a-position", "37°61'N"),
    (["list", "37.57,126.97", "shops.csv"], "missing-position", "nearby find"),
    (["37.57,126.97", "--lon", "1"], "missing-position", "--lat"),
    (
      ["--lat", "37.57,126.97"], "missing-position",
      "--lat has a longitude, which --lon takes; give both"
    ),
    (
      ["--lon", "37.57,126.97"], "missing-position",
      "--lon has a latitude, which --lat takes; give both"
    ),
  ])
  func `is refused with the value and what to write`(
    arguments: [String], code: String, says: String
  ) throws {
    let outcome = try run(arguments)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("error: \(code): "), "\(outcome.errors)")
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `is not made with an empty word, which stays a source`() throws {
    for arguments in [["", "37.57,126.97"], ["37.57,126.97", "", "shops.csv"]] {
      let outcome = try run(["find"] + arguments)
      #expect(outcome.status == 66 && outcome.output.isEmpty, "\(arguments)")
      #expect(
        outcome.errors.hasPrefix("error: no-such-file: there is no file \"\""), "\(outcome.errors)")
    }
  }

  @Test func `is not looked for in names of files`() throws {
    for name in ["2026-11-22", "shops-1,2.csv", "37.57", "wydm9r"] {
      let outcome = try run(Self.here + [name])
      #expect(outcome.status == 66, "\(name) \(outcome.errors)")
    }
    // Commands that measure nothing take it for a file.
    #expect(try run(["info", "37.57,126.97"]).status == 66)
  }
}
