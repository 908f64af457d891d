import AnnotationImport
import Geodesy
import MapAnnotations
import Testing

@Suite struct JSONImportTests {
  private func read(
    _ text: String, as format: InputFormat? = nil,
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportResult {
    var options = ImportOptions()
    change(&options)
    return try AnnotationImporter(options: options)
      .read(Array(text.utf8), named: "feed.json", format: format)
  }

  @Test func `a feed's rows are annotations, and its other members stay`() throws {
    let result = try read(
      """
      {"version": 12, "updated": "2026-11-21", "deals": [
        {"id": 7, "title": "10 % off", "lat": 34.7, "lng": 135.5, "days": ["月曜日"]},
        {"id": "a", "title": "Free", "lat": null, "lng": null}
      ]}
      """)
    #expect(result.report.placed == 1 && result.report.unplaced == 1)
    let first = result.annotations[0]
    #expect(first.id == 7)
    #expect(first.name == "10 % off")
    #expect(first.coordinate == (try Coordinate(latitude: 34.7, longitude: 135.5)))
    #expect(first.properties.entries.map(\.name) == ["id", "title", "days"])
    #expect(first.origin == RecordOrigin(source: "feed.json", record: 1))
    #expect(result.annotations.collectionMembers["version"] == 12)
  }

  @Test func `letters of hemispheres in members of their own are signs`() throws {
    let rows = [
      #"{"lat":33.8,"lat_dir":"S","lon":151.2,"lon_dir":"E"}"#,
      #"{"location":{"latitude":"28.6","N/S":"N","longitude":"17.9","E/W":"W"},"N/S":"S"}"#,
      #"{"lat":-33.8,"NS":"S","lon":70,"EW":null}"#, #"{"lat":1,"lon":2,"ns":{},"ref":"S"}"#,
      #"{"lat":95,"NS":"S","lon":1}"#,
    ]
    let result = try read(rows.joined(separator: "\n"))
    #expect(
      result.annotations.map { $0.coordinate?.description } == [
        "-33.8,151.2", "28.6,-17.9", "-33.8,70.0", "1.0,2.0",
      ])
    #expect(result.report.rejectedCount == 1)
  }

