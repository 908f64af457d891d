import AnnotationImport
import AnnotationSources
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch
import NearbyTestSupport
import Testing
import WebMaps

@testable import NearbyHTTP

@Suite struct SearchingTests {
  @Test func `nearest and items give what queries do, static and live`() throws {
    let shops = try Served.shops(300)
    let index = AnnotationIndex(shops)
    var generator = SeededGenerator(seed: 4)
    for service in NearbyService.both(of: shops) {
      for _ in 0..<40 {
        let latitude = Double.random(in: 37.3...37.8, using: &generator)
        let longitude = Double.random(in: 126.7...127.3, using: &generator)
        let limit = Int.random(in: 1...20, using: &generator)
        var query = NearbyQuery(
          from: try Coordinate(latitude: latitude, longitude: longitude), limit: limit)
        query.kinds = Bool.random(using: &generator) ? ["mart"] : nil
        let kind = query.kinds == nil ? "" : "&kind=mart"
        let answer = service.get(
          "/collections/shops/nearest?lat=\(latitude)&lon=\(longitude)&k=\(limit)\(kind)")
        let expected = try index.answer(query)
        #expect(try answer.ids == expected.map { $0.annotation.id.text })
        #expect(
          try answer.member("validRadius")
            == expected.validRadius.map { .number(ResultNumber.least($0)) })
      }
      let box = "126.9,37.5,127,37.6"
      let inBox = shops.filter {
        $0.coordinate.map {
          (37.5...37.6).contains($0.latitude) && (126.9...127).contains($0.longitude)
        } ?? false
      }
      let found = service.get("/collections/shops/items?bbox=\(box)&limit=1000")
      #expect(try Set(found.ids) == Set(inBox.map(\.id.text)))
      #expect(try found.member("numberMatched") == .integer(inBox.count))
      let high = service.get("/collections/shops/items?filter=rating%20%3E%204&limit=1000")
      #expect(
        try Set(high.ids) == Set(shops.filter { $0.property("rating")?.text == "5" }.map(\.id.text))
      )
      let equal = service.get("/collections/shops/items?rating=2&kind=deal&limit=1000")
      #expect(
        try Set(equal.ids)
          == Set(
            shops.filter { $0.property("rating")?.text == "2" && $0.kind?.rawValue == "deal" }.map(
              \.id.text)))
    }
  }

  @Test func `pages come to an end and hold each item once`() throws {
    let shops = try Served.shops(250)
    for service in NearbyService.both(of: shops) {
      for query in [
        "", "&kind=mart", "&filter=rating%20%3E%202", "&bbox=126.9,37.4,127.1,37.7",
        "&sort=rating:desc",
      ] {
        var address: String? = "/collections/shops/items?limit=30\(query)"
        var ids: [String] = []
        var matched = 0
        while let next = address {
          let page = service.get(next)
          #expect(page.status == 200)
          ids += try page.ids
          matched = Int(try page.member("numberMatched")?.text ?? "") ?? -1
          address = try page.next
        }
        #expect(ids.count == matched)
        #expect(Set(ids).count == ids.count)
      }
    }
  }

  @Test func `a page of the nearest as HTML or as a sequence links to the next one`() throws {
    let service = Served.service(try Served.shops(30))
    let address = "/collections/shops/nearest?lat=37.5&lon=127&k=20&after="
    let next = try #require(try service.get(address + "&f=json").next)
      .replacing("f=json", with: "f=html")
    for answer in [
      service.get(address + "&f=html"), service.get(address, ["accept": "text/html"]),
    ] {
      let href = HTMLDocument.escaped("http://localhost" + next)
      #expect(answer.text.contains("<a rel=\"next\" href=\"\(href)\">"))
    }
    // A sequence has no place for links.
    let sequence = service.get(address + "&f=jsonseq")
    let link = try #require(sequence.header("link"))
    #expect(link.contains(next.replacing("f=html", with: "f=jsonseq")), "\(link)")
    #expect(link.contains("rel=\"next\""))
    let last = service.get(next)
    #expect(last.header("content-type") == "text/html; charset=utf-8")
    #expect(last.text.contains(". 10 items.") && !last.text.contains("rel=\"next\""))
  }

  @Test func `of columns that differ only by case, a filter means the one that it names`() throws {
    let annotations = try Served.annotations(
      "id,NAME,name,latitude,longitude\n1,A,b,1,1\n2,b,A,1,1\n")
    for service in NearbyService.both(of: annotations) {
      let item = service.get("/collections/shops/items/1")
      let fields = service.get("/collections/shops/queryables")
      for (name, value) in [("NAME", "A"), ("name", "b")] {
        #expect(try item.member("properties", name) == .string(value))
        #expect(try fields.member("properties", name) != nil)
      }
      for (query, id) in [
        ("NAME=A", "1"), ("name=A", "2"), ("filter=NAME='A'", "1"), ("filter=name='A'", "2"),
        ("filter=\"NAME\"='A'", "1"), ("filter=\"name\"='A'", "2"),
        ("filter=name='A'%20AND%20NAME='b'", "2"),
      ] {
        #expect(try service.get("/collections/shops/items?\(query)").ids == [id], "\(query)")
      }
    }
  }

  @Test func `a column of numbers beside one that differs only by case is one of numbers`() throws {
    for columns in [#""NAME":"v0","name":0"#, #""name":0,"NAME":"v0""#] {
      let rows = (0..<3).map { number -> String in
        let properties = columns.replacing("0", with: "\(number)")
        let point = #""geometry":{"type":"Point","coordinates":[1,1]}"#
        return #"{"type":"Feature","id":"r\#(number)",\#(point),"properties":{\#(properties)}}"#
      }
      let text = #"{"type":"FeatureCollection","features":[\#(rows.joined(separator: ","))]}"#
      for service in NearbyService.both(of: try Served.annotations(text, "shops.geojson")) {
        for (query, ids) in [
          ("name=0", ["r0"]), ("name=1", ["r1"]), ("NAME=v2", ["r2"]), ("filter=name=1", ["r1"]),
          ("name=", []),
        ] {
          #expect(try service.get("/collections/shops/items?\(query)").ids == ids, "\(query)")
        }
        let fields = service.get("/collections/shops/queryables")
        #expect(try fields.member("properties", "name", "type") == "number")
        #expect(try fields.member("properties", "NAME", "type") == "string")
      }
    }
  }

  @Test func `of ids that are canonically equal, an address means the one with its bytes`() throws {
    let ids = ["caf\u{E9}", "cafe\u{301}"]
    let rows = "id,name,latitude,longitude\n\(ids[0]),a,37,127\n\(ids[1]),b,38,127\n"
    for service in NearbyService.both(of: try Served.annotations(rows)) {
      for (id, name) in zip(ids, ["a", "b"]) {
        let item = service.get("/collections/shops/items/\(id.inPath)")
        #expect(try item.member("properties", "name") == .string(name))
      }
    }
  }

  @Test func `with per-kind, k counts for each kind`() throws {
    let service = Served.service(try Served.shops(300))
    let answer = service.get("/collections/shops/nearest?lat=37.5&lon=127&k=2&per-kind")
    var counts: [String: Int] = [:]
    for feature in try answer.features {
      counts[feature["properties"]?.members?["kind"]?.text ?? "", default: 0] += 1
    }
    #expect(counts == ["mart": 2, "cinema": 2, "deal": 2])
  }

  @Test func `lengths, durations and speeds are those of the command line, and plain in links`()
    throws
  {
    let service = Served.service(try Served.shops(5))
    func query(_ text: String) throws -> NearbyQuery {
      try RequestParameters("lat=37.5&lon=127&" + text).query(
        of: .nearest, service.collections[0].state, Served.clocks, now: Served.noon
      ).query
    }
    for (written, plain) in [
      ("within=0.5km", "within=500"), ("within=1mi", "within=1609.344"),
      ("within=%202%20km", "within=2000"), ("beyond=10m", "beyond=10"),
      ("open=now&stay=20m", "open=now&stay=1200"), ("open=now&stay=5min", "open=now&stay=300"),
      ("open=now&stay=1h30m", "open=now&stay=5400"),
      ("open=arrival&speed=walk", "open=arrival&speed=\(5 / 3.6)"),
      ("open=arrival&speed=12m/s", "open=arrival&speed=12"),
      ("open=arrival&speed=10mph", "open=arrival&speed=4.4704"),
    ] {
      #expect(try query(written) == query(plain), "\(written)")
    }
    let answer = service.get("/collections/shops/nearest?lat=37.5&lon=127&k=1&after=&within=900km")
    #expect(answer.status == 200)
    #expect(
      answer.text.contains("within=900000") && !answer.text.contains("900km"), "\(answer.text)")
    for (wrong, code, words) in [
      ("within=abc", "not-a-number", "within \"abc\" is not a length; write a number with m, km"),
      ("beyond=5ft", "bad-distance", "beyond 5ft: \"ft\" is not a unit known here"),
      ("within=-5", "bad-distance", "within -5 is negative"),
      ("open=now&stay=soon", "bad-duration", "stay \"soon\" is not a length of time; write 30s"),
      ("open=now&stay=-5", "bad-duration", "stay -5 is negative"),
      ("open=arrival&speed=fast", "bad-speed", "speed \"fast\" is not a speed above 0 and up to"),
      ("open=arrival&speed=0", "bad-speed", "speed \"0\" is not a speed above 0 and up to"),
    ] {
      let answer = service.get("/collections/shops/nearest?lat=37.5&lon=127&\(wrong)")
      #expect(answer.status == 400 && answer.code == code, "\(answer.text)")
      #expect(try answer.member("detail")?.text?.hasPrefix(words) == true, "\(answer.text)")
    }
    // What /api says of them.
    for parameter in ServerParameter.all {
      guard case .measure(let measure) = parameter.value else { continue }
      let form = measure.form
      #expect(form.example.wholeMatch(of: try Regex(form.pattern)) != nil)
      #expect(try Double(parameter.plain(form.example)) != nil)
    }
  }

  @Test func `what is missing or too large is named as a client knows it`() throws {
    let service = Served.service(try Served.shops(5))
    for (asked, remedy) in [
      ("items?within=5", "; give lat and lon"), ("items?beyond=5", "; give lat and lon"),
      ("items?open=now&stay=999999999999999999999999", "write 30s, 20m, 1h30m or 2d"),
      ("items?limit=0", "from 1 on"), ("nearest?lat=1&lon=1&k=0", "from 1 to 10000"),
      ("clusters?bbox=1,1,2,2&zoom=99", "from 0 to 24"),
      ("live?open=now", "ask nearest for open=now again at its validUntil"),
      ("diff?since=0&stay=5", "ask nearest for open=now again at its validUntil"),
      ("diff?since=x", "write the number of an event, or the X-Nearby-Version of an answer"),
      ("nearest?lat=1&lon=1&after=x", ", or leave it empty for the first page"),
    ] {
      let answer = service.get("/collections/shops/\(asked)")
      #expect(answer.status == 400)
      #expect(try answer.member("detail")?.text?.hasSuffix(remedy) == true, "\(answer.text)")
    }
    let island = service.get("/collections/shops/nearest?lat=0&lon=0")
    #expect(try island.member("detail")?.text?.hasPrefix("0,0 is ") == true)
    #expect(service.get("/tiles/shops/18/0/262144.mvt").code == "tile-row")
    let tile = service.get("/tiles/shops/18/0/99999999999999999999.mvt")
    #expect(tile.status == 404 && !tile.text.contains("\(Int.max)"), "\(tile.text)")
  }

  @Test func `a filter means a column by its exact name, and otherwise what all annotations have`()
    throws
  {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[127,1]},
       "properties":{"ID":"b","Latitude":9,"distance":5,"bearing":7}},
      {"type":"Feature","id":"b","geometry":{"type":"Point","coordinates":[127,2]},
       "properties":{"ID":"a","Latitude":8,"distance":6,"bearing":8}}]}
      """
    let annotations = try Served.annotations(text, "shops.geojson")
    for service in NearbyService.both(of: annotations) {
      for (filter, id) in [
        ("ID='a'", "b"), ("id='a'", "a"), ("\"ID\"='a'", "b"), ("Id='a'", "a"),
        ("Latitude=9", "a"), ("latitude=2", "b"), ("LATITUDE=2", "b"), ("distance=5", "a"),
        ("distance=6", "b"), ("\"distance\"=6", "b"), ("bearing=8", "b"),
      ] {
        var query = QueryParameters()
        query.add("filter", filter)
        for origin in ["", "&lat=1&lon=127"] {
          #expect(
            try service.get("/collections/shops/items?\(query.text)\(origin)").ids == [id],
            "\(filter)")
        }
      }
    }
  }

  @Test func `a field may have the name of a parameter that only other operations take`() throws {
    let service = Served.service(
      try Served.annotations("id,latitude,longitude,open\na,1,1,yes\nb,1,1,no\n"))
    let told = service.get("/collections/shops/live?open=yes").waiting
    #expect(told.contains(#""id":"a""#) && !told.contains(#""id":"b""#), "\(told)")
    let since = service.collections[0].feed.last
    let diff = "/collections/shops/diff?since=\(since)&open="
    #expect(service.get(diff + "yes").status == 200 && service.get(diff + "now").status == 400)
  }

  @Test func `an error of where has a column, and one of filter has none`() throws {
    let service = Served.service(try Served.shops(5))
    let condition = "kind%20=%20'mart'%20AND%20nosuch%20=%201"
    for (query, parameter, beginning) in [
      ("filter=\(condition)", "filter", "no field"), ("where=\(condition)", "where", "column 19: "),
      ("filter=kind='mart'&where=\(condition)", "where", "column 19: "),
      ("where=kind='mart'&filter=\(condition)", "filter", "no field"),
    ] {
      let answer = service.get("/collections/shops/items?\(query)")
      #expect(answer.code == "where-field")
      #expect(try answer.member("parameter")?.text == parameter, "\(query)")
      let detail = try #require(try answer.member("detail")?.text)
      #expect(detail.hasPrefix(beginning), "\(detail)")
      #expect(detail.split(separator: ", ").count { $0.contains("name") && !$0.contains(" ") } == 1)
    }
  }

  @Test func `a value is read by the type of its field, and an empty one finds what has none`()
    throws
  {
    let values = [
      #""size":1,"is_new":true,"note":"x","both":1"#,
      #""size":null,"is_new":null,"note":null,"both":null"#,
      #""size":2,"is_new":false,"note":"y","both":"z""#,
    ]
    let rows = values.enumerated().map { number, properties -> String in
      let point = #""geometry":{"type":"Point","coordinates":[1,1]}"#
      return #"{"type":"Feature","id":"\#(number)",\#(point),"properties":{\#(properties)}}"#
    }
    let text = #"{"type":"FeatureCollection","features":[\#(rows.joined(separator: ","))]}"#
    for service in NearbyService.both(of: try Served.annotations(text, "shops.geojson")) {
      for field in ["size", "is_new", "note", "both"] {
        #expect(try service.get("/collections/shops/items?\(field)=").ids == ["1"], "\(field)")
      }
      #expect(try service.get("/collections/shops/items?latitude=").ids == [])
      // GDAL writes truth values as numbers.
      #expect(try service.get("/collections/shops/items?is_new=1").ids == ["0"])
      #expect(try service.get("/collections/shops/items?is_new=0").ids == ["2"])
      #expect(service.get("/collections/shops/items?size=x").code == "query-value")
    }
  }

  @Test func `an empty kind finds what has none, beside the other kinds that are given`() throws {
    let kinds = ["mart", "", "cinema", "", "mart", "deal"]
    let rows = kinds.enumerated().map { "\($0),\($1),1,\($0)\n" }.joined()
    for service in NearbyService.both(
      of: try Served.annotations("id,kind,latitude,longitude\n" + rows))
    {
      for asked in [[""], ["", "mart"], ["deal", "", "cinema"], ["mart"]] {
        let expected = kinds.indices.filter { asked.contains(kinds[$0]) }.map { "\($0)" }
        let query = asked.map { "kind=\($0)" }.joined(separator: "&")
        #expect(try service.get("/collections/shops/items?\(query)").ids == expected, "\(query)")
        let nearest = "/collections/shops/nearest?lat=1&lon=0&\(query)"
        #expect(try service.get(nearest).ids == expected, "\(query)")
        let facets = service.get("/collections/shops/facets?\(query)")
        #expect(try facets.member("numberMatched") == .integer(expected.count), "\(query)")
        // To look for what has no kind takes longer than a search by kind.
        #expect(service.isQuick(ServerRequest("GET", nearest)) == !asked.contains(""))
      }
    }
  }

  @Test func `a row is written straight from its cells as its feature is`() throws {
    let shops = try Served.shops(60)
    let others = [
      "name,kind,latitude,longitude\nA,mart,1,2\n\"B \"\"quoted\"\"\",,3,4\nC,null,5,6\n",
      "id,title,type,lat,lon,distance\nx,One,cinema,1,2,far\n,Two,,1,2,\n",
      "id,latitude,longitude,valid_from\n1,1,2,2026-01-01\n",
      "id,name,latitude,longitude\n1,nowhere,,\n2,\u{2028}line,1,1\n",
      "이름,위도,경도,종류\n가게,37.5,127,mart\n", "id,lat,lon\n1,1,2\n",
      "id,title,note,제목,업종,brand,lat,lon\n1,One,One,Two,a,b,1,2\n2,One,Two,,,b,1,2\n",
    ].flatMap { text -> [ImportedAnnotations?] in
      var named = ImportOptions()
      named.nameField = "note"
      named.kindField = "brand"
      var ofKind = ImportOptions()
      ofKind.defaultKind = "mart"
      return [ImportOptions(), named, ofKind].map {
        try? AnnotationImporter(options: $0).read(Array(text.utf8), named: "shops.csv").annotations
      }
    }
    for list in [shops] + others.compactMap({ $0 }) {
      for annotation in list {
        for distance in [nil, Distance.meters(12.34567)] {
          var written = JSONWriter()
          [annotation].forEachWithRow { annotation, row in
            written.served(
              annotation, row, distance: distance, bearing: distance.map { _ in 271.5 },
              others: distance == nil ? [:] : ["openState": "open"])
          }
          var feature = annotation.servedFeature(
            distance: distance, bearing: distance.map { _ in 271.5 })
          if distance != nil { feature.properties?["openState"] = "open" }
          var expected = JSONWriter()
          expected.feature(feature)
          #expect(written.text == expected.text)
        }
      }
    }
    // Not every table has the columns that options name.
    #expect(others.count { $0 != nil } >= 15)
  }

  @Test func `a feature has its source's members, and a name or kind beside them only by options`()
    throws
  {
    let text = "id,title,note,lat,lon\nx,One,Two,1,2\n"
    var options = ImportOptions()
    for (field, kind, added) in [
      (nil, nil, [:]), ("title", nil, [:]), ("note", "mart", ["name": "Two", "kind": "mart"]),
    ] as [(String?, AnnotationKind?, Properties)] {
      options.nameField = field
      options.defaultKind = kind
      let rows = try AnnotationImporter(options: options).read(
        Array(text.utf8), named: "shops.csv"
      ).annotations
      var expected: Properties = ["id": "x", "title": "One", "note": "Two"]
      expected.entries += added.entries
      for service in NearbyService.both(of: rows) {
        #expect(
          try service.get("/collections/shops/items").features.map { $0["properties"] }
            == [.object(expected)])
        #expect(
          try service.get("/collections/shops/items/x").member("properties") == .object(expected))
      }
      // Maps show the name, wherever it comes from.
      let name = try #require(rows.first?.name)
      let service = Served.service(rows)
      let page = service.get("/collections/shops?f=html").text
      #expect(page.contains(#""name":"\#(name)""#))
      #expect(
        service.get("/collections/shops/live?named").waiting.contains(#""name":"\#(name)""#))
    }
  }

  @Test func `a page has the chosen name, even where a column is called name`() throws {
    var options = ImportOptions()
    options.nameField = "title"
    let rows = try AnnotationImporter(options: options).read(
      Array("id,name,title,lat,lon\nx,One,Two,1,2\n".utf8), named: "shops.csv"
    ).annotations
    let service = Served.service(rows)
    for text in [
      service.get("/collections/shops?f=html").text,
      service.get("/collections/shops/live?named").waiting,
    ] {
      #expect(text.contains(#""name_2":"One","title":"Two","name":"Two""#))
    }
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `a box holds what has no position, too, after the rest and on pages`(limit: Int) throws {
    let annotations = try Served.annotations(
      "id,name,latitude,longitude,rating\na,a,37,127,1\nb,b,,,2\nc,c,37.1,127,2\nd,d,50,8,2\ne,e,,,1\nf,f,,,2\n"
    )
    for service in NearbyService.both(of: annotations) {
      for (query, expected) in [
        ("bbox=126,36,128,38", ["a", "c", "b", "e", "f"]),
        ("bbox=126,%2036,128,+38", ["a", "c", "b", "e", "f"]),
        ("bbox=126,36,128,38&rating=2", ["c", "b", "f"]),
        ("bbox=126,36,128,38&sort=id:desc", ["c", "a", "f", "e", "b"]),
        ("bbox=1,1,2,2", ["b", "e", "f"]), ("", ["a", "b", "c", "d", "e", "f"]),
        // What has no position intersects nothing, and is nowhere near.
        ("bbox=126,36,128,38&filter=S_INTERSECTS(geometry,BBOX(1,1,128,38))", ["a", "c"]),
        ("bbox=126,36,128,38&lat=37&lon=127", ["a", "c"]),
      ] {
        var ids: [String] = []
        var next: String? = "/collections/shops/items?limit=\(limit)&\(query)"
        var pages = 0
        while let address = next, pages < 10 {
          let answer = service.get(address)
          pages += 1
          ids += try answer.ids
          #expect(try answer.member("numberMatched") == .integer(expected.count), "\(query)")
          #expect(try answer.member("numberReturned") == .integer(try answer.ids.count))
          next = try answer.next
        }
        #expect(ids == expected, "\(query)")
        #expect(pages == max(1, (expected.count + limit - 1) / limit))
      }
    }
  }

  @Test func `one deep tile of a large area takes no longer than one of a small one`() throws {
    // At zoom 18 the area lies in some ten million tiles; to look at each would take minutes.
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,40],[20,40],[20,55],[0,55],[0,40]]]}}]}"#
    let service = Served.service(try Served.annotations(text, "land.geojson"))
    for (path, status) in [
      ("18/138355/92202", 200), ("18/0/0", 204), ("14/8191/5800", 200), ("1/1/0", 200),
    ] {
      let answer = service.get("/tiles/shops/\(path).mvt")
      #expect(answer.status == status, "\(path)")
      guard status == 200 else { continue }
      #expect(try VectorTile(decoding: answer.bytes).layers.first?.features.count == 1)
    }
  }

  @Test func `heights and other members come back as they were sent`() throws {
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
    let sent =
      #"{"type":"Feature","id":"h","geometry":{"type":"Point","coordinates":[127,37,9.5]},"properties":{"a":1},"source":"me"}"#
    #expect(service.send("PUT", "/collections/shops/items/h", sent).status == 201)
    for address in ["/collections/shops/items/h", "/collections/shops/items?bbox=127,37,127,37"] {
      let text = service.get(address).text
      #expect(text.contains("[127,37,9.5]") && text.contains(#""source":"me""#))
    }
  }

  @Test func `more than a page can have is a page`() throws {
    let service = Served.service(try Served.shops(3))
    for limit in ["10001", "99999999999999999999999"] {
      #expect(try service.get("/collections/shops/items?limit=\(limit)").ids.count == 3)
    }
  }

  @Test func `an area is of the geometry, with edges that go one way only`() throws {
    let service = Served.service(try Served.shops(3))
    for filter in [
      "S_INTERSECTS(name,BBOX(126,37,128,38))",
      "S_INTERSECTS(geometry,POLYGON((-170%200,170%200,170%2010,-170%2010,-170%200)))",
    ] {
      let answer = service.get("/collections/shops/items?filter=\(filter)")
      #expect(answer.status == 400 && answer.code == "where-syntax")
      #expect(try answer.member("parameter") == "filter")
    }
  }
}
