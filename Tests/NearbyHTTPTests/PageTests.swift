import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import NearbyHTTP

/// What a browser gets.
@Suite struct PageTests {
  @Test func `documents come as HTML, too, with all that they say`() throws {
    let service = Served.service(try Served.shops(5))
    for (address, word) in [
      ("/conformance", "conf/basic-cql2"), ("/api", "/collections/shops/nearest"),
      ("/collections/shops/queryables", "opening_hours"),
      ("/collections/shops/schema", "opening_hours"),
    ] {
      for answer in [
        service.get(address + "?f=html"), service.get(address, ["accept": "text/html"]),
      ] {
        #expect(answer.header("content-type") == "text/html; charset=utf-8")
        let text = answer.text
        #expect(text.contains("<html") && text.contains(word))
      }
      #expect(service.get(address + "?f=json", ["accept": "text/html"]).bytes.first == 0x7B)
    }
  }

  @Test func `errors come as HTML to who asks for that`() throws {
    let service = Served.service(try Served.shops(5))
    let browser = ["accept": "text/html,application/xhtml+xml,*/*;q=0.8"]
    for answer in [service.get("/x", browser), service.get("/x?f=html")] {
      #expect(answer.status == 404 && answer.header("cache-control") == "no-store")
      #expect(answer.header("content-type") == "text/html; charset=utf-8")
      #expect(answer.text.contains("<title>Not Found</title>") && answer.text.contains("not-found"))
    }
    for answer in [
      service.get("/x"), service.get("/x", ["accept": "*/*"]), service.get("/x?f=json", browser),
    ] {
      #expect(answer.header("content-type") == "application/problem+json")
    }
  }

  @Test func `a table has no fields without a value`() throws {
    let service = Served.service(
      try Served.annotations("id,latitude,longitude,brand,note\na,1,1,,x\n"))
    let page = service.get("/collections/shops/items?f=html").text
    #expect(page.contains("<td>note: x</tr>"), "\(page)")
  }

  @Test func `the landing page links to all that is there`() throws {
    let service = Served.service(try Served.shops(5))
    let page = service.get("/?f=html").text
    for address in [
      "/collections?f=html", "/api", "/api?f=html", "/conformance?f=html",
      "/collections/shops?f=html", "/collections/shops/items?f=html", "/tiles/shops/tilejson.json",
    ] {
      #expect(page.contains("<a href=\"http://localhost\(address)\">"), "\(address)")
      #expect(service.get(address).status == 200)
    }
    // Words of a heading are not broken to fit a narrow screen.
    #expect(page.contains("h1,dt,dd,li,td{overflow-wrap:anywhere}"))
    let relations = try service.get("/").objects("links").compactMap { $0["rel"]?.text }
    #expect(relations.contains("service-doc") && relations.contains("service-desc"))
  }

  @Test func `every link of a collection leads somewhere`() throws {
    let service = Served.service(try Served.shops(5))
    let links = try service.get("/collections/shops").objects("links")
    // A stream would never end.
    for link in links where link["rel"] != "events" {
      let address = try #require(link["href"]?.text)
      let path = String(address.dropFirst("http://localhost".count))
      #expect(service.get(path).status == 200, "\(path)")
    }
    #expect(links.count > 8)
  }

