import Foundation
import NearbyTestSupport
import Testing

/// `nearby cluster` and `nearby cluster diff`.
@Suite struct ClusterTests {
  private func folder() throws -> Folder {
    let folder = try Folder()
    let columns = Array(stride(from: 0, to: 20, by: 1))
    let rows = columns.flatMap { x in
      columns.map { y in
        "\(x * 20 + y),서점 \(x),\(x % 2 == 0 ? "mart" : "cinema"),"
          + "\(37.5 + Double(y) * 0.002),\(126.9 + Double(x) * 0.003),\(x + y)"
      }
    }
    try folder.write(
      "id,name,kind,lat,lon,size\n" + rows.joined(separator: "\n") + "\n", to: "grid.csv")
    try folder.write(
      "id,lat,lon\n1,-17,179.9999\n2,-17,-179.9999\n3,90,0\n4,-90,7\n5,,\n", to: "seam.csv")
    return folder
  }

  private struct Answer {
    let bbox: [Double]
    let clusters: [[String: Any]]
    let single: [String]

    init(_ outcome: Program.Outcome) throws {
      #expect(outcome.status == 0, "\(outcome.errors)")
      let json = try outcome.json
      bbox = try #require(json["bbox"] as? [Double])
      let features = try #require(json["features"] as? [[String: Any]])
      var clusters: [[String: Any]] = []
      var single: [String] = []
      for feature in features {
        let properties = try #require(feature["properties"] as? [String: Any])
        if properties["cluster"] as? Bool == true {
          clusters.append(properties)
        } else {
          single.append("\(feature["id"] ?? "?")")
        }
      }
      self.clusters = clusters
      self.single = single
    }

    var count: Int { clusters.reduce(single.count) { $0 + ($1["point_count"] as? Int ?? 0) } }

    func holds(_ latitude: Double, _ longitude: Double) -> Bool {
      guard bbox[1] <= latitude, latitude <= bbox[3] else { return false }
      return bbox[0] <= bbox[2]
        ? bbox[0] <= longitude && longitude <= bbox[2]
        : longitude >= bbox[0] || longitude <= bbox[2]
    }
  }

  @Test(arguments: [0, 5, 9, 11, 12, 13, 14, 16, 17, 24])
  func `counts add up to what lies in the box that is named`(zoom: Int) throws {
    let folder = try folder()
    let answer = try Answer(
      Program.run(
        ["cluster", "--bbox", "126.91,37.505,126.93,37.52", "--zoom", "\(zoom)", "grid.csv"],
        in: folder))
    var inside = 0
    for x in 0..<20 {
      for y in 0..<20 where answer.holds(37.5 + Double(y) * 0.002, 126.9 + Double(x) * 0.003) {
        inside += 1
      }
    }
    #expect(answer.count == inside && inside > 0)
    #expect(answer.holds(37.505, 126.91) && answer.holds(37.52, 126.93))
    for cluster in answer.clusters {
      let id = try #require(cluster["cluster_id"] as? Int)
      #expect(id > 0 && id < 1 << 53)
      #expect(cluster["point_count_abbreviated"] as? String == "\(cluster["point_count"] ?? "")")
    }
    #expect(zoom < 17 || answer.clusters.isEmpty)
  }

  @Test func `±180° is one meridian, poles belong to the first and last row`() throws {
    let folder = try folder()
    let seam = try Answer(
      Program.run(["cluster", "--bbox", "179,-18,-179,-16", "--zoom", "9", "seam.csv"], in: folder))
    #expect(seam.count == 2 && seam.clusters.count == 1)
    let world = try Answer(
      Program.run(["cluster", "--bbox", "-180,-90,180,90", "--zoom", "0", "seam.csv"], in: folder))
    #expect(world.count == 4)
    #expect(world.bbox == [-180, -90, 180, 90])
  }

