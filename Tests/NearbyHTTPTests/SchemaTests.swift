import AnnotationImport
import GeoJSONCoding
import MapAnnotations
import NearbyTestSupport
import Synchronization
import Testing

@testable import NearbyHTTP

/// What documents say of the fields of a collection, and of requests.
@Suite struct SchemaTests {
  @Test func `a schema has the properties of all features, with their types`() throws {
    let rows = (1...300).map { number -> String in
      let properties =
        number < 200
        ? #""size":1.5"#
        : #""size":null,"late":true,"both":\#(number.isMultiple(of: 2) ? "1" : "true"),"list":[1]"#
      let point = #""geometry":{"type":"Point","coordinates":[1,1]}"#
      return
        #"{"type":"Feature","id":\#(number),\#(point),"properties":{"title":"x",\#(properties)}}"#
    }
    let text = #"{"type":"FeatureCollection","features":[\#(rows.joined(separator: ","))]}"#
    for (kind, added) in [(nil, []), ("mart", ["kind: string"])] as [(AnnotationKind?, [String])] {
      var options = ImportOptions()
      options.defaultKind = kind
      let annotations = try AnnotationImporter(options: options).read(
        Array(text.utf8), named: "shops.geojson"
      ).annotations
      for service in NearbyService.both(of: annotations) {
        let schema = service.get("/collections/shops/schema")
        #expect(schema.header("content-type") == "application/schema+json")
        let properties = try #require(
          try schema.member("properties", "properties", "properties")?.members)
        let types = properties.entries.map {
          "\($0.name): \($0.value.members?["type"]?.text ?? "?")"
        }
        #expect(
          types == ["title: string", "size: number", "late: boolean", "both: ?", "list: ?"] + added)
        // Every value is of the type that is named.
        let features = try service.get("/collections/shops/items?limit=1000").features
        #expect(features.count == 300)
        for feature in features {
          for entry in try #require(feature["properties"]?.members).entries {
            let type =
              switch entry.value {
              case .number: "number"
              case .bool: "boolean"
              case .string: "string"
              case .null, .array, .object: ""
              }
            let named = try #require(properties[entry.name]?.members)["type"]?.text
            #expect(named == nil || named == type || entry.value == .null, "\(entry.name)")
          }
        }
        #expect(
          try schema.member("properties", "properties", "description")
            == "Any value may also be null.")
        // The relation has two spellings, each with its readers.
        let links = try service.get("/collections/shops").objects("links").filter {
          $0["href"]?.text?.hasSuffix("/collections/shops/schema") == true
        }
        #expect(links.map { $0["rel"] } == ["describedby", "describedBy"])
      }
    }
  }

  @Test func `a schema lists the id of features once, where they have it as a property, too`()
    throws
  {
    let service = Served.service(try Served.shops(5))
    let schema = service.get("/collections/shops/schema")
    #expect(try schema.member("properties", "id") != nil)
    #expect(try schema.member("properties", "properties", "properties", "id") == nil)
    #expect(try schema.member("properties", "properties", "properties", "rating") != nil)
    #expect(try service.get("/collections/shops/queryables").member("properties", "id") != nil)
  }

  @Test func `a collection links to TileJSON, and does not call it a list of tile sets`() throws {
    let service = Served.service(try Served.shops(5))
    let links = try service.get("/collections/shops").objects("links").filter {
      $0["href"]?.text?.hasSuffix("/tilejson.json") == true
    }
    #expect(links.map { $0["rel"] } == ["tilejson"])
  }

  @Test func `positions in another system of coordinates are refused`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    let crs84 = ServerParameter.crs84
    for (crs, status) in [
      ("<\(crs84)>", 201), (crs84, 204), ("", 204),
      ("<http://www.opengis.net/def/crs/EPSG/0/4326>", 400), ("nonsense", 400),
    ] {
      let answer = service.send(
        "PUT", "/collections/shops/items/x", feature("x", 37.5), ["content-crs": crs])
      #expect(answer.status == status, "\(crs)")
      if status == 400 {
        #expect(answer.code == "content-crs" && answer.text.contains(crs84))
      }
    }
    #expect(
      service.send(
        "POST", "/collections/shops/items", feature("y", 37.5), ["content-crs": "EPSG:5186"]
      ).code == "content-crs")
    #expect(keeper.kept.withLock { Array($0.keys) } == ["x"])
  }

  @Test func `boxes and geometries may name CRS84, as GDAL does, and no other CRS`() throws {
    let service = Served.service(try Served.shops(5))
    let items = "/collections/shops/items", crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
    let page = service.get("\(items)?limit=2&bbox=120,30,130,40&bbox-crs=\(crs84)&crs=\(crs84)")
    #expect(try page.ids == ["s1", "s2"])
    let next = try #require(try page.next)
    #expect(next.contains("bbox-crs=") && next.contains("&crs="))
    #expect(try service.get(next).ids == ["s3", "s4"])
    let item = service.get("\(items)/s1?crs=\(crs84)")
    for answer in [page, item, service.get(items)] {
      #expect(answer.header("content-crs") == "<\(crs84)>")
    }
    for address in ["\(items)?crs=", "\(items)?bbox-crs=", "\(items)/s1?crs="] {
      let answer = service.get(address + "http://www.opengis.net/def/crs/EPSG/0/5186")
      #expect(answer.status == 400 && answer.code == "query-value", "\(address)")
      #expect(try answer.member("detail")?.text?.contains("write \(crs84)") == true)
    }
  }

  @Test func `a column of numbers is one of texts, and documents say how it is compared`() throws {
    let text = "id,name,latitude,longitude,rating\na,x,1,1,3\nb,y,1,1,4.0\nc,z,1,1,10\n"
    for service in NearbyService.both(of: try Served.annotations(text)) {
      for (query, ids) in [
        ("filter=rating%20%3E%203", ["b", "c"]), ("filter=rating%20%3E%20'3'", ["b"]),
        ("filter=rating%20%3D%204", ["b"]), ("rating=4", []), ("rating=4.0", ["b"]),
      ] {
        #expect(try service.get("/collections/shops/items?\(query)").ids == ids, "\(query)")
      }
      let item = service.get("/collections/shops/items/c")
      #expect(try item.member("properties", "rating") == .string("10"))
      let fields = service.get("/collections/shops/queryables")
      for (name, type, isExplained) in [
        ("rating", "string", true), ("name", "string", false), ("latitude", "number", false),
      ] {
        #expect(try fields.member("properties", name, "type") == .string(type))
        let description = try fields.member("properties", name, "description")?.text
        #expect((description?.contains("as a number") ?? false) == isExplained, "\(name)")
      }
      let rating = try service.get("/api")
        .objects("paths", "/collections/shops/items", "get", "parameters")
        .first { $0["name"] == "rating" }
      #expect(rating?["schema"] == .object(["type": "string"]))
      #expect(rating?["description"]?.text?.contains("4 does not find 4.0") == true)
    }
  }

  @Test func `the API describes the headers that change an answer`() throws {
    let service = Served.service(try Served.shops(5), keeper: MemoryKeeper())
    let items = "/collections/shops/items", conditions = ["If-Match", "If-None-Match"]
    for (path, method, names) in [
      (items, "get", []), (items, "post", conditions), (items + "/{id}", "put", conditions),
      (items + "/{id}", "delete", conditions),
      ("/collections/shops/live", "get", ["Last-Event-ID"]),
      ("/fences/{id}/events", "get", ["Last-Event-ID"]),
    ] as [(String, String, [String])] {
      let headers = try service.get("/api").objects("paths", path, method, "parameters")
        .filter { $0["in"] == "header" }
      #expect(headers.map { $0["name"]?.text } == names, "\(method) \(path)")
    }
  }

  @Test func `a feature is found by every value that it shows, whatever options chose`() throws {
    var options = ImportOptions()
    options.nameField = "title"
    options.kindField = "brand"
    let chosen = try AnnotationImporter(options: options).read(
      Array(
        """
        id,name,kind,title,brand,lat,lon
        1,theater,big,Gangnam,CGV,37,127
        2,theater,small,,Lotte,38,127
        3,Park,park,Park,park,37.5,127
        """.utf8), named: "shops.csv"
    ).annotations
    options = ImportOptions()
    options.requiresPositions = false
    let deals = try AnnotationImporter(options: options).read(
      Array("id,title,shop,kind\n1,Ramen,D,deal\n2,Curry,A,deal\n".utf8), named: "deals.csv")
    let places = try Served.annotations(
      "id,name,lat,lon\nA,Alpha,37.5,127\nD,Delta,37.6,127\n", "places.csv")
    let joined = try PlaceJoin(places: places, named: "places.csv", key: "shop").join(deals)
    let items = "/collections/shops/items"
    for (rows, queries) in [
      (
        chosen,
        [
          ("name=Gangnam", ["1"]), ("name=theater", []), ("name_2=theater", ["1", "2"]),
          ("name=", ["2"]), ("filter=name='theater'", []),
          ("filter=name_2='theater'%20AND%20kind='CGV'", ["1"]),
          ("where=kind_2='small'", ["2"]), ("filter=kind='small'", []),
        ]
      ),
      (
        joined.annotations,
        [
          ("name=Ramen", ["1@D"]), ("name=Delta", []), ("name_2=Delta", ["1@D"]),
          ("filter=name='Delta'", []), ("filter=name_2='Delta'", ["1@D"]),
        ]
      ),
    ] {
      for service in NearbyService.both(of: rows) {
        for (query, ids) in queries {
          #expect(try service.get("\(items)?\(query)").ids == ids, "\(query)")
        }
        let fields = service.get("/collections/shops/queryables")
        let features = try service.get(items).features
        #expect(features.count == rows.count)
        for (feature, annotation) in zip(features, rows.sorted { $0.id < $1.id }) {
          let properties = try #require(feature["properties"]?.members)
          #expect(properties["name"]?.text == annotation.name)
          #expect(properties["kind"]?.text == annotation.kind?.rawValue)
          // `id` is that of the feature.
          for entry in properties.entries where entry.name != "id" && entry.value != "" {
            #expect(try fields.member("properties", entry.name) != nil, "\(entry.name)")
            let query = "\(entry.name)=\(entry.value.text ?? "?")"
            #expect(
              try service.get("\(items)?\(query)").ids.contains(annotation.id.text), "\(query)")
          }
        }
      }
    }
  }
}
