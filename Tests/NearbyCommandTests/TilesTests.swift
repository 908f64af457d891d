import Foundation
import NearbyTestSupport
import Testing

/// `nearby tiles SOURCE -o FILE`.
@Suite struct TilesTests {
  @Test func `an archive holds the tiles of its zooms and says what it is`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(
      ["tiles", "shops.csv", "-z", "0-3", "-o", "shops.pmtiles"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.isEmpty)
    #expect(outcome.errors.contains("shops.pmtiles: 6 annotations in "), "\(outcome.errors)")
    let bytes = [UInt8](try Data(contentsOf: folder.url.appending(path: "shops.pmtiles")))
    #expect(bytes.starts(with: Array("PMTiles".utf8) + [3]))
    // First and last zoom.
    #expect(bytes[100] == 0 && bytes[101] == 3)
    #expect(try folder.names.sorted().contains("shops.pmtiles"))
    #expect(try !folder.names.contains { $0.contains("partial") })
  }

  @Test func `the summary has the size of the archive, in which equal tiles are once`() throws {
    let folder = try Folder()
    try folder.write(
      #"{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":"#
        + "[[[-180,-80],[180,-80],[180,80],[-180,80],[-180,-80]]]}}",
      to: "world.geojson")
    let outcome = try Program.run(
      ["tiles", "world.geojson", "-z", "0-6", "-o", "w.pmtiles"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let kilobytes = try (folder.bytes("w.pmtiles").count + 999) / 1000
    #expect(outcome.errors.hasSuffix(" of zoom 0 to 6, \(kilobytes) kB\n"), "\(outcome.errors)")
    #expect(kilobytes < 100)
  }

  @Test func `a folder holds a file a tile, and is replaced whole`() throws {
    let folder = try Folder.withShops()
    let arguments = ["tiles", "shops.csv", "-z", "0-2", "-o", "out/"]
    #expect(try Program.run(arguments, in: folder).status == 0)
    let description = try folder.text("out/metadata.json")
    #expect(description.hasPrefix(#"{"tilejson":"3.0.0","generator":"nearby""#))
    #expect(description.contains(#""id":"shops""#))
    let world = folder.url.appending(path: "out/0/0/0.mvt")
    let first = try Data(contentsOf: world)
    try Data("stale".utf8).write(to: world)
    #expect(try Program.run(arguments, in: folder).status == 0)
    #expect(try Data(contentsOf: world) == first)
    #expect(try !folder.names.contains { $0.contains("partial") })
  }

  @Test func `a folder with its own style is replaced, and not with another file`() throws {
    let folder = try Folder.withShops()
    let arguments = ["tiles", "shops.csv", "-z", "0-1", "-o", "out/"]
    for _ in 1...2 {
      let outcome = try Program.run(arguments + ["--style", "out/style.json"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.text("out/style.json").contains("sources"))
    }
    #expect(try folder.text("out/metadata.json").contains(#""tiles":["{z}/{x}/{y}.mvt"]"#))
    let served = ["--style", "out/style.json", "--served-at", "https://example.org/shops/"]
    #expect(try Program.run(arguments + served, in: folder).status == 0)
    for name in ["out/style.json", "out/metadata.json"] {
      let tiles = #""tiles":["https://example.org/shops/{z}/{x}/{y}.mvt"]"#
      #expect(try folder.text(name).contains(tiles), "\(name)")
    }
    let other = try Program.run(arguments + ["--style", "other.json"], in: folder)
    #expect(other.errors.contains("error: folder-in-use: "), "\(other.errors)")
    #expect(try folder.names.contains("out"))
  }

  @Test(arguments: [
    "out/metadata.json", "./out//metadata.json", "out/0/0/0.mvt", "out/7", "out/sub/style.json",
  ])
  func `a style in the place of tiles is refused, whether there are any or not`(
    style: String
  ) throws {
    let folder = try Folder.withShops()
    let arguments = ["tiles", "shops.csv", "-z", "0-1", "-o", "out/"]
    func refused() throws {
      let outcome = try Program.run(arguments + ["--style", style], in: folder)
      #expect(outcome.status == 64, "\(outcome.errors)")
      #expect(outcome.errors.contains("error: same-output: "), "\(outcome.errors)")
    }
    try refused()
    #expect(try folder.names == ["shops.csv"])
    #expect(try Program.run(arguments, in: folder).status == 0)
    let description = try folder.bytes("out/metadata.json")
    try refused()
    #expect(try folder.bytes("out/metadata.json") == description)
  }

  @Test func `a style that cannot be written is told before there are tiles`() throws {
    let folder = try Folder.withShops()
    for target in ["out/", "x.pmtiles"] {
      let outcome = try Program.run(
        ["tiles", "shops.csv", "-z", "0-1", "-o", target, "--style", "missing/style.json"],
        in: folder)
      #expect(outcome.status == 73, "\(outcome.errors)")
      #expect(outcome.errors.contains("error: cannot-write: "), "\(outcome.errors)")
      #expect(try folder.names == ["shops.csv"])
    }
  }

  @Test func `a signal leaves no part of a folder of tiles, and what was there`() throws {
    let folder = try Folder.withShops()
    let arguments = ["tiles", "shops.csv", "-z", "0-2", "-o", "out/"]
    #expect(try Program.run(arguments, in: folder).status == 0)
    let world = try folder.bytes("out/0/0/0.mvt")
    let rows = (0..<20_000).map { row in
      "\(row),\(37 + Double(row % 997) / 500),\(127 + Double(row % 1_009) / 500)"
    }
    try folder.write("id,lat,lon\n" + rows.joined(separator: "\n"), to: "many.csv")
    let process = try Program.startWriting(
      "exec $nearby tiles many.csv -z 0-16 -q -o out/", in: folder, to: "out")
    #expect(kill(process.processIdentifier, SIGTERM) == 0)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
    #expect(try folder.names == ["many.csv", "out", "shops.csv"])
    #expect(try folder.bytes("out/0/0/0.mvt") == world)
    #expect(try folder.names(in: "out") == ["0", "1", "2", "metadata.json"])
  }

  @Test func `a folder that exists stays the same folder, with its mode`() throws {
    let folder = try Folder.withShops()
    // Number, mode, owner and group.
    let identity = "ls -ldin out | awk '{print $1, $2, $4, $5}'"
    let before = try Program.shell("mkdir out && chmod 2750 out && \(identity)", in: folder).text
    #expect(before.contains(" drwxr-s---"))
    // First into an empty folder, then in the place of tiles of other zooms.
    for zooms in ["0-2", "1-3"] {
      let outcome = try Program.shell(
        "cd out && $nearby tiles ../shops.csv -q -z \(zooms) -o . && ls", in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let names = zooms == "0-2" ? ["0", "1", "2"] : ["1", "2", "3"]
      #expect(outcome.text.split(separator: "\n").map(String.init) == names + ["metadata.json"])
      #expect(try Program.shell(identity, in: folder).text == before)
    }
    let new = try Program.run(["tiles", "shops.csv", "-z", "1-3", "-o", "new/"], in: folder)
    #expect(new.status == 0, "\(new.errors)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path("new"))
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).sorted()
        == files.sorted())
    for file in files where file.hasSuffix(".mvt") {
      #expect(try folder.bytes("out/\(file)") == folder.bytes("new/\(file)"))
    }
  }

  @Test func `tiles that a killed run left half moved are replaced`() throws {
    let folder = try Folder.withShops()
    let arguments = ["tiles", "shops.csv", "-z", "0-2", "-o", "out/"]
    #expect(try Program.run(arguments, in: folder).status == 0)
    let description = try folder.bytes("out/metadata.json")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "out/tiles.1-2.partial"), withIntermediateDirectories: false)
    for name in ["metadata.json", "2"] {
      try FileManager.default.moveItem(
        atPath: folder.path("out/\(name)"),
        toPath: folder.path("out/tiles.1-2.partial/\(name)"))
    }
    let outcome = try Program.run(arguments, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try folder.bytes("out/metadata.json") == description)
    #expect(
      try folder.names(in: "out") == ["0", "1", "2", "metadata.json", "tiles.1-2.partial"])
  }

  @Test func `a folder that cannot be written is named as it was given, and keeps what it has`()
    throws
  {
    let folder = try Folder.withShops()
    #expect(try Program.run(["tiles", "shops.csv", "-o", "out/"], in: folder).status == 0)
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).sorted()
    for name in ["out/", "new/"] {
      // As on a full disk: no file may hold a byte.
      let outcome = try Program.shell(
        "( trap '' XFSZ; ulimit -f 0; exec $nearby tiles shops.csv -o \(name) ) 2>&1 | cat",
        in: folder)
      #expect(
        outcome.text.contains("error: cannot-write: cannot write \(name): "), "\(outcome.text)")
      #expect(try folder.names == ["out", "shops.csv"])
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).sorted() == before)
  }

  @Test func `a folder with other files is left as it is`() throws {
    let folder = try Folder.withShops()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "out"), withIntermediateDirectories: true)
    try folder.write("mine", to: "out/letter.txt")
    let outcome = try Program.run(["tiles", "shops.csv", "-o", "out/"], in: folder)
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("error: folder-in-use: "), "\(outcome.errors)")
    #expect(try folder.text("out/letter.txt") == "mine")
  }

  @Test(arguments: [
    (["-o", "x.pmtiles", "-z", "14-0"], "bad-zoom", "-z 0-14"),
    (["-o", "x.pmtiles", "-z", "0-40"], "bad-zoom", "0…24"),
    (["-o", "x.pmtiles", "-z", "0-l4"], "bad-zoom", "0-14"),
    (["-o", "x.pmtiles", "-z", "-3"], "bad-zoom", "0-14"),
    (["-o", "x.pmtiles", "--buffer", "5000"], "bad-buffer", "0…4096"),
    (["-o", "x.pmtiles", "--max-features", "0"], "bad-limit", "1 or more"),
    (["-o", "x.pmtiles", "--max-bytes", "much"], "bad-limit", "500k"),
    (["-o", "x.pmtiles", "--cluster", "--cell-size", "50"], "bad-cell-size", "64"),
    (["-o", "x.pmtiles", "--cell-size", "100"], "missing-cluster", "--cluster"),
    (["-o", "x.pmtiles", "--max-zoom", "99"], "missing-cluster", "--max-zoom"),
    (["-o", "x.pmtiles", "--min-count", "2"], "missing-cluster", "--min-count"),
    (["-o", "x.pmtiles", "--aggregate", "kind"], "missing-cluster", "--aggregate"),
    (["-o", "x.pmtiles", "--served-at", "https://a.example"], "missing-style", "--style"),
    (["-o", "x.pmtiles", "--layer-name", ""], "bad-layer", "a name"),
    (["-o", "x.pmtiles", "--cluster", "--aggregate", "nope"], "unknown-field", "--aggregate"),
    (["-o", "x.pmtiles", "--fields", "nope"], "unknown-field", "--fields"),
    (["-o", "x.zip"], "bad-format", ".pmtiles"),
    ([], "missing-output", "-o tiles.pmtiles"),
    (["-o", "-"], "bad-format", ".pmtiles"),
  ])
  func `a mistake is told with what to write, and nothing is written`(
    options: [String], code: String, remedy: String
  ) throws {
    let folder = try Folder.withShops()
    let before = try folder.names.sorted()
    let outcome = try Program.run(["tiles", "shops.csv"] + options, in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("error: \(code): "), "\(outcome.errors)")
    #expect(outcome.errors.contains(remedy), "\(outcome.errors)")
    #expect(try folder.names.sorted() == before)
  }

  @Test func `a limit is told for each zoom, also by who is quiet`() throws {
    let folder = try Folder.withShops()
    let arguments = ["tiles", "shops.csv", "-z", "0-1", "--max-features", "2", "-o", "s.pmtiles"]
    let outcome = try Program.run(arguments, in: folder)
    #expect(
      outcome.errors.contains("warning: tile-limit: zoom 0 is without 4 of 6 annotations"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("s.pmtiles: 6 annotations in"))
    let quiet = try Program.run(arguments + ["--quiet"], in: folder)
    #expect(quiet.errors.contains("warning: tile-limit: "))
    #expect(!quiet.errors.contains("s.pmtiles"))
  }

  @Test func `standard input, a filter and clusters`() throws {
    let folder = try Folder()
    let rows = (0..<300).map { "\($0),\($0 % 3 == 0 ? "mart" : "cafe"),37.\(500 + $0),127.0" }
    let input = Array((["id,kind,lat,lon"] + rows).joined(separator: "\n").utf8)
    let outcome = try Program.run(
      ["tiles", "-", "-z", "0-5", "--cluster", "--kind", "mart", "-o", "m.pmtiles"],
      input: input, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("m.pmtiles: 100 annotations in "), "\(outcome.errors)")
  }

  @Test func `the remedies for large tiles are those that are not taken yet`() throws {
    let folder = try Folder()
    let rows = (0..<300).map {
      "\($0),\(String(repeating: "\($0)x", count: 700)),37.\(500 + $0),127.0"
    }
    try folder.write((["id,name,lat,lon"] + rows).joined(separator: "\n"), to: "long.csv")
    let tiles = ["tiles", "long.csv", "-z", "0-1", "-o"]
    let all = try Program.run(tiles + ["all/"], in: folder)
    #expect(
      all.errors.contains(
        "zooms 0, 1 have tiles over 500 kB, which maps load slowly; try --cluster, --max-bytes 500k, "
          + "--fields, or begin at a deeper zoom\n"), "\(all.errors)")
    let clusters = try Program.run(tiles + ["clusters/", "--cluster"], in: folder)
    #expect(
      clusters.errors.contains(
        "zoom 1 has tiles over 500 kB, which maps load slowly; try --max-bytes 500k, --fields, or end "
          + "at a deeper zoom\n"), "\(clusters.errors)")
  }

  @Test func `a source without positions gives an archive without tiles`() throws {
    let folder = try Folder()
    try folder.write(#"{"type":"FeatureCollection","features":[]}"#, to: "none.geojson")
    let outcome = try Program.run(["tiles", "none.geojson", "-o", "none.pmtiles"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("0 annotations in 0 tiles"), "\(outcome.errors)")
  }

  @Test func `tiles and their style have the kinds and names that options choose`() throws {
    let folder = try Folder()
    try folder.write(
      "id,name,kind,title,category,lat,lon\n1,wrong,other,Right,mart,37,127\n2,wrong,other,Left,,37,127.1\n",
      to: "nf.csv")
    let options = ["-z", "0", "-o", "out/", "--style", "s.json"]
    let chosen = ["--name-field", "title", "--kind-field", "category"]
    #expect(try Program.run(["tiles", "nf.csv"] + options + chosen, in: folder).status == 0)
    #expect(
      try folder.text("s.json").contains(
        ##""circle-color":["match",["get","kind"],"mart","#0b63ce","#59636e"]"##))
    let tile = String(decoding: try folder.bytes("out/0/0/0.mvt"), as: UTF8.self)
    for text in ["Right", "Left", "mart", "name_2", "wrong", "kind_2", "other"] {
      #expect(tile.contains(text), "\(text)")
    }

    // Without any kind there is nothing to tell apart.
    try folder.write("id,lat,lon\n1,37,127\n", to: "one.csv")
    #expect(try Program.run(["tiles", "one.csv"] + options, in: folder).status == 0)
    #expect(try folder.text("s.json").contains(##""circle-color":"#0b63ce""##))
  }

  private static let ogrinfo = "/usr/bin/ogrinfo"

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: ogrinfo), "needs GDAL (gdal-bin)"))
  func `GDAL reads the tiles of a folder`() throws {
    let folder = try Folder()
    try folder.write(
      "id,name,price,lat,lon\n1,서울 시청,3,37.5665,126.978\n2,b,4,-33.86,151.2\n", to: "a.csv")
    #expect(try Program.run(["tiles", "a.csv", "-z", "0-2", "-o", "t/"], in: folder).status == 0)
    let read = try Program.run(
      URL(filePath: Self.ogrinfo), ["-ro", "-al", "MVT:t/2"], in: folder)
    #expect(read.text.contains("Layer name: a"), "\(read.text) \(read.errors)")
    #expect(read.text.contains("Feature Count: 2"), "\(read.text)")
    #expect(read.text.contains("서울 시청"))
  }
}
