import Foundation
import Testing

/// What newcomers typed, and what they are told.
@Suite struct StumbleTests {
  @Test func `a bare number of meters that finds nothing says its unit`() throws {
    let folder = try Folder.withShops()
    func errors(_ arguments: String...) throws -> String {
      try Program.run(arguments, in: folder).errors
    }
    let hint = "note: looked within 2 m; write 2km for kilometers\n"
    let position = ["--lat", "37.5", "--lon", "127", "shops.csv"]
    func errors(within distance: String, _ command: String...) throws -> String {
      try Program.run(command + position + ["--within", distance], in: folder).errors
    }
    #expect(try errors(within: "2").contains(hint))
    #expect(try errors(within: "2", "bbox", "120,30,130,40").contains(hint))
    try folder.write("id,lat,lon\n1,37.5,127\n", to: "one.csv")
    #expect(try errors("join", "one.csv", "shops.csv", "-k", "1", "--within", "2").contains(hint))
    // There is nothing to say about kilometers where there are none.
    #expect(
      try errors(within: "0").hasSuffix(
        "note: --within 0 finds only what is exactly there; write a distance, such as 300m\n"))
    // So many kilometers would be more than the Earth has.
    #expect(
      try errors(within: "21000000.0", "find", "--where", "name = 'nobody'").hasSuffix(
        "note: looked within 21000000.0 m\n"))
    // A unit, or something found, needs no hint.
    #expect(try !errors(within: "2m").contains("looked within"))
    #expect(try !errors(within: "20000").contains("looked within"))
  }

  @Test(arguments: [
    ("--y foo", "columns are id,lat,lon; correct --y\n"),
    ("--x=foo", "columns are id,lat,lon; correct --x\n"),
    ("--open=arrival --speed 5", "--speed 5 has no unit; write 5km/h or 5m/s"),
    ("--open=arrival --speed 0", "--speed \"0\" is not a speed above 0 and up to 300 km/s; "),
    ("--speed walk", "--speed is about the way there; say --open=arrival\n"),
    ("--open 8pm", "bad-time: --open \"8pm\" is neither a time nor a date; write now, 14:00 or "),
    ("--open --speed walk", "--speed is about the way there; say --open=arrival\n"),
    ("--travel walk", "--travel is about the way there; say --open=arrival\n"),
  ])
  func `options with two names are called as they were typed`(options: String, words: String) throws
  {
    let folder = try Folder()
    try folder.write("id,lat,lon\n1,37.5,127\n", to: "one.csv")
    let outcome = try Program.shell("$nearby --lat 1 --lon 1 one.csv " + options, in: folder)
    #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    let left = try Program.shell("$nearby join one.csv one.csv -k 1 --left-y foo", in: folder)
    #expect(left.errors.hasSuffix("correct --left-y\n"), "\(left.errors)")
  }

  @Test(arguments: [
    (
      "bbox 126,37,128,38 37.6", "there is no file 37.6; write coordinates as one word, with commas"
    ),
    (
      "37.5,127 one.csv --within 2 km", "there is no file km; write the unit right after its number"
    ),
    ("within 2km one.csv", "there is no file 2km; write a length right after its option"),
    ("list one.csv --sort 'name desc'", "for the reverse order, write name:desc\n"),
    ("list one.csv --sort id,desc", "for the reverse order, write :desc right after a field\n"),
    ("1,181 one.csv", "longitude 181 is outside -180…180; write -179, which is the same\n"),
    ("list - <&-", "cannot read standard input: it is closed; open it, or name a file\n"),
  ])
  func `words of other programs are told what is written here`(line: String, words: String) throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\n1,37.5,127\n", to: "one.csv")
    let outcome = try Program.shell("$nearby " + line, in: folder)
    #expect(outcome.status != 0 && outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `delimiters have names`() throws {
    let folder = try Folder()
    try folder.write("id;lat;lon\n1;37,5;127\n", to: "one.csv")
    for name in [";", "semicolon"] {
      let outcome = try Program.run(
        ["list", "one.csv", "--delimiter", name, "--format", "ids"], in: folder)
      #expect(outcome.text == "1\n", "\(outcome.errors)")
    }
  }

  @Test func `one of anything is written in the singular`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\n1,37.5,127\n", to: "one.csv")
    let built = try Program.run(["index", "build", "one.csv", "-o", "one.nbx"], in: folder)
    #expect(built.errors == "one.nbx: 1 annotation\n")
    let verified = try Program.run(["index", "verify", "one.nbx"], in: folder)
    #expect(verified.text == "one.nbx: whole, 1 annotation\n")
    try FileManager.default.removeItem(at: folder.url.appending(path: "one.csv"))
    let gone = try Program.run(["index", "verify", "one.nbx"], in: folder)
    #expect(gone.text == "one.nbx: whole, 1 annotation; its source one.csv is not there\n")
    try folder.write("id,lat,lon\n1,37.5,127\n", to: "one.csv")
    let tiles = try Program.run(["tiles", "one.csv", "-z", "0", "-o", "one.pmtiles"], in: folder)
    #expect(tiles.errors.contains("one.pmtiles: 1 annotation in 1 tile of zoom 0, "))
    try folder.write("lat,lon,time\n37.5,127,soon\n", to: "log.csv")
    let track = try Program.run(["track", "log.csv", "--format", "json"], in: folder)
    #expect(track.errors.hasPrefix("note: 1 of 1 fix has a time that cannot be read"))
    let counts = (1...11).map { "\($0),37.5,127,b\($0)\n" }.joined()
    try folder.write("id,lat,lon,brand\n" + counts, to: "brands.csv")
    let facets = try Program.run(
      ["list", "brands.csv", "--facets", "brand"], environment: ["COLUMNS": "120"], in: folder)
    #expect((facets.text + facets.errors).contains(" · 1 more value\n"))
  }

  @Test func `exchanged degrees are noticed where both are legal`() throws {
    let folder = try Folder()
    try folder.write(
      "id,lat,lon\n1,34.05,-118.24\n2,37.77,-122.42\n3,32.72,-117.16\n", to: "us.csv")
    func errors(_ latitude: String, _ longitude: String) throws -> String {
      try Program.run(["--lat", latitude, "--lon", longitude, "us.csv"], in: folder).errors
    }
    // -120 is no latitude: that is an error of its own.
    #expect(try errors("-120", "35").contains("lat-lon-swapped"))
    try folder.write("id,lat,lon\n1,41.9,12.5\n2,45.46,9.19\n3,40.85,14.27\n", to: "us.csv")
    let told = try errors("12.5", "41.9")
    #expect(told.hasPrefix("warning: lat-lon-swapped: nothing lies within "))
    #expect(told.contains("--lat 41.9 --lon 12.5 is among the data"))
    // Right, or far from the data either way, or near them.
    #expect(try errors("41.9", "12.5") == "")
    #expect(try errors("-30", "60") == "")
    #expect(try errors("41.0", "11.0") == "")
  }

  @Test func `areas, regions, base maps, boxes and holidays may be packed`() throws {
    let folder = try Folder.withShops()
    let area = """
      {"type":"Polygon","coordinates":[[[126.9,37.5],[127,37.5],[127,37.6],[126.9,37.6],[126.9,37.5]]]}
      """
    try folder.write(area, to: "area.geojson")
    try folder.write("west,south,east,north\n126.9,37.5,127,37.6\n", to: "boxes.csv")
    try folder.write("2026-11-24,Founding Day\n", to: "days.csv")
    _ = try Program.shell(
      "gzip -k area.geojson boxes.csv days.csv && head -c 40 area.geojson.gz > cut.gz", in: folder)
    func same(_ file: String = "area.geojson", _ arguments: (String) -> [String]) throws {
      let plain = try Program.run(arguments(file), in: folder)
      let packed = try Program.run(arguments("\(file).gz"), in: folder)
      #expect(plain.status == 0 && packed.status == 0, "\(packed.errors)")
      #expect(!plain.output.isEmpty && plain.output == packed.output)
    }
    try same { ["within", $0, "shops.csv", "--format", "ids"] }
    try same { ["map", "shops.csv", "--basemap", $0, "--size", "60x20"] }
    try same { ["convert", "shops.csv", "--region", $0, "--format", "csv"] }
    try same("boxes.csv") { ["bbox", "--boxes", $0, "shops.csv"] }
    try same("days.csv") {
      [
        "hours", "Mo-Su 10:00-20:00; PH off", "--at", "2026-11-24T12:00", "--tz", "Asia/Seoul",
        "--holidays", $0,
      ]
    }
    let cut = try Program.run(["within", "cut.gz", "shops.csv"], in: folder)
    #expect(cut.status == 65)
    #expect(cut.errors.hasPrefix("error: gzip-damaged: cut.gz"))
  }

  @Test func `hours in Korean and Japanese go by the clocks of their countries`() throws {
    let folder = try Folder()
    func second(_ text: String, _ more: String...) throws -> String? {
      try Program.run(
        ["hours", text, "--at", "2026-11-24T10:00"] + more, environment: ["TZ": "UTC"], in: folder
      ).lines.dropFirst().first
    }
    #expect(
      try second("월~금 9-18, 토 9-13, 일 휴무") == "open at 2026-11-24T10:00+09:00, closed from 18:00")
    #expect(try second("平日 9:00〜18:00") == "open at 2026-11-24T10:00+09:00, closed from 18:00")
    #expect(try second("Mo-Fr 09:00-18:00") == "open at 2026-11-24T10:00Z, closed from 18:00")
    #expect(try second("월~금 9-18", "--tz", "UTC") == "open at 2026-11-24T10:00Z, closed from 18:00")
    // A source without positions says the same.
    try folder.write("id,name,lat,lon,영업시간\n1,a,,,월~금 9-18\n2,b,,,Mo-Fr 09:00-18:00\n", to: "s.csv")
    let rows = try Program.run(
      ["hours", "s.csv", "--hours-field", "영업시간", "--at", "2026-11-24T05:00Z"],
      environment: ["TZ": "UTC"], in: folder)
    #expect(rows.lines == ["a: open until 18:00", "b: opens 09:00"], "\(rows.errors)")
  }
}
