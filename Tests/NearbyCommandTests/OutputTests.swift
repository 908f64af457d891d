import Foundation
import Testing

/// Each format, whole, on a source that fits on a screen.
///
/// Its distances are PROJ's `proj_geod`.
@Suite struct OutputTests {
  private static let source = """
    id,name,kind,lat,lon,note
    7,가게,cinema,37.5,127,"a, b"
    x,Second,mart,37.51,127.01,
    y,,,37.5,127,c

    """

  private func answer(_ options: String...) throws -> String {
    let folder = try Folder()
    try folder.write(OutputTests.source, to: "p.csv")
    let outcome = try Program.run(
      ["--lat", "37.5", "--lon", "127", "p.csv"] + options, in: folder)
    #expect((outcome.status, outcome.errors) == (0, ""))
    return outcome.text
  }

  @Test func `json is one object with the query, the results and how long they hold`() throws {
    #expect(
      try answer("--format", "json", "-k", "2")
        .replacing(/"next":"[\w-]+"/, with: #""next":"NEXT""#) == """
          {"query":{"latitude":37.5,"longitude":127,"k":2,"within":null,"metric":"geodesic"},\
          "results":[{"id":"7","name":"가게","kind":"cinema","latitude":37.5,"longitude":127,\
          "distance":0.0000,"bearing":null,"properties":{"id":"7","name":"가게","kind":"cinema",\
          "note":"a, b"}},{"id":"y","name":null,"kind":null,"latitude":37.5,"longitude":127,\
          "distance":0.0000,"bearing":null,"properties":{"id":"y","name":"","kind":"","note":"c"}}],\
          "validRadius":709.5096,"complete":true,"next":"NEXT"}

          """)
    #expect(try answer("--json", "-k", "2") == answer("--format", "json", "-k", "2"))
  }

  @Test(arguments: ["address", "Addr", "소재지지번주소", "所在地", "full_address"])
  func `a table shows the address, whatever its column is called`(column: String) throws {
    let folder = try Folder()
    try folder.write("id,name,\(column),lat,lon\n1,One,Street 1,37.5,127\n", to: "p.csv")
    let outcome = try Program.run(["37.5,127", "p.csv"], in: folder)
    #expect(outcome.text.contains("Street 1"), "\(outcome.text)\(outcome.errors)")
  }

  @Test func `json repeats the query in the words of the options`() throws {
    let folder = try Folder.withShops()
    try folder.write(
      #"{"type":"Polygon","coordinates":[[[126,37],[128,37],[128,38],[126,38],[126,37]]]}"#,
      to: "area.geojson")
    func query(_ arguments: String...) throws -> String {
      let outcome = try Program.run(arguments + ["shops.csv", "--json"], in: folder)
      return String(outcome.text.prefix { $0 != "[" })
    }
    let sorted = try query(
      "find", "--sort", "kind:DESC, name", "--bucket", "0.2km", "--lat", "37.57", "--lon", "126.97")
    #expect(sorted.contains(#","sort":"kind:desc,name","bucket":200,"#), "\(sorted)")
    let each = try query("list", "--per-kind")
    #expect(each.contains(#","perKind":true,"#), "\(each)")
    let within = try query("within", "area.geojson")
    #expect(within.contains(#","area":"area.geojson","#), "\(within)")
  }

  @Test func `jsonl is one result a line`() throws {
    #expect(
      try answer("--format", "jsonl", "--fields", "note", "--kind", "mart") == """
        {"id":"x","name":"Second","kind":"mart","latitude":37.51,"longitude":127.01,\
        "distance":1419.0194,"bearing":38.5401,"properties":{"note":""}}

        """)
  }

  @Test func `csv has the fixed columns, then those of the source, results or none`() throws {
    let header = "id,name,kind,latitude,longitude,distance,bearing,note\n"
    #expect(
      try answer("--format", "csv") == header + """
        7,가게,cinema,37.5,127,0.0000,,"a, b"
        y,,,37.5,127,0.0000,,c
        x,Second,mart,37.51,127.01,1419.0194,38.5401,

        """)
    #expect(try answer("--format", "csv", "--where", "name = 'nobody'") == header)
  }

  @Test(arguments: [["list"], ["37,127"]])
  func `an answer without rows has the columns of one with rows`(arguments: [String]) throws {
    let folder = try Folder()
    try folder.write("id,name,lat,lon,distance,q\n1,l,37.5,127,5,6\n", to: "s.csv")
    try folder.write(
      #"{"type":"Feature","properties":{"name":"l","b":1,"b_2":3,"id":7,"distance":4},"geometry":{"type":"Point","coordinates":[127,37.5]}}"#,
      to: "s.geojson")
    for source in ["s.csv", "s.geojson"] {
      let arguments = arguments + [source, "--format", "csv"]
      let header = try #require(try Program.run(arguments, in: folder).lines.first)
      #expect(header.contains(",distance_2"))
      #expect(
        try Program.run(arguments + ["--where", "name = 'x'"], in: folder).lines == [header])
    }
  }

  @Test(arguments: [
    (["list", "d.csv"], ",distance_2,bearing_2", "1,,,37.5,127,,,999,far"),
    (["list", "d.csv", "--fields", "distance"], ",distance_2", "1,,,37.5,127,,,999"),
    (["37.5,127", "d.csv", "--fields", "distance"], ",distance_2", "1,,,37.5,127,0.0000,,999"),
    // What was written here and measured from the same place says nothing new.
    (["37.5,127.1", "e.csv"], "", "1,,,37.5,127,8842.5440,270.0304"),
  ])
  func `a column that is called as one of an answer gets a number where it says something else`(
    arguments: [String], columns: String, row: String
  ) throws {
    let folder = try Folder()
    try folder.write("id,lat,lon,distance,bearing\n1,37.5,127,999,far\n", to: "d.csv")
    try folder.write("id,lat,lon,distance,bearing\n1,37.5,127,8842.5440,270.0304\n", to: "e.csv")
    #expect(
      try Program.run(arguments + ["--format", "csv"], in: folder).lines
        == ["id,name,kind,latitude,longitude,distance,bearing" + columns, row])
  }

  @Test(arguments: ["s.geojson", "s.nbx", "s.gpkg"])
  func `every page of CSV has the same columns, also those of other rows`(source: String) throws {
    let folder = try Folder()
    try folder.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"z","geometry":{"type":"Point","coordinates":[2,1]},
      "properties":{"name":"first","x":1}},
      {"type":"Feature","id":"b","geometry":{"type":"Point","coordinates":[3,1]},
      "properties":{"name":"second","y":2}}]}
      """, to: "s.geojson")
    _ = try Program.run(["index", "build", "s.geojson", "-o", "s.nbx"], in: folder)
    _ = try Program.run(["import", "s.geojson", "--store", "s.gpkg"], in: folder)
    func lines(_ query: [String], _ fields: [String]) throws -> [String] {
      try Program.run(query + [source, "--format", "csv"] + fields, in: folder).lines
    }
    let header = "id,name,kind,latitude,longitude,distance,bearing,x,y"
    for fields in [[], ["--fields", "x,y"]] {
      for (name, cells) in [("first", ",1,"), ("second", ",,2")] {
        for query in [["list"], ["1,2"], ["bbox", "0,0,5,5"]] {
          let page = try lines(query + ["--where", "name = '\(name)'"], fields)
          #expect(page.first == header && page.count == 2, "\(query) \(name)")
          #expect(page.last?.hasSuffix(cells) == true, "\(query) \(name)")
        }
      }
      #expect(try lines(["list", "--where", "name = 'third'"], fields) == [header])
    }
    let unknown = ["list", source, "--format", "csv", "--fields", "z"]
    #expect(try Program.run(unknown, in: folder).errors.contains("unknown-field"))
  }

