import Foundation
import NearbyTestSupport
import Testing

/// `nearby transform`, and `--crs` of what reads sources.
@Suite struct TransformTests {
  private func transform(
    _ arguments: String..., input: String = ""
  ) throws -> Program.Outcome {
    try Program.run(["transform"] + arguments, input: Array(input.utf8), in: try Folder())
  }

  @Test func `operands and rows are answered one a line, east first`() throws {
    let operands = try transform("--from", "EPSG:5174", "--to", "EPSG:4326", "198242,451580")
    #expect(operands.text == "126.9808892353,37.5665018406\n")
    let rows = try transform(
      "--from", "EPSG:4326", "--to", "EPSG:6677", "--digits", "3",
      input: "139.7577791159952,35.69920294227422\n")
    // The Geospatial Information Authority's calculation site has -33369.3352 north.
    #expect(rows.text == "-6837.339,-33369.335\n")
    #expect(rows.status == 0)
  }

  @Test func `a bad row says its code in its place, and the status is 65`() throws {
    let outcome = try transform(
      "--from", "EPSG:5186", "--to", "EPSG:4326",
      input: "200000,600000\nabc,1\n1,2,3\n1e12,5\nnan,1\n")
    #expect(
      outcome.lines == [
        "127.0000000000,38.0000000000", "error: not-a-number", "error: row-fields",
        "error: crs-domain", "error: not-a-number",
      ])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("line 4"))
  }

  @Test func `degrees that are given as meters are warned of, once`() throws {
    let outcome = try transform(
      "--from", "EPSG:5179", "--to", "EPSG:4326", "955000,1950000", "127,37", "128,37")
    #expect(outcome.status == 0 && outcome.lines.count == 3)
    #expect(
      outcome.errors
        == "warning: crs-area: 127,37 is more than 100 km from where EPSG:5179 is used; check --from, and the "
        + "order: easting first\n")
  }

  @Test func `negative operands and digits are taken`() throws {
    let outcome = try transform(
      "--from", "EPSG:4326", "--to", "EPSG:3857", "--digits", "2", "-179.5,-33.5")
    #expect(outcome.text == "-19981848.60,-3961860.22\n")
    let wrong = try transform("--from", "4326", "--to", "3857", "--digits", "11", "1,1")
    #expect(wrong.status == 64 && wrong.errors.hasPrefix("error: bad-digits"))
  }

  @Test func `large numbers have no more decimals than were asked for`() throws {
    for (digits, expected) in [("0", "55660,118358353"), ("3", "55659.745,118358352.966")] {
      let outcome = try transform(
        "--from", "EPSG:4326", "--to", "EPSG:3857", "--digits", digits, "0.5,89.999999")
      #expect(outcome.text == expected + "\n", "\(outcome.errors)")
    }
  }

  @Test func `what is no number is answered with meters or degrees, as the CRS has them`() throws {
    let meters = try transform("--from", "EPSG:5186", "--to", "EPSG:4326", "x,y")
    #expect(
      meters.errors
        == "error: not-a-number: argument 1: \"x\" is not a number; write a number, such as 198242.5\n"
    )
    let degrees = try transform("--from", "EPSG:4326", "--to", "EPSG:5186", "127,y")
    #expect(degrees.errors.hasSuffix("\"y\" is not a number; write degrees, such as 37.5\n"))
  }

  @Test func `degrees of all CRSs have one range`() throws {
    // EPSG:4269 is not built in, so PROJ transforms it.
    for (from, to) in [("EPSG:4326", "EPSG:3857"), ("EPSG:4269", "EPSG:4326")] {
      let outcome = try transform(
        "--from", from, "--to", to, input: "181,38\n361,38\n541,38\n38,127\n")
      #expect(
        outcome.lines == [
          "error: lon-range", "error: lon-range", "error: lon-range", "error: lat-lon-swapped",
        ])
    }
  }

  @Test func `the operation and its accuracy are explained`() throws {
    let outcome = try transform(
      "--from", "EPSG:30169", "--to", "EPSG:4326", "--explain", "--", "-6837,-33369")
    #expect(
      outcome.errors == "explain: Inverse of Japan Plane Rectangular CS zone IX + "
        + "Tokyo to WGS 84 (108), accurate to 9 m in its area of use\n")
  }

  @Test func `other CRSs go through PROJ`() throws {
    let outcome = try transform("--from", "EPSG:2056", "--to", "EPSG:4326", "2600000,1200000")
    #expect(outcome.text.hasPrefix("7.43863"))
    #expect(outcome.status == 0)
  }

  @Test func `an unknown code is refused before anything is read`() throws {
    let outcome = try transform("--from", "EPSG:5999", "--to", "EPSG:4326", "1,2")
    #expect(outcome.status == 64 && outcome.text.isEmpty)
    #expect(outcome.errors.hasPrefix("error: crs-unsupported: EPSG:5999 is not supported"))
    #expect(outcome.errors.contains("the nearest match is EPSG:"))
  }

  @Test func `a source in a Korean grid is converted with --crs, --x and --y`() throws {
    let folder = try Folder()
    try folder.write("name,east,north\n시장,198242,451580\n", to: "a.csv")
    let outcome = try Program.run(
      ["convert", "a.csv", "--crs", "EPSG:5174", "--x", "east", "--y", "north", "--format", "csv"],
      in: folder)
    #expect(
      outcome.text
        == "id,name,kind,latitude,longitude\n1,시장,,37.566501840582944,126.98088923528455\n")
    #expect(
      outcome.errors.contains("Korean 1985 to WGS 84 (1), accurate to 1 m in its area of use"))
  }

  @Test func `an index file remembers its CRS`() throws {
    let folder = try Folder()
    try folder.write("name,x,y\n시장,198242,451580\n", to: "a.csv")
    _ = try Program.run(
      ["index", "build", "a.csv", "--crs", "EPSG:5174", "-o", "a.nbx"], in: folder)
    for command in [["convert", "a.nbx", "--format", "csv"]] {
      let outcome = try Program.run(command, in: folder)
      #expect(outcome.text.contains(",37.566501840582944,126.98088923528455\n"), "\(outcome)")
    }
    let found = try Program.run(
      ["--lat", "37.5665", "--lon", "126.9809", "a.nbx", "--format", "ids"], in: folder)
    #expect(found.text == "1\n")
  }
}