  @Test func `a list of hours is one text, as schema.org and Google write them`() throws {
    let result = try read(
      """
      [{"lat":1,"lon":2,"openingHours":["Mo-Fr 09:00-17:00","Sa 10:00-12:00"]},
       {"lat":1,"lon":2,"opening_hours":{"weekday_text":["Monday: 9:00 AM – 5:00 PM","Sunday: Closed"]}},
       {"lat":1,"lon":2,"opening_hours":[]},{"lat":1,"lon":2,"opening_hours":{"open_now":true}},
       {"lat":1,"lon":2,"regularOpeningHours":{"weekdayDescriptions":["Monday: 9 AM – 5 PM"]}}]
      """)
    #expect(
      result.annotations.map(\.openingHours) == [
        "Mo-Fr 09:00-17:00, Sa 10:00-12:00", "Monday: 9:00 AM – 5:00 PM, Sunday: Closed", nil, nil,
        "Monday: 9 AM – 5 PM",
      ])
  }

  @Test func `a week in an object and schema.org's specifications are hours`() throws {
    let week = ##"{"Monday":"8:0-22:0","Tue":["9:00-12:00","13:00-17:00"],"sunday":"Closed"}"##
    func specification(_ days: String, _ rest: String) -> String {
      ##"{"@type":"OpeningHoursSpecification","dayOfWeek":\##(days),\##(rest)}"##
    }
    let rows = [
      ##"{"lat":1,"lon":2,"hours":\##(week)}"##,
      ##"{"lat":1,"lon":2,"hours":{"Monday":"8:00-22:00","note":"ring"}}"##,
      ##"{"lat":1,"lon":2,"hours":{"Monday":"0:0-0:0","Tuesday":"18:0-2:30"}}"##,
      ##"{"lat":1,"lon":2,"openingHoursSpecification":[\##(specification(##"["Monday","https://schema.org/Tuesday"]"##, ##""opens":"09:00:00","closes":"17:00""##)),\##(specification(##""Sunday""##, ##""opens":"00:00","closes":"00:00""##))]}"##,
      ##"{"lat":1,"lon":2,"openingHoursSpecification":[\##(specification(##""Sunday""##, ##""opens":"09:00","closes":"12:00","validFrom":"2026-01-01""##))]}"##,
    ]
    let result = try read("[\(rows.joined(separator: ","))]")
    #expect(
      result.annotations.map(\.openingHours) == [
        "monday 8:00-22:00, tuesday 9:00-12:00, 13:00-17:00, sunday Closed", nil,
        "monday unknown, tuesday 18:00-2:30",
        "Mo,Tu 09:00-17:00, Su off", "?",
      ])
  }

  @Test func `a place of Google has its name beside its language`() throws {
    let result = try read(
      """
      [{"displayName":{"text":"Cafe","languageCode":"en"},"location":{"latitude":1,"longitude":2}},
       {"displayName":{"languageCode":"en"},"location":{"latitude":1,"longitude":2}}]
      """)
    let names = result.annotations.map(\.name)
    #expect(names == ["Cafe", nil])
    #expect(result.annotations.map { KnownProperties($0.properties).name } == names)
  }

  @Test func `a position in one member`() throws {
    let rows = [
      #"{"id":1,"coord":"Point(126.97 37.57)","area":"Seoul, Korea"}"#,
      #"{"id":2,"geometry":{"type":"Point","coordinates":[126.97,37.57]}}"#,
      #"{"id":3,"loc":{"type":"Point","coordinates":[126.97,37.57,20]},"size":[3,4]}"#,
      #"{"id":4,"geo_point_2d":{"lon":126.97,"lat":37.57}}"#,
      #"{"id":5,"geometry":{"location":{"lat":37.57,"lng":126.97},"viewport":{"low":1}}}"#,
      #"{"id":6,"location":[126.97,37.57]}"#, #"{"id":7,"latlng":[48.85,2.35]}"#,
      #"{"id":8,"lonlat":[2.35,48.85]}"#, #"{"id":9,"position":"37.57, 126.97"}"#,
      #"{"id":10,"location":"Seoul, Korea"}"#, #"{"id":11,"size":[126,37]}"#,
      #"{"id":12,"where":"SRID=4326;POINT(126.97 37.57)"}"#,
      #"{"id":13,"geom_x_y":[48.85,2.35]}"#,
    ]
    let result = try read(rows.joined(separator: "\n"))
    let seoul = "37.57,126.97", paris = "48.85,2.35"
    #expect(
      result.annotations.map { $0.coordinate?.description } == [
        seoul, seoul, seoul, seoul, seoul, seoul, paris, paris, seoul, nil, nil, seoul, paris,
      ])
    // The position is not said a second time, and everything else stays.
    #expect(
      result.annotations.map { $0.properties.entries.map(\.name) }[..<5] == [
        ["id", "area"], ["id"], ["id", "size"], ["id"], ["id", "geometry"],
      ])
  }

  @Test(arguments: [
    (#"{"id":1,"loc":[48.85,2.35]}"#, "ambiguous-coordinate-fields"),
    (#"{"id":1,"from":"POINT(1 2)","to":"POINT(3 4)"}"#, "ambiguous-coordinate-fields"),
    (#"{"id":1,"geom":"SRID=5179;POINT(1 2)"}"#, "crs-unsupported"),
    (#"{"id":1,"geom":"POINT(190 95)"}"#, "lat-range"),
    (#"{"id":1,"geom":"POINT(east 5)"}"#, "not-a-number"),
    (
      #"{"id":1,"geometry":{"type":"Point","crs":{"properties":{"name":"EPSG:4301"}},"#
        + #""coordinates":[139,35.5]}}"#, "crs-unsupported"
    ),
    (
      #"{"id":1,"geometry":{"x":139,"y":35.5,"spatialReference":{"wkid":4301}}}"#,
      "crs-unsupported"
    ),
  ])
  func `a position in one member that is none, or one of several`(row: String, code: String) throws
  {
    let good = #"{"id":2,"latlng":"1, 2"}"#
    let report = try read("[\(row),\(good)]").report
    #expect(report.placed == 1 && Array(report.rejected.keys) == [code], "\(report.rejected)")
  }

  @Test func `SPARQL's results have their values in objects`() throws {
    let result = try read(
      #"""
      {"head":{"vars":["title","coord"]},"results":{"bindings":[
        {"title":{"xml:lang":"en","type":"literal","value":"A"},
         "coord":{"type":"literal","datatype":"…#wktLiteral","value":"Point(126.97 37.57)"}},
        {"title":{"type":"literal","value":"B"}}]}}
      """#)
    #expect(result.annotations.map(\.name) == ["A", "B"])
    #expect(result.annotations.map { $0.coordinate?.description } == ["37.57,126.97", nil])
  }

  @Test func `rows of ArcGIS name their CRS beside them`() throws {
    func rows(_ wkid: Int) -> String {
      #"{"spatialReference":{"wkid":\#(wkid)},"features":[{"attributes":{"OBJECTID":1},"#
        + #""geometry":{"x":139,"y":35.5}}]}"#
    }
    let degrees = try read(rows(4326), as: .json)
    #expect(degrees.annotations.map { $0.coordinate?.description } == ["35.5,139.0"])
    let error = #expect(throws: ImportError.self) { try read(rows(4301), as: .json) }
    #expect(error?.code == "crs-unsupported")
  }

  @Test func `one field for both coordinates`() throws {
    let result = try read(#"[{"from":"POINT(1 2)","to":"POINT(3 4)"},{"from":"5, 6"}]"#) {
      ($0.latitudeField, $0.longitudeField) = ("from", "from")
    }
    #expect(result.annotations.map { $0.coordinate?.description } == ["2.0,1.0", "5.0,6.0"])
  }

  @Test func `whole degrees beside minutes are no position`() throws {
    let rows = [
      #"{"lat":37,"lat_min":30,"lon":127,"lon_min":6,"lon_sec":20}"#,
      #"{"lat":37.5,"lat_min":30,"lon":127.1}"#, #"{"lat":37,"lat_min":null,"lon":127}"#,
      #"{"lat":37,"lat_min":36,"lat_max":38,"lon":127}"#,
    ]
    var rejected: [RejectedRecord] = []
    let result = try AnnotationImporter()
      .read(Array(rows.joined(separator: "\n").utf8), named: "a.jsonl") { rejected.append($0) }
    #expect(
      result.annotations.map { $0.coordinate?.description } == [
        "37.5,127.1", "37.0,127.0", "37.0,127.0",
      ])
    #expect(rejected.count == 1 && rejected.allSatisfy { "\($0.problem)".contains("37 30") })
  }

  @Test func `null rows, other values and bad positions are rejected alone, with their reasons`()
    throws
  {
    let result = try read(
      """
      [{"id":1,"lat":37.5,"lon":127},
       null,
       17,
       {"id":2,"lat":"37.5","lon":" 127.0 "},
       {"id":3,"lat":127,"lon":37.5},
       {"id":4,"lat":37.5,"lon":""},
       {"id":5,"lat":"37,5","lon":"127"},
       {"id":6,"lat":0,"lon":0},
       {"id":7,"lat":450000,"lon":200000},
       {"id":8}]
      """)
    #expect(
      result.report.rejected == [
        "row-null": 1, "row-no-object": 1, "lat-lon-swapped": 1, "row-half-coordinate": 1,
        "not-a-number": 1, "null-island": 1, "crs-unknown": 1,
      ])
    #expect(result.report.placed == 2 && result.report.unplaced == 1)
    #expect(result.report.warnings["number-as-text"] == 1)
    #expect(result.annotations.map(\.id) == [1, 2, 8])
    #expect(result.report.examples["row-null"]?.hasPrefix("feed.json:2: null stands") == true)
    #expect(result.annotations[1].origin?.record == 4)
  }

  @Test func `half a surrogate pair rejects its row alone`() throws {
    for (before, after) in [("[", "]"), (#"{"deals":["#, #"],"version":3}"#)] {
      let result = try read(
        """
        \(before){"id":1,"name":"a","lat":37.5,"lon":127},
        {"id":2,"name":"cut \\ud83d","lat":37.5,"lon":127},
        {"id":3,"name":"c","lat":37.5,"lon":127}\(after)
        """)
      #expect(result.report.rejected == ["json-syntax": 1])
      #expect(result.report.examples["json-syntax"]?.hasPrefix("feed.json:2: half a ") == true)
      #expect(result.annotations.map(\.id) == [1, 3])
    }
  }

  @Test func `each row is looked through anew, as fields are renamed or lost`() throws {
    let result = try read(
      """
      [{"id":1,"lat":37.5,"lon":127,"tel":"1"},{"id":2,"latitude":37.6,"longitude":127,"tel":"2"},
       {"id":3,"위도":37.7,"경도":127,"tel":"3"},
       {"id":4,"location":{"latitude":37.8,"longitude":127,"floor":2}},
       {"id":5,"location":{"latitude":null,"longitude":null}}]
      """)
    #expect(result.report.placed == 4 && result.report.unplaced == 1)
    #expect(result.annotations.compactMap { $0.coordinate?.latitude } == [37.5, 37.6, 37.7, 37.8])
    #expect(result.report.warnings["missing-field"] == 2)
    #expect(result.report.examples["missing-field"]?.contains("\"tel\"") == true)
    #expect(
      result.annotations[3].properties["location"] == .object(["floor": 2]))
  }

  @Test func `fields that are named count, also inside an object`() throws {
    let text = #"[{"id":1,"at":{"n":37.5,"e":"127"}}]"#
    let result = try read(text) {
      $0.latitudeField = "at.n"
      $0.longitudeField = "at.e"
    }
    #expect(result.report.placed == 1)
    #expect(throws: ImportError.self) { try read(text) { $0.latitudeField = "north" } }
    let several = #"{"a":[{"id":1,"y":1,"x":2}],"b":[{"id":2,"y":3,"x":4}]}"#
    #expect(throws: ImportError.self) { try read(several) }
    #expect(try read(several) { $0.rowsFields = ["b"] }.annotations.map(\.id) == [2])
  }

  @Test func `rows inside objects are read, and the other members around them stay`() throws {
    let text =
      #"{"response":{"head":{"code":"00"},"body":{"items":{"item":[{"y":37.5,"x":127}]}}},"#
      + #""v":{"n":[1]}}"#
    let path = "response.body.items.item"
    for fields in [[], [path]] {
      let annotations = try read(text) { $0.rowsFields = fields }.annotations
      #expect(annotations.map { $0.coordinate?.latitude } == [37.5])
      #expect(annotations.collectionMembers["v"] == .object(["n": .array([1])]))
    }
    let error = #expect(throws: ImportError.self) { try read(text) { $0.rowsFields = ["item"] } }
    #expect(error?.description.contains("name the one with the rows: \"\(path)\"") == true)
    // Rows at the top are the rows, whatever objects beside them hold.
    let beside = try read(#"{"meta":{"columns":[{"n":1}]},"rows":[{"y":37.5,"x":127}]}"#)
    #expect(beside.report.placed == 1)
    #expect(
      beside.annotations.collectionMembers["meta"]
        == .object(["columns": .array([.object(["n": 1])])]))
    #expect(throws: ImportError.self) { try read(#"{"a":{"b":[{"y":1}],"c":[{"y":1}]}}"#) }
  }

  @Test func `names, kinds and hours may be inside an object, as Overpass has them`() throws {
    let text = #"""
      {"elements":[
      {"type":"node","id":1,"lat":37.5,"lon":127,"tags":{"name":"A","amenity":"cafe"}},
      {"type":"way","id":2,"center":{"lat":37.6,"lon":127},"tags":{"name":"B"}}]}
      """#
    let result = try read(text) { options in
      options.nameField = "tags.name"
      options.kindField = "tags.amenity"
    }
    #expect(result.report.placed == 2)
    #expect(result.annotations.map(\.name) == ["A", "B"])
    #expect(result.annotations.map { $0.kind?.rawValue } == ["cafe", nil])
    #expect(throws: ImportError.self) { try read(text) { $0.nameField = "tags.none" } }
  }

  @Test func `tags of Overpass are properties, and ids are of all kinds of elements`() throws {
    let text = #"""
      {"osm3s":{},"remark":"timed out","elements":[
      {"type":"node","id":1,"lat":37.5,"lon":127,"tags":{"name":"A","opening_hours":"24/7","id":"x"}},
      {"type":"way","id":1,"center":{"lat":37.6,"lon":127},"tags":{"name":"B","type":"way"}},
      {"type":"relation","id":1,"lat":37.7,"lon":127,"tags":{"type":"site"}}]}
      """#
    let result = try read(text)
    #expect(result.annotations.map(\.id) == ["node/1", "way/1", "relation/1"])
    #expect(result.annotations.map(\.name) == ["A", "B", nil])
    #expect(result.annotations[0].openingHours == "24/7")
    #expect(
      result.annotations.map { $0.properties.entries.map(\.name) } == [
        ["type", "id", "name", "opening_hours", "id_2"], ["id", "name", "type"],
        ["type", "id", "type_2"],
      ])
    #expect(result.report.warnings == ["source-remark": 1])
    // A row of something else.
    let other = #"[{"type":"node","id":1,"lat":1,"lon":2,"floor":1,"tags":{"name":"A"}}]"#
    #expect(try read(other).annotations.map { [$0.id.text, $0.name] } == [["1", nil]])
  }

  @Test func `a path takes the member of that spelling where there are two`() throws {
    let (composed, decomposed) = ("\u{BC88}", "\u{1107}\u{1165}\u{11AB}")
    let text =
      #"[{"lat":37.5,"lon":127,"info":{"\#(decomposed)":"a","\#(composed)":"b"}}]"#
    #expect(
      try read(text) { $0.idField = "info.\(composed)" }.annotations.map(\.id.text) == ["b"])
    #expect(
      try read(text) { $0.idField = "info.\(decomposed)" }.annotations.map(\.id.text) == ["a"])
  }

  @Test func `rows without a known name for a coordinate say what they have`() throws {
    let report = try read(#"[{"latitudeE7":375700000,"name":"a"}]"#).report
    #expect(report.unplaced == 1)
    #expect(
      report.examples["row-no-coordinate"]
        == "feed.json: no row has a member with a known name for coordinates; the members are "
        + "latitudeE7,name; say which with `latitudeField` and `longitudeField`")
    #expect(try read(#"[{"lat":null,"lon":null}]"#).report.examples["row-no-coordinate"] == nil)
  }

  @Test func `an answer without rows says what it has`() {
    let error = #expect(throws: ImportError.self) { try read(#"{"error":{"code":401}}"#) }
    #expect(error?.description.contains("this object has no \"type\", only error; give") == true)
  }

  @Test func `members of an object properties are the row's own, and nothing is said twice`() throws
  {
    let result = try read(
      """
      [{"id":"7","name":"a","kind":null,"latitude":37.5,"longitude":127,"distance":5,
        "properties":{"id":7,"name":"b","lat":1,"rating":4.5}},
       {"type":"Feature","id":1,"lat":1,"lon":2,"properties":{"rating":3}}]
      """)
    let first = result.annotations[0]
    #expect(first.id == 7 && first.name == "a" && first.coordinate?.latitude == 37.5)
    #expect(
      first.properties.entries.map(\.name)
        == ["name", "distance", "id", "name_2", "lat", "rating"])
    #expect(first.properties["rating"]?.number == 4.5)
    #expect(result.annotations[1].properties["properties"] == .object(["rating": 3]))
  }

  @Test(arguments: ["a.jsonl", "a.ndjson", "-"])
  func `lines that are not GeoJSON are rows, and a bad one costs only itself`(name: String) throws {
    let text = """
      {"id":"a","latitude":37.5,"longitude":127,"properties":{"n":1}}\r
      {"id":"b","latitude":\u{20}\t\r
      null

      {"id":"c","latitude":null,"longitude":null} x
      {"id":"d","latitude":null,"longitude":null}
      """
    var rejected: [RejectedRecord] = []
    let result = try AnnotationImporter().read(Array(text.utf8), named: name) {
      rejected.append($0)
    }
    #expect(result.annotations.map(\.id) == ["a", "d"])
    #expect(result.report.placed == 1 && result.report.unplaced == 1)
    #expect(result.report.rejected == ["json-syntax": 2, "row-null": 1])
    #expect(rejected.map(\.line) == [2, 3, 5])
    let second = try #require(rejected.first)
    #expect(String(decoding: second.bytes, as: UTF8.self) == #"{"id":"b","latitude":"#)
  }

  @Test(arguments: [
    ("[]", InputFormat.json), (#"{"v":1,"rows":[{"a":1}]}"#, .json),
    (#"{"v":1,"rows":[]}"#, .json),
    (#"{"type":"FeatureCollection","x":[],"features":[]}"#, .geojson),
    (#"{"rows":[null,{"a":1}],"type":"x"}"#, .json),
    (#"{"type":"FeatureCollection","features":[]}"#, .geojson),
    (#"{"features":[{"a":1}],"type":"FeatureCollection"}"#, .geojson),
    (#"{"bbox":[1,2,3,4],"type":"Point","coordinates":[1,2]}"#, .geojson), ("{}", .geojson),
    ("{\"a\":1}\n{\"a\":2}", .geojsonseq),
    (#"{"type":"stores","rows":[{"a":1}]}"#, .json), (#"{"type":"stores","rows":[]}"#, .json),
    (#"{"type":"Featurecollection","features":[{"type":"Feature"}]}"#, .geojson),
    (#"{"id":1,"lat":37.5,"lon":127}"#, .geojsonseq),
    ("{\"id\":1,\"lat\":null,\"lon\":null,\"tags\":[{\"a\":1}]}\r\n\n", .geojsonseq),
    (#"{"v":1,"location":{"위도":1,"경도":2}}"#, .geojsonseq),
    (#"{"query":{"lat":1,"lon":2},"results":[{"lat":1,"lon":2}]}"#, .json),
    (#"{"lat":1,"rows":[{"lat":1,"lon":2}]}"#, .json), ("{\"lat\":1,\n\"lon\":2}", .geojson),
    (#"{"lat":1,"lon":2,"type":"Feature"}"#, .geojson), (#"{"lat":1,"lon":2} x"#, .geojson),
    (#"{"response":{"body":{"items":{"item":[{"a":1}]}}}}"#, .json),
    (#"{"error":{"code":401,"details":[1]}}"#, .geojson),
    (#"{"error":{"code":400,"message":"no","details":[]}}"#, .geojson),
    (#"{"body":{"items":[],"total":0}}"#, .json),
    (#"{"crs":{"a":[{}]},"type":"FeatureCollection","features":[]}"#, .geojson),
    (#"{"type":"Topology","objects":{"a":{"type":"Point"}},"arcs":[]}"#, .geojson),
  ])
  func `a text without a telling name is told by what it holds`(text: String, format: InputFormat) {
    let sniffed = Array(text.utf8).withUnsafeBufferPointer { InputFormat(sniffedFrom: $0) }
    #expect(sniffed == format)
  }

  @Test func `one row on a line is read like the first of two`() throws {
    let row =
      #"{"id":1,"name":"a","lat":37.5,"lon":127,"branches":[{"id":9,"lat":35,"lon":129}]}"# + "\n"
    for (text, count) in [(row, 1), (row + row.replacing("\"id\":1,", with: "\"id\":2,"), 2)] {
      let annotations = try importing(text, named: "-").annotations
      #expect(annotations.count == count)
      #expect(annotations[0].id == 1 && annotations[0].coordinate?.latitude == 37.5)
      #expect(annotations[0].properties["branches"] != nil)
    }
    let named = try importing(row, named: "-") { $0.rowsFields = ["branches"] }
    #expect(named.annotations.map(\.id) == [9])
  }

  @Test func `a type of the rows' own is one of their fields, in a feed and on lines`() throws {
    let rows = [
      #"{"type":"mart","lat":37.5,"lon":127}"#, #"{"lat":37.6,"lon":127,"type":"x\ty"}"#,
    ]
    for text in [
      rows.joined(separator: "\n"), "[\(rows.joined(separator: ","))]",
      #"{"type":"stores","rows":[\#(rows.joined(separator: ","))]}"#,
    ] {
      let result = try importing(text, named: "-")
      #expect(result.report.placed == 2 && result.report.rejected == [:], "\(text)")
      #expect(result.annotations.map { $0.properties["type"]?.text } == ["mart", "x\ty"])
    }
    let mistyped = importError(
      #"{"type":"Featurecollection","features":[{"lat":1,"lon":2}]}"#, named: "-")
    #expect(mistyped?.description.contains(#"GeoJSON has no type "Featurecollection""#) == true)
    // Lines of GeoJSON stay what they are, and a wrong type there is told.
    let feature = #"{"type":"Feature","geometry":null,"properties":{}}"#
    let mixed = try importing(feature + "\n" + rows[0], named: "-")
    #expect(mixed.annotations.count == 1 && mixed.report.rejected == ["geojson-type": 1])
  }

  @Test(arguments: ["[{\"id\":1}", "[1,]", "{\"rows\":[{}]} x", "", "{\"a\":1}"])
  func `what is no feed is an error`(text: String) {
    #expect(throws: ImportError.self) {
      try AnnotationImporter().read(Array(text.utf8), named: "-", format: .json)
    }
  }

  @Test func `an empty feed is no error, but a warning`() throws {
    for text in [
      "[]", #"{"tags": [1], "deals": [], "version": 3}"#, #"{"a":{"b":[{}]},"deals":[]}"#,
      #"{"response":{"header":{"code":"00"},"body":{"items":{"item":[]},"totalCount":0}}}"#,
    ] {
      let result = try read(text)
      #expect(result.report.records == 0)
      #expect(result.report.warnings["empty-input"] == 1)
    }
    // Nothing says which of two empty arrays is the feed.
    #expect(throws: ImportError.self) { try read(#"{"a":{"b":[],"c":[]}}"#) }
  }
}
