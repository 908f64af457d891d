import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Synchronization
import Testing

@testable import NearbyHTTP

@Suite struct ServiceTests {
  @Test(arguments: [
    ("/nothing", 404, "not-found"), ("/collections/none", 404, "not-found"),
    ("/collections/shops/none", 404, "not-found"),
    ("/collections/shops/items/none", 404, "not-found"),
    ("/collections/shops/items/a/b", 404, "not-found"), ("/collections/%ff", 400, "path-value"),
    ("/collections/shops/items?limit=0", 400, "bad-limit"),
    ("/collections/shops/items?limit=x", 400, "bad-limit"),
    ("/collections/shops/items?limit=5&limit=6", 400, "query-parameter"),
    ("/collections/shops/items?bbox=1,2,3", 400, "bad-bbox"),
    ("/collections/shops/items?bbox=1,2,3,a", 400, "not-a-number"),
    ("/collections/shops/items?bbox=1,50,2,40", 400, "bbox-order"),
    ("/collections/shops/items?bbox=1,95,2,96", 400, "lat-lon-swapped"),
    ("/collections/shops/items?bbox=nan,1,2,3", 400, "not-a-number"),
    ("/collections/shops/items?unknown=1", 400, "query-parameter"),
    ("/collections/shops/items?name=%ff", 400, "query-value"),
    ("/collections/shops/items?f=xml", 400, "bad-format"),
    ("/collections/shops/items?filter-lang=cql2-json", 400, "query-value"),
    ("/collections/shops/items?filter=none%20%3D%201", 400, "where-field"),
    ("/collections/shops/items?within=100", 400, "missing-position"),
    ("/collections/shops/items?after=x", 400, "cursor-syntax"),
    ("/collections/shops/items?on=never", 400, "bad-date"),
    ("/collections/shops/nearest", 400, "missing-position"),
    ("/collections/shops/nearest?lat=37", 400, "missing-position"),
    ("/collections/shops/nearest?lat=91&lon=100", 400, "lat-range"),
    ("/collections/shops/nearest?lat=1&lon=181", 400, "lon-range"),
    ("/collections/shops/nearest?lat=127.03&lon=37.5", 400, "lat-lon-swapped"),
    ("/collections/shops/nearest?lat=37,5&lon=127", 400, "not-a-number"),
    ("/collections/shops/nearest?lat=0&lon=0.0004", 400, "null-island"),
    ("/collections/shops/nearest?lat=1&lon=1&within=5&beyond=5", 400, "empty-ring"),
    ("/collections/shops/items?where=rating%20%3E", 400, "where-syntax"),
    ("/collections/shops/items?sort=none", 400, "unknown-field"),
    ("/collections/shops/facets?facets=none", 400, "unknown-field"),
    ("/collections/shops/items?rating=1&rating=2", 400, "query-parameter"),
    ("/collections/shops/nearest?lat=1&lon=1&k=0", 400, "bad-k"),
    ("/collections/shops/nearest?lat=1&lon=1&k=99999999999999999999", 400, "bad-k"),
    ("/collections/shops/nearest?lat=1&lon=1&open=later", 400, "bad-time"),
    ("/collections/shops/nearest?lat=1&lon=1&open=25:00", 400, "bad-time"),
    ("/collections/shops/nearest?lat=1&lon=1&open=now&stay=soon", 400, "bad-duration"),
    ("/collections/shops/nearest?lat=1&lon=1&open=now&hours-unknown=x", 400, "bad-hours-unknown"),
    ("/collections/shops/nearest?lat=1&lon=1&open=arrival&detour=0.5", 400, "bad-detour"),
    ("/collections/shops/nearest?lat=1&lon=1&open=arrival&detour=1000", 400, "bad-detour"),
    ("/collections/shops/nearest?lat=1&lon=1&open=arrival&detour=x", 400, "bad-detour"),
    ("/collections/shops/nearest?lat=1&lon=1&open=arrival&speed=0", 400, "bad-speed"),
    ("/collections/shops/nearest?lat=1&lon=1&detour=2", 400, "missing-open"),
    ("/collections/shops/nearest?lat=1&lon=1&stay=20m", 400, "missing-open"),
    ("/collections/shops/items?sort=:desc", 400, "bad-sort"),
    ("/collections/shops/clusters?zoom=3", 400, "missing-bbox"),
    ("/collections/shops/clusters?bbox=1,1,2,2", 400, "missing-zoom"),
    ("/collections/shops/clusters?bbox=1,1,2,2&zoom=99", 400, "bad-zoom"),
    ("/collections/shops/diff", 400, "missing-since"),
    ("/?x=1", 400, "query-parameter"), ("/collections?f=gml", 400, "bad-format"),
    ("/conformance?x=1", 400, "query-parameter"), ("/api?x=1", 400, "query-parameter"),
    ("/collections/shops/queryables?x=1", 400, "query-parameter"),
    ("/collections/shops/items/s1?bbox=1,1,2,2", 400, "query-parameter"),
    ("/collections/shops/items/s1?f=jsonseq", 400, "bad-format"),
    ("/collections/shops/clusters?bbox=1,1,2,2&zoom=9&k=1", 400, "query-parameter"),
    ("/collections/shops/clusters?bbox=1,1,2,2&zoom=9&filter=none%20%3D%201", 400, "where-field"),
    ("/collections/shops/diff?since=1..2", 400, "query-value"),
    ("/collections/shops/live?since=-1", 400, "query-value"),
    ("/collections/shops/live?open=now", 400, "query-parameter"),
    ("/tiles/shops/0/0/0.mvt?x=1", 400, "query-parameter"),
    ("/tiles/shops/0/0/0.mvt?bbox=1,1,2,2", 400, "query-parameter"),
    ("/tiles/shops/0/0/0.mvt?filter=none%20%3D%201", 400, "where-field"),
    ("/tiles/shops/tilejson.json?filter=none%20%3D%201", 400, "where-field"),
    ("/tiles/shops/style.json?filter=none%20%3D%201", 400, "where-field"),
    ("/tiles/shops/tilejson.json?x=1", 400, "query-parameter"),
    ("/tiles/shops/style.json?x=1", 400, "query-parameter"),
    ("/fences?x=1", 400, "query-parameter"),
  ])
  func `mistakes are answered with their code`(
    address: String, status: Int, code: String
  ) throws {
    let answer = Served.service(try Served.shops(5)).get(address)
    #expect(answer.status == status)
    #expect(answer.code == code)
    #expect(answer.header("content-type") == "application/problem+json")
    #expect(try answer.member("status") == .integer(status))
    #expect(try answer.member("detail")?.text?.isEmpty == false)
    // Whatever is wrong with a parameter names it.
    if status == 400, let query = address.split(separator: "?").dropFirst().first {
      let names = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
      let parameter = try #require(try answer.member("parameter")?.text)
      #expect(
        names.contains { $0 == parameter } || code.hasPrefix("missing-"), "\(parameter)")
    }
  }

  @Test func `what is not there is listed at the address that an error names`() throws {
    let service = Served.service(try Served.shops(5))
    for (address, remedy) in [
      ("/collections/shops/items/none", "/collections/shops/items lists those that there are"),
      ("/collections/shops/none", "/collections/shops links to what it has"),
      ("/tiles/shops/0/0/x.mvt", "write zoom/x/y.mvt"),
      ("/tiles/shops/none", "they have tilejson.json, style.json and zoom/x/y.mvt"),
      ("/collections/none", "/collections lists what there is"),
    ] {
      let answer = service.get(address)
      #expect(answer.status == 404 && answer.code == "not-found")
      #expect(try answer.member("detail")?.text?.hasSuffix("; " + remedy) == true, "\(address)")
    }
  }

  @Test func `writing takes no parameters, and the null island may be allowed`() throws {
    let service = Served.service(try Served.shops(5), keeper: MemoryKeeper())
    for (method, path) in [("PUT", "/s1"), ("DELETE", "/s1"), ("POST", "")] {
      let answer = service.send(method, "/collections/shops/items\(path)?x=1", "{}")
      #expect(answer.code == "query-parameter")
    }
    let island = NearbyService(
      service.collections, clocks: Served.clocks, allowsNullIsland: true, now: { Served.noon })
    #expect(try island.get("/collections/shops/nearest?lat=0&lon=0&k=2").ids.count == 2)
  }

  @Test func `what is asked twice is answered once`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(50), keeper: keeper)
    for address in [
      "/", "/collections", "/collections/shops", "/collections/shops/items", "/api",
      "/collections/shops/items/s1", "/collections/shops/nearest?lat=37.5&lon=127",
      "/collections/shops/facets", "/tiles/shops/0/0/0.mvt", "/tiles/shops/tilejson.json",
      "/collections/shops/items?f=html", "/collections/shops/clusters?bbox=126,37,128,38&zoom=9",
      "/tiles/shops/0/0/0.mvt?kind=mart", "/tiles/shops/0/0/0.mvt?open=now",
    ] {
      let first = service.get(address)
      let tag = try #require(first.header("etag"))
      #expect(first.status == 200)
      let second = service.get(address, ["if-none-match": "\"x\", \(tag)"])
      #expect(second.status == 304 && second.bytes.isEmpty)
      #expect(second.header("etag") == tag)
    }
    let tag = service.get("/collections/shops/items").header("etag")
    _ = service.send("DELETE", "/collections/shops/items/s1")
    #expect(service.get("/collections/shops/items", ["if-none-match": tag ?? ""]).status == 200)
  }

  @Test func `what is written to or watched is not cached unasked, nor is what lists it`() throws {
    let shops = try Served.shops(5)
    let readOnly = Served.service(shops)
    let written = Served.service(shops, keeper: MemoryKeeper())
    let watched = NearbyService(
      readOnly.collections, clocks: Served.clocks, isWatched: true, now: { Served.noon })
    for address in [
      "/", "/api", "/collections", "/collections?f=html", "/collections/shops",
      "/collections/shops/items",
    ] {
      #expect(readOnly.get(address).header("cache-control") == "public, max-age=60")
      for service in [written, watched] {
        #expect(service.get(address).header("cache-control") == "no-cache", "\(address)")
      }
    }
  }

  @Test func `formats come by Accept and by f`() throws {
    let service = Served.service(try Served.shops(5))
    for (accept, type) in [
      ("*/*", "application/geo+json"), ("application/json", "application/geo+json"),
      ("application/geo+json-seq", "application/geo+json-seq"),
      ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
      ("text/html;q=0, application/json", "application/geo+json"),
      ("text/html;q=0.1, application/geo+json", "application/geo+json"),
      ("Text/HTML;level=1;Q=0.9, application/*;q=0.2", "text/html; charset=utf-8"),
      ("*/*;q=0.5, application/geo+json;q=0", "application/geo+json-seq"),
    ] {
      #expect(
        service.get("/collections/shops/items", ["accept": accept]).header("content-type") == type)
    }
    #expect(
      service.get("/collections/shops/items", ["accept": "image/png"]).code == "not-acceptable")
    for path in [
      "", "conformance", "api", "collections", "collections/shops", "collections/shops/queryables",
      "collections/shops/schema", "collections/shops/items", "collections/shops/items/s1",
      "collections/shops/nearest",
    ] {
      let address = path.hasSuffix("nearest") ? "/\(path)?lat=37.5&lon=127" : "/\(path)"
      let refused = service.get(address, ["accept": "application/xml"])
      #expect(refused.status == 406 && refused.code == "not-acceptable", "\(address)")
      for accept in ["application/xml, */*;q=0.1", "application/xml, application/json", ""] {
        #expect(service.get(address, ["accept": accept]).status == 200, "\(address) \(accept)")
      }
    }
    for (path, accept) in [
      ("/api", "application/openapi+json;version=3.0"),
      ("/api", "application/vnd.oai.openapi+json;version=3.0"),
      ("/collections/shops/schema", "application/schema+json"),
    ] {
      #expect(service.get(path, ["accept": accept]).bytes.first == 0x7B)
    }
    for accept in [
      "application/geo+json;q=0.5, application/json, text/html;q=0.9",
      "application/geo+json;q=0, application/json",
    ] {
      for path in ["/", "/conformance", "/api", "/collections", "/collections/shops"] {
        let answer = service.get(path, ["accept": accept])
        #expect(answer.status == 200 && answer.bytes.first == 0x7B, "\(path) \(accept)")
      }
    }
    for address in ["/collections/shops/items?f=json", "/collections/shops/items/s1?f=json"] {
      #expect(
        service.get(address, ["accept": "text/html"]).header("content-type")
          == "application/geo+json")
    }
  }

  @Test func `links have the host that the client asked for, if it is one`() throws {
    let service = Served.service(try Served.shops(5))
    for (host, base) in [
      ("my_map:9120", "my_map:9120"), ("a~b.example", "a~b.example"), ("[::1]:80", "[::1]:80"),
      ("", "localhost"), ("a\"b", "localhost"), ("a/b", "localhost"), ("a@b", "localhost"),
    ] {
      let text = service.get("/", ["host": host]).text
      #expect(text.contains("\"http://\(base)/conformance\""), "\(host)")
    }
  }

  @Test func `methods that are not for an address are said`() throws {
    let service = Served.service(try Served.shops(5))
    let post = service.send("POST", "/collections")
    #expect(post.status == 405)
    #expect(post.header("allow") == "GET, HEAD, OPTIONS")
    #expect(service.send("POST", "/metrics").header("allow") == "GET, HEAD, OPTIONS")
    // Where nothing is, no method is wrong.
    for path in [
      "/nothing", "/collections/none", "/collections/shops/none", "/collections/shops/items/a/b",
      "/collections/none/items", "/tiles/none/0/0/0.mvt", "/tiles/shops/0/0/0.png",
      "/tiles/shops/19/0/0.mvt", "/tiles/shops/0/0", "/fences/none/events",
    ] {
      let nowhere = service.send("POST", path)
      #expect(nowhere.status == 404 && nowhere.code == service.get(path).code, "\(path)")
      #expect(nowhere.header("allow") == nil)
    }
    for path in [
      "/collections/shops/nearest", "/collections/shops/items/none", "/tiles/shops/0/0/0.mvt",
      "/tiles/shops/style.json", "/fences", "/healthz",
    ] {
      let there = service.send("POST", path)
      #expect(there.status == 405 && there.header("allow") != nil, "\(path)")
    }
    let options = service.send("OPTIONS", "/collections/shops/items")
    #expect(options.status == 204 && options.header("access-control-allow-origin") == "*")
    let whole = service.get("/collections/shops/items")
    let head = service.send("HEAD", "/collections/shops/items")
    #expect(head.status == 200 && head.bytes.isEmpty)
    #expect(head.header("content-length") == String(whole.bytes.count))
    let stream = service.send("HEAD", "/collections/shops/live")
    #expect(stream.status == 200 && stream.bytes.isEmpty)
    #expect(stream.header("content-type") == "text/event-stream")
  }

  @Test func `a style leaves out nothing that is across ±180°`() throws {
    for (longitudes, bounds, middle) in [
      ([170.0, -170], [-180.0, 180], -180.0), ([-180, 180], [-180, -180], -180),
      ([178, -179], [-180, 180], 179.5), ([178, 180], [-180, 180], 179), ([10, 20], [10, 20], 15),
    ] {
      let rows = longitudes.enumerated().map { "\($0.offset),\(10 + $0.offset),\($0.element)\n" }
      let service = Served.service(
        try Served.annotations("id,latitude,longitude\n" + rows.joined()))
      let style = service.get("/tiles/shops/style.json")
      let edges = try #require(try style.member("sources", "shops", "bounds")?.elements)
      let center = try #require(try style.member("center")?.elements)
      #expect(center[0].number == middle)
      let found = edges.compactMap { $0.number }
      #expect(
        abs(found[0] - bounds[0]) < 1e-9 && abs(found[2] - bounds[1]) < 3e-6,
        "\(longitudes): \(found)")
      #expect(try service.get("/tiles/shops/tilejson.json").member("bounds") == .array(edges))
    }
  }

  @Test func `clients that ask too often are told to wait`() throws {
    var limits = ServerLimits()
    limits.rate = 10
    limits.burst = 5
    let now = Mutex(Served.noon)
    let service = Served.service(
      try Served.shops(5), limits: limits, now: { now.withLock { $0 } })
    func statuses(_ client: String, _ count: Int) -> [Int] {
      (0..<count).map { _ in
        service.answer(ServerRequest("GET", "/collections", client: client)).status
      }
    }
    #expect(statuses("a", 7) == [200, 200, 200, 200, 200, 429, 429])
    #expect(statuses("b", 1) == [200])
    let refused = service.answer(ServerRequest("GET", "/collections", client: "a"))
    #expect(refused.header("retry-after") == "1")
    #expect(service.answer(ServerRequest("GET", "/healthz", client: "a")).status == 200)
    now.withLock { $0 = $0.advanced(by: .seconds(0.25)) }
    #expect(statuses("a", 3) == [200, 200, 429])
  }

  @Test(arguments: [
    ("127.0.0.1", "192.0.2.1", "192.0.2.1"), ("127.0.0.1", "10.9.9.9, 192.0.2.1 ", "192.0.2.1"),
    ("::1", "2001:db8::1", "2001:db8::1"), ("::ffff:127.0.0.1", "192.0.2.1", "192.0.2.1"),
    ("127.0.0.1", nil, "127.0.0.1"), ("127.0.0.1", " ", "127.0.0.1"),
    // What other machines say is not believed.
    ("192.0.2.9", "192.0.2.1", "192.0.2.9"), ("::12", "192.0.2.1", "::12"),
  ])
  func `behind a proxy on the same machine, clients are counted by the addresses that it saw`(
    peer: String, forwarded: String?, client: String
  ) {
    let headers = forwarded.map { ["x-forwarded-for": $0] } ?? [:]
    #expect(ServerRequest("GET", "/", headers: headers, client: peer).client == client)
  }

  @Test func `who comes when there is no room is told when to ask again`() async throws {
    var limits = ServerLimits()
    limits.queries = 2
    let service = Served.service(try Served.shops(50), limits: limits)
    let slow = ServerRequest("GET", "/collections/shops/items")
    let quick = ServerRequest("GET", "/collections/shops/nearest?lat=37.5&lon=127")
    func expect(_ answer: ServerAnswer, _ code: String, after seconds: Int) throws {
      #expect(answer.status == 503 && answer.code == code)
      #expect(answer.header("retry-after") == "\(seconds)")
      #expect(answer.header("content-type") == "application/problem+json")
      #expect(answer.header("access-control-allow-origin") == "*")
      #expect(try answer.member("detail")?.text?.hasSuffix("ask again shortly") == true)
    }
    // Each waits for its answer while the next one comes.
    let first = try await service.answer(slow) { work in
      let second = try await service.answer(slow) { work in
        try expect(await service.answer(slow) { $0() }, "query-limit", after: 1)
        #expect(await service.answer(quick) { $0() }.status == 200)
        return work()
      }
      #expect(second.status == 200)
      #expect(await service.answer(slow) { $0() }.status == 200)
      service.close()
      try expect(await service.answer(slow) { $0() }, "shutting-down", after: 5)
      return work()
    }
    #expect(first.status == 200)
    let metrics = service.get("/metrics").text
    for code in ["query-limit", "shutting-down"] {
      #expect(metrics.contains("nearby_refused_total{code=\"\(code)\"} 1"))
    }
  }

  @Test func `the metrics tell what nearest searches did, also where clients can write`() throws {
    for service in NearbyService.both(of: try Served.shops(300)) {
      #expect(service.get("/collections/shops/nearest?lat=37.5&lon=127&k=3").status == 200)
      let lines = service.get("/metrics").text.split(separator: "\n")
      for name in ["nearby_search_candidates_total", "nearby_search_nodes_total"] {
        let count = lines.first { $0.hasPrefix(name + " ") }?.split(separator: " ").last
        #expect(count.flatMap { Int($0) } ?? 0 > 0, "\(name)")
      }
    }
  }

  @Test func `a name in the metrics stays in its quotes and on its line`() throws {
    let collection = ServedCollection(
      name: "a\r\nb\"\u{301}c\\", title: "Shops",
      try Served.annotations("id,latitude,longitude\n1,1,1\n"), began: Served.noon)
    let service = NearbyService([collection], clocks: Served.clocks, now: { Served.noon })
    let lines = service.get("/metrics").text.utf8.split(separator: 0x0A)
    let wanted = "nearby_annotations{collection=\"a\r\\nb\\\"\u{301}c\\\\\"} 1"
    #expect(lines.contains { $0.elementsEqual(wanted.utf8) })
  }

  @Test func `too much is refused`() throws {
    var limits = ServerLimits()
    limits.cost = 10
    limits.bodyLength = 100
    let service = Served.service(try Served.shops(50), keeper: MemoryKeeper(), limits: limits)
    #expect(service.get("/collections/shops/items?filter=rating%20%3E%203").code == "query-cost")
    let tile = service.get("/tiles/shops/0/0/0.mvt?rating=3")
    #expect(tile.code == "query-cost")
    #expect(try tile.member("detail")?.text?.hasSuffix("; zoom in") == true)
    #expect(service.get("/collections/shops/items").status == 200)
    #expect(
      service.get("/collections/shops/items?name=\(String(repeating: "x", count: 9_000))").status
        == 414)
    #expect(
      service.send("PUT", "/collections/shops/items/x", String(repeating: " ", count: 101)).status
        == 413)
    #expect(
      try service.get("/collections/shops/items?limit=100000").member("numberReturned")
        == .integer(50))
  }

  @Test func `answers are packed for who takes that`() throws {
    let service = Served.service(try Served.shops(50))
    let plain = service.get("/collections/shops/items")
    #expect(plain.header("content-encoding") == nil)
    let packed = service.get("/collections/shops/items", ["accept-encoding": "br, gzip;q=0.5"])
    #expect(packed.header("content-encoding") == "gzip")
    #expect(packed.bytes.count < plain.bytes.count / 2)
    #expect(packed.bytes.starts(with: [0x1F, 0x8B]))
    // Each encoding has its own strong tag, and either is known again.
    #expect(packed.header("etag") != plain.header("etag"))
    for address in [
      "/collections/shops/items", "/tiles/shops/0/0/0.mvt", "/collections/shops/items/s1",
      "/tiles/shops/9/0/0.mvt", "/tiles/shops/0/0/0.mvt?kind=mart",
      "/tiles/shops/0/0/0.mvt?open=now",
    ] {
      let whole = ["", "gzip"].map { service.get(address, ["accept-encoding": $0]) }
      for tag in whole.compactMap({ $0.header("etag") }) {
        // It is told the tag that it would get now.
        for (encoding, answer) in zip(["", "gzip"], whole) {
          let known = service.get(address, ["if-none-match": tag, "accept-encoding": encoding])
          #expect(known.status == 304 && known.bytes.isEmpty)
          #expect(known.header("etag") == answer.header("etag"), "\(address) \(encoding)")
          #expect(known.header("content-encoding") == nil)
        }
      }
    }
    for header in ["br", "gzip;q=0", "gzip;q=0.0", "", "gzip;q=0, *", "GZIP;Q=0"] {
      #expect(
        service.get("/collections/shops/items", ["accept-encoding": header]).header(
          "content-encoding")
          == nil)
    }
    #expect(
      service.get("/collections/shops/items/s1", ["accept-encoding": "gzip"]).header(
        "content-encoding") == nil)
  }

  @Test func `the API describes the parameters that are read`() throws {
    let service = Served.service(try Served.shops(5))
    let api = service.get("/api"), items = "/collections/shops/items"
    let paths = try #require(try api.member("paths")?.members)
    let parameters = try api.objects("paths", items, "get", "parameters")
    let names = parameters.compactMap { $0["name"]?.text }
    #expect(
      Set(names).isSuperset(of: ["bbox", "limit", "datetime", "filter", "kind", "rating", "name"]))
    #expect(Set(names).count == names.count)
    // A box has four or six numbers, never five.
    let bbox = parameters.first { $0["name"] == "bbox" }
    let choices = try ["4", "6"].map { count in
      try PropertyValue(json: Array(#"{"minItems":\#(count),"maxItems":\#(count)}"#.utf8))
    }
    #expect(
      bbox?["schema"]
        == .object([
          "type": "array", "items": .object(["type": "number"]), "oneOf": .array(choices),
        ])
    )
    // Writing is described where it is possible.
    func methods(_ service: NearbyService, _ path: String) throws -> [String] {
      try service.get("/api").member("paths", path)?.members?.entries.map(\.name) ?? []
    }
    let writable = Served.service(try Served.shops(5), keeper: MemoryKeeper())
    for (path, changes) in [
      ("/collections/shops/items", ["post"]), ("/collections/shops/items/{id}", ["put", "delete"]),
    ] {
      #expect(try methods(service, path) == ["get"])
      #expect(try methods(writable, path) == ["get"] + changes)
    }
    // Tiles by each of their names.
    for ending in ["mvt", "pbf"] {
      #expect(paths["/tiles/shops/{z}/{x}/{y}.\(ending)"] != nil)
      #expect(service.get("/tiles/shops/0/0/0.\(ending)").status == 200)
    }
    // Every other address of the document answers.
    for entry in paths.entries where !entry.name.contains("{") {
      let needed =
        entry.name.hasSuffix("nearest")
        ? "?lat=37&lon=127"
        : entry.name.hasSuffix("clusters")
          ? "?bbox=1,1,2,2&zoom=3"
          : entry.name.hasSuffix("diff") ? "?since=\(service.collections[0].feed.last)" : ""
      #expect(service.get(entry.name + needed).status == 200, "\(entry.name)")
    }
  }
}