  @Test(arguments: ["시도명", "色", "a&b", "c+d", "e#f", "100 %", "x=y", "%41", "{z}"])
  func `a link has the name of every column that filters`(column: String) throws {
    let text = "id,latitude,longitude,\(column)\na,1,1,서울\nb,2,2,서울\nc,3,3,x\n"
    let filter = "\(column.percentEncoded(keeping: ""))=%EC%84%9C%EC%9A%B8"
    func isAddress(_ address: String) -> Bool {
      address.replacing("{z}/{x}/{y}", with: "0/0/0").utf8.allSatisfy {
        $0.isASCIIDigit || (0x61...0x7A).contains($0 | 0x20) || "-._~,:/()?&=%".utf8.contains($0)
      }
    }
    for service in NearbyService.both(of: try Served.annotations(text)) {
      let address = "/collections/shops/items?limit=1&\(filter)"
      let page = service.get(address)
      let next = try #require(try page.next)
      #expect(isAddress(next), "\(next)")
      #expect(try page.ids == ["a"] && service.get(next).ids == ["b"])
      let sequence = try #require(service.get(address + "&f=jsonseq").header("link"))
      #expect(sequence.contains(next.replacing("&after", with: "&f=jsonseq&after")), "\(sequence)")
      #expect(
        service.get(address + "&f=html").text.contains("&amp;\(filter)&amp;f=html&amp;after="))
      guard
        case .array(let tiles)? = try service.get("/tiles/shops/tilejson.json?\(filter)")
          .member("tiles"), let tile = tiles.first?.text
      else {
        Issue.record("no tiles")
        return
      }
      #expect(isAddress(tile) && tile.hasSuffix(".mvt?\(filter)"), "\(tile)")
      let style = service.get("/tiles/shops/style.json?\(filter)")
      #expect(try style.member("sources", "shops", "tiles") == .array(tiles))
    }
  }

  @Test func `HTML has all that GeoJSON has`() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[127.00999999999999,37.510000000000005]},
       "properties":{"name":"Café <1>","opening_hours":"24/7","tags":["x",{"y":2}],"none":null}},
      {"type":"Feature","id":"b","geometry":{"type":"LineString","coordinates":[[127,37],[127.5,37.25]]},
       "properties":{}}]}
      """
    for service in NearbyService.both(of: try Served.annotations(text, "shops.geojson")) {
      let query = "/collections/shops/nearest?lat=37.5&lon=127&open=now&k=1"
      let json = service.get(query), page = service.get(query + "&f=html").text
      for name in ["distance", "bearing", "openState", "nextChange"] {
        let value = try #require(try json.features.first?["properties"]?.members?[name])
        #expect(page.contains("\(name): \(value.text ?? "null")"), "\(name)")
      }
      #expect(page.contains("<td>37.51,127.01<td>") && page.contains(". 1 item."))
      let items = service.get("/collections/shops/items?f=html&limit=1").text
      for page in [page, items] {
        #expect(page.contains(#"tags: [&quot;x&quot;,{&quot;y&quot;:2}]; none: null"#))
        #expect(page.contains("f=json\">GeoJSON</a>"))
      }
      #expect(items.contains("1 of 2.") && !items.contains("distance"))
      // They have columns of their own.
      #expect(!["id: ", "name: ", "kind: "].contains { items.contains($0) })
      let item = service.get("/collections/shops/items/a?f=html").text
      for part in [
        "<title>Café &lt;1&gt;</title>", "<h1>Café &lt;1&gt;</h1>", "24/7", "<li>x",
      ] {
        #expect(item.contains(part), "\(part)")
      }
      #expect(item.contains(#"<a href="http://localhost/collections/shops">"#))
      let line = service.get("/collections/shops/items/b?f=html").text
      #expect(line.contains("<h1>b</h1>") && line.contains("<dd>[[127,37],[127.5,37.25]]"))
    }
  }

  @Test func `text of the data stays text in pages`() throws {
    let service = Served.service(
      try Served.annotations("id,name,latitude,longitude\n<b>,\"<script>alert(1)</script>\",1,2\n"))
    for address in ["/collections/shops/items?f=html", "/collections/shops?f=html", "/?f=html"] {
      let page = service.get(address).text
      #expect(!page.contains("<script>alert"))
      #expect(!page.contains("<b>"))
    }
  }

  @Test func `a map says how much it leaves out, and links to the rest`() throws {
    let service = Served.service(try Served.shops(5))
    let collection = service.collections[0]
    let asked = NearbyService.Asked(
      request: ServerRequest("GET", "/collections/shops"), now: Served.noon,
      base: "http://localhost")
    let part = String(decoding: service.page(asked, collection, upTo: 3), as: UTF8.self)
    #expect(part.contains("This map shows 3 of 5 places."))
    #expect(part.contains("s3") && !part.contains("\"s4\""))
    let whole = service.get("/collections/shops?f=html").text
    #expect(!whole.contains("This map shows"))
    for page in [part, whole] {
      for address in [
        "collections/shops/items?f=html", "tiles/shops/tilejson.json", "collections?f=html",
        "collections/shops/queryables?f=html", "collections/shops/schema?f=html",
        "collections/shops?f=json",
      ] {
        #expect(page.contains("<a href=\"http://localhost/\(address)\">"), "\(address)")
        #expect(service.get("/\(address)").status == 200)
      }
    }
  }
}
