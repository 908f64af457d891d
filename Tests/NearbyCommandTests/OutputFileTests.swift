import Foundation
import Testing

/// What is written replaces neither another output nor what is still needed.
@Suite struct OutputFileTests {
  private static let rows = "id,lat,lon,note\n1,37.5,127,a\n2,x,y,b\n"
  private static let others = "id,lat,lon\n1,37.5,127\n9,q,w\n"

  /// A folder with sources, an index of one and files to be replaced by other names.
  private static func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(rows, to: "s.csv")
    try folder.write(others, to: "t.csv")
    try folder.write("what was there\n", to: "out.csv")
    #expect(
      try Program.shell(
        "ln -s out.csv link.csv && ln out.csv hard.csv && mkdir sub", in: folder
      ).status == 0)
    #expect(
      try Program.run(["index", "build", "s.csv", "-o", "s.nbx"], in: folder).status == 0)
    return folder
  }

  private static func contents(of folder: Folder) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try folder.names where name != "sub" { contents[name] = try folder.bytes(name) }
    return contents
  }

  @Test(arguments: [
    ("cannot-write: cannot write \"\": ", "37.5,127 -k 1 --format csv --output= s.csv"),
    ("cannot-write: cannot write \"\": ", "list s.csv --rejects= t.csv"),
    ("cannot-write: cannot write \"\": ", "list s.csv -o= t.csv"),
    ("cannot-write: cannot write \"\": ", "convert s.csv --format csv --output= t.csv"),
    ("cannot-write: cannot write \"\": ", "join s.csv -k 1 --output= t.csv"),
    ("bad-delimiter: ", "list --delimiter= s.csv"),
    ("where-syntax: ", "list --where= s.csv"),
    ("not-a-number: ", "--lat=37 --lon= s.csv"),
    ("usage: --count takes no value; ", "list --count= s.csv"),
  ]) func `an empty value is an error, and does not take the next argument`(
    error: String, arguments: String
  ) throws {
    let folder = try Self.folder()
    let before = try Self.contents(of: folder)
    let words = arguments.split(separator: " ").map(String.init)
    let outcome = try Program.run(words, in: folder)
    #expect(outcome.status != 0 && outcome.errors.contains("error: \(error)"), "\(outcome.errors)")
    #expect(outcome.text.isEmpty)
    // As if the value stood by itself.
    let apart = try Program.run(
      words.flatMap { $0.hasSuffix("=") ? [String($0.dropLast()), ""] : [$0] }, in: folder)
    #expect((outcome.status, outcome.errors) == (apart.status, apart.errors))
    #expect(try Self.contents(of: folder) == before)
  }

  @Test func `an empty cursor is that of the first page, and an empty time is none`() throws {
    let folder = try Folder.withShops()
    let open = try Program.run(["list", "--open=", "shops.csv"], in: folder)
    #expect(open.errors.contains("error: bad-time: --open \"\" is neither a time nor a date; "))
    let all = try Program.run(["list", "shops.csv", "--format", "ids"], in: folder)
    let first = try Program.run(["list", "--after=", "shops.csv", "--format", "ids"], in: folder)
    #expect(first.status == 0 && first.lines == all.lines && all.lines.count == 7)
  }

  static let refused: [(code: String, arguments: String)] = [
    ("same-output", "convert s.csv -o new.csv --rejects new.csv"),
    ("same-output", "convert s.csv -o new.csv --rejects sub/../new.csv"),
    ("same-output", "convert s.csv -o out.csv --rejects ./out.csv"),
    ("same-output", "convert s.csv -o out.csv --rejects link.csv"),
    ("same-output", "convert s.csv -o hard.csv --rejects out.csv"),
    ("same-output", "bbox 126,37,128,38 s.csv -o new.csv --rejects new.csv"),
    ("same-output", "cluster --bbox 126,37,128,38 --zoom 9 s.csv -o new.json --rejects new.json"),
    (
      "same-output",
      "cluster diff --from-view 126,37,128,38,9 --to-view 126,37,128,38,9 s.csv -o n --rejects n"
    ),
    ("same-output", "map s.csv -o new.txt --rejects new.txt"),
    ("same-output", "tiles s.csv -o new.pmtiles --rejects new.pmtiles"),
    ("same-output", "index build s.csv -o new.nbx --rejects new.nbx"),
    ("same-output", "export s.csv -o new.html --data new.html"),
    ("same-output", "export s.csv -o new.html --rejects new.html"),
    ("same-output", "hours s.csv --id 1 -o new.txt --rejects new.txt"),
    ("same-output", "join t.csv s.csv -k 1 --rejects new.csv --left-rejects new.csv"),
    ("same-output", "join t.csv s.csv -k 1 -o new.csv --left-rejects new.csv"),
    ("same-output", "fence t.csv s.csv --radius 100m -o new.csv --fences-rejects new.csv"),
    ("output-is-source", "convert s.nbx -o s.csv"),
    ("output-is-source", "convert s.nbx -o new.csv --rejects s.csv"),
    ("output-is-source", "sync s.csv --store new.gpkg --layer s --rejects s.csv"),
    ("file-in-use", "check t.csv --rejects s.nbx"),
    ("file-in-use", "convert t.csv --format csv -o s.nbx"),
  ]

  @Test(arguments: refused)
  func `two outputs in one file, and what would be lost, are refused before anything is written`(
    code: String, arguments: String
  ) throws {
    let folder = try Self.folder()
    let before = try Self.contents(of: folder)
    let outcome = try Program.run(arguments.split(separator: " ").map(String.init), in: folder)
    #expect((outcome.status, outcome.text) == (64, ""))
    let error = outcome.errors.split(separator: "\n").last { $0.hasPrefix("error: ") }
    #expect(error?.hasPrefix("error: \(code): ") == true, "\(outcome.errors)")
    #expect(try Self.contents(of: folder) == before)
  }

  @Test func `two names and a device are as good as ever`() throws {
    let folder = try Self.folder()
    for arguments in [
      "convert s.csv -o out.csv --rejects bad.csv",
      "convert s.csv --format csv -o /dev/null --rejects /dev/null",
      "convert s.csv -o link.csv --rejects sub/out.csv", "index build s.csv -o s.nbx",
    ] {
      let outcome = try Program.run(arguments.split(separator: " ").map(String.init), in: folder)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
    #expect(try folder.text("out.csv").hasPrefix("id,name,kind"))
    #expect(try folder.text("bad.csv").hasPrefix("source,line"))
  }

  @Test func `an index that moved with its source replaces it as little`() throws {
    let folder = try Self.folder()
    let move = "cp -p s.csv s.nbx sub/ && rm s.csv && cd sub && $nearby convert s.nbx -o "
    let beside = try Program.shell(move + "s.csv", in: folder)
    #expect(beside.status == 64 && beside.errors.contains("output-is-source"))
    #expect(try folder.text("sub/s.csv") == Self.rows)
    // Where the source is gone, nothing is lost.
    let alone = try Program.shell(
      "cd sub && rm s.csv && $nearby convert s.nbx -o s.csv", in: folder)
    #expect(alone.status == 0, "\(alone.errors)")
    #expect(try folder.text("sub/s.csv").hasPrefix("id,name,kind"))
  }

  #if Store
    @Test func `a store and what else is a database is replaced by nothing`() throws {
      let folder = try Self.folder()
      try folder.write("SQLite format 3\0 and whatever else", to: "other.gpkg")
      #expect(try Program.run(["import", "s.csv", "--store", "st.gpkg"], in: folder).status == 0)
      #expect(
        try Program.run(["favorite", "add", "1", "--store", "st.gpkg"], in: folder).status == 0)
      #expect(try Program.shell("ln -s st.gpkg soft.gpkg", in: folder).status == 0)
      // Nor what convert wrote itself: somebody may have added to it.
      #expect(try Program.run(["convert", "s.csv", "-o", "own.gpkg"], in: folder).status == 0)
      #expect(try Program.shell("cp st.gpkg st.nbx", in: folder).status == 0)
      let before = try Self.contents(of: folder)
      for (file, arguments) in [
        ("st.gpkg", "check s.csv --rejects st.gpkg"), ("st.nbx", "index build s.csv -o st.nbx"),
        ("st.gpkg", "convert s.csv --format csv -o st.gpkg"),
        ("st.gpkg", "convert s.csv -o st.gpkg"), ("soft.gpkg", "convert s.csv -o soft.gpkg"),
        ("own.gpkg", "convert s.csv -o own.gpkg"), ("other.gpkg", "convert s.csv -o other.gpkg"),
        ("st.gpkg", "convert s.csv --format gpkg -o ./st.gpkg"),
      ] {
        let outcome = try Program.run(
          arguments.split(separator: " ").map(String.init), in: folder)
        #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
        #expect(outcome.errors.contains("error: file-in-use: "), "\(arguments): \(outcome.errors)")
        #expect(outcome.errors.contains(file))
        if arguments.hasPrefix("convert s.csv -o") {
          #expect(outcome.errors.contains("nearby import --store \(file)"), "\(outcome.errors)")
        }
      }
      #expect(try Self.contents(of: folder) == before)
      let favorites = try Program.run(["favorite", "list", "--store", "st.gpkg"], in: folder)
      #expect(favorites.lines.count == 2, "\(favorites.text)")
    }

    @Test func `an import of several sources keeps the rejects of all`() throws {
      let folder = try Self.folder()
      let outcome = try Program.run(
        ["import", "s.csv", "t.csv", "--store", "st.gpkg", "--rejects", "bad.csv"], in: folder)
      #expect(outcome.status == 0)
      let rows = try folder.text("bad.csv").split(separator: "\n")
      #expect(rows.map { $0.prefix { $0 != "," } } == ["source", "s.csv", "t.csv"])
      // A source that fails as a whole leaves the rows of those before it, too.
      try folder.write("id,lat,lon\n1,a,b\n", to: "t.csv")
      let failed = try Program.run(
        ["import", "s.csv", "t.csv", "--store", "st.gpkg", "--rejects", "bad.csv"], in: folder)
      #expect(failed.status == 65)
      #expect(
        try folder.text("bad.csv").split(separator: "\n").map { $0.prefix { $0 != "," } }
          == ["source", "s.csv", "t.csv"])
    }
  #endif
}