  @Test func `geojson is a collection with its box, ids, distances and markers`() throws {
    #expect(
      try answer("--format", "geojson", "--within", "2km", "--beyond", "1m") == """
        {"type":"FeatureCollection","bbox":[127.01,37.51,127.01,37.51],"validRadius":1.0000,\
        "features":[
        {"type":"Feature","id":"x","geometry":{"type":"Point","coordinates":[127.01,37.51]},\
        "properties":{"id":"x","name":"Second","kind":"mart","note":"","distance":1419.0194,\
        "bearing":38.5401,"marker-color":"#009e73","marker-symbol":"grocery"}}]}

        """)
  }

  @Test func `csv has the columns of features, results or none`() throws {
    let folder = try Folder()
    try folder.write(Fixture.shapes, to: "g.geojson")
    _ = try Program.run(["import", "g.geojson", "--store", "s.gpkg"], in: folder)
    let header = "id,name,kind,latitude,longitude,distance,bearing,n,big,nested"
    for source in ["g.geojson", "s.gpkg"] {
      // A store's second answer comes from the index beside it.
      for question in [["list"], ["find", "37,127"], ["find", "37,127"], ["bbox", "0,0,1,1"]] {
        for condition in ["n = 1", "n = 2"] {
          let outcome = try Program.run(
            question + [source, "--where", condition, "--format", "csv"], in: folder)
          #expect(
            outcome.lines.first == header && outcome.status == 0,
            "\(question) \(source) \(condition): \(outcome.text) \(outcome.errors)")
        }
      }
    }
  }

  @Test func `a feature keeps the type of its id`() throws {
    let folder = try Folder()
    try folder.write(Fixture.shapes, to: "g.geojson")
    let outcome = try Program.run(
      ["--lat", "37", "--lon", "127", "g.geojson", "-k", "1", "--format", "geojsonseq"], in: folder)
    #expect(outcome.text.hasPrefix(#"{"type":"Feature","id":7,"#))
    let json = try Program.run(
      ["--lat", "37", "--lon", "127", "g.geojson", "-k", "1", "--format", "json"], in: folder
    ).json
    let results = try #require(json["results"] as? [[String: Any]])
    #expect(results.first?["id"] as? String == "7")
  }

  @Test func `a point keeps its altitude in every answer as GeoJSON`() throws {
    let folder = try Folder()
    try folder.write(Fixture.shapes, to: "g.geojson")
    _ = try Program.run(["import", "g.geojson", "--store", "s.gpkg"], in: folder)
    for source in ["g.geojson", "s.gpkg"] {
      for question in [
        ["37,127", source], ["list", source], ["bbox", "120,30,130,40", source],
        ["join", source, "g.geojson", "-k", "1"],
      ] {
        let outcome = try Program.run(question + ["--format", "geojson"], in: folder)
        #expect(
          outcome.text.contains(#"{"type":"Point","coordinates":[127,37,55.5]}"#),
          "\(question) \(outcome.text) \(outcome.errors)")
      }
    }
  }

  @Test func `a feature has the id that was chosen, in every answer`() throws {
    let folder = try Folder()
    try folder.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":9,"#
        + #""properties":{"code":"A5","no":9},"geometry":{"type":"Point","coordinates":[127,37]}}]}"#,
      to: "code.geojson")
    let others = [
      ["bbox", "120,30,130,40", "code.geojson", "--format", "geojson"],
      ["find", "--lat", "37", "--lon", "127", "code.geojson", "--format", "geojson"],
      ["list", "code.geojson", "--format", "geojson"],
      ["cluster", "code.geojson", "--bbox", "120,30,130,40", "--zoom", "5", "--format", "geojson"],
      ["convert", "code.geojson", "--format", "geojson"],
    ]
    for arguments in others {
      // The number stays one where the field says the same.
      for (field, id) in [("code", #""A5""#), ("no", "9")] {
        let outcome = try Program.run(arguments + ["--id-field", field], in: folder)
        #expect(
          outcome.text.contains(#"{"type":"Feature","id":\#(id),"#),
          "\(arguments) \(outcome.text) \(outcome.errors)")
      }
    }
    let joined = try Program.run(
      [
        "join", "code.geojson", "code.geojson", "-k", "1", "--left-id-field", "code", "--format",
        "geojson",
      ], in: folder)
    #expect(joined.text.contains(#"{"type":"Feature","id":"A5","#), "\(joined.text)")
  }

  @Test func `ids are ids, and the table is the list, a blank line and the map`() throws {
    #expect(try answer("--format", "ids") == "7\ny\nx\n")
    let list = """
      #  Name    Kind    Distance     note
      1  가게    cinema       0 m     a, b
      2  y                    0 m     c
      3  Second  mart     1.42 km  ↗

      """
    #expect(try answer("--fields", "note", "--no-map") == list)
    let table = try answer("--fields", "note")
    #expect(table.hasPrefix(list + "\n┌"))
    #expect(table == (try answer("--fields", "note", "--format", "table")))
  }

  @Test func `a table says which of the wanted fields it has no room for`() throws {
    let folder = try Folder()
    try folder.write(
      "id,name,lat,lon,owner,phone\n1,Long enough a name,37.5,127,Kim and Sons,02-1234-5678\n",
      to: "p.csv")
    func remarks(_ columns: Int, _ options: String) throws -> String {
      try Program.shell("COLUMNS=\(columns) $nearby list p.csv --no-map \(options)", in: folder)
        .errors
    }
    #expect(
      try remarks(30, "--fields phone,owner") == "note: no room for owner; --format csv shows all\n"
    )
    #expect(
      try remarks(20, "--fields phone,owner")
        == "note: no room for phone, owner; --format csv shows all\n")
    #expect(try remarks(80, "--fields phone,owner") == "")
    #expect(try remarks(30, "") == "")
  }

  @Test func `a table without a column of names says which may be one`() throws {
    let folder = try Folder()
    try folder.write("order,customer,lat,lon\n10,Kim,37.57,126.97\n", to: "o.csv")
    let outcome = try Program.run(["list", "o.csv", "--no-map"], in: folder)
    #expect(outcome.text == "#  id\n1  1\n")
    #expect(
      outcome.errors
        == "note: no column is known to hold names; choose one with --name-field: customer\n"
    )
    let named = try Program.run(
      ["list", "o.csv", "--no-map", "--name-field", "customer"], in: folder)
    #expect(named.text == "#  Name\n1  Kim\n" && named.errors == "")
    // As Kakao's search answers.
    try folder.write(
      #"[{"id":"8","place_name":"카페","x":126.97,"y":37.57}]"#, to: "kakao.json")
    let answer = try Program.run(["list", "kakao.json", "--no-map"], in: folder)
    #expect(answer.text == "#  Name\n1  카페\n" && answer.errors == "")
  }

  @Test func `a file's ending names its format, and a name without one is a table`() throws {
    let folder = try Folder()
    try folder.write(OutputTests.source, to: "p.csv")
    for (name, start) in [
      ("o.json", "{\"query\""), ("o.jsonl", "{\"id\""), ("o.csv", "id,name"),
      ("o.geojson", "{\"type\":\"FeatureCollection\""), ("o.geojsonl", "{\"type\":\"Feature\""),
      ("o.txt", "#  Name"), ("csv", "#  Name"),
    ] {
      let outcome = try Program.run(
        ["--lat", "37.5", "--lon", "127", "p.csv", "-o", name], in: folder)
      #expect(outcome.output.isEmpty)
      #expect(try folder.text(name).hasPrefix(start), "\(name)")
    }
  }

  @Test func `the same input gives the same bytes, in any locale`() throws {
    let folder = try Folder()
    try folder.write(OutputTests.source, to: "p.csv")
    let outcomes = try ["C", "de_DE.UTF-8", "ko_KR.UTF-8"].map { locale in
      try Program.run(
        ["--lat", "37.5", "--lon", "127", "p.csv"], environment: ["LC_ALL": locale], in: folder
      ).output
    }
    #expect(Set(outcomes).count == 1)
  }

  @Test func `the version names the data formats too`() throws {
    let outcome = try Program.run(["--version"], in: try Folder())
    #expect(outcome.text.contains(/^nearby \d+\.\d+\.\d+\n/))
    #expect(outcome.text.contains("\nindex file format 4\n"))
    #if Store
      #expect(outcome.text.hasSuffix("\nstore schema 2\n"))
    #endif
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions come for each shell`(shell: String) throws {
    let outcome = try Program.run(["completions", shell], in: try Folder())
    #expect(outcome.status == 0)
    for word in ["bbox", "within", "geohash", "--per-kind"] where shell != "fish" {
      #expect(outcome.text.contains(word))
    }
    #expect(outcome.text.contains("nearby"))
  }
}
