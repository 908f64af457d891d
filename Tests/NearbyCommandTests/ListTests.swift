import Foundation
import NearbyTestSupport
import Testing

/// `nearby list`: what `find` does with records, without a position.
@Suite struct ListTests {
  /// A fridge: no coordinates anywhere.
  private static let fridge = """
    id,name,kind,place,quantity,expires
    1,우유,dairy,cold,2,2026-11-24
    2,만두,frozen,freezer,10,2027-01-05
    3,Käse,dairy,cold,1,2026-11-23
    4,卵,egg,cold,9,2026-12-01
    5,얼음,frozen,freezer,,
    6,버터,dairy,freezer,3,2026-11-24

    """

  /// One row without a position among others.
  private static let shops = """
    id,name,kind,lat,lon,price
    7,Placed,mart,37.5,127,3
    8,Nowhere,mart,,,1
    9,Far,cafe,-33.86,151.2,2

    """

  private func run(
    _ arguments: [String], _ text: String = fridge, as name: String = "s.csv"
  ) throws -> Program.Outcome {
    let folder = try Folder()
    try folder.write(text, to: name)
    return try Program.run(["list", name] + arguments, in: folder)
  }

  @Test(
    arguments: [
      ([], ["1", "2", "3", "4", "5", "6"]),
      (["--limit", "2"], ["1", "2"]),
      (["--sort", "id:desc", "--limit", "2"], ["6", "5"]),
      // Numbers as numbers, and what is empty last.
      (["--sort", "quantity"], ["3", "1", "6", "4", "2", "5"]),
      (["--sort", "quantity:desc"], ["2", "4", "6", "1", "3", "5"]),
      (["--sort", "expires"], ["3", "1", "6", "4", "2", "5"]),
      (["--where", "place = 'cold' and kind in ('dairy', 'egg')"], ["1", "3", "4"]),
      (["--where", "name contains 'KÄSE'"], ["3"]),
      (["--where", "latitude is null"], ["1", "2", "3", "4", "5", "6"]),
      (["--kind", "frozen", "--kind", "egg"], ["2", "4", "5"]),
      (
        ["--kind", "dairy", "--where", "expires <= '2026-11-24'", "--sort", "expires"],
        ["3", "1", "6"]
      ),
      (["--per-kind", "--limit", "1"], ["1", "4", "2"]),
      (["--id-field", "name", "--where", "quantity > 5"], ["卵", "만두"]),
    ] as [([String], [String])])
  func `rows without any coordinates are filtered and sorted`(options: [String], ids: [String])
    throws
  {
    let outcome = try run(options + ["--format", "ids"])
    #expect(outcome.lines == ids)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    guard !options.contains("--per-kind") else { return }
    #expect(try run(options + ["--count"]).text == "\(ids.count)\n")
  }

