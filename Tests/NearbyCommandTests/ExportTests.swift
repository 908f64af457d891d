import Foundation
import Testing

/// `nearby export --html SOURCE`.
@Suite struct ExportTests {
  @Test func `a page holds every annotation, the unplaced too`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(
      ["export", "--html", "shops.csv"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("<title>shops</title>"))
    let start = try #require(outcome.text.range(of: #"id="data">"#)).upperBound
    let end = try #require(
      outcome.text.range(of: "</script>", range: start..<outcome.text.endIndex))
    let data = Data(outcome.text[start..<end.lowerBound].utf8)
    let collection = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let features = try #require(collection["features"] as? [[String: Any]])
    #expect(features.count == 7)
    #expect(features.filter { $0["geometry"] is NSNull }.count == 1)
  }

  @Test func `a page knows when its annotations are open`() throws {
    let folder = try Folder()
    try folder.write(
      """
      id,lat,lon,opening_hours
      1,37.5,127.0,09:00-18:00
      2,37.5,127.1,
      3,37.5,127.2,Mo-Su 09:00-18:00
      4,48.1,11.6,02:30-05:00
      5,37.5,127.3,as we like

      """, to: "shops.csv")
    func hours(_ options: String...) throws -> [String: Any]? {
      let outcome = try Program.run(
        ["export", "--html", "shops.csv"] + options,
        environment: ["TZ": "Europe/Berlin"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let start = try #require(outcome.text.range(of: #"id="settings">"#)).upperBound
      let settings = Data(outcome.text[start...].prefix { $0 != "<" }.utf8)
      let json = try JSONSerialization.jsonObject(with: settings) as? [String: Any]
      return json?["hours"] as? [String: Any]
    }
    // The day on which clocks are put back in Germany, and one before it.
    let table = try #require(try hours("--at", "2026-10-25T00:00Z", "--days", "1"))
    let start = 20_750 * 1440
    #expect(table["from"] as? Int == start && table["until"] as? Int == start + 2880)
    // Berlin is two hours ahead and then one, from 01:00 UTC on the second day; Korea and Japan nine.
    #expect(table["clocks"] as? [[Int]] == [[120, 1440 + 60, 60], [540], [540]])
    #expect(table["places"] as? [Int] == [0, -1, 0, 1, 2])
    let rules = try #require(table["rules"] as? [[Int]])
    // Open at 00:00 UTC, which is 09:00 in Korea, closed nine hours later, and so on.
    #expect(rules[0] == [1, 1, 540, 0, 900, 1, 540, 0])
    // 02:30 comes twice in the night that has 25 hours, and opens once: at 00:30 UTC, until 04:00 UTC.
    #expect(rules[1] == [0, 0, 30, 1, 150, 0, 1290, 1, 210, 0])
    #expect(rules[2] == [1, 2])
    #expect(try hours("--days", "0") == nil)
    let utc = try #require(
      try hours("--tz", "UTC", "--at", "2026-10-25T00:00Z", "--days", "1"))
    #expect(utc["clocks"] as? [[Int]] == [[0]])
  }

  @Test func `data beside the page is a file of its own`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(
      ["export", "shops.csv", "-o", "page.html", "--data", "pins.geojson", "--title", "Shops"],
      in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.isEmpty)
    let page = try folder.text("page.html")
    #expect(page.contains(#""data":"pins.geojson""#))
    #expect(page.contains("<title>Shops</title>"))
    #expect(try folder.text("pins.geojson").contains(#""type":"FeatureCollection""#))
  }

  @Test func `data beside the page may be tiles, of which the page knows the kinds`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(
      ["export", "shops.csv", "-o", "page.html", "--data", "pins.pmtiles"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let page = try folder.text("page.html")
    #expect(page.contains(#""data":"pins.pmtiles","search":"pins.search","kinds":[["#))
    // In the page itself is only the row without a position.
    #expect(page.contains(#"id="data">{"type":"FeatureCollection","features":["#))
    #expect(page.ranges(of: #""geometry":null"#).count == 1)
    #expect(!page.contains(#""type":"Point""#))
    #expect(try folder.bytes("pins.pmtiles").starts(with: Array("PMTiles".utf8)))
    #expect(try folder.bytes("pins.search").count > 60)
  }

  @Test func `a page has the names and kinds that the program knows`() throws {
    let folder = try Folder()
    try folder.write(
      "id,name,kind,title,category,lat,lon\n1,wrong,other,Right,cafe,37.5,127\n2,wrong,NULL,Left,,37.6,127\n",
      to: "nf.csv")
    let options = ["--name-field", "title", "--kind-field", "category"]
    #expect(
      try Program.run(["export", "nf.csv", "-o", "p.html"] + options, in: folder).status == 0)
    let chosen = try folder.text("p.html")
    #expect(chosen.contains(#""name":"Right","kind":"cafe""#))
    #expect(chosen.contains(#""name_2":"wrong","kind_2":"other""#))
    #expect(chosen.contains(#""name_2":"wrong","kind":null,"title":"Left""#))
    #expect(!chosen.contains(#""name":"wrong""#))

    // Numbers and truth values are texts, as everywhere else.
    try folder.write(
      #"{"type":"Feature","properties":{"name":7,"kind":true},"geometry":{"type":"Point","coordinates":[127,37]}}"#,
      to: "7.geojson")
    #expect(try Program.run(["export", "7.geojson", "-o", "p.html"], in: folder).status == 0)
    #expect(try folder.text("p.html").contains(#"{"name":"7","kind":"true","#))
  }

  @Test func `beside tiles stands what is no point, with its hours`() throws {
    let folder = try Folder()
    try folder.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"p","properties":{"opening_hours":"24/7"},"geometry":{"type":"Point","coordinates":[127,37]}},
      {"type":"Feature","id":"l","properties":{"kind":"walk","opening_hours":"Mo 09:00-10:00"},
      "geometry":{"type":"LineString","coordinates":[[127,37],[127.1,37.1]]}},
      {"type":"Feature","id":"n","properties":{"name":"nowhere"},"geometry":null}]}
      """, to: "mixed.geojson")
    let outcome = try Program.run(
      ["export", "mixed.geojson", "-o", "page.html", "--data", "Pins.PMTILES"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let page = try folder.text("page.html")
    #expect(page.contains(#""search":"Pins.search","kinds":[["",2],["walk",1]]"#))
    #expect(page.contains(#""places":[1,-1]}"#))
    #expect(page.contains(#""id":"l""#) && page.contains(#""id":"n""#))
    #expect(!page.contains(#""id":"p""#))
    #expect(page.contains(#""type":"LineString","coordinates":[[127,37],[127.1,37.1]]"#))
  }

  @Test func `what is searched beside tiles replaces neither the page nor a source`() throws {
    let folder = try Folder.withShops()
    let page = try Program.run(
      ["export", "--html", "shops.csv", "-o", "pins.search", "--data", "pins.pmtiles"], in: folder)
    #expect(page.status == 64 && page.errors.contains("error: same-output: "), "\(page.errors)")
    let shops = try folder.bytes("shops.csv")
    try folder.write(shops, to: "pins.search")
    let source = try Program.run(
      ["export", "pins.search", "-o", "page.html", "--data", "pins.pmtiles"], in: folder)
    #expect(source.errors.contains("error: output-is-source: "), "\(source.errors)")
    #expect(try folder.bytes("pins.search") == shops)
    #expect(try folder.names == ["pins.search", "shops.csv"])
  }

  @Test func `lines and areas keep their shape, unless points are asked for`() throws {
    let folder = try Folder()
    try folder.write(
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"walk"},
      "geometry":{"type":"LineString","coordinates":[[127,37],[127.1,37.1],[127.2,37]]}}]}
      """, to: "walk.geojson")
    let page = try Program.run(["export", "--html", "walk.geojson"], in: folder).text
    #expect(page.contains(#""type":"LineString","coordinates":[[127,37],[127.1,37.1],[127.2,37]]"#))
    let points = try Program.run(["export", "--html", "walk.geojson", "--by", "point"], in: folder)
    #expect(
      points.text.contains(#""type":"Point""#) && !points.text.contains(#""type":"LineString""#))
  }

  @Test func `a walk becomes a page, with its fences and events`() throws {
    let folder = try Folder()
    try folder.write(
      """
      time,lat,lon
      2026-11-22T10:00:00Z,37.500,127.000
      2026-11-22T10:05:00Z,37.504,127.000
      2026-11-22T10:06:00Z,35.000,129.000
      2026-11-22T10:10:00Z,37.508,127.000

      """, to: "walk.csv")
    try folder.write("id,name,lat,lon\ns,학교,37.504,127.0\n", to: "fences.csv")
    func features(_ arguments: [String]) throws -> [[String: Any]] {
      let outcome = try Program.run(arguments, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let start = try #require(outcome.text.range(of: #"id="data">"#)).upperBound
      let end = try #require(
        outcome.text.range(of: "</script>", range: start..<outcome.text.endIndex))
      let json = try JSONSerialization.jsonObject(
        with: Data(outcome.text[start..<end.lowerBound].utf8))
      return try #require((json as? [String: Any])?["features"] as? [[String: Any]])
    }
    func kinds(_ features: [[String: Any]]) -> [String?] {
      features.map { ($0["properties"] as? [String: Any])?["kind"] as? String }
    }
    let gate = ["--gate", "none", "--max-speed", "12m/s"]
    let walk = try features(["track", "walk.csv", "--html"] + gate)
    #expect(kinds(walk) == ["track", "rejected"])
    func line(_ feature: [String: Any]) -> [[Double]]? {
      (feature["geometry"] as? [String: Any])?["coordinates"] as? [[Double]]
    }
    #expect(line(walk[0]) == [[127, 37.5], [127, 37.504], [127, 37.508]])
    // Where the date changes, too, a way is one line.
    try folder.write(
      "time,lat,lon\n2026-11-22T21:00:00Z,-16.8,179.99\n2026-11-22T21:03:00Z,-16.79,-179.99\n",
      to: "fiji.csv")
    let fiji = try features(["track", "fiji.csv", "--html", "--gate", "none"])
    #expect(fiji.count == 1 && fiji.first.flatMap(line) == [[179.99, -16.8], [-179.99, -16.79]])
    let fenced = try features(
      ["fence", "walk.csv", "fences.csv", "--radius", "100m", "--format", "html"] + gate)
    #expect(kinds(fenced) == ["fence", "track", "enter", "rejected", "exit"])
    let ring = ((fenced[0]["geometry"] as? [String: Any])?["coordinates"] as? [[[Double]]])?[0]
    #expect(ring?.count == 73 && ring?.first == ring?.last)
  }

  @Test func `a base comes from GeoJSON, or from the tiles around what is shown`() throws {
    let folder = try Folder.withShops()
    try folder.write(
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"pond","natural":"water"},
      "geometry":{"type":"Polygon","coordinates":[[[126.9,37.5],[127.1,37.5],[127.1,37.6],[126.9,37.5]]]}},
      {"type":"Feature","properties":{"name":"far","natural":"water"},
      "geometry":{"type":"Polygon","coordinates":[[[6.9,37.5],[7.1,37.5],[7.1,37.6],[6.9,37.5]]]}}]}
      """, to: "base.geojson")
    let whole = try Program.run(
      ["export", "--html", "shops.csv", "--basemap", "base.geojson"], in: folder)
    #expect(whole.text.contains(#""name":"pond""#) && whole.text.contains(#""name":"far""#))
    #expect(
      try Program.run(["tiles", "base.geojson", "-z", "0-12", "-o", "base.pmtiles"], in: folder)
        .status == 0)
    let tiled = try Program.run(
      ["export", "--html", "shops.csv", "--basemap", "base.pmtiles"], in: folder)
    #expect(tiled.status == 0, "\(tiled.errors)")
    #expect(tiled.text.contains(#""natural":"water""#) && tiled.text.contains(#""name":"pond""#))
    #expect(!tiled.text.contains(#""name":"far""#))
    try folder.write("no archive", to: "bad.pmtiles")
    let bad = try Program.run(
      ["export", "--html", "shops.csv", "--basemap", "bad.pmtiles"], in: folder)
    #expect(bad.status == 65 && bad.errors.contains("error: pmtiles-"), "\(bad.errors)")
  }

  @Test(arguments: [
    (["export", "shops.csv"], "missing-format"),
    (["export", "--html", "shops.csv", "--days", "367"], "bad-days"),
    (["export", "--html", "shops.csv", "--at", "noon"], "bad-time"),
    (["export", "--html", "shops.csv", "--tz", "Asia/Soul"], "zone-unknown"),
    (["export", "--html", "shops.csv", "--lang", "xx"], "bad-lang"),
    (["export", "--html", "shops.csv", "--tiles", "a.png"], "bad-tiles"),
    (
      ["export", "--html", "shops.csv", "--tiles", "https://a.example/{z}/{x}/{y}.png"],
      "missing-attribution"
    ),
    (["export", "--html", "shops.csv", "--attribution", "me"], "missing-tiles"),
    (["export", "--html", "shops.csv", "--data", "pins.geojson"], "data-beside"),
    (["export", "shops.csv", "-o", "p.html", "--data", "x/pins.geojson"], "data-beside"),
  ])
  func `a mistake is told, and nothing is written`(arguments: [String], code: String) throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(arguments, in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("error: \(code): "), "\(outcome.errors)")
    #expect(outcome.text.isEmpty)
    #expect(try !folder.names.contains("p.html"))
  }

  @Test func `a page is missing when its source or its base is`() throws {
    let folder = try Folder.withShops()
    for arguments in [["no.csv"], ["shops.csv", "--basemap", "nowhere.geojson"]] {
      let outcome = try Program.run(["export", "-o", "p.html"] + arguments, in: folder)
      #expect(outcome.status == 66)
      #expect(try !folder.names.contains("p.html"))
    }
  }
}
