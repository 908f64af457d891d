import Foundation
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing
import WebMaps

/// The page as text; `.ci/page.py` opens it in a browser.
@Suite struct WebPageTests {
  private func text(_ page: WebPage, showing collection: String = "{}") -> String {
    String(decoding: page.bytes(showing: Array(collection.utf8)), as: UTF8.self)
  }

  /// The content of the element that begins with a tag.
  private func content(of tag: String, in page: String) throws -> Substring {
    let start = try #require(page.firstRange(of: tag)).upperBound
    return page[start...].prefix { $0 != "<" }
  }

  @Test func `a title is text wherever it stands`() throws {
    let page = text(WebPage(title: "A&B <b>\"x\"</b>"))
    #expect(try content(of: "<title>", in: page) == "A&amp;B &lt;b&gt;&quot;x&quot;&lt;/b&gt;")
    #expect(try content(of: "<h1>", in: page) == "A&amp;B &lt;b&gt;&quot;x&quot;&lt;/b&gt;")
  }

  @Test func `data cannot end its script element`() throws {
    let collection = #"{"features":[],"name":"</script><!-- <script>"}"#
    let page = text(WebPage(title: ""), showing: collection)
    #expect(
      try content(of: #"id="data">"#, in: page)
        == #"{"features":[],"name":"\u003c/script>\u003c!-- \u003cscript>"}"#)
  }

  @Test func `no place of the template is left`() {
    #expect(!text(WebPage(title: "t")).contains("{{"))
  }

  @Test func `a note and links are above the map, as text`() throws {
    var page = WebPage(title: "t")
    #expect(!text(page).contains("id=\"about\""))
    page.note = "2 of 3 <b>"
    page.links = [("Items & more", "/items?f=html&x=\"1\"")]
    #expect(try content(of: "lang=\"en\"><span>", in: text(page)) == "2 of 3 &lt;b&gt;")
    #expect(
      text(page).contains("<a href=\"/items?f=html&amp;x=&quot;1&quot;\">Items &amp; more</a>"))
  }

  /// What stands in the elements of a name that have no address: a policy knows it by hash.
  private func contents(of element: String, in page: String) -> [String] {
    let parts = page.split(separator: "<\(element)>", omittingEmptySubsequences: false)
    return parts.dropFirst().map { rest in
      String(rest[..<(rest.firstRange(of: "</\(element)>")?.lowerBound ?? rest.endIndex)])
    }
  }

  /// A content as the policy must name it, by another program.
  private func name(of content: String) throws -> String {
    let digest = try SystemProgram.run(
      at: "/usr/bin/openssl", ["dgst", "-sha256", "-binary"], input: Array(content.utf8))
    return "'sha256-\(Data(digest.output).base64EncodedString())'"
  }

  private func policy(of page: String) throws -> Substring {
    try content(of: "Content-Security-Policy\" content=\"", in: page).prefix { $0 != "\"" }
  }

