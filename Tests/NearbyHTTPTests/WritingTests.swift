import AnnotationImport
import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Synchronization
import Testing

@testable import NearbyHTTP

@Suite struct WritingTests {
  @Test func `what is put is kept, found and told`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(20), keeper: keeper)
    let stream = service.get("/collections/shops/live?snapshot=false")
    #expect(stream.header("content-type") == "text/event-stream")
    #expect(stream.waiting.contains("event: begin"))
    let put = service.send("PUT", "/collections/shops/items/x%2F1", feature("x/1", 37.5))
    #expect(put.status == 201)
    #expect(put.header("location") == "http://localhost/collections/shops/items/x%2F1")
    #expect(keeper.kept.withLock { $0["x/1"]?.name } == "new")
    #expect(service.get("/collections/shops/items/x%2F1").header("etag") == put.header("etag"))
    #expect(try service.get("/collections/shops/nearest?lat=37.5&lon=127&k=1").ids == ["x/1"])
    #expect(
      service.send("PUT", "/collections/shops/items/x%2F1", feature("x/1", 37.6)).status == 204)
    #expect(service.send("DELETE", "/collections/shops/items/x%2F1").status == 204)
    #expect(service.get("/collections/shops/items/x%2F1").status == 404)
    let told = stream.waiting
    #expect(told.split(separator: "event: diff").count == 4)
    #expect(told.contains(#""remove":["x/1"]"#))
    #expect(stream.waiting == "")
  }

  @Test func `a feature comes back with the members that were put, and no others`() throws {
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
    let address = "/collections/shops/items/x"
    let plain = service.get("/collections/shops/live?snapshot=false")
    let named = service.get("/collections/shops/live?named&snapshot=false")
    _ = plain.waiting
    _ = named.waiting
    for name in ["old", "new"] {
      let properties = #"{"Name":"\#(name)","KIND":"mart"}"#
      let sent =
        #"{"type":"Feature","id":"x","bbox":[1,2,3,4],"geometry":null,"properties":\#(properties)}"#
      #expect(service.send("PUT", address, sent).status < 300)
      let found = service.get("/collections/shops/items?Name=\(name)")
      let listed = try #require(try found.features.first)
      for members in [try #require(try service.get(address).json.members), listed] {
        #expect(members["properties"] == (try PropertyValue(json: Array(properties.utf8))))
        #expect(members["bbox"] != nil)
      }
      // It has its name all the same.
      #expect(try service.get("/collections/shops/items?where=name='\(name)'").ids == ["x"])
      #expect(plain.waiting.contains(#""properties":\#(properties)"#))
      #expect(named.waiting.contains(#""name":"\#(name)","kind":"mart""#))
    }
  }

  @Test func `putting back what was read changes nothing`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    let (items, address) = ("/collections/shops/items", "/collections/shops/items/a%20b")
    for own in ["", #","links":[{"rel":"related","href":"http://x/items/a%20b"}]"#] {
      let sent = #"{"type":"Feature","id":"a b","geometry":null,"properties":{"a":1.50}\#(own)}"#
      let tag = service.send("PUT", address, sent).header("etag")
      let read = service.get(address, ["host": "example.org"])
      let text = read.text
      #expect(text.contains("http://example.org\(address)?f=html"))
      #expect(read.header("etag") == tag)
      for (method, path, body) in [
        ("PUT", address, text), ("POST", items, text),
        ("POST", items, #"{"type":"FeatureCollection","features":[\#(text)]}"#),
      ] {
        #expect(service.send(method, path, body).status < 300)
        #expect(service.get(address).header("etag") == tag, "\(method)")
        let kept = keeper.kept.withLock { $0["a b"]?.feature?.foreignMembers["links"] }
        #expect((kept == nil) == own.isEmpty)
        if let kept { #expect(kept.elements?.count == 1) }
      }
    }
  }

  @Test func `putting back a feature whose name and kind options chose changes nothing`() throws {
    var options = ImportOptions()
    options.nameField = "title"
    options.kindField = "brand"
    let rows = "id,name,kind,title,brand,lat,lon\n1,theater,big,Gangnam,CGV,37,127\n"
    let chosen = try AnnotationImporter(options: options).read(
      Array(rows.utf8), named: "shops.csv")
    let keeper = MemoryKeeper()
    let service = Served.service(chosen.annotations, keeper: keeper)
    let address = "/collections/shops/items/1"
    let read = service.get(address)
    #expect(service.send("PUT", address, read.text).status == 204)
    #expect(service.get(address).header("etag") == read.header("etag"))
    #expect(keeper.kept.withLock { $0.isEmpty })
  }

  @Test func `a field's type follows what is written`() throws {
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
    func type() throws -> String? {
      let fields = service.get("/collections/shops/queryables")
      return try fields.member("properties", "size", "type")?.text
    }
    func put(_ id: String, size: String) {
      let text =
        #"{"type":"Feature","id":"\#(id)","geometry":null,"properties":{"size":\#(size)}}"#
      #expect(service.send("PUT", "/collections/shops/items/\(id)", text).status == 201)
    }
    #expect(try type() == nil)
    put("one", size: "1")
    #expect(try type() == "number")
    put("large", size: #""L""#)
    #expect(try type() == "string")
    #expect(try service.get("/collections/shops/items?size=L").ids == ["large"])
    #expect(try service.get("/collections/shops/items?size=1").ids == ["one"])
  }

  @Test func `what is removed takes its place and its fields along`() throws {
    let rows = "id,name,latitude,longitude\na,A,37,127\nb,B,38,128\n"
    let service = Served.service(try Served.annotations(rows), keeper: MemoryKeeper())
    func described() -> [[UInt8]] {
      ["/collections/shops", "/collections/shops/queryables"].map { service.get($0).bytes }
    }
    let before = described()
    let far =
      #"{"type":"Feature","id":"far","geometry":{"type":"Point","coordinates":[-170,-60]},"properties":{"size":1}}"#
    #expect(service.send("PUT", "/collections/shops/items/far", far).status == 201)
    #expect(zip(described(), before).allSatisfy { $0 != $1 })
    #expect(service.send("DELETE", "/collections/shops/items/far").status == 204)
    #expect(described() == before)
  }

  @Test(arguments: UInt64(0)..<20)
  func `the extent and the fields are those of what is left`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
    // Around a city, a continent, or the Earth.
    let reach: Double = [1, 60, 180].randomElement(using: &generator) ?? 1
    for _ in 0..<60 {
      let address = "/collections/shops/items/p\(Int.random(in: 0..<8, using: &generator))"
      if Bool.random(using: &generator) {
        #expect(service.send("DELETE", address).status == 204)
      } else {
        let longitude = Double.random(in: -reach...reach, using: &generator)
        let latitude = Double.random(in: -reach / 2...reach / 2, using: &generator)
        let size = ["1", "true", #""L""#, "null"].randomElement(using: &generator) ?? ""
        let body =
          #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),\#(latitude)]},"properties":{"size":\#(size)}}"#
        #expect(service.send("PUT", address, body).status < 300)
      }
      let state = service.collections[0].state
      let all = state.index.everything
      #expect(state.extent == all.extent)
      func told(_ fields: [ServedField]) -> Set<String> {
        Set(fields.map { "\($0.name): \($0.sort)" })
      }
      #expect(told(state.fields) == told(ServedField.fields(of: all)))
    }
  }

  @Test func `asking only for the head of a stream leaves no listener`() throws {
    let service = Served.service(try Served.shops(3))
    let request = ServerRequest("HEAD", "/collections/shops/live")
    #expect(service.answer(request).status == 200)
    #expect(service.collections[0].feed.counts.listeners == 0)
  }

  @Test func `what is not as expected is not written`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(20), keeper: keeper)
    let address = "/collections/shops/items/s1"
    let tag = service.get(address).header("etag") ?? ""
    #expect(
      service.send("PUT", address, feature("s1", 37), ["if-match": "\"other\""]).status == 412)
    let weak = service.send("PUT", address, feature("s1", 37), ["if-match": "W/\(tag)"])
    #expect(weak.status == 412)
    #expect(
      try weak.member("detail") == .string("a weak tag (W/) is not enough to write by; send \(tag)")
    )
    #expect(service.send("PUT", address, feature("s1", 37), ["if-none-match": "*"]).status == 412)
    #expect(service.send("DELETE", address, "", ["if-match": "\"other\""]).status == 412)
    for unexpected in ["*", tag, "W/\(tag)"] {
      let kept = service.send("DELETE", address, "", ["if-none-match": unexpected])
      #expect(kept.status == 412 && kept.code == "if-none-match")
    }
    #expect(
      service.send("PUT", "/collections/shops/items/none", feature("none", 37), ["if-match": "*"])
        .status == 412)
    #expect(keeper.kept.withLock { $0.isEmpty })
    #expect(service.send("PUT", address, feature("s1", 37), ["if-match": tag]).status == 204)
    // Reading has the same conditions.
    for path in [
      address, "/collections/shops/items", "/collections", "/tiles/shops/0/0/0.mvt",
      "/tiles/shops/9/0/0.mvt",
    ] {
      let now = service.get(path).header("etag") ?? ""
      for (expected, isMet) in [
        ("\"other\"", false), ("W/\(now)", false), (now, true), ("*", true),
        ("\"x\", \(now)", true),
      ] {
        let answer = service.get(path, ["if-match": expected])
        #expect((answer.status == 412) != isMet, "\(path) \(expected)")
        #expect((answer.code == "if-match") != isMet)
      }
    }
    #expect(
      service.send("DELETE", "/collections/shops/items/none", "", ["if-none-match": "*"]).status
        == 204)
    #expect(service.send("DELETE", address, "", ["if-none-match": "\"other\""]).status == 204)
  }

  @Test(
    arguments: [
      ("", "empty-input"), ("{}", "body-feature"),
      (#"{"type":"FeatureCollection","features":[]}"#, "body-feature"),
      (#"{"type":"Feature","id":"other","geometry":null,"properties":{}}"#, "body-id"),
      (#"{"type":"Feature","id":"","geometry":null,"properties":{}}"#, "body-id"),
      (
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[127,95]},"properties":{}}"#,
        nil
      ),
      (#"{"type":"Feature","geometry":{"type":"Point","coordinates":["a"]},"properties":{}}"#, nil),
      ("\u{0}\u{1}", nil),
    ] as [(String, String?)])
  func `a body that is no feature is refused`(body: String, code: String?) throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    let answer = service.send("PUT", "/collections/shops/items/x", body)
    #expect(answer.status == 400)
    if let code { #expect(answer.code == code) }
    // In quotes, so that an empty id is seen.
    if code == "body-id" { #expect(answer.text.contains(#"and the address \"x\""#)) }
    #expect(keeper.kept.withLock { $0.isEmpty })
    #expect(service.get("/collections/shops/items/x").status == 404)
  }

  @Test func `a mistake in a body comes with what a client can do`() throws {
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
    func point(_ id: String, _ position: String) -> String {
      #"{"type":"Feature"\#(id),"geometry":{"type":"Point","coordinates":[\#(position)]},"properties":{}}"#
    }
    let good = point(#","id":"b""#, "127,37"), meters = point(#","id":"x""#, "200000,450000")
    for (method, path, body, code, remedy) in [
      (
        "PUT", "/x", point("", "200000,450000"), "crs-unknown", "send longitude and latitude on WGS"
      ),
      ("POST", "", meters, "crs-unknown", "send longitude and latitude on WGS 84"),
      (
        "POST", "", #"{"type":"FeatureCollection","features":[\#(good),\#(meters)]}"#,
        "crs-unknown",
        "send longitude and latitude on WGS 84"
      ),
      ("PUT", "/x", "", "empty-input", "send a GeoJSON feature"),
      ("POST", "", " \n", "empty-input", "send a GeoJSON feature"),
      ("PUT", "/%20", point("", "127,37"), "path-value", "write the id of the feature there"),
      (
        "PUT", "/x", point(#","id":{"a":1,"b":2}"#, "127,37"), "geojson-id", "the id {…} is neither"
      ),
      ("POST", "", point(#","id":[1,2]"#, "127,37"), "geojson-id", "the id […] is neither"),
    ] as [(String, String, String, String, String)] {
      let answer = service.send(method, "/collections/shops/items\(path)", body)
      #expect(answer.status == 400 && answer.code == code, "\(body)")
      let detail = try #require(try answer.member("detail")?.text)
      #expect(detail.contains(remedy), "\(detail)")
      // Files and options are the command line's.
      #expect(!detail.contains("EPSG") && !detail.contains("file"), "\(detail)")
    }
  }

  @Test func `a body that is not UTF-8 is refused, and its encoding is not guessed`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    let halves = feature("x", 37.5, "?").split(separator: "?").map { Array($0.utf8) }
    // 마트 in CP949, 書店 in Shift_JIS, café in Windows-1252.
    let names: [[UInt8]] = [
      [0xB8, 0xB6, 0xC6, 0xAE], [0x8F, 0x91, 0x93, 0x58], [0x63, 0x61, 0x66, 0xE9],
    ]
    let utf16: [UInt8] = feature("x", 37.5).utf8.flatMap { [$0, 0] }
    var bodies: [[UInt8]] = names.map { halves[0] + $0 + halves[1] }
    bodies += [[0xFF, 0xFE] + utf16, utf16]
    for body in bodies {
      for (method, path) in [("POST", ""), ("PUT", "/x")] {
        let answer = service.answer(
          ServerRequest(
            method, "/collections/shops/items" + path,
            headers: ["authorization": "Bearer \(Served.token)"], body: body))
        #expect(answer.status == 400, "\(method)")
        // Without its mark UTF-16 is UTF-8 with zeros between, which are no JSON.
        guard body != utf16 else { continue }
        #expect(answer.code == "encoding", "\(answer.text)")
        #expect(answer.text.contains("; send it in UTF-8"), "\(answer.text)")
      }
    }
    #expect(keeper.kept.withLock { $0.isEmpty })
  }

  @Test func `several are put together or not at all`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    func collection(_ features: String...) -> String {
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }
    let answer = service.send(
      "POST", "/collections/shops/items", collection(feature("a", 1), feature("s1", 2)))
    #expect(answer.status == 201)
    #expect(try answer.member("added") == .integer(1))
    #expect(try answer.member("changed") == .integer(1))
    let unnamed = #"{"type":"Feature","geometry":null,"properties":{}}"#
    for wrong in [
      collection(feature("b", 1), feature("b", 2)), collection(feature("b", 1), feature("c", 95)),
      collection(feature("b", 1), unnamed), collection(),
    ] {
      #expect(service.send("POST", "/collections/shops/items", wrong).status == 400)
    }
    let mixed = collection(feature("b", 1), feature("c", 95))
    let detail = try service.send("POST", "/collections/shops/items", mixed).member("detail")?.text
    #expect(detail?.contains("body:1 (record 2): latitude 95") ?? false, "\(detail ?? "")")
    #expect(service.get("/collections/shops/items/b").status == 404)
    for (type, status) in [
      ("text/csv", 415), ("application/geo+json; charset=euc-kr", 415),
      ("application/geo+json;charset=\"UTF-8\"", 201),
    ] {
      let answer = service.send(
        "POST", "/collections/shops/items", feature("d", 1), ["content-type": type])
      #expect(answer.status == status, "\(type)")
    }
  }

  @Test func `a packed body is refused before it is read`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    for (method, path) in [("PUT", "/x"), ("POST", "")] {
      for encoding in ["gzip", "identity, GZIP", "br"] {
        let answer = service.send(
          method, "/collections/shops/items\(path)", feature("x", 37),
          ["content-encoding": encoding])
        #expect(answer.status == 415 && answer.code == "content-encoding", "\(encoding)")
        #expect(answer.header("accept-encoding") == "identity")
        #expect(answer.header("content-type") == "application/problem+json")
      }
    }
    #expect(keeper.kept.withLock { $0.isEmpty })
    let plain = service.send(
      "PUT", "/collections/shops/items/x", feature("x", 37), ["content-encoding": "Identity"])
    #expect(plain.status == 201)
  }

  @Test func `nobody writes without the token, nor to what is read only`() throws {
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
    for header in [
      "", "Bearer ", "Bearer \(Served.token)x", "Basic \(Served.token)",
      "Bearer \(Served.token.dropLast())",
    ] {
      let answer = service.send(
        "PUT", "/collections/shops/items/x", feature("x", 1), ["authorization": header])
      #expect(answer.status == 401)
      #expect(answer.header("www-authenticate") == "Bearer")
    }
    #expect(
      service.send(
        "PUT", "/collections/shops/items/x", feature("x", 1),
        ["authorization": "bearer \(Served.token)"]
      ).status == 201)
    let readOnly = Served.service(try Served.shops(3))
    #expect(readOnly.send("PUT", "/collections/shops/items/x", feature("x", 1)).status == 405)
  }

  @Test func `what the headers alone decide needs no body`() throws {
    var limits = ServerLimits()
    limits.bodyLength = 100
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper(), limits: limits)
    let token = "Bearer \(Served.token)"
    let item = "/collections/shops/items/x"
    for (method, path, headers, status) in [
      ("PUT", item, ["authorization": token], nil), ("DELETE", item, ["authorization": token], nil),
      ("GET", item, [:], nil), ("OPTIONS", "/nowhere", [:], nil), ("PUT", item, [:], 401),
      ("PUT", item, ["authorization": token, "content-length": "101"], 413),
      ("PUT", item, ["authorization": token, "content-length": "99999999999999999999"], 413),
      ("PUT", item, ["authorization": token, "content-type": "text/csv"], 415),
      ("PUT", item, ["authorization": token, "content-encoding": "gzip"], 415),
      ("PUT", item + "?x=1", ["authorization": token], 400), ("POST", "/collections", [:], 405),
      ("POST", "/healthz", [:], 405), ("PUT", "/collections/none/items/x", [:], 404),
    ] as [(String, String, [String: String], Int?)] {
      let headers = headers.merging(["expect": "100-Continue"]) { first, _ in first }
      let answer = service.headRefusal(ServerRequest(method, path, headers: headers))
      #expect(answer?.status == status, "\(method) \(path) \(headers)")
    }
    // Other clients send their bodies anyhow; only one that is too long is not waited for.
    #expect(service.headRefusal(ServerRequest("PUT", item))?.status == nil)
    let long = ServerRequest("PUT", item, headers: ["content-length": "101"])
    #expect(service.headRefusal(long)?.status == 413)
  }

  @Test func `what could not be kept is not shown`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    let stream = service.listening()
    keeper.failure.withLock {
      $0 = ReportedError("busy", "somebody else writes", fault: .cannotWrite)
    }
    let answer = service.send("PUT", "/collections/shops/items/x", feature("x", 1))
    #expect(answer.status == 503)
    #expect(answer.code == "busy")
    #expect(answer.header("retry-after") == "5")
    #expect(service.get("/collections/shops/items/x").status == 404)
    #expect(stream.waiting == "")
  }

  @Test func `what is as it was is no change`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    let items = "/collections/shops/items"
    #expect(service.send("PUT", items + "/x", feature("x", 37.5)).status == 201)
    keeper.kept.withLock { $0 = [:] }
    let stream = service.listening()
    let tag = service.collections[0].state.tag
    #expect(service.send("PUT", items + "/x", feature("x", 37.5)).status == 204)
    let again = service.send("POST", items, feature("x", 37.5))
    #expect(again.status == 200)
    #expect(try again.member("added") == .integer(0) && again.member("changed") == .integer(0))
    #expect(service.send("DELETE", items + "/none").status == 204)
    #expect(service.collections[0].state.tag == tag && stream.waiting == "")
    #expect(keeper.kept.withLock { $0.isEmpty })
    let both =
      #"{"type":"FeatureCollection","features":[\#(feature("x", 37.5)),\#(feature("y", 37.6))]}"#
    let added = service.send("POST", items, both)
    #expect(added.status == 201)
    #expect(try added.member("added") == .integer(1) && added.member("changed") == .integer(0))
    #expect(keeper.kept.withLock { $0.keys.map(\.text) } == ["y"])
    let told = stream.waiting
    #expect(told.contains(#""id":"y""#) && !told.contains(#""id":"x""#))
  }

  @Test func `what others have written is shown and counts before a client's write`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(20), keeper: keeper)
    let stream = service.listening()
    let address = "/collections/shops/items/s20"
    let tag = service.get(address).header("etag") ?? ""
    let fewer = try Served.shops(19)
    keeper.news.withLock { $0 = fewer }
    let refused = service.send("PUT", address, feature("s20", 37), ["if-match": tag])
    #expect(refused.status == 412)
    #expect(keeper.kept.withLock { $0.isEmpty })
    #expect(service.get(address).status == 404)
    #expect(stream.waiting.contains(#""remove":["s20"]"#))
  }

  @Test func `a source that is read again is told by what differs`() throws {
    let service = Served.service(try Served.shops(20))
    let stream = service.listening()
    let collection = service.collections[0]
    let tag = collection.state.tag
    #expect(try collection.replace { try Served.shops(20) } == (0, 0))
    #expect(collection.state.tag == tag)
    #expect(try collection.replace { try Served.shops(19) } == (0, 1))
    #expect(stream.waiting.contains(#""remove":["s20"]"#))
    #expect(collection.state.tag != tag)
  }

  @Test func `what is posted minds what a client expects`() throws {
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
    let items = "/collections/shops/items"
    #expect(service.send("POST", items, feature("s1", 37), ["if-none-match": "*"]).status == 412)
    #expect(service.send("POST", items, feature("s1", 37), ["if-match": "\"other\""]).status == 412)
    #expect(service.send("POST", items, feature("new", 37), ["if-none-match": "*"]).status == 201)
    let readOnly = Served.service(try Served.shops(3))
    #expect(
      readOnly.send("PUT", items + "/s1", feature("s1", 37)).header("allow") == "GET, HEAD, OPTIONS"
    )
    let nowhere = service.send(
      "PUT", items + "/zero", feature("zero", 0).replacing("127", with: "0"))
    #expect(nowhere.text.contains("pass a position 0.0005° away"))
  }
}
