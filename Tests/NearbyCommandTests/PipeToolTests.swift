import Foundation
import NearbyTestSupport
import Testing

/// The tools for pipes: operands in, one answer a line out.
@Suite struct PipeToolTests {
  private func run(_ arguments: [String], _ input: String = "") throws -> Program.Outcome {
    try Program.run(arguments, input: Array(input.utf8), in: try Folder())
  }

  @Test func `a distance has meters and both azimuths`() throws {
    let rows = "37.5,127,35.1,129\r\n\"-33.86\",151.2,-37.8,144.9\n0,500,0,500\n"
    #expect(
      try run(["distance"], rows).text == """
        321218.6598,145.4017,146.5861
        717438.4869,-129.3362,-125.6437
        0.0000,180.0000,180.0000

        """)
    #expect(
      try run(["distance", "--digits", "9", "-33.86,151.2,-37.8,144.9"]).text
        == "717438.486859648,-129.336242992,-125.643692745\n")
  }

  @Test func `a bad row has its code in its place, and the rest is answered`() throws {
    let outcome = try run(["distance"], "1,2,3,4\nfoo,2,3,4\n1,2,3\n1,2,3,4\n")
    #expect(
      outcome.text == """
        313705.4455,45.1442,45.2140
        error: not-a-number
        error: row-fields
        313705.4455,45.1442,45.2140

        """)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("error: not-a-number: line 2: \"foo\""))
    #expect(try run(["distance"]).status == 0)
  }

  @Test func `an error says which argument it is about`() throws {
    let outcome = try run(["distance", "1,2,3,4", "foo,2,3,4"])
    #expect(outcome.lines == ["313705.4455,45.1442,45.2140", "error: not-a-number"])
    #expect(outcome.errors.hasPrefix("error: not-a-number: argument 2: \"foo\""))
  }

  @Test(arguments: [
    ("distance", "1,2,3,4", "313705.4455,45.1442,45.2140"),
    ("geohash encode", "37.5,127,5", "wydm3"),
    ("geohash decode", "s", "0,0,45,45"),
    ("geohash neighbors", "s", "u,v,t,m,k,7,e,g"),
    ("transform --from EPSG:5186 --to EPSG:4326", "200000,600000", "127.0000000000,38.0000000000"),
    (
      "hours eval", #"{"id":1,"value":"off","from":"2026-03-01T00:00","to":"2026-03-02T00:00"}"#,
      #"{"id":1,"intervals":[]}"#
    ),
  ])
  func `a line is answered while the next is not there yet`(
    command: String, line: String, answer: String
  ) throws {
    let folder = try Folder()
    try folder.write(line + "\n", to: "line")
    // The input is closed only after the answer is read, or would have been long ago.
    let outcome = try Program.shell(
      """
      mkfifo in; $nearby \(command) < in > out & exec 3> in; cat line >&3
      for i in $(seq 600); do if [ -s out ]; then break; fi; sleep 0.1; done
      cat out; exec 3>&-; wait
      """, in: folder)
    #expect(outcome.text == answer + "\n", "\(outcome.errors)")
  }

  @Test func `lines are those of the text, in whatever pieces it comes`() throws {
    // Several times as long as a piece.
    var rows = [String](repeating: "1,2,3,4", count: 40_000)
    rows[29_999] = "서울,2,3,4"
    let outcome = try run(["distance"], "\u{FEFF}" + rows.joined(separator: "\r\n"))
    let lines = outcome.lines
    #expect(lines.count == rows.count && lines[29_999] == "error: not-a-number")
    #expect(lines.count { $0 == "313705.4455,45.1442,45.2140" } == rows.count - 1)
    #expect(outcome.errors.hasPrefix("error: not-a-number: line 30000: \"서울\""))
    #expect(outcome.status == 65)
  }

  @Test func `a reader who leaves ends it quietly`() throws {
    let folder = try Folder()
    try folder.write(String(repeating: "1,2,3,4\n", count: 200_000), to: "rows")
    let outcome = try Program.shell("$nearby distance < rows | head -n 1", in: folder)
    #expect(outcome.text == "313705.4455,45.1442,45.2140\n")
    #expect(outcome.errors.isEmpty && outcome.status == 0)
  }

  @Test func `a line without end is refused, and those before it are answered`() throws {
    let endless = "1,2,3,4\n" + String(repeating: "1", count: (1 << 24) + 1)
    let outcome = try run(["distance"], endless)
    #expect(outcome.text == "313705.4455,45.1442,45.2140\n")
    #expect(
      outcome.errors.hasPrefix("error: line-too-long: line 2 has more than 16,777,216 bytes; "))
    #expect(outcome.status == 65)
  }

  @Test func `values in words of their own get a note that they are one operand`() throws {
    for (arguments, operand) in [
      (["distance", "37.5", "127", "37.6", "127"], "37.5,127,37.6,127"),
      (["distance", "-37.5,127", "-37.6,127"], "-37.5,127,-37.6,127"),
      (["geohash", "encode", "37.5", "127", "6"], "37.5,127,6"),
      (["transform", "--from", "EPSG:4326", "--to", "EPSG:5179", "127", "37.5"], "127,37.5"),
    ] {
      let outcome = try run(arguments)
      #expect(outcome.status == 65 && Set(outcome.lines) == ["error: row-fields"])
      #expect(outcome.errors.hasSuffix("as one operand, without spaces: \(operand)\n"))
    }
    for arguments in [
      ["distance", "1", "2", "3"], ["distance", "1,2,3,4", "5"], ["geohash", "decode", "a", "b"],
    ] {
      let outcome = try run(arguments)
      #expect(outcome.status == 65 && !outcome.errors.contains("note:"), "\(outcome.errors)")
    }
  }

  @Test func `geohashes are encoded to the last cell and no further`() throws {
    let rows = "37.5,127,5\n-33.86,151.2,12\n90,180,3\n-90,-180,3\n0,0,13\n0,0,abc\n91,150,5\n"
    #expect(
      try run(["geohash", "encode"], rows).lines == [
        "wydm3", "r3gx2eurpqe8", "zzz", "000", "error: geohash-precision",
        "error: geohash-precision", "error: lat-range",
      ])
    #expect(try run(["geohash", "encode", "-33.86,151.2,5"]).text == "r3gx2\n")
  }

  @Test func `geohashes are decoded, and their neighbors end at the poles`() throws {
    let decoded = try run(["geohash", "decode"], "ezs42\nEZS42\nezs42i\n0123456789bcd\n")
    #expect(
      decoded.lines == [
        "42.5830078125,-5.625,42.626953125,-5.5810546875",
        "42.5830078125,-5.625,42.626953125,-5.5810546875", "error: geohash-character",
        "error: geohash-length",
      ])
    #expect(decoded.status == 65)
    // A line feed in an operand begins no line of the message.
    #expect(
      try run(["geohash", "decode", "\n"]).errors
        == "error: geohash-character: argument 1: \" \" is not a geohash: character 1 is \" \"; "
        + "use 0-9 and b-z without a, i, l and o\n")
    #expect(
      try run(["geohash", "neighbors", "zzz", "000", "s"]).lines == [
        ",,bpb,bp8,zzx,zzw,zzy,", "002,003,001,,,,pbp,pbr", "u,v,t,m,k,7,e,g",
      ])
  }

  @Test func `cells cover a box across the antimeridian, and count what it holds`() throws {
    #expect(
      try run(["geohash", "cover", "--bbox", "179,-1,-179,1", "--precision", "3"]).lines
        == ["2pb", "800", "rzz", "xbp"])
    let folder = try Folder.withShops()
    let counted = try Program.run(
      ["geohash", "count", "--bbox", "126,37,127,38", "--precision", "5", "shops.csv"], in: folder)
    #expect(counted.text == "wydm9,4\nwydmc,1\n")
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `distances are those of the reference set to its last digits`() throws {
    // Every 37th row, so that each class of the file is met.
    let rows = try SharedFiles.rows("conformance/geodesic/geodtest_wgs84.csv").enumerated()
      .filter { $0.offset.isMultiple(of: 37) }.map(\.element)
    let operands = rows.map { row in
      ["lat1", "lon1", "lat2", "lon2"].map { row[$0] ?? "" }.joined(separator: ",")
    }
    let answers = try run(["distance", "--digits", "9"], operands.joined(separator: "\n")).lines
    #expect(answers.count == rows.count)
    for (row, answer) in zip(rows, answers) {
      let metres = Double(answer.split(separator: ",").first ?? "") ?? .nan
      let expected = try #require(Double(row["s12"] ?? ""))
      // The file has 0.1 µm.
      #expect(abs(metres - expected) <= 2e-7, "\(row)")
    }
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `geohashes and neighbors are those of other implementations`() throws {
    let encoded = try SharedFiles.rows("conformance/geohash/encode.csv").enumerated()
      .filter { $0.offset.isMultiple(of: 7) }.map(\.element)
    let operands = encoded.map { row in
      ["lat", "lon", "precision"].map { row[$0] ?? "" }.joined(separator: ",")
    }
    #expect(
      try run(["geohash", "encode"], operands.joined(separator: "\n")).lines
        == encoded.map { $0["geohash"] ?? "" })
    // Some sources give only a few of the eight.
    let names = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
    let neighbors = try SharedFiles.rows("conformance/geohash/neighbours.csv").filter { row in
      row["touches_pole"] == "no" && names.allSatisfy { row[$0] != "" }
    }
    #expect(
      try run(
        ["geohash", "neighbors"], neighbors.map { $0["geohash"] ?? "" }.joined(separator: "\n")
      )
      .lines == neighbors.map { row in names.map { row[$0] ?? "" }.joined(separator: ",") })
  }
}