  @Test func `rows with and without a position stand side by side`() throws {
    #expect(try run(["--format", "ids"], Self.shops).lines == ["7", "8", "9"])
    #expect(try run(["--sort", "price", "--format", "ids"], Self.shops).lines == ["8", "9", "7"])
    let rows = try #require(try run(["--json"], Self.shops).json["results"] as? [[String: Any]])
    #expect(rows.map { $0["latitude"] as? Double } == [37.5, nil, -33.86])
    #expect(rows.allSatisfy { $0["distance"] is NSNull && $0["bearing"] is NSNull })
    let features = try #require(
      try run(["--format", "geojson"], Self.shops).json["features"] as? [[String: Any]])
    #expect(features.map { $0["geometry"] is NSNull } == [false, true, false])
    #expect(
      try run(["--format", "csv"], Self.shops).lines == [
        "id,name,kind,latitude,longitude,distance,bearing,price", "7,Placed,mart,37.5,127,,,3",
        "8,Nowhere,mart,,,,,1", "9,Far,cafe,-33.86,151.2,,,2",
      ])
    let track = try run(["--format", "gpx"], Self.shops)
    #expect(track.text.components(separatedBy: "<wpt ").count == 3)
    #expect(track.errors.contains("warning: gpx-unplaced: 1 "))
  }

  @Test func `a table has no map where nothing has a place, and the numbers of the list elsewhere`()
    throws
  {
    #expect(
      try run(["--kind", "dairy", "--fields", "place,expires"]).text == """
        #  Name  Kind   place    expires
        1  우유  dairy  cold     2026-11-24
        2  Käse  dairy  cold     2026-11-23
        3  버터  dairy  freezer  2026-11-24

        """)
    #expect(
      try run(["--fields", "latitude,longitude,price", "--no-map"], Self.shops).text == """
        #  Name     Kind  latitude  longitude  price
        1  Placed   mart  37.5      127        3
        2  Nowhere  mart                       1
        3  Far      cafe  -33.86    151.2      2

        """)
    let placed = try run(["--sort", "price", "--style", "ascii"], Self.shops).text
    #expect(placed.hasPrefix("#  Name     Kind"))
    #expect(placed.contains("cafe 2") && placed.contains("mart 3"))
    #expect(try !run(["--no-map"], Self.shops).text.contains("+--"))
  }

  @Test(arguments: [
    ["list", "--where", "sales > 1000"], ["list", "--where", "sales > 1000", "--count"],
    ["list", "--sort", "sales"], ["find", "37.5,127", "--where", "sales > 1000", "--json"],
    ["convert", "--where", "sales > 1000", "--format", "csv"],
    ["map", "--where", "sales > 1000"],
    ["cluster", "--bbox", "126,37,128,38", "--zoom", "5", "--aggregate", "sales"],
  ]) func `numbers with separators are told on standard error, once`(command: [String]) throws {
    let folder = try Folder()
    try folder.write(
      "id,lat,lon,sales\n1,37.5,127,\"1,234\"\n2,37.5,127,999\n3,37.5,127,2000\n", to: "s.csv")
    let outcome = try Program.run(command + ["s.csv"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let told = "not read as numbers: 1 of 3 values of sales, such as \"1,234\""
    #expect(outcome.errors.components(separatedBy: told).count == 2, "\(outcome.errors)")
    if command[0] == "list" {
      let quiet = try Program.run(["list", "s.csv", "--sort", "sales", "--quiet"], in: folder)
      #expect(quiet.errors.isEmpty, "\(quiet.errors)")
    }
  }

  @Test func `values are counted for all that match`() throws {
    let answer = try run([
      "--facets", "place,kind", "--where", "quantity > 1", "--limit", "1", "--json",
    ])
    .json
    #expect(answer["matched"] as? Int == 4)
    let facets = try #require(answer["facets"] as? [String: [[String: Any]]])
    #expect(facets["place"]?.map { $0["value"] as? String } == ["cold", "freezer"])
    #expect(facets["place"]?.map { $0["count"] as? Int } == [2, 2])
    #expect(facets["kind"]?.first?["value"] as? String == "dairy")
  }

  @Test func `the lines of values are as wide as the table, and say how many are left out`() throws
  {
    let folder = try Folder()
    try folder.write(Self.fridge, to: "s.csv")
    let lines = try Program.run(
      ["list", "s.csv", "--facets", "place,expires"], environment: ["COLUMNS": "40"], in: folder
    ).lines
    #expect(
      lines.suffix(3) == [
        "6 match", "place    cold 3 · freezer 3", "expires  2026-11-24 2 · 4 more values",
      ], "\(lines)")
  }

  @Test func `a field with a control character in its name has a line of values, too`() throws {
    let outcome = try run(["--facets", "a\u{1B}b"], "id,a\u{1B}b\n1,x\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.last == "a␛b  x 1")
  }

  @Test func `hours and days are asked without a position`() throws {
    let text = """
      id,name,opening_hours,valid_from,valid_until
      1,early,Mo-Su 06:00-09:00,2026-11-01,2026-11-10
      2,late,Mo-Su 18:00-22:00,2026-11-05,
      3,never,off,,

      """
    for (options, ids) in [
      (["--open=2026-11-22T07:00", "--tz", "UTC"], ["1"]),
      (["--open=2026-11-22T19:00", "--tz", "UTC"], ["2"]),
      (["--on", "2026-11-07"], ["1", "2", "3"]),
      (["--on", "2026-11-11"], ["2", "3"]),
    ] {
      #expect(try run(options + ["--format", "ids"], text).lines == ids, "\(options)")
    }
  }

  @Test(arguments: [
    ["-k", "3"], ["-k3"], ["--within", "2km"], ["--beyond", "1km"],
    ["--lat", "37", "--lon", "127"],
    ["--sort", "distance"], ["--where", "distance < 5"], ["--sort", "name", "--bucket", "1km"],
    ["--open=arrival"],
  ])
  func `what needs a position is an error that names find`(options: [String]) throws {
    let outcome = try run(options)
    #expect(outcome.status == 64 && outcome.text.isEmpty)
    #expect(outcome.errors.hasPrefix("error: missing-position: "), "\(outcome.errors)")
    #expect(outcome.errors.contains("nearby find --lat DEG --lon DEG"))
  }

  @Test(arguments: ["s.csv", "s.geojson"])
  func `a column called distance, as join writes it, is named where the distance was meant for it`(
    name: String
  ) throws {
    let text =
      name == "s.csv"
      ? "left_id,distance,lat,lon\n1,120.5,37.5,127\n2,900,37.5,127\n"
      : """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[127,37.5]},
       "properties":{"distance":120.5}},
      {"type":"Feature","id":2,"geometry":{"type":"Point","coordinates":[127,37.5]},
       "properties":{"distance":900}}]}
      """
    let hint = "for the property of that name, write \"distance\", with the quotes\n"
    let list = try run(["--where", "distance < 500", "--count"], text, as: name)
    #expect(list.status == 64 && list.text.isEmpty)
    #expect(list.errors.hasPrefix("error: where-field: "), "\(list.errors)")
    #expect(list.errors.contains(hint), "\(list.errors)")
    let sorted = try run(["--sort", "distance"], text, as: name)
    #expect(sorted.status == 64 && sorted.errors.contains(hint), "\(sorted.errors)")
    // A band is one of distances that are measured.
    let bands = try run(["--sort", "name", "--bucket", "1km"], text, as: name)
    #expect(bands.errors.hasPrefix("error: missing-position: "), "\(bands.errors)")
    #expect(try run(["--where", #""distance" < 500"#, "--count"], text, as: name).text == "1\n")
    // With a position, both are there.
    let folder = try Folder()
    try folder.write(text, to: name)
    func note(_ condition: String) throws -> Bool {
      let found = try Program.run(["find", "37.5,127", name, "--where", condition], in: folder)
      #expect(found.status == 0)
      return found.errors.contains(
        "note: distance is measured from the position; for the source's column of that name, write "
          + "\"distance\", with the quotes\n")
    }
    #expect(try note("distance < 500") && !note(#""distance" < 500"#))
  }

  @Test(arguments: [
    (["--limit", "0"], "bad-limit", 64), (["--limit", "-1"], "bad-limit", 64),
    (["--limit", "x"], "bad-limit", 64), (["--sort", "nope"], "unknown-field", 64),
    (["--where", "nope = 1"], "where-field", 64), (["--after", "?"], "cursor-syntax", 64),
    (["--per-kind", "--sort", "name"], "grouped-order", 64),
    (["--lat-field", "nope"], "unknown-field", 64), (["--id-field", "nope"], "unknown-field", 64),
  ])
  func `slips are named`(options: [String], code: String, status: Int32) throws {
    let outcome = try run(options)
    #expect(outcome.status == status && outcome.text.isEmpty)
    #expect(outcome.errors.hasPrefix("error: \(code): "), "\(outcome.errors)")
  }

  @Test(arguments: [
    // A title above the names, with and without its empty cells; blank lines; a name left out.
    ("My fridge\n\nid,name,expires\n1,a,x\n2,b,y\n", ["1", "2"]),
    ("My fridge,,\nid,name,expires\n1,a,x\n2,b,y\n", ["1", "2"]),
    ("id,name,\n1,a,x\n2,b,y\n", ["1", "2"]),
    ("id;name;expires\n1;a;x\n2;b;y\n", ["1", "2"]),
    ("id\nA\nB\n", ["A", "B"]),
    ("id,lat\n1,37.5\n2,\n", ["1", "2"]),
    ("id,name\n", []),
  ])
  func `the names of a table's columns are found without coordinates`(text: String, ids: [String])
    throws
  {
    #expect(try run(["--format", "ids"], text).lines == ids)
  }

  @Test func `strict rejects no row for want of a position`() throws {
    #expect(try run(["--strict", "--count"]).text == "6\n")
    #expect(try run(["--strict", "--count"], Self.shops).text == "3\n")
    #expect(try run(["--strict", "--count"], #"[{"id":1},{"id":2}]"#, as: "s.json").text == "2\n")
    let bad = try run(["--strict", "--count"], Self.shops + "4,Bad,mart,95,127,1\n")
    #expect(bad.status == 65)
  }

  @Test func `other commands still need coordinates`() throws {
    let folder = try Folder()
    try folder.write(Self.fridge, to: "s.csv")
    for command in [["info"], ["check"], ["convert", "--format", "csv"], ["bbox", "0,0,1,1"]] {
      let outcome = try Program.run(command + ["s.csv"], in: folder)
      #expect(outcome.status == 65 && outcome.errors.contains("no-coordinate-fields"))
    }
  }

  @Test func `other formats, standard input and an index are listed, too`() throws {
    let folder = try Folder()
    try folder.write(Self.shops, to: "s.csv")
    let index = try Program.run(["index", "build", "s.csv", "-o", "s.nbx"], in: folder)
    #expect(index.status == 0, "\(index.errors)")
    #expect(
      try Program.run(["list", "s.nbx", "--format", "ids"], in: folder).lines == ["7", "8", "9"])
    #expect(
      try Program.run(["list", "-", "--format", "ids"], input: Array(Self.fridge.utf8), in: folder)
        .lines == ["1", "2", "3", "4", "5", "6"])
    #expect(
      try run(["--format", "ids"], #"[{"id":"x","n":2},{"id":"y","n":1}]"#, as: "s.json").lines
        == ["x", "y"])
    #expect(
      try run(["--sort", "name", "--format", "ids"], Fixture.shapes, as: "s.geojson").lines.count
        == 8)
    #expect(
      try Program.run(["list", "--count"], in: folder).text == "\(try sampleCount(folder))\n")
  }

  /// How many annotations the program holds, by another command.
  private func sampleCount(_ folder: Folder) throws -> Int {
    try Program.run(["convert", "--sample", "--format", "jsonl"], in: folder).lines.count
  }

  /// Python's `csv` over the same file: filtered, sorted whole, and cut into pages.
  private static let judge = """
    import csv, json
    rows = list(csv.DictReader(open('s.csv', encoding='utf-8', newline='')))
    kept = [r for r in rows if r['place'] == 'cold' and r['kind'] in ('2', '5', '7')
            and r['quantity'] and int(r['quantity']) >= 20]
    kept.sort(key=lambda r: int(r['id']))
    kept.sort(key=lambda r: r['expires'].encode(), reverse=True)
    # Without a date last, in this order as well.
    kept.sort(key=lambda r: r['expires'] == '')
    print(json.dumps([r['id'] for r in kept]))
    """

  @Test(arguments: UInt64(0)..<4)
  func `pages agree with Python's csv`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var text = "id,name,kind,place,quantity,expires\n"
    for id in (0..<500).shuffled(using: &generator) {
      let day = Int.random(in: 1...28, using: &generator)
      let expires =
        Int.random(in: 0..<6, using: &generator) == 0 ? "" : "2026-12-\(day < 10 ? "0" : "")\(day)"
      let quantity =
        Bool.random(using: &generator) ? "\(Int.random(in: 0...99, using: &generator))" : ""
      text += "\(id),\"품목, \"\"\(id % 7)\"\"\",\(Int.random(in: 1...9, using: &generator)),"
      text += "\(Bool.random(using: &generator) ? "cold" : "freezer"),\(quantity),\(expires)\n"
    }
    let folder = try Folder()
    try folder.write(text, to: "s.csv")
    try folder.write(Self.judge, to: "judge.py")
    let said = try Program.shell("python3 judge.py", in: folder)
    let expected = try #require(
      try JSONSerialization.jsonObject(with: Data(said.output)) as? [String], "\(said.errors)")
    #expect(expected.count > 20)
    let query = [
      "list", "s.csv", "--where", "place = 'cold' and quantity >= 20", "--kind", "2", "--kind", "5",
      "--kind", "7", "--sort", "expires:desc",
    ]
    for size in [10, 7, 1_000] {
      var ids: [String] = []
      var cursor: String? = ""
      while let after = cursor, ids.count <= expected.count {
        let page = try Program.run(
          query + ["--limit", "\(size)", "--after", after, "--json"], in: folder
        ).json
        ids += try #require(page["results"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        cursor = page["next"] as? String
      }
      #expect(ids == expected)
    }
    #expect(try Program.run(query + ["--count"], in: folder).text == "\(expected.count)\n")
  }

  @Test(arguments: [
    ["list", "s.csv", "s.csv", "--limit", "1"],
    ["s.csv", "s.csv", "--lat", "37.5", "--lon", "127", "-k", "1"],
  ])
  func `pages of a file that is read twice have every record twice`(arguments: [String]) throws {
    let folder = try Folder()
    try folder.write(
      "id,name,lat,lon\n1,A,37.5,127\n1,B,37.6,127\n2,C,37.7,127\n", to: "s.csv")
    var names: [String] = []
    var cursor: String? = ""
    while let after = cursor, names.count < 9 {
      let page = try Program.run(arguments + ["--after", after, "--json"], in: folder).json
      let results = try #require(page["results"] as? [[String: Any]])
      #expect(results.count == 1)
      names += results.compactMap { $0["name"] as? String }
      cursor = page["next"] as? String
    }
    #expect(names == ["A", "A", "B", "B", "C", "C"])
  }

  @Test func `find answers as before where list came between`() throws {
    let folder = try Folder()
    try folder.write(Self.shops, to: "s.csv")
    let found = try Program.run(
      ["s.csv", "--lat", "37.5", "--lon", "127", "--sort", "price", "--format", "ids"], in: folder)
    #expect(found.lines == ["9", "7"])
  }
}
