import Foundation
import NearbyTestSupport
import Testing

@Suite struct GPXTests {
  @Test func `a property called id stays beside another id`() throws {
    let folder = try Folder()
    try folder.write("id,ID,name,lat,lon\n5,x,a,37,127\n", to: "a.csv")
    let made = try Program.run(
      ["convert", "a.csv", "--id-field", "name", "-o", "a.gpx"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let back = try Program.run(["list", "a.gpx", "--format", "jsonl"], in: folder)
    #expect(
      back.text.hasPrefix(#"{"id":"a","name":"a","#) && back.text.contains(#""id_2":"5","ID":"x""#),
      "\(back.text)")
  }

  private static let walk = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
    <wpt lat="37.5" lon="127"><ele>50</ele><name>절</name></wpt>
    <wpt lat="95" lon="127"/>
    <wpt lat="x" lon="127"/><wpt lon="127"/><wpt/>
    <trk><name>Walk</name><trkseg><trkpt lat="37.501" lon="127"><time>2026-11-22T01:10:00Z</time></trkpt></trkseg></trk>
    </gpx>

    """

  @Test func `waypoints are annotations, with the lines of the file where they are bad`() throws {
    let folder = try Folder()
    try folder.write(Self.walk, to: "w.gpx")
    let check = try Program.run(["check", "w.gpx"], in: folder).text
    #expect(check.contains("records   5\nplaced    1\nunplaced  1\nrejected  3\n"))
    #expect(check.contains("w.gpx:4: latitude 95"))
    #expect(check.contains("w.gpx:5: \"x\" is not a number"))
    // From a pipe too, by its first bytes.
    let found = try Program.run(
      ["--lat", "37.5", "--lon", "127", "--points", "all", "--format", "csv", "-"],
      input: Array(Self.walk.utf8), in: folder)
    #expect(
      found.lines.map {
        $0.split(separator: ",", omittingEmptySubsequences: false).prefix(6).joined(separator: ",")
      }
        == [
          "id,name,kind,latitude,longitude,distance", "1,절,,37.5,127,0.0000",
          "6,,,37.501,127,110.9870",
        ])
  }

  @Test func `a table comes back from GPX as it went, but for what has no position`() throws {
    let folder = try Folder.withShops()
    let there = try Program.run(["convert", "shops.csv", "-o", "s.gpx"], in: folder)
    #expect(there.status == 0)
    #expect(there.errors.contains("warning: gpx-unplaced: 1 "))
    let ids = ["--lat", "37.5", "--lon", "127", "--format", "ids"]
    #expect(
      try Program.run(ids + ["s.gpx"], in: folder).lines
        == Program.run(ids + ["shops.csv"], in: folder).lines)
    let name = ["--lat", "37.58", "--lon", "126.98", "-k", "1", "--json"]
    let result = try Program.run(name + ["s.gpx"], in: folder).text
    #expect(result.contains(#""name":"Mart \"B\"","kind":"mart""#), "\(result)")
  }

  @Test func `a kind that an option chose comes back from GPX`() throws {
    let folder = try Folder()
    try folder.write(
      "id,name,brand,category,lat,lon\n1,A,Emart,mart,37,127\n2,B,Emart,cinema,37.1,127\n",
      to: "b.csv")
    let there = try Program.run(
      ["convert", "b.csv", "--kind-field", "category", "-o", "b.gpx"], in: folder)
    #expect(there.status == 0, "\(there.errors)")
    let back = try Program.run(
      ["list", "b.gpx", "--format", "csv", "--fields", "brand"], in: folder)
    #expect(
      back.lines == [
        "id,name,kind,latitude,longitude,distance,bearing,brand", "1,A,mart,37,127,,,Emart",
        "2,B,cinema,37.1,127,,,Emart",
      ])
    // Without the option the brand is the kind, and says so itself.
    let plain = try Program.run(["convert", "b.csv", "--format", "gpx"], in: folder)
    #expect(!plain.text.contains("name=\"kind\""), "\(plain.text)")
  }

  @Test func `what a filter leaves keeps its ids`() throws {
    let folder = try Folder()
    let features = ["a", "b", "c"].enumerated().map { place, name in
      #"{"type":"Feature","id":\#(place + 1),"geometry":{"type":"Point","coordinates":[127,37]},"#
        + #""properties":{"name":"\#(name)"}}"#
    }
    try folder.write(features.joined(separator: "\n"), to: "s.geojson")
    let there = try Program.run(
      ["convert", "s.geojson", "--where", "name != 'a'", "-o", "s.gpx"], in: folder)
    #expect(there.status == 0, "\(there.errors)")
    #expect(try Program.run(["list", "s.gpx", "--format", "ids"], in: folder).lines == ["2", "3"])
  }

  @Test func `an index of a track answers as the track does`() throws {
    let folder = try Folder()
    try folder.write(Self.walk, to: "w.gpx")
    let built = try Program.run(
      ["index", "build", "--points", "tracks", "w.gpx", "-o", "w.nbx"], in: folder)
    #expect(built.status == 0, "\(built.errors)")
    let query = ["--lat", "37.5", "--lon", "127", "--json"]
    #expect(
      try Program.run(query + ["w.nbx"], in: folder).text
        == Program.run(query + ["--points", "tracks", "w.gpx"], in: folder).text)
  }

  @Test func `entities and broken XML are refused`() throws {
    let folder = try Folder()
    let bomb =
      "<!DOCTYPE gpx [<!ENTITY a \"x\">]><gpx><wpt lat='1' lon='2'><name>&a;</name></wpt></gpx>"
    for (text, code) in [(bomb, "xml-doctype"), ("<gpx>\n<wpt></gpx>", "xml-syntax")] {
      try folder.write(text, to: "b.gpx")
      let outcome = try Program.run(["check", "b.gpx"], in: folder)
      #expect(outcome.status == 65)
      #expect(outcome.errors.hasPrefix("error: \(code): b.gpx: line "), "\(outcome.errors)")
    }
  }
}