  @Test func `a page with everything inside may load nothing and run nothing but its own`() throws {
    let page = text(WebPage(title: ""))
    let scripts = contents(of: "script", in: page), styles = contents(of: "style", in: page)
    #expect(scripts.count == 1 && styles.count == 1)
    #expect(!page.contains("\r") && !page.contains("\u{0}"))
    #expect(
      try policy(of: page) == """
        default-src 'none'; script-src \(name(of: scripts[0])); \
        style-src \(name(of: styles[0])); img-src data:; \
        connect-src 'none'; base-uri 'none'; form-action 'none'
        """)
    #expect(!page.contains("unsafe-"))
  }

  @Test func `what may be loaded is what the settings name`() throws {
    var page = WebPage(title: "")
    page.tiles = .init(address: "https://{s}.tiles.example/{z}/{x}/{y}.png", attribution: "<i>")
    page.dataAddress = "beside.geojson"
    let text = text(page)
    let policy = try policy(of: text)
    #expect(policy.contains("img-src data: https://*.tiles.example;"))
    #expect(policy.contains("connect-src 'self';"))
    #expect(!text.contains(#"id="data""#))
  }

  @Test func `what may be fetched is on the page's host and on those that addresses name`() throws {
    var page = WebPage(title: "")
    page.searchAddress = "names.search"
    #expect(try policy(of: text(page)).contains("connect-src 'self';"))
    page.dataAddress = "https://data.example?at=10:00"
    page.searchAddress = "//names.example:8080/names.search"
    page.liveAddress = "live?since=http://else.example/"
    let expected = "connect-src 'self' https://data.example names.example:8080;"
    #expect(try policy(of: text(page)).contains(expected))
  }

  @Test func `beside tiles the page has what they have not`() {
    var page = WebPage(title: "")
    page.dataAddress = "x.PMTiles"
    page.searchAddress = "x.search"
    let text = text(page, showing: #"{"features":[]}"#)
    #expect(text.contains(#"{"data":"x.PMTiles","search":"x.search""#))
    #expect(text.contains(#"id="data">{"features":[]}"#))
    #expect(!String(decoding: page.bytes(showing: []), as: UTF8.self).contains(#"id="data""#))
  }

  @Test func `settings carry the language and the hours`() throws {
    var page = WebPage(title: "")
    page.language = .korean
    page.land = nil
    page.hours = HoursTable(
      minutes: 10..<20, clocks: [.init(first: 60, changes: [.init(at: 14, 120)])],
      courses: [.init(first: .closed, changes: [.init(at: 12, .open), .init(at: 15, .unknown)])],
      courseOfFeature: [0, -1])
    #expect(
      try content(of: #"id="settings">"#, in: text(page)) == """
        {"language":"ko",\
        "hours":{"from":10,"until":20,"clocks":[[60,4,120]],"rules":[[0,0,2,1,3,2]],"places":[0,-1]}}
        """)
  }

  @Test func `the land is finer near what is shown, and never more than 250 kB`() throws {
    func size(_ box: BoundingBox?) -> Int {
      var page = WebPage(title: "")
      page.land = PageLand(near: box)
      var bare = WebPage(title: "")
      bare.land = nil
      return text(page).utf8.count - text(bare).utf8.count
    }
    let korea = try size(BoundingBox(south: 33, west: 125, north: 39, east: 130))
    let world = size(.world)
    let islands = try size(BoundingBox(south: -20, west: 176, north: -12, east: -178))
    let canada = try size(BoundingBox(south: 45, west: -140, north: 80, east: -55))
    for bytes in [korea, world, islands, canada] { #expect(bytes < 250_000, "\(bytes)") }
    #expect(size(nil) < korea && korea < world, "\(korea) and \(world)")
  }

  @Test func `a base is taken from GeoJSON whole`() throws {
    func feature(_ name: String, _ longitude: Double) -> Feature {
      Feature(
        geometry: .polygon([
          [(0.0, 0.0), (0.01, 0.0), (0.01, 0.01), (0.0, 0.0)].map { east, north in
            Position(longitude: longitude + east, latitude: 37.5 + north)
          }
        ]), properties: ["name": .string(name), "natural": "water"])
    }
    var page = WebPage(title: "")
    page.basemap = PageBasemap([feature("pond", 127)])
    let base = try content(of: #"id="basemap">"#, in: text(page))
    #expect(base.contains(#""name":"pond""#) && base.contains("127.01"))
  }

  @Test(arguments: [-100.0, -95, -90, -85, -80, -75, 10], [90.0, 200, 235, 300])
  func `a base from an archive is around the whole box, however wide`(
    west: Double, width: Double
  ) async throws {
    let dots = stride(from: -178.0, to: 180, by: 8).map { PointSet.legal(30, $0) }
    let tiles = try await Pyramid(dots, rules: TileRules(zooms: 0...6)).tiles
    let box = try BoundingBox(
      south: 20, west: west, north: 40, east: Coordinate.wrappedLongitude(west + width))
    let file = try archive(tiles.map { (address: $0.address, bytes: $0.bytes) })
    var page = WebPage(title: "")
    page.basemap = try PageBasemap(PMTilesArchive(file.bytes), near: box)
    let base = try content(of: #"id="basemap">"#, in: text(page))
    let shown = try GeoJSONReader().features(in: Array(base.utf8)).flatMap {
      feature -> [Position] in
      guard case .multiPoint(let positions)? = feature.geometry else { return [] }
      return positions
    }
    for dot in dots where box.contains(dot) {
      // A unit of a tile is less.
      #expect(shown.contains { abs($0.longitude - dot.longitude) < 0.1 }, "\(dot)")
    }
  }
}
