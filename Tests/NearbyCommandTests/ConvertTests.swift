import Foundation
import Testing

/// `nearby convert SOURCE`.
@Suite struct ConvertTests {
  @Test func `a source without records has its columns in CSV, beside others, too`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon,phone\n1,37.5,127,02\n", to: "full.csv")
    try folder.write("id,lat,lon,fax\n", to: "empty.csv")
    for command in ["convert", "list"] {
      let outcome = try Program.run(
        [command, "full.csv", "empty.csv", "--format", "csv"], in: folder)
      #expect(outcome.lines.first?.hasSuffix(",phone,fax") == true, "\(outcome.text)")
      #expect(outcome.lines.last?.hasSuffix(",02,") == true, "\(outcome.text)")
    }
  }

  @Test func `what a collection says beyond the standard is kept, and a foreign CRS remarked`()
    throws
  {
    let folder = try Folder()
    try folder.write(
      #"{"type":"FeatureCollection","name":"shops","#
        + #""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::5179"}},"#
        + #""features":[{"type":"Feature","id":1,"properties":{},"#
        + #""geometry":{"type":"Point","coordinates":[127,37.5]}}],"metadata":{"count":1}}"#,
      to: "a.geojson")
    let outcome = try Program.run(["convert", "a.geojson", "--format", "geojson"], in: folder)
    let collection = try outcome.json
    #expect(collection["name"] as? String == "shops")
    #expect((collection["metadata"] as? [String: Int]) == ["count": 1])
    #expect(outcome.errors.contains("warning: crs-declared: a.geojson: it declares the CRS"))
    #expect(outcome.status == 0)
  }

  private func convert(
    _ text: String, named name: String, to format: String, _ options: String...
  ) throws -> String {
    let folder = try Folder()
    try folder.write(text, to: name)
    let outcome = try Program.run(["convert", name, "--format", format] + options, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text
  }

  @Test func `a table has the fixed columns, then the source's own`() throws {
    #expect(
      try convert(Fixture.shops, named: "s.csv", to: "csv") == #"""
        id,name,kind,latitude,longitude,address,opening_hours
        1,시네마,cinema,37.57,126.97,"서울, 종로",Mo-Fr 09:00-18:00
        2,"Mart ""B""",mart,37.58,126.98,b,
        10,Ten,mart,37.57,126.97,c,
        a,Alpha,deal,-33.86,151.2,d,
        02,Zero two,deal,37.57,126.97,e,
        -3,Neg,deal,37.57,126.97,f,
        5,NoPos,deal,,,g,

        """#)
  }

  @Test(arguments: ["csv", "geojson", "geojsonseq"])
  func `a table comes back from every format as it went`(format: String) throws {
    let table = try convert(Fixture.shops, named: "s.csv", to: "csv")
    let there = try convert(Fixture.shops, named: "s.csv", to: format)
    #expect(try convert(there, named: "s.\(format)", to: "csv") == table)
  }

  @Test func `features keep their shape, their ids and what RFC 7946 does not name`() throws {
    let once = try convert(Fixture.shapes, named: "g.geojson", to: "geojson")
    let twice = try convert(once, named: "g.geojson", to: "geojson")
    #expect(once == twice)
    // Feature by feature the source's own bytes.
    let features = Fixture.shapes.split(separator: "\n").dropFirst().map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: "]},"))
    }
    for feature in features { #expect(once.contains(feature), "\(feature)") }
    #expect(once.hasPrefix(#"{"type":"FeatureCollection","bbox":[127,37,128,38],"features":["#))
  }

  @Test(arguments: [
    (#""LineString","coordinates":[[170,-10],[-170,10]]"#, "170,-10,-170,10"),
    // Past ±180° the same, and cut there.
    (#""LineString","coordinates":[[170,-10],[190,10]]"#, "170,-10,-170,10"),
    (
      #""MultiPolygon","coordinates":[[[[170,0],[180,0],[180,5],[170,5],[170,0]]],[[[-180,0],[-175,0],[-175,5],[-180,5],[-180,0]]]]"#,
      "170,0,-175,5"
    ),
    (#""MultiPoint","coordinates":[[179,1],[-179,2]]"#, "179,1,-179,2"),
    (#""LineString","coordinates":[[-100,0],[100,0],[0,1]]"#, "0,0,-100,1"),
    (
      #""Polygon","coordinates":[[[-180,70],[180,70],[180,90],[-180,90],[-180,70]]]"#,
      "-180,70,180,90"
    ),
    (#""LineString","coordinates":[[0,0],[120,0],[-120,0],[10,0]]"#, "-180,0,180,0"),
    // An edge of 180° is taken as written, on this side of ±180° and beyond it.
    (#""Polygon","coordinates":[[[0,0],[180,0],[180,10],[0,10],[0,0]]]"#, "0,0,180,10"),
    (#""Polygon","coordinates":[[[0,0],[-180,0],[-180,10],[0,10],[0,0]]]"#, "-180,0,0,10"),
    (#""LineString","coordinates":[[170,0],[-170,0],[10,5]]"#, "170,0,10,5"),
    (
      #""Polygon","coordinates":[[[126.9784,37],[127,37],[127,38],[126.9784,37]]]"#,
      "126.9784,37,127,38"
    ),
  ])
  func `the box of a collection holds its shapes, across the antimeridian too`(
    shape: String, box: String
  ) throws {
    let feature = #"{"type":"Feature","id":1,"properties":{},"geometry":{"type":\#(shape)}}"#
    let text = try convert(feature + "\n", named: "g.geojson", to: "geojson")
    #expect(text.contains(#""bbox":[\#(box)]"#), "\(text.prefix(200))")
  }

  @Test func `features without ids keep having none, or all get the numbers they were read under`()
    throws
  {
    let source = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[3,3]},"properties":null},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[0,91]},"properties":{}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":{}}]}
      """
    let there = try convert(source, named: "g.geojson", to: "geojson")
    // With one id among them, the others would no longer be numbered.
    #expect(there.contains(#"{"type":"Feature","id":"1","geometry":"#))
    #expect(there.contains(#"{"type":"Feature","id":"3","geometry":"#))
    #expect(try convert(there, named: "g.geojson", to: "csv").hasSuffix("\n1,,,3,3\n3,,,1,1\n"))
    let whole = source.replacing("0,91", with: "0,89")
    #expect(!(try convert(whole, named: "g.geojson", to: "geojson")).contains(#""id""#))
  }

  @Test func `columns called distance and bearing are the source's own here`() throws {
    let source = "id,distance,bearing,lat,lon\n1,5,6,37,127\n"
    #expect(
      try convert(source, named: "d.csv", to: "csv")
        == "id,name,kind,latitude,longitude,distance,bearing\n1,,,37,127,5,6\n")
  }

  @Test func `a table that was written here is read again, whatever its source calls its columns`()
    throws
  {
    let folder = try Folder()
    try folder.write(
      #"{"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[127,37]},"#
        + #""properties":{"lat":1,"lon":2,"Y":3,"lat_2":4}}"#,
      to: "a.geojson")
    let there = try Program.run(["convert", "a.geojson", "-o", "b.csv"], in: folder)
    #expect(there.status == 0, "\(there.errors)")
    #expect(
      try folder.text("b.csv")
        == "id,name,kind,latitude,longitude,lat,lon,Y,lat_2\na,,,37,127,1,2,3,4\n")
    let again = try Program.run(["convert", "b.csv", "--format", "csv"], in: folder)
    #expect(try folder.text("b.csv") == again.text)
  }

  @Test func `columns of one name are told apart by a number`() throws {
    let source = "id,lat,lon,a,a,b\n1,37,127,x,y,z\n"
    #expect(
      try convert(source, named: "d.csv", to: "csv")
        == "id,name,kind,latitude,longitude,a,b,a_2\n1,,,37,127,x,z,y\n")
    #expect(try convert(source, named: "d.csv", to: "geojson").contains(#""a":"x","a_2":"y""#))
  }

  @Test(arguments: ["Name,lat,lon,sym,sym", "Name,lat,lon,sym,more", "NAME,lat,lon,Type,Type"])
  func `a row comes out of a store as it would from its table`(header: String) throws {
    let folder = try Folder()
    try folder.write("\(header)\nSeoul,37.5,127,a,b\nBusan,,,c,d\n", to: "n.csv")
    #expect(try Program.run(["convert", "n.csv", "-o", "n.gpkg"], in: folder).status == 0)
    // A second store holds what was read from the first.
    #expect(try Program.run(["convert", "n.gpkg", "-o", "m.gpkg"], in: folder).status == 0)
    for format in ["geojsonseq", "csv"] {
      let own = try Program.run(["convert", "n.csv", "--format", format], in: folder)
      #expect(own.lines.last?.contains("Busan") == true, "\(own.errors)")
      for store in ["n.gpkg", "m.gpkg"] {
        let stored = try Program.run(["convert", store, "--format", format], in: folder)
        #expect(stored.text == own.text, "\(store): \(stored.errors)")
      }
    }
  }

  @Test(arguments: ["csv", "geojson", "geojsonseq", "gpkg"])
  func `columns that look alike all come through`(format: String) throws {
    let folder = try Folder()
    let names = ["caf\u{E9}", "cafe\u{301}", "Ab", "AB", "\u{FF21}b", " Ab", "Ab "]
    let header = names.joined(separator: ",")
    try folder.write("id,lat,lon,\(header)\n1,37,127,1,2,3,4,5,6,7\n", to: "a.csv")
    let made = try Program.run(["convert", "a.csv", "-o", "b.\(format)"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let back = try Program.run(["convert", "b.\(format)", "--format", "csv"], in: folder)
    #expect(
      Array(back.text.utf8)
        == Array("id,name,kind,latitude,longitude,\(header)\n1,,,37,127,1,2,3,4,5,6,7\n".utf8))
  }

  @Test(arguments: ["csv", "gpx", "jsonl"])
  func `shapes that become points are counted, and waypoints keep their altitude`(
    format: String
  ) throws {
    let folder = try Folder()
    try folder.write(Fixture.shapes, to: "g.geojson")
    let outcome = try Program.run(["convert", "g.geojson", "--format", format], in: folder)
    #expect(outcome.status == 0)
    #expect(
      outcome.errors.contains("warning: shapes-as-points: 6 of the features "), "\(outcome.errors)")
    #expect(outcome.text.contains("<ele>55.5</ele>") == (format == "gpx"))
    #expect(outcome.errors.contains("warning: no-altitudes: ") == (format != "gpx"))
  }

  @Test(arguments: ["csv", "gpx", "jsonl", "geojsonseq", "geojson", "gpkg"])
  func `foreign members that a format has no place for are counted`(format: String) throws {
    let folder = try Folder()
    func feature(_ id: Int, _ member: String) -> String {
      #"{"type":"Feature","id":\#(id),"geometry":{"type":"Point","coordinates":[127,37]},"#
        + #""properties":{}\#(member)}"#
    }
    let features = [feature(1, ""), feature(2, #","extra":{"x":1}"#), feature(3, #","more":1"#)]
    try folder.write(
      #"{"type":"FeatureCollection","name":"rt","version":3,"features":["#
        + features.joined(separator: ",") + "]}", to: "m.geojson")
    try folder.write(features[1], to: "one.geojson")
    let outcome = try Program.run(["convert", "m.geojson", "-o", "o.\(format)"], in: folder)
    #expect(outcome.status == 0)
    let isWhole = format == "geojson" || format == "gpkg"
    #expect(
      outcome.errors.contains(
        "warning: no-members: the collection has members beside its features (\"name\", "
          + "\"version\"), which only geojson and gpkg keep; use one of these to keep them\n")
        == !isWhole, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("no-members: 2 of the features have members beside the properties ")
        == (!isWhole && format != "geojsonseq"), "\(outcome.errors)")
    let one = try Program.run(["convert", "one.geojson", "-o", "p.\(format)"], in: folder)
    #expect(
      one.errors.contains("1 of the features has a member beside the properties (\"extra\")")
        == (!isWhole && format != "geojsonseq"), "\(one.errors)")
    #expect(!one.errors.contains("the collection"))
  }

  @Test(arguments: ["csv", "jsonl"])
  func `an altitude that is a property, too, is not missed`(format: String) throws {
    let folder = try Folder()
    try folder.write(
      "<gpx version=\"1.1\"><wpt lat=\"37\" lon=\"127\"><ele>55</ele></wpt></gpx>", to: "w.gpx")
    let outcome = try Program.run(["convert", "w.gpx", "--format", format], in: folder)
    #expect(outcome.errors.isEmpty && outcome.text.contains("55"), "\(outcome.errors)")
  }

  @Test func `what is converted to lines of JSON is read again`() throws {
    let folder = try Folder.withShops()
    #expect(try Program.run(["convert", "shops.csv", "-o", "s.jsonl"], in: folder).status == 0)
    let back = try Program.run(["list", "s.jsonl", "--format", "ids"], in: folder)
    #expect(back.lines == ["-3", "1", "2", "5", "10", "02", "a"], "\(back.errors)")
  }

  @Test(arguments: ["json", "jsonl"])
  func `results in JSON are read again with their own columns`(format: String) throws {
    let folder = try Folder()
    try folder.write("id,name,lat,lon,rating\n1,a,37.5,127,2\n2,b,37.5,127.1,4.5\n", to: "d.csv")
    let made = try Program.run(["list", "d.csv", "-o", "x.\(format)"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let back = try Program.run(
      ["list", "x.\(format)", "--where", "rating > 3", "--format", "csv"], in: folder)
    #expect(
      back.lines == [
        "id,name,kind,latitude,longitude,distance,bearing,rating", "2,b,,37.5,127.1,,,4.5",
      ], "\(back.errors)")
  }

  @Test(arguments: ["csv", "geojson", "geojsonseq", "gpx", "jsonl", "gpkg"])
  func `no other hours are read where those that an option chose are empty`(format: String) throws {
    let folder = try Folder()
    try folder.write(
      "id,영업시,hours,영업시간,lat,lon\n7,,Mo-Su 09:00-18:00,24/7,37,127\n8,Mo 10:00-12:00,Su,,1,2\n",
      to: "a.csv")
    let options = ["--hours-field", "영업시"]
    let made = try Program.run(["convert", "a.csv", "-o", "b.\(format)"] + options, in: folder)
    #expect(made.status == 0, "\(made.errors)")
    for (file, words) in [("a.csv", options), ("b.\(format)", [])] {
      let found = try Program.run(
        ["list", file, "--open", "2026-11-25T10:00", "--tz", "UTC", "--format", "jsonl"] + words,
        in: folder)
      #expect(found.lines.count == 1, "\(file): \(found.errors)")
      #expect(found.text.contains(#""openState":"unknown""#), "\(file): \(found.text)")
    }
  }

  @Test(arguments: ["csv", "geojson", "geojsonseq", "gpx"])
  func `hours that an option chose come through`(format: String) throws {
    let folder = try Folder()
    try folder.write(
      "id,영업시,opening_hours,lat,lon\n7,Mo-Su 09:00-18:00,by phone,37,127\n", to: "a.csv")
    let made = try Program.run(
      ["convert", "a.csv", "--hours-field", "영업시", "-o", "b.\(format)"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let open = ["--open", "2026-11-25T10:00", "--tz", "Asia/Seoul", "--hours-unknown", "hide"]
    let back = try Program.run(["list", "b.\(format)", "--format", "ids"] + open, in: folder)
    #expect(back.lines == ["7"], "\(back.errors)")
    // The column that was called so is still there.
    let rows = try Program.run(["convert", "b.\(format)", "--format", "csv"], in: folder)
    #expect(rows.text.contains("opening_hours_2") && rows.text.contains("by phone"))
  }

  @Test(arguments: [
    "kind is null", "kind is not null", "name is null", "memo is null", "memo is not null",
    "memo = 'x'", "not memo = 'x'", "size > 1", "size is null", "longitude = 180",
  ])
  func `a condition answers the same after every conversion`(condition: String) throws {
    let folder = try Folder()
    try folder.write(
      "id,name,kind,lat,lon,memo,size\n1,-,n/a,1,180,NULL,5\n2,b,mart,2,-180,x,-\n"
        + "3,\\N,NULL,3,7,-,n/a\n4,d,,4,8,,2\n5,NA,none,5,9,.,\n",
      to: "a.csv")
    func ids(_ source: String) throws -> String {
      let outcome = try Program.run(
        ["bbox", "-180,-90,180,90", source, "--where", condition, "--format", "ids"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.text
    }
    let expected = [
      "kind is null": "1 3 4", "kind is not null": "2 5", "name is null": "1 3",
      "memo is null": "1 3 4", "memo is not null": "2 5", "memo = 'x'": "2",
      "not memo = 'x'": "5", "size > 1": "1 4", "size is null": "2 3 5", "longitude = 180": "1 2",
    ]
    for name in ["a.csv", "b.csv", "b.geojson", "b.geojsonl", "b.gpkg", "b.nbx"] {
      if name == "b.nbx" {
        _ = try Program.run(["index", "build", "a.csv", "-o", name], in: folder)
      } else if name != "a.csv" {
        _ = try Program.run(["convert", "a.csv", "-o", name], in: folder)
      }
      #expect(
        try ids(name).split(separator: "\n").joined(separator: " ") == expected[condition],
        "\(name)")
    }
  }

  @Test(arguments: [
    "convert shops.csv --format csv", "convert shops.csv --format geojson",
    "convert shops.csv --format geojsonseq", "convert shops.csv --format jsonl",
    "convert shops.csv --format gpx", "convert shops.csv -o out.gpkg",
    "export shops.csv -o out.html", "export shops.csv -o out.html --data out.pmtiles",
  ])
  func `a field that no record has is refused, and nothing is written`(command: String) throws {
    let folder = try Folder.withShops()
    let arguments = command.split(separator: " ").map(String.init)
    let outcome = try Program.run(arguments + ["--fields", "address,naem"], in: folder)
    #expect(
      outcome.errors.contains("error: unknown-field: --fields: no column is named \"naem\"; "),
      "\(outcome.errors)")
    #expect((outcome.status, outcome.text) == (64, ""))
    #expect(try folder.names == ["shops.csv"])
  }

  @Test func `a field whose name has a comma, or repeats, can be asked for`() throws {
    let source = "id,lat,lon,\"a,b\",v,v,v_2\n1,37,127,w,x,y,z\n"
    for (fields, columns, cells) in [
      ("\"a,b\",v", "\"a,b\",v", "w,x"), ("v_3", "v_3", "y"), ("v,v_2", "v,v_2", "x,z"),
      ("\"v_3\"", "v_3", "y"),
    ] {
      #expect(
        try convert(source, named: "s.csv", to: "csv", "--fields", fields)
          == "id,name,kind,latitude,longitude,\(columns)\n1,,,37,127,\(cells)\n")
    }
    #expect(
      try convert(source, named: "s.csv", to: "jsonl", "--fields", "v,v_3")
        .hasSuffix(#""properties":{"v":"x","v_3":"y"}}"# + "\n"))
  }

  @Test func `only the fields asked for are kept`() throws {
    #expect(
      try convert(Fixture.shops, named: "s.csv", to: "jsonl", "--fields", "address")
        .hasPrefix(
          #"{"id":"1","name":"시네마","kind":"cinema","latitude":37.57,"longitude":126.97,"properties":{"address":"서울, 종로"}}"#
        ))
  }

  @Test func `the ending of the file decides, and a file appears whole or not at all`() throws {
    let folder = try Folder.withShops()
    let made = try Program.run(["convert", "shops.csv", "-o", "out.geojsonl"], in: folder)
    #expect((made.status, made.text) == (0, ""))
    #expect(try folder.text("out.geojsonl").split(separator: "\n").count == 7)
    try folder.write("precious", to: "old.csv")
    let failed = try Program.run(["convert", "nosuch.csv", "-o", "old.csv"], in: folder)
    #expect(failed.status == 66)
    #expect(try folder.text("old.csv") == "precious")
    #expect(try folder.names == ["old.csv", "out.geojsonl", "shops.csv"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `a file that is replaced keeps its owner, its group and its mode`() throws {
    let folder = try Folder.withShops()
    for (name, command) in [
      ("a.csv", "convert shops.csv -o"), ("a.nbx", "index build shops.csv -o"),
    ] {
      let outcome = try Program.shell(
        """
        $nearby \(command) \(name); chown 4321:1234 \(name); chmod 751 \(name)
        $nearby \(command) \(name) && stat -c '%u %g %a' \(name)
        """, in: folder)
      #expect(outcome.text == "4321 1234 751\n", "\(name): \(outcome.errors)")
    }
  }

  @Test func `what a link leads to is made if it is missing, and the link stays`() throws {
    let folder = try Folder.withShops()
    let commands = [
      ("a.csv", "convert shops.csv -o"), ("a.nbx", "index build shops.csv -o"),
    ]
    for (name, command) in commands {
      let outcome = try Program.shell(
        """
        rm -rf real; mkdir real; ln -s real/\(name) one; ln -s "$PWD/one" \(name)
        $nearby \(command) \(name) && [ -L one ] && [ -L \(name) ] && [ -s real/\(name) ]
        status=$?; ls -A real; rm one \(name); exit $status
        """, in: folder)
      #expect(outcome.status == 0, "\(name): \(outcome.errors)")
      #expect(outcome.text == "\(name)\n")
    }
    // A folder that is missing is not made.
    let missing = try Program.shell(
      "ln -s none/a.csv a.csv; $nearby convert shops.csv -o a.csv", in: folder)
    #expect(missing.status == 73 && missing.errors.contains("error: cannot-write: "))
    #expect(try Program.shell("[ -L a.csv ]", in: folder).status == 0)
  }

  @Test func `a link stays a link, and a device a device`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.shell(
      """
      touch real.csv && chmod 640 real.csv && ln -s real.csv link.csv
      $nearby convert shops.csv -o link.csv && ls -l link.csv real.csv | cut -c1-10
      mkfifo pipe && { $nearby convert shops.csv --format csv -o pipe & } && head -n 1 pipe && wait
      $nearby convert shops.csv --format csv -o /dev/stdout | head -n 1
      """, in: folder)
    let header = "id,name,kind,latitude,longitude,address,opening_hours"
    #expect(outcome.lines == ["lrwxrwxrwx", "-rw-r-----", header, header])
    #expect(try folder.names == ["link.csv", "pipe", "real.csv", "shops.csv"])
  }
}