  @Test func `filters, aggregates and other cells obey the options`() throws {
    let folder = try folder()
    let base = ["cluster", "--bbox", "126,37,128,38", "grid.csv", "--zoom", "8"]
    let all = try Answer(Program.run(base + ["--aggregate", "kind,size"], in: folder))
    #expect(all.count == 400)
    for cluster in all.clusters {
      let kinds = try #require(cluster["kinds"] as? [String: Int])
      #expect(kinds.values.reduce(0, +) == cluster["point_count"] as? Int)
      #expect(cluster["size_min"] is Int && cluster["size_max"] is Int)
    }
    #expect(all.clusters.reduce(0) { $0 + ($1["size_sum"] as? Int ?? 0) } == 7_600)
    #expect(try Answer(Program.run(base + ["--kind", "mart"], in: folder)).count == 200)
    #expect(
      try Answer(Program.run(base + ["--where", "size >= 38"], in: folder)).single == ["399"])
    let none = try Answer(Program.run(base + ["--max-zoom", "7"], in: folder))
    #expect(none.clusters.isEmpty && none.single.count == 400)
    let large = try Answer(Program.run(base + ["--cell-size", "512"], in: folder))
    #expect(large.clusters.count <= all.clusters.count && large.count == 400)
  }

  @Test(arguments: [
    (["--zoom", "3"], "missing-bbox"), (["--bbox", "1,2,3,4"], "missing-zoom"),
    (["--bbox", "1,2,3,4", "--zoom", "25"], "bad-zoom"),
    (["--bbox", "1,2,3,4", "--zoom", "-1"], "bad-zoom"),
    (["--bbox", "1,2,3,4", "--zoom", "x"], "bad-zoom"),
    (["--bbox", "1,2,3", "--zoom", "3"], "bad-bbox"),
    (["--bbox", "1,5,3,4", "--zoom", "3"], "bbox-order"),
    (["--bbox", "1,2,3,4", "--zoom", "3", "--cell-size", "60"], "bad-cell-size"),
    (["--bbox", "1,2,3,4", "--zoom", "3", "--min-count", "1"], "bad-count"),
    (["--bbox", "1,2,3,4", "--zoom", "3", "--min-count", "-1"], "bad-count"),
    (
      ["--min-count", "-1", "--bbox", "1,2,3,4", "--zoom", "3", "--cell-size", "-2"],
      "bad-cell-size"
    ),
    (["--bbox", "1,2,3,4", "--zoom", "3", "--max-zoom", "23"], "bad-zoom"),
    (["--bbox", "1,2,3,4", "--zoom", "3", "--format", "csv"], "bad-format"),
    (["--bbox", "1,2,3,4", "--zoom", "3", "--where", "nothing = 1"], "where-field"),
    (["--bbox", "1,2,3,4", "--zoom", "3", "--aggregate", "kind,sise"], "unknown-field"),
    (["--bbox", "1,2,3,4", "--zoom", "3", "--fields", "name,sise"], "unknown-field"),
    (["diff", "--from-view", "1,2,3,4,5"], "missing-view"),
    (["diff", "--from-view", "1,2,3,4", "--to-view", "1,2,3,4,5"], "bad-view"),
    (["diff", "--from-view", "1,2,3,4,x", "--to-view", "1,2,3,4,5"], "bad-zoom"),
    (
      ["diff", "--from-view", "1,2,3,4,5", "--to-view", "1,2,3,4,5", "--segment", "x"],
      "bad-segment"
    ),
  ])
  func `a mistake is named`(arguments: [String], code: String) throws {
    let outcome = try Program.run(["cluster"] + arguments + ["grid.csv"], in: folder())
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("error: \(code): "), "\(outcome.errors)")
  }

  @Test func `segments are days, by the dates of annotations`() throws {
    let folder = try Folder()
    try folder.write(
      "id,lat,lon,dates\n1,37.5,127,2026-11-22\n2,37.6,127.1,2026-11-23\n3,37.7,127.2,\n4,37.8,127.3,hmm?\n",
      to: "deals.csv")
    let view = ["cluster", "--bbox", "126,37,128,38", "--zoom", "17", "deals.csv", "--segment"]
    func shown(_ segment: String) throws -> Set<String> {
      Set(try Answer(Program.run(view + [segment], in: folder)).single)
    }
    #expect(try shown("all") == ["1", "2", "3", "4"])
    // What was not understood stays visible.
    #expect(try shown("2026-11-22") == ["1", "3", "4"])
    #expect(try shown("20261123") == ["2", "3", "4"])
    for word in ["today", "tomorrow", "month", "this-month"] {
      #expect(try shown(word).isSuperset(of: ["3", "4"]))
    }
    let whole = "126,37,128,38,17"
    let diff = try Program.run(
      [
        "cluster", "diff", "--from-view", whole, "--to-view", whole, "--from-segment",
        "2026-11-22", "--segment", "2026-11-23", "--format", "geojson", "deals.csv",
      ], in: folder)
    let json = try diff.json
    #expect(json["remove"] as? [String] == ["1"])
    #expect((json["add"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == ["2"])
  }

  @Test func `a diff leads from one view to the other`() throws {
    let folder = try folder()
    let views = ["126.9,37.5,126.93,37.53,14", "126.91,37.5,126.94,37.53,14"]
    let diff = try Program.run(
      ["cluster", "diff", "--from-view", views[0], "--to-view", views[1], "grid.csv"], in: folder)
    #expect(diff.status == 0, "\(diff.errors)")
    let json = try diff.json
    let pins = try #require(json["annotations"] as? [String: [Any]])
    let clusters = try #require(json["clusters"] as? [String: [Any]])
    func ids(_ view: String) throws -> (pins: Set<String>, clusters: Set<Int>) {
      let parts = view.split(separator: ",")
      let answer = try Answer(
        Program.run(
          [
            "cluster", "--bbox", parts.prefix(4).joined(separator: ","), "--zoom",
            String(parts[4]), "grid.csv",
          ], in: folder))
      return (Set(answer.single), Set(answer.clusters.compactMap { $0["cluster_id"] as? Int }))
    }
    let (from, to) = (try ids(views[0]), try ids(views[1]))
    func features(_ list: [Any]?, _ name: String) -> Set<String> {
      Set(
        (list ?? []).compactMap { feature in
          guard let feature = feature as? [String: Any] else { return nil }
          let properties = feature["properties"] as? [String: Any]
          return (name == "id" ? feature["id"] : properties?[name]).map { "\($0)" }
        })
    }
    #expect(features(pins["added"], "id") == to.pins.subtracting(from.pins))
    #expect(Set(pins["removed"] as? [String] ?? []) == from.pins.subtracting(to.pins))
    #expect(Set(pins["kept"] as? [String] ?? []) == from.pins.intersection(to.pins))
    #expect(
      features(clusters["added"], "cluster_id")
        == Set(to.clusters.subtracting(from.clusters).map(String.init)))
    #expect(Set(clusters["kept"] as? [Int] ?? []) == from.clusters.intersection(to.clusters))
    #expect(Set(clusters["deaths"] as? [Int] ?? []) == from.clusters.subtracting(to.clusters))

    let same = try Program.run(
      [
        "cluster", "diff", "--from-view", views[0], "--to-view", views[0], "--format", "geojson",
        "grid.csv",
      ], in: folder)
    #expect(same.text == #"{"remove":[],"add":[],"update":[]}"# + "\n")
    let none = try Program.run(
      [
        "cluster", "diff", "--from-view", "126,37,128,38,4", "--to-view", "126,37,128,38,4",
        "--where", "size < 0", "grid.csv",
      ], in: folder)
    #expect(none.status == 0)
  }

  /// Countries in windows at all zooms: across ±180° at Fiji and Chukotka, at the south pole, inside of one.
  @Test(
    .enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)),
    arguments: [
      ("6,48,11,52", 5), ("6,48,11,52", 3), ("177,-21,-178,-12", 6), ("170,60,-160,75", 4),
      ("-60,-89,60,-80", 4), ("95,60,96,61", 9), ("-180,-90,180,90", 1), ("-10,35,30,60", 12),
    ])
  func `countries are in the answer where bbox finds them, once and whole`(
    window: String, zoom: Int
  ) throws {
    let folder = try Folder()
    let file = "countries.geojson"
    try folder.write(
      try SharedFiles.text("data/natural-earth/ne_110m_admin_0_countries.json"), to: file)
    _ = try Program.run(["index", "build", file, "-o", "c.nbx"], in: folder)
    for (source, reading) in [(file, "shape"), ("c.nbx", "shape"), (file, "point")] {
      let by = [source, "--by", reading]
      let outcome = try Program.run(
        ["cluster", "--bbox", window, "--zoom", "\(zoom)"] + by, in: folder)
      let answer = try Answer(outcome)
      let box = answer.bbox.map { "\($0)" }.joined(separator: ",")
      let inside = try Program.run(["bbox", box, "--format", "ids"] + by, in: folder)
      #expect(inside.status == 0 || inside.lines.isEmpty, "\(inside.errors)")
      #expect(answer.count == inside.lines.count, "\(source) \(reading) \(box)")
      #expect(Set(answer.single).count == answer.single.count)
      #expect(Set(answer.single).isSubset(of: inside.lines))
      let whole = try Program.run(["convert"] + by + ["--format", "geojson"], in: folder).json
      let shapes = try #require(whole["features"] as? [[String: Any]]).map { $0["geometry"] }
      let types = try #require(try outcome.json["features"] as? [[String: Any]])
        .filter { ($0["properties"] as? [String: Any])?["cluster"] == nil }
      for feature in types {
        let geometry = try #require(feature["geometry"] as? NSDictionary)
        if reading == "point" {
          #expect(geometry["type"] as? String == "Point")
        } else {
          #expect(shapes.contains { $0 as? NSDictionary == geometry })
        }
      }
    }
  }

  @Test func `a diff draws shapes whole, and says which come in from outside`() throws {
    let folder = try Folder()
    try folder.write(
      #"{"type":"Feature","id":"road","properties":{},"geometry":{"type":"LineString","coordinates":[[127,37.5],[127.5,37.5]]}}"#,
      to: "road.geojson")
    let views = ["--from-view", "128,37,128.1,37.1,12", "--to-view", "127.4,37.45,127.45,37.55,12"]
    let diff = try Program.run(["cluster", "diff", "road.geojson"] + views, in: folder)
    #expect(diff.status == 0, "\(diff.errors)")
    let line = #""geometry":{"type":"LineString","coordinates":[[127,37.5],[127.5,37.5]]}"#
    #expect(diff.text.contains(#""annotations":{"added":[{"type":"Feature","id":"road",\#(line)"#))
    let web = try Program.run(
      ["cluster", "diff", "road.geojson", "--format", "geojson"] + views, in: folder)
    #expect(web.text.hasPrefix(#"{"remove":[],"add":[{"type":"Feature","id":"road",\#(line)"#))
    let points = try Program.run(
      ["cluster", "diff", "road.geojson", "--format", "geojson", "--by", "point"] + views,
      in: folder)
    #expect(points.text == #"{"remove":[],"add":[],"update":[]}"# + "\n")
  }
}
