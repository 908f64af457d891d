import Foundation
import NearbyTestSupport
import Testing

/// `nearby join LEFT RIGHT --inside`.
@Suite struct AreaJoinTests {
  /// A town of two districts with a border in common, the second with a lake in it and an island besides,
  /// and a park over both; and a bench, which is no area.
  private static let districts = #"""
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":"west","properties":{"name":"West","kind":"district","people":120},"geometry":
    {"type":"Polygon","coordinates":[[[0,1],[2,1],[2,3],[0,3],[0,1]]]}},
    {"type":"Feature","id":"east","properties":{"name":"East, with \"isle\"","kind":"district"},"geometry":
    {"type":"MultiPolygon","coordinates":[[[[2,1],[4,1],[4,3],[2,3],[2,1]],
    [[2.5,1.5],[3.5,1.5],[3.5,2.5],[2.5,2.5],[2.5,1.5]]],[[[5,1],[6,1],[6,2],[5,2],[5,1]]]]}},
    {"type":"Feature","id":"park","properties":{"name":"Park","kind":"green"},"geometry":
    {"type":"Polygon","coordinates":[[[1.5,1.5],[2.25,1.5],[2.25,2],[1.5,2],[1.5,1.5]]]}},
    {"type":"Feature","id":"bench","properties":{"name":"Bench"},"geometry":
    {"type":"Point","coordinates":[1,2]}},
    {"type":"Feature","id":"far","properties":{},"geometry":
    {"type":"Polygon","coordinates":[[[10,10],[11,10],[11,11],[10,10]]]}}]}
    """#

  /// In the west, in the park of either side, on the border, in the lake, on its shore, on the isle, nowhere,
  /// without a position.
  private static let shops = """
    id,name,lat,lon
    a,Ant,2.5,1
    b,Bee,1.75,1.75
    c,Cat,1.75,2.2
    d,Dog,2.5,2
    e,Eel,2,3
    f,Fly,2,2.5
    g,Gnu,1.5,5.5
    h,Hen,40,40
    i,Ibis,,

    """

  private func join(
    _ options: String..., left: String = shops, right: String = districts
  ) throws -> Program.Outcome {
    let folder = try Folder()
    try folder.write(left, to: "shops.csv")
    try folder.write(right, to: "areas.geojson")
    return try Program.run(["join", "shops.csv", "areas.geojson"] + options, in: folder)
  }

  @Test func `each row has the areas that hold it, by their ids, borders included`() throws {
    let outcome = try join("--inside")
    #expect(
      outcome.text == """
        left_id,right_id
        a,west
        b,park
        b,west
        c,east
        c,park
        d,east
        d,west
        f,east
        g,east

        """)
    #expect(outcome.status == 0)
    #expect(
      outcome.errors.contains(
        "note: 1 of 5 records of areas.geojson is not a polygon, and contains nothing\n"))
    #expect(outcome.errors.contains("shops.csv: 1 of 9 records has no position"))
    let left = try join("--inside", "--how", "left", "--kind", "green")
    #expect(left.lines.dropFirst() == ["a,", "b,park", "c,park", "d,", "e,", "f,", "g,", "h,"])
  }

  /// The isle in the south is larger than the lake in the middle, though both are a degree square: the west
  /// is the smaller district.
  @Test func `the areas of a collection hold places, whatever else it contains`() throws {
    let polygon = #"{"type":"Polygon","coordinates":[[[0,1],[2,1],[2,3],[0,3],[0,1]]]}"#
    let collection =
      #"{"type":"GeometryCollection","geometries":[\#(polygon),{"type":"Point","coordinates":[9,9]}]}"#
    let outcome = try join(
      "--inside",
      right: #"{"type":"Feature","id":"mixed","properties":{},"geometry":\#(collection)}"#)
    #expect(outcome.lines == ["left_id,right_id", "a,mixed", "b,mixed", "d,mixed"])
  }

  @Test func `of several areas the smallest may be the one`() throws {
    let outcome = try join("--inside", "--smallest", "--right-fields", "name,people")
    #expect(
      outcome.text == """
        left_id,right_id,name,people
        a,west,West,120
        b,park,Park,
        c,park,Park,
        d,west,West,120
        f,east,"East, with ""isle""\",
        g,east,"East, with ""isle""\",

        """)
  }

  @Test func `a count has every area, and adds up`() throws {
    let outcome = try join("--inside", "--count", "--right-fields", "name")
    #expect(
      outcome.text == """
        right_id,count,name
        east,4,"East, with ""isle""\"
        far,0,
        park,2,Park
        west,3,West

        """)
    let smallest = try join("--inside", "--count", "--smallest", "--format", "jsonl")
    #expect(
      smallest.lines == [
        #"{"right_id":"east","count":2}"#, #"{"right_id":"far","count":0}"#,
        #"{"right_id":"park","count":2}"#, #"{"right_id":"west","count":2}"#,
      ])
    let map = try join("--inside", "--count", "--kind", "green", "--format", "geojson").json
    let features = try #require(map["features"] as? [[String: Any]])
    #expect(features.count == 1)
    #expect(features[0]["id"] as? String == "park")
    #expect((features[0]["geometry"] as? [String: Any])?["type"] as? String == "Polygon")
    let properties = try #require(features[0]["properties"] as? [String: Any])
    #expect(properties["count"] as? Int == 2 && properties["right_id"] as? String == "park")
  }

  @Test func `GeoJSON has the left places, with the areas' fields`() throws {
    let outcome = try join(
      "--inside", "--format", "geojson", "--left-fields", "name", "--right-fields", "name")
    let features = try #require(try outcome.json["features"] as? [[String: Any]])
    #expect(features.count == 9)
    #expect(features[1]["id"] as? String == "b")
    let geometry = try #require(features[1]["geometry"] as? [String: Any])
    #expect(geometry["coordinates"] as? [Double] == [1.75, 1.75])
    let properties = try #require(features[1]["properties"] as? [String: String])
    #expect(
      properties == ["left_id": "b", "right_id": "park", "left_name": "Bee", "right_name": "Park"])
  }

  /// Rows by the hundred thousand over random rectangles, judged by four comparisons each.
  @Test(arguments: UInt64(0)..<2)
  func `many rows are where comparisons have them`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let boxes = (0..<60).map { _ in
      let west = Int.random(in: 0..<950, using: &generator)
      let south = Int.random(in: 0..<950, using: &generator)
      return (
        west: west, south: south, east: west + Int.random(in: 1...50, using: &generator),
        north: south + Int.random(in: 1...50, using: &generator)
      )
    }
    let features = boxes.enumerated().map { number, box in
      let ring = [
        (box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north),
        (box.west, box.south),
      ].map { "[\(Double($0.0) / 8),\(Double($0.1) / 16)]" }.joined(separator: ",")
      return #"{"type":"Feature","id":\#(number),"properties":{},"geometry":"#
        + #"{"type":"Polygon","coordinates":[[\#(ring)]]}}"#
    }
    let places = (0..<70_000).map { _ in
      (
        x: Int.random(in: 0..<1000, using: &generator),
        y: Int.random(in: 0..<1000, using: &generator)
      )
    }
    var left = "lat,lon\n"
    for place in places { left += "\(Double(place.y) / 16),\(Double(place.x) / 8)\n" }
    let right = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    var expected = ["left_id,right_id"]
    var counts = [Int](repeating: 0, count: boxes.count)
    for (row, place) in places.enumerated() {
      for (number, box) in boxes.enumerated()
      where box.west <= place.x && place.x <= box.east && box.south <= place.y
        && place.y <= box.north
      {
        expected.append("\(row + 1),\(number)")
        counts[number] += 1
      }
    }
    let outcome = try join("--inside", "--allow-null-island", left: left, right: right)
    #expect(outcome.lines == expected, "seed \(seed): \(outcome.errors)")
    #expect(expected.count > 1_000)
    let counted = try join("--inside", "--count", "--allow-null-island", left: left, right: right)
    #expect(counted.lines.dropFirst() == counts.enumerated().map { "\($0),\($1)" }[...])
  }

  @Test func `±180° and a pole are in areas like other places`() throws {
    let right = #"""
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"past","properties":{},"geometry":
      {"type":"Polygon","coordinates":[[[179,-1],[181,-1],[181,1],[179,1],[179,-1]]]}},
      {"type":"Feature","id":"cap","properties":{},"geometry":
      {"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,-70],[-180,-70],[-180,-90]]]}}]}
      """#
    let left =
      "id,lat,lon\neast,0,179.5\nseam,1,180\nother,1,-180\nwest,0,-179.5\nout,0,178\npole,-90,7\n"
    #expect(
      try join("--inside", left: left, right: right).lines.dropFirst()
        == ["east,past", "seam,past", "other,past", "west,past", "pole,cap"])
  }

  @Test func `one side may be standard input, and nothing may match`() throws {
    let folder = try Folder()
    try folder.write(Self.districts, to: "areas.geojson")
    try folder.write(Self.shops, to: "shops.csv")
    let left = try Program.run(
      ["join", "-", "areas.geojson", "--inside"], input: Array(Self.shops.utf8), in: folder)
    let right = try Program.run(
      ["join", "shops.csv", "-", "--inside"], input: Array(Self.districts.utf8), in: folder)
    #expect(left.lines.count == 10 && left.text == right.text)
    let none = try join("--inside", "--exit-status", left: "id,lat,lon\nz,50,50\n")
    #expect((none.status, none.text) == (1, "left_id,right_id\n"))
    let quiet = try join("--inside", "--count", "-q")
    #expect((quiet.status, quiet.text) == (0, ""))
    let empty = try join("--inside", "--count", left: "id,lat,lon\n")
    #expect(empty.lines.dropFirst() == ["east,0", "far,0", "park,0", "west,0"])
  }

  @Test func `a right side without areas is a mistake, and a bad ring is left out and said`() throws
  {
    let points = #"{"type":"Point","coordinates":[1,2]}"#
    for right in [points, #"{"type":"FeatureCollection","features":[]}"#] {
      let outcome = try join("--inside", right: right)
      #expect((outcome.status, outcome.text) == (65, ""))
      #expect(outcome.errors.contains("error: area-empty: areas.geojson holds no polygon"))
      #expect(outcome.errors.contains("give the areas second"))
    }
    let bad = Self.districts.replacing(
      #"[[[10,10],[11,10],[11,11],[10,10]]]"#, with: #"[[[10,10],[11,10],[10,10],[10,10]]]"#)
    let outcome = try join("--inside", "--count", right: bad)
    #expect(outcome.lines.contains("far,0"))
    #expect(outcome.errors.contains("warning: polygon-vertices: "))
    #expect(try join("--inside", "--strict", right: bad).status == 65)
  }

  @Test(arguments: [
    (["--smallest", "-k", "1"], "give that too"), (["--count", "-k", "1"], "give that too"),
    (["--inside", "-k", "1"], "leave out -k"), (["--inside", "--within", "1km"], "--within"),
    (["--inside", "--beyond", "1km"], "--beyond"),
    (["--inside", "--exclude-self"], "--exclude-self"),
    (["--inside", "--open"], "leave out --open"), (["--inside", "--lines"], "--lines"),
    (["--inside", "--count", "--how", "left"], "leave out --how"),
    (["--inside", "--count", "--left-fields", "name"], "leave out --left-fields"),
    (["-k", "1", "--lines"], "--format geojson"),
  ])
  func `options that say nothing together are refused`(options: [String], says: String) throws {
    let folder = try Folder()
    try folder.write(Self.districts, to: "areas.geojson")
    try folder.write(Self.shops, to: "shops.csv")
    let outcome = try Program.run(["join", "shops.csv", "areas.geojson"] + options, in: folder)
    #expect((outcome.status, outcome.text) == (64, ""))
    #expect(outcome.errors.contains("error: bad-join: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
  }
}
