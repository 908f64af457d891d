import Foundation
import NearbyTestSupport
import Testing

/// `nearby join LEFT RIGHT -k N`.
@Suite struct JoinTests {
  private func join(
    _ options: String..., left: String, right: String = Fixture.shops
  ) throws -> Program.Outcome {
    let folder = try Folder()
    try folder.write(left, to: "left.csv")
    try folder.write(right, to: "right.csv")
    return try Program.run(["join", "left.csv", "right.csv"] + options, in: folder)
  }

  @Test func `rows come by left record, then rank`() throws {
    let outcome = try join("-k", "2", "--within", "2km", left: Fixture.shops)
    #expect(
      outcome.text == """
        left_id,right_id,rank,distance
        1,-3,1,0.0000
        1,1,2,0.0000
        2,2,1,0.0000
        2,-3,2,1418.5150
        10,-3,1,0.0000
        10,1,2,0.0000
        a,a,1,0.0000
        02,-3,1,0.0000
        02,1,2,0.0000
        -3,-3,1,0.0000
        -3,1,2,0.0000

        """)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("left.csv: 1 of 7 records has no position"))
  }

  @Test func `left keeps rows without a match, itself excluded`() throws {
    let outcome = try join(
      "-k", "1", "--exclude-self", "--within", "1km", "--how", "left", left: Fixture.shops)
    #expect(outcome.lines.contains("2,,,"))
    #expect(outcome.lines.contains("a,,,"))
    #expect(outcome.lines.contains("1,-3,1,0.0000"))
    #expect(!outcome.text.contains("\n5,"))
    let empty = try join(
      "-k", "1", "--beyond", "20000km", "--exit-status", "--format", "jsonl", left: Fixture.shops)
    #expect((empty.status, empty.text) == (1, ""))
  }

  /// More rows than are in memory at once, in an order that is not that of the ground.
  @Test func `rows by the ten thousand stay in their order`() throws {
    let count = 70_000
    var left = "id,lat,lon,town\n"
    for row in 0..<count {
      let place = (row * 31_337) % count
      left += "\(row),\(Double(place % 500) / 500),\(10 + Double(place / 500) / 500),t\(row % 7)\n"
    }
    var right = "id,lat,lon,brand\n"
    for row in 0..<100 {
      right += "r\(row),\(Double(row % 10) / 10),\(10 + Double(row / 10) / 40),b\(row % 3)\n"
    }
    let outcome = try join(
      "-k", "1", "--left-fields", "town", "--right-fields", "brand,id", left: left, right: right)
    let lines = outcome.lines
    #expect(lines.count == count + 1)
    #expect(lines.first == "left_id,right_id,rank,distance,town,brand,id")
    for row in stride(from: 0, to: count, by: 997) {
      let cells = lines[row + 1].split(separator: ",", omittingEmptySubsequences: false)
      let right = try #require(Int(cells[1].dropFirst()))
      #expect(cells[0] == "\(row)")
      #expect(cells[2] == "1" && cells[4] == "t\(row % 7)")
      #expect(cells[5] == "b\(right % 3)" && cells[6] == cells[1])
      // The grid of the right side is regular: the nearest is where both numbers round to.
      let place = (row * 31_337) % count
      let latitude = min(9, (Double(place % 500) / 50).rounded())
      #expect(
        Double(right % 10) == latitude
          || (Double(place % 500) / 50).truncatingRemainder(dividingBy: 1) == 0.5)
    }
  }

  @Test func `itself is left out, however many have its id`() throws {
    let right = "id,lat,lon\na,1,1\na,1,1.001\na,1,1.002\nb,1,1.003\nc,1,1.004\n"
    let outcome = try join(
      "-k", "2", "--exclude-self", left: "id,lat,lon\na,1,1\nd,1,1\n", right: right)
    let found = outcome.lines.dropFirst().map {
      $0.split(separator: ",").prefix(3).joined(separator: ",")
    }
    #expect(found == ["a,b,1", "a,c,2", "d,a,1", "d,a,2"])
  }

  @Test func `a field that no row has is a slip`() throws {
    let outcome = try join("-k", "1", "--right-fields", "brnd", left: Fixture.shops)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("unknown-field: --right-fields: no column is named \"brnd\""))
    let jsonl = try join(
      "-k", "1", "--right-fields", "name", "--format", "jsonl", left: "id,lat,lon\nz,37.5,127\n",
      right: "id,lat,lon,name\n1,37.5,127,Kino\n")
    #expect(
      jsonl.text
        == "{\"left_id\":\"z\",\"right_id\":\"1\",\"rank\":1,\"distance\":0.0000,\"name\":\"Kino\"}\n"
    )
  }

  @Test func `latitude and longitude are fields, where no column has these names`() throws {
    let left = "id,lat,lon\nz,37.5,127\n"
    let right = "id,lat,lon,name\n1,37.6,127.25,Kino\n"
    let csv = try join(
      "-k", "1", "--left-fields", "latitude,longitude", "--right-fields", "name,longitude",
      left: left, right: right)
    #expect(
      csv.text == """
        left_id,right_id,rank,distance,latitude,left_longitude,name,right_longitude
        z,1,1,24722.9047,37.5,127,Kino,127.25

        """)
    let json = try join(
      "-k", "1", "--right-fields", "latitude", "--format", "jsonl", left: left, right: right)
    #expect(json.text.hasSuffix(#""distance":24722.9047,"latitude":37.6}"# + "\n"))
    let column = try join(
      "-k", "1", "--right-fields", "latitude", "--lat-field", "y", "--lon-field", "x", left: left,
      right: "id,y,x,latitude\n1,37.6,127.25,north\n")
    #expect(column.lines.last == "z,1,1,24722.9047,north")
    let other = try join("-k", "1", "--right-fields", "lat", left: left, right: right)
    #expect(
      other.errors == "error: unknown-field: --right-fields: no column is named \"lat\"; "
        + "columns are id,name; the position is latitude,longitude\n")
  }

  @Test func `where one record has a latitude of its own, none has its position there`() throws {
    let folder = try Folder()
    let features = [#"{"latitude":"own"}"#, "{}", #"{"latitude":null}"#].enumerated().map {
      #"{"type":"Feature","id":"\#($0)","geometry":{"type":"Point","coordinates":[127,\#(37 + $0)]},"#
        + #""properties":\#($1)}"#
    }
    try folder.write(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
      to: "own.geojson")
    let fields = "latitude,longitude"
    let joined = try Program.run(
      ["join", "own.geojson", "own.geojson", "-k", "1", "--right-fields", fields], in: folder)
    #expect(
      joined.lines.dropFirst() == [
        "0,0,1,0.0000,own,127", "1,1,1,0.0000,,127", "2,2,1,0.0000,,127",
      ])
    let list = try Program.run(
      ["list", "own.geojson", "--fields", fields, "--no-map"], in: folder)
    #expect(list.text.contains("own") && !list.text.contains("38"), "\(list.text)")
  }

  @Test func `fields have commas in quotes, and a number where a name repeats`() throws {
    let right = "id,lat,lon,\"a,b\",v,v\n1,37.5,127,x,y,z\n"
    for fields in ["\"a,b\",v_2", "v_2,\"a,b\"", "all"] {
      let outcome = try join(
        "-k", "1", "--right-fields", fields, "--format", "jsonl", left: "id,lat,lon\n1,37.5,127\n",
        right: right)
      #expect(outcome.text.contains(#""a,b":"x""#), "\(outcome.text) \(outcome.errors)")
      #expect(outcome.text.contains(#""v_2":"z""#), "\(outcome.text) \(outcome.errors)")
    }
  }

  @Test func `fields are as their source writes them, whatever it is`() throws {
    let folder = try Folder()
    try folder.write("id,name,price,lat,lon\n1,-,N/A,37.5,127\n2,NULL,,37.6,127\n", to: "a.csv")
    let converted = try Program.run(["convert", "a.csv", "-o", "a.geojson"], in: folder)
    #expect(converted.status == 0, "\(converted.errors)")
    let built = try Program.run(["index", "build", "a.csv", "-o", "a.nbx"], in: folder)
    #expect(built.status == 0, "\(built.errors)")
    for source in ["a.csv", "a.geojson", "a.nbx"] {
      let outcome = try Program.run(
        [
          "join", source, source, "-k", "1", "--exclude-self", "--left-fields", "name,price",
          "--right-fields", "price",
        ], in: folder)
      #expect(
        outcome.text == """
          left_id,right_id,rank,distance,name,left_price,right_price
          1,2,1,11098.7979,-,N/A,
          2,1,1,11098.7979,NULL,,N/A

          """, "\(source)")
    }
  }

  @Test func `left has options of its own, and null island holds for both`() throws {
    let outcome = try join(
      "-k", "1", "--left-lat-field", "breite", "--left-lon-field", "-2", "--left-id-field", "nr",
      "--allow-null-island", "--json", left: "breite,-2,nr\n0,0,x\n")
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: Any]])
    #expect(rows.count == 1)
    #expect(rows.first?["left_id"] as? String == "x")
    #expect(rows.first?["right_id"] as? String == "-3")
    #expect(rows.first?["rank"] as? Int == 1)
    let refused = try join("-k", "1", left: "id,lat,lon\nz,0,0\ny,1,1\n")
    #expect(refused.lines.count == 2)
    #expect(refused.errors.contains("1 of 2 rows rejected: 1 null-island"))
  }

  @Test func `what is said of the right side does not hold for the left`() throws {
    let left = "id,lat,lon\nparis,48.85,2.35\nnowhere,,\n"
    let outcome = try join(
      "-k", "1", "--region", "KR", "--strict", left: left, right: "id,lat,lon\n1,37.5,127\n")
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 2)
    let inKorea = try join("-k", "1", "--left-region", "KR", left: left)
    #expect(inKorea.lines.count == 1)
    #expect(
      inKorea.errors.contains(
        "left.csv: 1 of 2 rows rejected: 1 outside-region; --left-rejects FILE keeps them"))
    #expect(try join("-k", "1", "--left-strict", left: left).status == 65)
    let unnamed = try join("-k", "1", left: "breite,laenge\n1,2\n")
    #expect(unnamed.errors.contains("error: no-coordinate-fields: left.csv: "))
    #expect(unnamed.errors.contains("say --left-lat-field … --left-lon-field …"))
  }

  @Test func `the left side has points, a layer, a delimiter and remarks of its own`() throws {
    let folder = try Folder.withShops()
    try folder.write(
      """
      <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
      <wpt lat="1" lon="1"/><trk><trkseg><trkpt lat="37.58" lon="126.98"/></trkseg></trk></gpx>
      """, to: "way.gpx")
    func join(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(["join"] + arguments + ["shops.csv", "-k", "1"], in: folder)
    }
    #expect(try join("way.gpx", "--left-points", "tracks").lines.last == "1,2,1,0.0000")
    #expect(try join("way.gpx", "--left-points", "paths").status == 64)
    try folder.write("lat|lon\n* no row\n37.58|126.98\n", to: "left.txt")
    let parted = try join("left.txt", "--left-delimiter", "|", "--left-comment", "*")
    #expect(parted.lines.last == "1,2,1,0.0000")
    for layer in ["a", "b"] {
      try folder.write("id,lat,lon\n\(layer),37.58,126.98\n", to: "\(layer).csv")
    }
    _ = try Program.run(["import", "a.csv", "b.csv", "--store", "s.gpkg"], in: folder)
    #expect(try join("s.gpkg", "--left-layer", "b").lines.dropFirst() == ["b,2,1,0.0000"])
  }

  @Test func `one side may be standard input, and a format must fit its file`() throws {
    let folder = try Folder.withShops()
    let piped = try Program.run(
      ["join", "-", "shops.csv", "-k", "1"], input: Array("lat,lon\n37.58,126.98\n".utf8),
      in: folder)
    #expect(piped.lines == ["left_id,right_id,rank,distance", "1,2,1,0.0000"])
    let both = try Program.run(["join", "-", "-", "-k", "1"], in: folder)
    #expect(both.status == 64)
    let wrong = try Program.run(
      ["join", "shops.csv", "shops.csv", "-k", "1", "-o", "x.gpx"], in: folder)
    #expect(wrong.status == 64)
    #expect(try folder.names == ["shops.csv"])
  }

  @Test func `columns are named as in their source, and by their side where both have them`() throws
  {
    let left = "id,name,rank,lat,lon\nz,Zoo,9,37.5,127\n"
    let right = "id,name,open,lat,lon\n1,Kino,yes,37.5,127\n"
    func header(_ options: String...) throws -> [String] {
      let folder = try Folder()
      try folder.write(left, to: "left.csv")
      try folder.write(right, to: "right.csv")
      return try Program.run(["join", "left.csv", "right.csv", "-k", "1"] + options, in: folder)
        .lines
    }
    #expect(
      try header("--right-fields", "name,open") == [
        "left_id,right_id,rank,distance,name,open", "z,1,1,0.0000,Kino,yes",
      ])
    #expect(
      try header("--left-fields", "all", "--right-fields", "all") == [
        "left_id,right_id,rank,distance,left_id_2,left_name,left_rank,right_id_2,right_name,open",
        "z,1,1,0.0000,z,Zoo,9,1,Kino,yes",
      ])
  }

  @Test func `GeoJSON has the left place, or the line to the right one`() throws {
    let left = "id,lat,lon\nz,10,179\ny,0,10\n"
    let right = "id,lat,lon\n1,12,-179\n2,0,11\n"
    let places = try join("-k", "1", "--format", "geojson", left: left, right: right).json
    let features = try #require(places["features"] as? [[String: Any]])
    #expect(features.map { $0["id"] as? String } == ["z", "y"])
    #expect(
      features.map { ($0["geometry"] as? [String: Any])?["coordinates"] as? [Double] }
        == [[179, 10], [10, 0]])
    let properties = try #require(features[1]["properties"] as? [String: Any])
    #expect(properties["right_id"] as? String == "2" && properties["rank"] as? Int == 1)
    // A degree of the equator.
    #expect(properties["distance"] as? Double == 111319.4908)
    let lines = try join(
      "-k", "1", "--format", "geojson", "--lines", "--how", "left", "--within", "1000km",
      left: left + "x,80,80\n", right: right)
    #expect(
      lines.text.contains(
        #""MultiLineString","coordinates":[[[179,10],[180,11]],[[-180,11],[-179,12]]]"#),
      "\(lines.text)")
    #expect(lines.text.contains(#""LineString","coordinates":[[10,0],[11,0]]"#))
    #expect(lines.text.contains(#""id":"x","geometry":null"#))
  }

  @Test(arguments: [["-k", "2"], ["--inside"]])
  func `that lines on the left are joined by one point is said once`(options: [String]) throws {
    let folder = try Folder()
    try folder.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"way","properties":{},"#
        + #""geometry":{"type":"LineString","coordinates":[[127,37],[127,38]]}},"#
        + #"{"type":"Feature","id":"spot","properties":{},"#
        + #""geometry":{"type":"Point","coordinates":[127,37]}}]}"#, to: "lines.geojson")
    try folder.write(
      #"{"type":"Polygon","coordinates":[[[127,37],[128,37],[128,38],[127,37]]]}"#,
      to: "area.geojson")
    let warned = try Program.run(["join", "lines.geojson", "area.geojson"] + options, in: folder)
    #expect(
      warned.errors == "warning: left-as-points: 1 of 2 records of lines.geojson is a line, "
        + "an area or several points, and is joined by one point of it; shapes are measured on "
        + "the right side only\n")
    try folder.write("id,lat,lon\n1,37.5,127.5\n", to: "p.csv")
    let points = try Program.run(["join", "p.csv", "area.geojson"] + options, in: folder)
    #expect(points.errors.isEmpty, "\(points.errors)")
  }

  /// What an area says is kept for the rows behind the first.
  @Test func `an area says the same to each left row`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\nx,0,10\ny,0,10.5\nz,0,20\n", to: "left.csv")
    try folder.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a, b","geometry":"#
        + #"{"type":"Polygon","coordinates":[[[11,0],[12,-1],[12,1],[11,0]]]},"#
        + #""properties":{"name":"The \"Park\" here","beds":2}},{"type":"Feature","id":"stop","#
        + #""geometry":{"type":"Point","coordinates":[20,0]},"properties":{"name":null}}]}"#,
      to: "right.geojson")
    func join(_ format: String) throws -> String {
      try Program.run(
        [
          "join", "left.csv", "right.geojson", "-k", "1", "--right-fields", "name,beds",
          "--format", format,
        ], in: folder
      ).text
    }
    #expect(
      try join("csv") == """
        left_id,right_id,rank,distance,name,beds
        x,"a, b",1,111319.4908,"The ""Park"" here",2
        y,"a, b",1,55659.7454,"The ""Park"" here",2
        z,stop,1,0.0000,,

        """)
    #expect(
      try join("jsonl") == #"""
        {"left_id":"x","right_id":"a, b","rank":1,"distance":111319.4908,"name":"The \"Park\" here","beds":2}
        {"left_id":"y","right_id":"a, b","rank":1,"distance":55659.7454,"name":"The \"Park\" here","beds":2}
        {"left_id":"z","right_id":"stop","rank":1,"distance":0.0000,"name":null,"beds":null}

        """#)
  }

  @Test func `the line to an area ends at its nearest point, or by point at its position`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\ny,0,10\n", to: "left.csv")
    try folder.write(
      #"{"type":"Feature","id":"park","geometry":{"type":"Polygon","coordinates":"#
        + #"[[[11,0],[12,-1],[12,1],[11,0]]]},"properties":{}}"#, to: "park.geojson")
    func line(_ options: String...) throws -> String {
      try Program.run(
        ["join", "left.csv", "park.geojson", "-k", "1", "--lines", "--format", "geojson"]
          + options, in: folder
      ).text
    }
    let nearest = try line()
    #expect(nearest.contains(#""coordinates":[[10,0],[11,0]]"#), "\(nearest)")
    #expect(nearest.contains(#""distance":111319.4908"#), "\(nearest)")
    let byPoint = try line("--by", "point")
    #expect(byPoint.contains(#""coordinates":[[10,0],[11.5,0]]"#), "\(byPoint)")
    #expect(byPoint.contains(#""distance":166979.2362"#), "\(byPoint)")
  }

  /// By one question after another, what the batches on all cores found.
  @Test(arguments: [
    [], ["--exclude-self"], ["--within", "3km"], ["--kind", "a"], ["--how", "left"],
  ])
  func `neighbors in batches are those that find gives one after another`(
    options: [String]
  ) throws {
    var generator = SeededGenerator(seed: 7)
    var text = "id,kind,lat,lon\n"
    for row in 0..<60 {
      text += "r\(row % 50),\(row % 3 == 0 ? "a" : "b"),"
      text += "\(Double(Int.random(in: 0..<40, using: &generator)) / 100 + 1),"
      text += "\(Double(Int.random(in: 0..<40, using: &generator)) / 100 + 1)\n"
    }
    let folder = try Folder()
    try folder.write(text, to: "p.csv")
    let joined = try Program.run(["join", "p.csv", "p.csv", "-k", "3"] + options, in: folder)
    var expected = ["left_id,right_id,rank,distance"]
    for row in text.split(separator: "\n").dropFirst() {
      let cells = row.split(separator: ",")
      let asked = options.filter { $0 != "--exclude-self" && $0 != "--how" && $0 != "left" }
      var lines = try Program.run(
        ["--lat", "\(cells[2])", "--lon", "\(cells[3])", "p.csv", "-k", "8", "--format", "csv"]
          + asked, in: folder
      ).lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      if options.contains("--exclude-self") { lines.removeAll { $0[0] == cells[0] } }
      for (rank, line) in lines.prefix(3).enumerated() {
        expected.append("\(cells[0]),\(line[0]),\(rank + 1),\(line[5])")
      }
      if lines.isEmpty, options.contains("left") { expected.append("\(cells[0]),,,") }
    }
    #expect(joined.lines == expected)
    #expect(expected.count > 100)
  }

  @Test func `more neighbors than are kept in memory at once come in order, too`() throws {
    var text = "lat,lon\n"
    for row in 0..<1_200 { text += "\(1 + Double(row % 40) / 100),\(1 + Double(row / 40) / 100)\n" }
    let outcome = try join("-k", "all", left: text, right: text)
    let lines = outcome.lines.dropFirst()
    #expect(lines.count == 1_200 * 1_200)
    var place = 0
    for line in lines {
      let cells = line.split(separator: ",")
      #expect(Int(cells[0]) == place / 1_200 + 1 && Int(cells[2]) == place % 1_200 + 1)
      place += 1
    }
  }
}
