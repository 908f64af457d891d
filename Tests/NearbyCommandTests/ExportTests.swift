import Foundation
import Testing

/// `nearby export --html SOURCE`.
@Suite struct ExportTests {
  @Test func `a page holds every annotation, the unplaced too`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(
      ["export", "--html", "shops.csv", "--leaflet", "none"], in: folder)
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

  @Test func `a library in a folder comes into the page`() throws {
    let folder = try Folder.withShops()
    try folder.write("var L = 'ours'", to: "leaflet.js")
    try folder.write(".ours {}", to: "leaflet.css")
    let outcome = try Program.run(["export", "--html", "shops.csv", "--leaflet", "."], in: folder)
    #expect(outcome.text.contains("var L = 'ours'"))
    #expect(outcome.text.contains(".ours {}"))
  }

  @Test(arguments: [
    (["export", "shops.csv"], "missing-format"),
    (["export", "--html", "shops.csv", "--lang", "xx"], "bad-lang"),
    (["export", "--html", "shops.csv", "--leaflet", "https://a.example/"], "missing-integrity"),
    (
      [
        "export", "--html", "shops.csv", "--leaflet", "https://a.example/", "--leaflet-integrity",
        "md5-abc,md5-def",
      ], "missing-integrity"
    ),
    (["export", "--html", "shops.csv", "--tiles", "a.png"], "bad-tiles"),
    (
      [
        "export", "--html", "shops.csv", "--leaflet", "none", "--tiles",
        "https://a.example/{z}/{x}/{y}.png",
      ], "no-leaflet"
    ),
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

  @Test func `a page is missing when its source or its library is`() throws {
    let folder = try Folder.withShops()
    for arguments in [["no.csv"], ["shops.csv", "--leaflet", "nowhere"]] {
      let outcome = try Program.run(["export", "-o", "p.html"] + arguments, in: folder)
      #expect(outcome.status == 66)
      #expect(try !folder.names.contains("p.html"))
    }
  }
}
