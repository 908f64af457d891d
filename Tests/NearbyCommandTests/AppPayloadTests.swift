import Foundation
import Testing

/// The JSON of apps as it is, through the program.
///
/// Names of several fields, several arrays, and deals with
/// their addresses. The documents are small ones made for these tests.
@Suite struct AppPayloadTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("id,name,brand,branch,lat,lon\n1,own,E,b,1,2\n2,,E,,1,3\n", to: "n.csv")
    try folder.write(
      """
      [{"article_title":"라멘","address_ids":["a","b","x"]},{"article_title":"カレー","address_ids":["a"]}]
      """, to: "deals.json")
    try folder.write(
      #"[{"address_id":"a","latitude":35.6573,"longitude":139.7822},{"address_id":"b"}]"#,
      to: "addresses.json")
  }

  private func run(_ arguments: String..., status: Int32 = 0) throws -> Program.Outcome {
    let outcome = try Program.run(arguments, in: folder)
    #expect(outcome.status == status, "\(outcome.errors)")
    return outcome
  }

  @Test func `a name of two columns keeps the source's own, in every format and back`() throws {
    let table =
      "id,name,kind,latitude,longitude,name_2,brand,branch\n1,E b,E,1,2,own,E,b\n2,E,E,1,3,,E,\n"
    #expect(
      try run("convert", "n.csv", "--name-field", "{brand} {branch}", "--format", "csv").text
        == table)
    for format in ["geojson", "geojsonseq", "jsonl"] {
      let made = try run(
        "convert", "n.csv", "--name-field", "{brand} {branch}", "-o", "o.\(format)")
      #expect(made.errors.isEmpty)
      let text = try folder.text("o.\(format)")
      #expect(text.contains(#""own""#) && text.contains(#""name":"E b""#))
    }
    let back = try run("convert", "o.geojson", "--format", "csv").lines
    #expect(back.contains { $0.hasPrefix("1,E b,") && $0.contains("own") })
  }

  @Test func `a column that says the same is not written twice`() throws {
    #expect(
      try run("convert", "n.csv", "--name-field", "name", "--format", "csv").lines[0]
        == "id,name,kind,latitude,longitude,brand,branch")
    try folder.write(
      #"[{"id":1,"name":"a","title":"b","lat":1,"lon":2},{"id":2,"name":"a","title":"a"}]"#,
      to: "t.json")
    #expect(
      try run("convert", "t.json", "--name-field", "title", "--format", "csv").lines
        == ["id,name,kind,latitude,longitude,name_2,title", "1,b,,1,2,a,b", "2,a,,,,a,a"])
  }

  @Test func `several arrays are read at once, and their names are kinds`() throws {
    try folder.write(
      #"{"studies":[{"uid":"u","nick":"n","lat":37.5,"lng":127,"studylist":["Swift","iOS"]}],"#
        + #""online":[{"uid":"v","nick":"m","lat":37.5,"lng":127.1,"studylist":["Kotlin"]}]}"#,
      to: "p.json")
    let options = ["--rows-field", "studies", "--rows-field", "online"]
    let all = try Program.run(
      ["convert", "p.json", "--format", "csv", "--fields", "uid"] + options, in: folder)
    #expect(
      all.lines.dropFirst().map { String($0) }
        == ["u,n,studies,37.5,127,u", "v,m,online,37.5,127.1,v"])
    let swift = try Program.run(
      [
        "--lat", "37.5", "--lon", "127", "p.json", "--format", "ids", "--where",
        "studylist contains 'swift'",
      ]
        + options, in: folder)
    #expect(swift.text == "u\n")
    _ = try Program.run(["index", "build", "p.json", "-o", "p.nbx"] + options, in: folder)
    let indexed = try run(
      "--lat", "37.5", "--lon", "127", "p.nbx", "--kind", "online", "--format", "ids")
    #expect(indexed.text == "v\n")
  }

  @Test func `deals are at their addresses, and what leads nowhere is said`() throws {
    let outcome = try run(
      "convert", "deals.json", "--places", "addresses.json", "--place-key", "address_ids",
      "--format",
      "csv", "--fields", "place_id")
    #expect(
      outcome.lines == [
        "id,name,kind,latitude,longitude,place_id", "1@a,라멘,,35.6573,139.7822,a",
        "1@b,라멘,,,,b", "2@a,カレー,,35.6573,139.7822,a",
      ])
    #expect(outcome.errors.contains("addresses.json: 1 place is named but missing: x"))
    #expect(outcome.errors.contains("1 of 3 annotations has no position"))
    #expect(
      outcome.errors.contains("warning: place-unknown: deals.json: record 1 names the place x"))
    let near = try run(
      "--lat", "35.6", "--lon", "139.7", "deals.json", "--places", "addresses.json", "--place-key",
      "address_ids", "--format", "ids")
    #expect(near.text == "1@a\n2@a\n")
    #expect(
      try run(
        "import", "deals.json", "--store", "s.gpkg", "--places", "addresses.json", "--place-key",
        "address_ids"
      ).errors.contains("layer deals: 3 added, 1 without a position"))
    let stored = try run("convert", "s.gpkg", "--format", "csv", "--fields", "place_id")
    #expect(stored.lines == outcome.lines)
  }

  @Test func `a merged deal is only where it is now`() throws {
    try folder.write(
      #"[{"id":"a","lat":35,"lon":139},{"id":"b","lat":36,"lon":139}]"#, to: "p.json")
    func merge(_ deals: String) throws -> (ids: [String], says: String) {
      try folder.write("id,name,at\n" + deals, to: "d.csv")
      let outcome = try run(
        "import", "d.csv", "--store", "s.gpkg", "--places", "p.json", "--place-key", "at",
        "--policy", "upsert")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return (try run("list", "s.gpkg", "--format", "ids").lines.sorted(), outcome.errors)
    }
    #expect(try merge("1,Ramen,a\nx@y,Soba,a\n2,Curry,a;b\n").ids.count == 4)
    // Deal 2 is not delivered again, and stays.
    let moved = try merge("1,Ramen,b\nx@y,Soba,\n")
    #expect(moved.ids == ["1@b", "2@a", "2@b", "x@y"])
    #expect(moved.says.contains("2 added, 2 removed"), "\(moved.says)")
    #expect(try merge("x@y,Soba,b;a\n").ids == ["1@b", "2@a", "2@b", "x%40y@a", "x%40y@b"])
  }

  @Test func `a check counts the places of each deal`() throws {
    let places = ["--places", "addresses.json", "--place-key", "address_ids"]
    let check = try Program.run(["check", "deals.json"] + places, in: folder)
    #expect(
      check.text.hasPrefix("annotations  3\nplaced       2\nunplaced     1\nrejected     0\n"),
      "\(check.text)")
    #expect(
      check.text.contains("deals.json: record 1 is at b, which has no position; it is kept"),
      "\(check.text)")
    let json = try Program.run(["check", "deals.json", "--json"] + places, in: folder)
    #expect(json.text.hasPrefix(#"{"annotations":3,"placed":2,"unplaced":1,"#), "\(json.text)")
  }

  @Test func `a table of deals needs no columns for coordinates, in any command`() throws {
    try folder.write(
      "id,name,address_ids\n1,라멘,a;x;b\n2,カレー,a\n", to: "deals.csv")
    let places = ["deals.csv", "--places", "addresses.json", "--place-key", "address_ids"]
    func ids(_ arguments: [String]) throws -> [String] {
      let outcome = try Program.run(arguments + places + ["--format", "ids"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("addresses.json: 1 place is named but missing: x"))
      return outcome.lines
    }
    #expect(try ids(["list"]) == ["1@a", "1@b", "2@a"])
    #expect(try ids(["find", "--lat", "35.6", "--lon", "139.7"]) == ["1@a", "2@a"])
    let missing = try Program.run(
      ["list", "deals.csv", "--places", "none.json", "--place-key", "address_ids"], in: folder)
    #expect(missing.status == 66)
  }

  @Test func `places that cannot be joined are errors that say what to do`() throws {
    for (arguments, code) in [
      (["convert", "deals.json", "--places", "addresses.json"], "missing-places"),
      (["convert", "deals.json", "--place-key", "x"], "missing-places"),
      (
        ["convert", "deals.json", "--places", "addresses.json", "--place-key", "adr"],
        "unknown-field"
      ),
      (["convert", "-", "--places", "-", "--place-key", "adr"], "one-standard-input"),
    ] {
      let outcome = try Program.run(arguments + ["--format", "csv"], in: folder)
      #expect(outcome.status != 0 && outcome.errors.contains(code), "\(outcome.errors)")
    }
    let index = try Program.run(
      [
        "index", "build", "deals.json", "-o", "d.nbx", "--places", "addresses.json", "--place-key",
        "address_ids",
      ], in: folder)
    #expect(index.status != 0 && index.errors.contains("nearby convert them to a .geojson first"))
  }
}
