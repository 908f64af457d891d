import Foundation
import Testing

/// `--where`, `--sort`, `--bucket`, `--after` and `--facets`, as a person types them.
@Suite struct SelectionTests {
  private static let shops = """
    id,name,kind,lat,lon,price,값(X)
    1,중앙약국,pharmacy,37.501,127,9,200000
    2,ＧＳ２５ 강남,mart,37.502,127,10,200001.50
    3,Emart,mart,37.503,127,,\\N
    4,이마트,mart,37.504,127,10.0,3
    5,Café,cafe,37.505,127,2,4
    6,Nowhere,cafe,,,1,5

    """

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    let folder = try Folder()
    try folder.write(Self.shops, to: "s.csv")
    return try Program.run(arguments + ["s.csv"], in: folder)
  }

  private static let here = ["--lat", "37.5", "--lon", "127"]
  private static let world = ["bbox", "-180,-90,180,90"]

  @Test(arguments: [
    ("name contains '약국'", ["1"]), ("name starts with 'gs25'", ["2"]), ("price >= 10", ["2", "4"]),
    ("price is null", ["3"]), ("\"값(X)\" = 200001.5", ["2"]), ("\"값(X)\" is null", ["3"]),
    ("not (kind = 'mart' or price < 9)", ["1"]), ("distance between 200 and 400", ["2", "3"]),
    ("kind in ('cafe', 'pharmacy') and latitude > 37.502", ["5"]),
  ]) func `where keeps what the condition is true of`(condition: String, ids: [String]) throws {
    #expect(try run(Self.here + ["--where", condition, "--format", "ids"]).lines == ids)
    if !condition.contains("distance") {
      #expect(try run(Self.world + ["--where", condition, "--format", "ids"]).lines == ids)
      #expect(try run(Self.world + ["--where", condition, "--count"]).lines == ["\(ids.count)"])
    }
  }

  @Test func `of several conditions all must be true`() throws {
    let either = ["--where", "price > 9 or price = 2"]
    let second = ["--where", "name contains 'é' or kind = 'mart'", "--where=price < 10"]
    #expect(try run(Self.here + either + ["--format", "ids"]).lines == ["2", "4", "5"])
    #expect(try run(Self.here + either + second + ["--format", "ids"]).lines == ["5"])
    let mistake = try run(Self.here + ["--where", "price > 9", "--where", "prise = 2"])
    #expect(mistake.errors.contains("\n  (price > 9) and (prise = 2)\n                   ^"))
    // Each must be a condition by itself.
    let halves = ["--where", "price > 9) or (price = 2", "--where", "kind = 'mart'"]
    #expect(try run(Self.here + halves).errors.contains("error: where-syntax: "))
  }

  @Test func `the limit counts those that match`() throws {
    let outcome = try run(Self.here + ["-k", "2", "--where", "kind = 'mart'", "--format", "ids"])
    #expect(outcome.lines == ["2", "3"])
  }

  @Test(arguments: [
    (
      "이름 = '가' an", "where-syntax",
      "the condition could end here; join it to what follows with and or or\n  이름 = '가' an\n              ^"
    ),
    (
      "prise > 5", "where-field",
      "no field is named \"prise\"; did you mean price?\n  prise > 5\n  ^"
    ),
    (
      "name > 5", "where-type",
      "name is a text and 5 is a number; compare it with a text in '…'\n  name > 5\n         ^"
    ),
    ("price > 'cheap'", "where-type", nil), ("price = null", "where-type", nil),
  ]) func `a mistake is shown with a caret under it`(
    condition: String, code: String, message: String?
  ) throws {
    let outcome = try run(Self.here + ["--where", condition])
    #expect(outcome.status == 64)
    #expect(outcome.text.isEmpty)
    #expect(outcome.errors.contains("error: \(code): "), "\(outcome.errors)")
    if let message { #expect(outcome.errors.hasSuffix("error: \(code): \(message)\n")) }
  }

  @Test(arguments: [
    (["--sort", "price"], ["5", "1", "2", "4", "3"]),
    (["--sort", "price:desc"], ["2", "4", "1", "5", "3"]),
    (["--sort", "distance:desc"], ["5", "4", "3", "2", "1"]),
    (["--sort", "id:DESC"], ["5", "4", "3", "2", "1"]),
    (["--sort", "id,kind"], ["1", "2", "3", "4", "5"]),
    (["--sort", "kind"], ["5", "2", "3", "4", "1"]),
    (["--sort", "kind,price:desc"], ["5", "2", "4", "3", "1"]),
    (["--sort", "kind:desc, name"], ["1", "3", "4", "2", "5"]),
    (["--sort", "price", "--bucket", "300m"], ["1", "2", "5", "4", "3"]),
    (["--sort", "\"값(X)\""], ["4", "5", "1", "2", "3"]),
  ]) func `sort orders numbers as numbers and what is empty last`(
    options: [String], ids: [String]
  ) throws {
    #expect(try run(Self.here + options + ["--format", "ids"]).lines == ids)
    guard !options.contains("--bucket"), options[1] != "distance:desc" else { return }
    #expect(try run(Self.world + options + ["--format", "ids"]).lines == ids)
  }

  @Test func `what follows the id orders those of one id`() throws {
    let folder = try Folder()
    try folder.write("id,name\n2,x\n1,b\n1,a\n", to: "s.csv")
    for (sort, rows) in [
      ("id", ["1,b", "1,a", "2,x"]), ("id,name", ["1,a", "1,b", "2,x"]),
      ("id:desc,name", ["2,x", "1,a", "1,b"]),
    ] {
      let outcome = try Program.run(
        ["list", "s.csv", "--sort", sort, "--format", "csv"], in: folder)
      #expect(outcome.lines.dropFirst().map { String($0.prefix(3)) } == rows, "\(sort)")
    }
  }

  @Test(arguments: [
    ["--where", "name_2='b'"], ["--where", "\"_2\" = 'f'"], ["--sort", "name_2:desc"],
    ["--facets", "name_2"], ["--fields", "name_2,_2"], ["--name-field", "name_2"],
    ["--id-field", "name_2"],
  ]) func `a column whose name repeats has the name that is shown`(options: [String]) throws {
    let folder = try Folder()
    try folder.write("name,name,,,lat,lon\na,b,e,f,37.5,127\n", to: "s.csv")
    let outcome = try Program.run(["list", "s.csv", "--format", "json"] + options, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains(#""name_2":"b""#), "\(outcome.text)")
    #expect(outcome.text.contains(#""name":"b""#) == (options[0] == "--name-field"))
    #expect(outcome.text.contains(#""id":"b""#) == (options[0] == "--id-field"))
  }

  @Test func `each facet is counted once, and two of one name are told apart`() throws {
    let folder = try Folder()
    try folder.write("id,type,kind\n1,mart,own\n", to: "s.csv")
    let outcome = try Program.run(
      [
        "list", "s.csv", "--kind-field", "type", "--facets", "kind,kind,\"kind\"", "--format",
        "json",
      ], in: folder)
    #expect(
      outcome.text.contains(
        #""facets":{"kind":[{"value":"mart","count":1}],"kind_2":[{"value":"own","count":1}]}"#),
      "\(outcome.text)\(outcome.errors)")
  }

  @Test(arguments: [
    (["--sort", "prise"], "unknown-field"), (["--sort", ":desc"], "bad-sort"),
    (["--sort", "kind,prise"], "unknown-field"), (["--sort", "kind,"], "bad-sort"),
    (["--bucket", "1km"], "missing-sort"),
    (["--sort", "distance", "--bucket", "1km"], "bad-bucket"),
    (["--sort", "price", "--bucket", "0"], "bad-bucket"),
    (["--sort", "price", "--bucket", "1e-300m"], "bad-bucket"),
    (["--sort", "price", "--bucket", "0.00099"], "bad-bucket"),
    (["--sort", "price", "--bucket", "1e308km"], "bad-distance"),
    (["--facets", "nope"], "unknown-field"),
    (["--facets", "kind", "--format", "csv"], "bad-format"), (["--after", "?"], "cursor-syntax"),
    (["--per-kind", "--sort", "price"], "grouped-order"),
  ]) func `options that make no sense are named`(options: [String], code: String) throws {
    let outcome = try run(Self.here + options)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("error: \(code): "), "\(outcome.errors)")
  }

  @Test(arguments: [
    here, here + ["--sort", "price"], here + ["--within", "1km", "--sort", "kind:desc"], world,
    world + ["--sort", "price:desc"], world + here, here + ["--where", "price < 100"],
    here + ["--sort", "name", "--bucket", "150m"],
  ]) func `pages are the whole, and the last says so`(query: [String]) throws {
    let whole = try run(query + ["-k", "all", "--format", "ids"]).lines
    for size in ["1", "2", "5"] {
      var ids: [String] = []
      var cursor: String? = ""
      while let after = cursor, ids.count <= whole.count {
        let page = try run(query + ["-k", size, "--after", after, "--json"]).json
        let results = try #require(page["results"] as? [[String: Any]])
        ids += results.compactMap { $0["id"] as? String }
        #expect(page.keys.contains("next"))
        cursor = page["next"] as? String
      }
      #expect(ids == whole)
    }
  }

  @Test(arguments: [
    ["--lat", "37.5", "--lon", "127", "shops.csv"], ["bbox", "126,36,128,39", "shops.csv"],
    ["bbox", "126,36,128,39", "--count", "shops.csv"], ["map", "shops.csv"],
    ["cluster", "--bbox", "126,36,128,39", "--zoom", "9", "shops.csv"],
    ["hours", "shops.csv"], ["join", "shops.csv", "shops.csv", "-k", "1"],
  ])
  func `a kind that nothing is of is told, with what may be meant`(command: [String]) throws {
    let folder = try Folder()
    try folder.write(
      "id,name,kind,lat,lon\n1,a,cinema,37.5,127\n2,b,bakery,37.6,127.1\n", to: "shops.csv")
    func remarks(_ kinds: String...) throws -> [Substring] {
      let outcome = try Program.run(command + kinds.flatMap { ["--kind", $0] }, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.errors.split(separator: "\n").filter { $0.hasPrefix("warning: kind-unknown") }
    }
    let start = "warning: kind-unknown: no annotation is of kind"
    #expect(try remarks("cinma") == ["\(start) \"cinma\"; did you mean cinema?"])
    #expect(try remarks("Bakery", "cinema") == ["\(start) \"Bakery\"; did you mean bakery?"])
    #expect(try remarks("zoo-keeper") == ["\(start) \"zoo-keeper\"; known kinds: bakery, cinema"])
    #expect(
      try remarks("bakery,cinema") == [
        "\(start) \"bakery,cinema\"; repeat --kind for several"
      ])
    #expect(try remarks("bakery", "cinema").isEmpty)
  }

  @Test func `a cursor of another query is an error, one of another page size is none`() throws {
    let page = try run(Self.here + ["-k", "2", "--json"]).json
    let cursor = try #require(page["next"] as? String)
    let other = try run(Self.here + ["--kind", "mart", "--after", cursor])
    #expect(other.status == 64)
    #expect(other.errors.contains("error: cursor-mismatch: "))
    let same = try run(Self.here + ["-k", "5", "--after", cursor, "--format", "ids"])
    #expect(same.lines == ["3", "4", "5"])
    #expect(same.errors.hasSuffix("next: none, this is the last page\n"))
  }

  @Test func `facets count all that match, whatever the limit`() throws {
    let answer = try run(Self.here + ["-k", "1", "--facets", "kind,price", "--json"]).json
    #expect(answer["matched"] as? Int == 5)
    let facets = try #require(answer["facets"] as? [String: [[String: Any]]])
    #expect(facets["kind"]?.map { $0["value"] as? String } == ["mart", "cafe", "pharmacy"])
    #expect(facets["kind"]?.map { $0["count"] as? Int } == [3, 1, 1])
    #expect(facets["price"]?.last?["value"] is NSNull)
    let table = try run(Self.here + ["--facets", "kind", "--where", "kind = 'mart'", "--no-map"])
    #expect(table.text.hasSuffix("\n3 match\nkind  mart 3\n"))
  }
}
