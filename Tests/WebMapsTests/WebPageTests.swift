import Foundation
import Geodesy
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
    var page = WebPage(title: "t")
    page.library = .embedded(script: Array("var L".utf8), style: Array(".l{}".utf8))
    #expect(!text(page).contains("{{"))
    #expect(!text(WebPage(title: "t")).contains("{{"))
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
    let digest = try SystemProgram.output(
      of: "/usr/bin/openssl", ["dgst", "-sha256", "-binary"], input: Array(content.utf8))
    return "'sha256-\(Data(digest).base64EncodedString())'"
  }

  private func policy(of page: String) throws -> Substring {
    try content(of: "Content-Security-Policy\" content=\"", in: page).prefix { $0 != "\"" }
  }

  @Test func `a page with everything inside may load nothing and run nothing but its own`() throws {
    let plain = text(WebPage(title: ""))
    var page = WebPage(title: "")
    // As Windows writes them, with what HTML reads otherwise, and with a line that is taken out.
    page.library = .embedded(
      script: Array("var L\r\n=\"</script>\u{0}\"\r//# sourceMappingURL=a.map\rvar M".utf8),
      style: Array(".l{}\r\n".utf8))
    for (page, count) in [(plain, 1), (text(page), 2)] {
      let scripts = contents(of: "script", in: page), styles = contents(of: "style", in: page)
      #expect(scripts.count == count && styles.count == count)
      #expect(!page.contains("\r") && !page.contains("\u{0}") && !page.contains("sourceMapping"))
      // The page's own stands last in the page and first in the policy.
      let scriptNames = try scripts.reversed().map(name)
      let styleNames = try styles.reversed().map(name)
      #expect(
        try policy(of: page) == """
          default-src 'none'; script-src \(scriptNames.joined(separator: " ")); \
          style-src \(styleNames.joined(separator: " ")); img-src data:; \
          connect-src 'none'; base-uri 'none'; form-action 'none'
          """)
    }
    #expect(!plain.contains("unsafe-"))
  }

  @Test func `what may be loaded is what the settings name`() throws {
    var page = WebPage(title: "")
    page.library = .linked(
      script: .init(address: "https://a.example/leaflet.js", integrity: "sha384-AAA"),
      style: .init(address: "https://a.example/leaflet.css", integrity: "sha384-BBB"))
    page.tiles = .init(address: "https://{s}.tiles.example/{z}/{x}/{y}.png", attribution: "<i>")
    page.dataAddress = "beside.geojson"
    let text = text(page)
    let policy = try policy(of: text)
    let script = try name(of: contents(of: "script", in: text)[0])
    let style = try name(of: contents(of: "style", in: text)[0])
    #expect(policy.contains("script-src \(script) https://a.example/leaflet.js;"))
    #expect(policy.contains("style-src \(style) https://a.example/leaflet.css;"))
    #expect(policy.contains("img-src data: https://*.tiles.example;"))
    #expect(policy.contains("connect-src 'self';"))
    #expect(text.contains(#"src="https://a.example/leaflet.js" integrity="sha384-AAA""#))
    #expect(text.contains(#"href="https://a.example/leaflet.css" integrity="sha384-BBB""#))
    #expect(!text.contains(#"id="data""#))
  }

  @Test func `a library inside neither ends its element nor asks for its source map`() {
    var page = WebPage(title: "")
    page.library = .embedded(
      script: Array("var a=\"</SCRIPT>\"+1\n//# sourceMappingURL=leaflet.js.map".utf8),
      style: Array("a{content:\"</style>\"}\n/*# sourceMappingURL=leaflet.css.map */".utf8))
    let text = text(page)
    #expect(text.contains("var a=\"<\\/SCRIPT>\"+1\n"))
    #expect(text.contains("a{content:\"<\\/style>\"}\n"))
    #expect(!text.contains("sourceMappingURL"))
  }

  @Test func `settings carry the language, the coasts and the hours`() throws {
    var page = WebPage(title: "")
    page.language = .korean
    page.coasts = .init(
      [[try Coordinate(latitude: 1, longitude: 2), try Coordinate(latitude: 3, longitude: 4.5)]],
      lastZoom: 7)
    page.hours = HoursTable(
      minutes: 10..<20, clocks: [.init(first: 60, changes: [.init(at: 14, 120)])],
      courses: [.init(first: .closed, changes: [.init(at: 12, .open), .init(at: 15, .unknown)])],
      courseOfFeature: [0, -1])
    #expect(
      try content(of: #"id="settings">"#, in: text(page)) == """
        {"language":"ko","coasts":{"lastZoom":7,"lines":[[[1,2],[3,4.5]]]},\
        "hours":{"from":10,"until":20,"clocks":[[60,4,120]],"rules":[[0,0,2,1,3,2]],"places":[0,-1]}}
        """)
  }
}

extension String {
  fileprivate func firstRange(of part: String) -> Range<Index>? {
    indices.lazy.map { self[$0...] }.first { $0.hasPrefix(part) }
      .map { $0.startIndex..<index($0.startIndex, offsetBy: part.count) }
  }
}
