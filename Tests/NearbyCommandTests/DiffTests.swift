import Foundation
import Geodesy
import NearbyTestSupport
import Testing

/// `nearby diff OLD NEW`: what is new, gone, moved and changed.
@Suite struct DiffTests {
  private static let old = """
    id,name,kind,lat,lon,address
    9,아트하우스,cinema,37.5,127.0,서울 1
    10,더숲,cinema,37.664192,127.066247,서울 2
    11,옛극장,cinema,37.6,127.1,서울 3
    12,그대로,cinema,37.7,127.2,"서울, 4"

    """
  private static let new = """
    id,name,kind,lat,lon,address
    12,그대로,cinema,37.7,127.2,"서울, 4"
    13,새극장,cinema,37.55,127.05,서울 5
    10,더숲,cinema,37.654235,127.061447,서울 2
    9,아트하우스,cinema,37.5,127.0,서울 1-1

    """

  private func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(Self.old, to: "old.csv")
    try folder.write(Self.new, to: "new.csv")
    return folder
  }

  private func run(_ arguments: String..., in folder: Folder) throws -> Program.Outcome {
    try Program.run(["diff"] + arguments, in: folder)
  }

  @Test func `what is new, gone, moved and changed is named, with meters`() throws {
    let outcome = try run("old.csv", "new.csv", "--format", "csv", in: folder())
    #expect(
      outcome.text == """
        id,name,kind,change,distance,fields,latitude,longitude,old_latitude,old_longitude
        9,아트하우스,cinema,changed,,address,37.5,127,,
        10,더숲,cinema,moved,1183.5088,,37.654235,127.061447,37.664192,127.066247
        11,옛극장,cinema,gone,,,37.6,127.1,,
        13,새극장,cinema,new,,,37.55,127.05,,

        """)
    #expect(outcome.errors.isEmpty && outcome.status == 0)
    // The same as JSON, in one object and line by line.
    let json = try run("old.csv", "new.csv", "--json", in: folder()).json
    for (name, count) in [("new", 1), ("gone", 1), ("moved", 1), ("changed", 1), ("same", 1)] {
      #expect(json[name] as? Int == count)
    }
    let changes = try #require(json["changes"] as? [[String: Any]])
    #expect(changes.map { $0["id"] as? String } == ["9", "10", "11", "13"])
    #expect((changes[0]["fields"] as? [String: [String]]) == ["address": ["서울 1", "서울 1-1"]])
    #expect(changes[1]["old_latitude"] as? Double == 37.664192)
    let lines = try run("old.csv", "new.csv", "--format", "jsonl", in: folder()).lines
    #expect(lines.count == 4 && lines[1].contains(#""distance":1183.5088"#))
  }

  @Test(arguments: [3, 40])
  func `columns are compared by name, in whatever order the sources have them`(count: Int) throws {
    let names = (0..<count).map { "c\($0)" }
    func table(_ names: [String], _ value: (String) -> String) -> String {
      (["id,lat,lon"] + names).joined(separator: ",") + "\n"
        + (["1,37.5,127"] + names.map(value)).joined(separator: ",") + "\n"
    }
    let folder = try Folder()
    try folder.write(table(names) { $0 }, to: "old.csv")
    // In the same order, in reverse, with one more and one fewer, and turned.
    let orders: [[String]] = [
      names, names.reversed(), ["more"] + names.dropFirst(),
      [names[count - 1]] + names.dropLast(),
    ]
    for (place, order) in orders.enumerated() {
      try folder.write(table(order) { $0 == "c2" ? "other" : $0 }, to: "new\(place).csv")
      let outcome = try run("old.csv", "new\(place).csv", "--json", in: folder)
      let changes = try #require(outcome.json["changes"] as? [[String: Any]])
      #expect(changes.count == 1)
      #expect((changes.first?["fields"] as? [String: [String]]) == ["c2": ["c2", "other"]])
    }
  }

  // Asked for the columns of all others, each row would cost a minute and more.
  @Test(.timeLimit(.minutes(1)))
  func `rows with columns of their own are compared in those, in their order`() throws {
    let count = 10_000
    let folder = try Folder()
    for (file, word) in [("old", "was"), ("new", "is")] {
      let features = (0..<count).map { row in
        let text = row == count - 1 ? word : "same"
        return #"{"type":"Feature","id":\#(row),"geometry":null,"#
          + #""properties":{"b\#(row)":"\#(text)","a\#(row)":"\#(text)","same":1}}"#
      }
      try folder.write(
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
        to: "\(file).geojson")
    }
    let outcome = try run(
      "old.geojson", "new.geojson", "--format", "csv", in: folder)
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines.last?.contains(",changed,,b\(count - 1);a\(count - 1),") == true)
  }

  @Test func `a person sees each sort of change under its name`() throws {
    let outcome = try run("old.csv", "new.csv", in: folder())
    #expect(outcome.text == Self.table)
    let same = try run("old.csv", "old.csv", in: folder())
    #expect(same.text == "0 new, 0 gone, 0 moved, 0 changed, 4 the same\n")
  }

  private static let table = """
    Name        Distance     id  differs in
    new
    새극장                   13

    gone
    옛극장                   11

    moved
    더숲         1.18 km  ↓  10

    changed
    아트하우스               9   address

    1 new, 1 gone, 1 moved, 1 changed, 1 the same

    """

  @Test func `the counts are wrapped in a narrow terminal, each with its word`() throws {
    let outcome = try Program.run(
      ["diff", "old.csv", "new.csv"], environment: ["COLUMNS": "40"], in: folder())
    #expect(
      outcome.lines.suffix(2) == ["1 new, 1 gone, 1 moved, 1 changed,", "1 the same"])
  }

  @Test func `the exit status says whether anything differs where it is asked`() throws {
    let folder = try folder()
    #expect(try run("old.csv", "old.csv", in: folder).status == 0)
    #expect(try run("old.csv", "old.csv", "--exit-status", in: folder).status == 1)
    let quiet = try run("old.csv", "old.csv", "-q", in: folder)
    #expect(quiet.status == 1 && quiet.output.isEmpty)
    #expect(try run("old.csv", "new.csv", "-q", in: folder).status == 0)
  }

  @Test func `moves within the tolerance and other columns count for nothing`() throws {
    let folder = try folder()
    func ids(_ arguments: String...) throws -> [String] {
      try Program.run(
        ["diff", "old.csv", "new.csv", "--format", "csv"] + arguments, in: folder
      ).lines.dropFirst().map { String($0.prefix { $0 != "," }) }
    }
    #expect(try ids("--tolerance", "1183m") == ["9", "10", "11", "13"])
    #expect(try ids("--tolerance", "1184m") == ["9", "11", "13"])
    #expect(try ids("--fields", "name,kind") == ["10", "11", "13"])
    #expect(try ids("--fields", "latitude,longitude") == ["10", "11", "13"])
    // Of names and kinds nothing is said either where others are asked for, whatever their columns.
    try folder.write("id,branch,type,lat,lon\n9,다른 이름,cafe,37.5,127.0\n", to: "other.csv")
    for (fields, told) in [("address", "address"), ("name,kind", "name;kind")] {
      let outcome = try Program.run(
        ["diff", "old.csv", "other.csv", "--format", "csv", "--fields", fields], in: folder)
      #expect(outcome.lines[1].split(separator: ",", omittingEmptySubsequences: false)[5] == told)
    }
    // Of columns that repeat a name, each is compared.
    try folder.write("id,lat,lon,\"a,b\",v,v\n1,37,127,w,x,y\n", to: "a.csv")
    try folder.write("id,lat,lon,\"a,b\",v,v\n1,37,127,W,x,Y\n", to: "b.csv")
    for (fields, told) in [("\"a,b\"", "\"a,b\""), ("v,v_2", "v_2")] {
      let outcome = try run("a.csv", "b.csv", "--fields", fields, "--format", "csv", in: folder)
      #expect(outcome.lines[1].contains(",changed,,\(told),"), "\(outcome.text)")
    }
    let missing = try run("old.csv", "new.csv", "--fields", "addres", in: folder)
    #expect(
      missing.errors
        == "error: unknown-field: --fields: no column is named \"addres\"; columns are "
        + "id,name,kind,address; the position is latitude,longitude\n")
    #expect(missing.status == 64)
  }

  @Test func `rows without a position, an id or a column of the other are told`() throws {
    let folder = try Folder()
    try folder.write(
      "id,name,lat,lon,a,b\n1,x,37,127,1,2\n2,y,,,1,2\n2,z,37,127,9,9\n", to: "o.csv")
    try folder.write("id,name,lat,lon,a,c\n1,x,,,1,3\n2,y,36,128,,3\n", to: "n.csv")
    let outcome = try run("o.csv", "n.csv", "--format", "csv", in: folder)
    #expect(
      outcome.lines.dropFirst() == ["1,x,,moved,,,,,37,127", "2,y,,moved,,a,36,128,,"])
    let table = try run("o.csv", "n.csv", in: folder)
    #expect(table.text.contains("position gone\n") && table.text.contains("position new, a\n"))
    #expect(outcome.errors.contains("o.csv: 1 row repeats an id; the first of each is compared\n"))
    #expect(
      outcome.errors.contains("not compared, because only one of the two has them: b, c\n"))
    // Names are compared, whatever their columns are called; a column that is none is told.
    try folder.write("id,name,kind,lat,lon\n1,a,k,37,127\n2,-,k,37,127\n", to: "d1.csv")
    try folder.write("id,title,brand,lat,lon\n1,zz,k,37,127\n2,,k,37,127\n", to: "d2.csv")
    try folder.write("id,title,kind,memo,lat,lon\n1,zz,k,m,37,127\n2,,k,,37,127\n", to: "d3.csv")
    for (new, told) in [
      ("d2.csv", ""), ("d3.csv", "not compared, because only one of the two has them: memo\n"),
    ] {
      let named = try run("d1.csv", new, "--format", "csv", in: folder)
      #expect(named.lines.dropFirst() == ["1,zz,k,changed,,name,37,127,,"])
      #expect(named.errors == told)
    }
    try folder.write("name,lat,lon\nx,37,127\n", to: "unnamed.csv")
    let numbered = try run("unnamed.csv", "unnamed.csv", in: folder)
    #expect(numbered.errors.contains("warning: compared-by-number: unnamed.csv "))
    let both = try run("-", "-", in: folder)
    #expect(both.status == 64 && both.errors.hasPrefix("error: one-standard-input: "))
    #expect(try run("o.csv", "missing.csv", in: folder).status == 66)
  }

  @Test func `names and kinds are compared where both sources have some`() throws {
    let folder = try Folder()
    try folder.write("id,name,lat,lon,kind\n1,a,37,127,k\n", to: "o.csv")
    try folder.write("id,title2,lat,lon\n1,a,37,127\n", to: "n.csv")
    for (old, new) in [("o.csv", "n.csv"), ("n.csv", "o.csv")] {
      let outcome = try run(old, new, "--format", "csv", in: folder)
      #expect(outcome.lines.count == 1, "\(outcome.text)")
      #expect(outcome.errors.contains("only one of the two has them: "))
    }
    // A kind that is gone is told, whatever else is.
    try folder.write("id,kind,v,lat,lon\n1,k,x,37,127\n2,k,y,37,128\n", to: "o.csv")
    try folder.write("id,업종,v,lat,lon\n1,,,37,127\n2,k,y,37,128\n", to: "n.csv")
    let outcome = try run("o.csv", "n.csv", "--format", "csv", in: folder)
    #expect(outcome.lines.count == 2 && outcome.lines[1].contains(",changed,,v;kind,"))
  }

  @Test func `shapes are compared beside their positions`() throws {
    func line(_ last: String) -> String {
      #"{"type":"Feature","id":"r","properties":{"n":1},"geometry":{"type":"LineString","coordinates":[[127,37],[127.1,37],\#(last)]}}"#
    }
    let folder = try Folder()
    try folder.write(line("[127.2,37]"), to: "o.geojson")
    try folder.write(line("[127.2,37.5]"), to: "n.geojson")
    let outcome = try run("o.geojson", "n.geojson", "--json", in: folder)
    let change = try #require((try outcome.json["changes"] as? [[String: Any]])?.first)
    #expect((change["fields"] as? [String: Any])?.keys.sorted() == ["geometry"])
  }

  #if Store
    @Test func `a source and a layer of a store are compared as two files are`() throws {
      let folder = try folder()
      for (file, layer) in [("old.csv", "cinemas"), ("new.csv", "now")] {
        let made = try Program.run(
          ["import", file, "--store", "s.gpkg", "--layer", layer], in: folder)
        #expect(made.status == 0, "\(made.errors)")
      }
      let expected = try run("old.csv", "new.csv", "--format", "csv", in: folder).text
      for arguments in [
        ["s.gpkg", "new.csv", "--layer", "cinemas"], ["old.csv", "s.gpkg", "--layer", "now"],
        ["s.gpkg", "s.gpkg", "--layer", "now", "--old-layer", "cinemas"],
      ] {
        let outcome = try Program.run(["diff", "--format", "csv"] + arguments, in: folder)
        #expect(outcome.text == expected, "\(arguments): \(outcome.errors)")
      }
      let same = try run("old.csv", "s.gpkg", "--layer", "cinemas", "-q", in: folder)
      #expect(same.status == 1)
    }
  #endif

  @Test func `texts are compared byte by byte, and points by their altitudes`() throws {
    let folder = try Folder()
    func write(_ letter: String, _ altitude: Int, to name: String) throws {
      try folder.write(
        #"{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[127,37,\#(altitude)]},"#
          + #""properties":{"name":"Caf\#(letter)","memo":"\#(letter)","list":["\#(letter)"],"#
          + #""\#(letter)":1}}"#,
        to: name)
    }
    try write("\u{E9}", 5, to: "a.geojson")
    try write("e\u{301}", 9, to: "b.geojson")
    let outcome = try run("a.geojson", "b.geojson", "--json", in: folder)
    let change = try #require((try outcome.json["changes"] as? [[String: Any]])?.first)
    let fields = try #require(change["fields"] as? [String: Any])
    #expect(fields.keys.sorted() == ["altitude", "list", "memo", "name"])
    #expect(fields["altitude"] as? [Int] == [5, 9])
    #expect(outcome.errors.contains("only one of the two has them: \u{E9}, e\u{301}"))
    #expect(try run("a.geojson", "a.geojson", "-q", in: folder).status == 1)
  }

  /// Two plain loops over random worlds are the judge.
  @Test(arguments: UInt64(1)...6) func `changes agree with two plain loops`(seed: UInt64) throws {
    struct Row: Equatable {
      var name: String, latitude: Double, longitude: Double, price: Int
    }
    var random = SeededGenerator(seed: seed)
    func row() -> Row {
      Row(
        name: "n\(Int.random(in: 0..<5, using: &random)), \"q\"",
        latitude: Double(Int.random(in: 370_000..<371_000, using: &random)) / 10_000,
        longitude: Double(Int.random(in: 1_270_000..<1_271_000, using: &random)) / 10_000,
        price: Int.random(in: 0..<3, using: &random))
    }
    var old: [(id: Int, row: Row)] = []
    for id in 0..<300 where Bool.random(using: &random) { old.append((id, row())) }
    var new: [(id: Int, row: Row)] = []
    for (id, before) in old {
      var now = before
      switch Int.random(in: 0..<6, using: &random) {
      case 0: continue
      case 1: now.latitude = (now.latitude * 10_000 + 7).rounded() / 10_000
      case 2: now.price += 1
      case 3: now = row()
      default: break
      }
      new.append((id, now))
    }
    for id in 300..<340 where Bool.random(using: &random) { new.append((id, row())) }
    new.shuffle(using: &random)
    func csv(_ rows: [(id: Int, row: Row)]) -> String {
      rows.reduce("id,name,lat,lon,price\n") { text, entry in
        let name = entry.row.name.replacingOccurrences(of: "\"", with: "\"\"")
        return text
          + "\(entry.id),\"\(name)\",\(entry.row.latitude),\(entry.row.longitude),\(entry.row.price)\n"
      }
    }
    let folder = try Folder()
    try folder.write(csv(old), to: "o.csv")
    try folder.write(csv(new), to: "n.csv")
    let tolerance = 50.0
    var expected: [String: (change: String, meters: Double?, fields: Set<String>)] = [:]
    var same = 0
    for (id, now) in new {
      guard let before = old.first(where: { $0.id == id })?.row else {
        expected["\(id)"] = ("new", nil, [])
        continue
      }
      var fields: Set<String> = []
      if before.name != now.name { fields.insert("name") }
      if before.price != now.price { fields.insert("price") }
      let meters = try Coordinate(latitude: before.latitude, longitude: before.longitude)
        .distance(to: Coordinate(latitude: now.latitude, longitude: now.longitude)).meters
      if meters > tolerance {
        expected["\(id)"] = ("moved", meters, fields)
      } else if !fields.isEmpty {
        expected["\(id)"] = ("changed", nil, fields)
      } else {
        same += 1
      }
    }
    for (id, _) in old where !new.contains(where: { $0.id == id }) {
      expected["\(id)"] = ("gone", nil, [])
    }
    let outcome = try run(
      "o.csv", "n.csv", "--tolerance", "\(tolerance)m", "--json", in: folder)
    let json = try outcome.json
    #expect(json["same"] as? Int == same)
    let changes = try #require(json["changes"] as? [[String: Any]])
    let ids = changes.compactMap { ($0["id"] as? String).flatMap(Int.init) }
    #expect(ids == ids.sorted() && ids.count == expected.count && expected.count > 50)
    for change in changes {
      let id = try #require(change["id"] as? String)
      let judged = try #require(expected[id], "\(id)")
      #expect(change["change"] as? String == judged.change, "\(id)")
      #expect(Set((change["fields"] as? [String: Any] ?? [:]).keys) == judged.fields, "\(id)")
      let meters = change["distance"] as? Double
      #expect((meters == nil) == (judged.meters == nil), "\(id)")
      if let meters, let known = judged.meters { #expect(abs(meters - known) < 0.001) }
    }
    for kind in ["new", "gone", "moved", "changed"] {
      #expect(json[kind] as? Int == expected.values.count { $0.change == kind })
    }
  }
}
