import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

/// Deals in one document and addresses in another, as design/SEED_APPS.md §4 describes them; the values
/// are made for these tests.
@Suite struct PlaceJoinTests {
  private static let deals = """
    [{"article_title":"라멘","collectionView_image_url":"i","address_ids":["a","b"],"enabled_dates":["05"]},
     {"article_title":"カレー","address_ids":["b","x","b"],"content":"deal"},
     {"article_title":"寿司","address_ids":[]},{"article_title":"없음","address_ids":["y","x"]}]
    """
  private static let addresses = """
    [{"address_id":"a","content":"晴海1丁目","latitude":35.6573,"longitude":139.7822},
     {"address_id":"b","content":"芝5丁目","latitude":null,"longitude":null}]
    """

  private func joined(
    _ deals: String, _ addresses: String, key: String = "address_ids", named name: String = "d.json"
  ) throws(ImportError) -> ImportResult {
    let places = try importing(addresses, named: "addresses.json").annotations
    return try PlaceJoin(places: places, named: "addresses.json", key: key)
      .join(try importing(deals, named: name))
  }

  @Test func `each place of each deal is an annotation, and nothing is lost`() throws {
    let result = try joined(PlaceJoinTests.deals, PlaceJoinTests.addresses)
    let annotations = result.annotations
    #expect(annotations.map(\.id.text) == ["1@a", "1@b", "2@b", "3", "4"])
    #expect(annotations.map(\.placeID) == ["a", "b", "b", nil, nil])
    #expect(annotations.map(\.name) == ["라멘", "라멘", "カレー", "寿司", "없음"])
    #expect(annotations.compactMap { $0.coordinate?.latitude } == [35.6573])
    // Deals without ids have numbers, which another edition gives to others.
    #expect(annotations.numberedSources == ["d.json"])
    #expect(annotations[0].properties["content"] == "晴海1丁目")
    #expect(annotations[2].properties["content"] == "deal")
    #expect(annotations[2].properties["place_content"] == "芝5丁目")
    #expect(annotations[0].properties["enabled_dates"] == .array(["05"]))
    let report = result.report
    #expect((report.records, report.placed, report.unplaced) == (5, 1, 4))
    #expect(
      report.warnings.filter { $0.key.hasPrefix("place") }
        == ["place-unknown": 3, "place-repeated": 1])
    #expect(
      report.examples["place-unknown"]
        == "d.json: record 2 names the place x, and addresses.json has none with that id; add it there, "
        + "or correct address_ids")
    #expect(report.remarks.last == "addresses.json: 2 places are named but missing: x, y")
  }

  @Test func `the place's id is written once`() throws {
    let deals = #"[{"id":12,"address_ids":"a7"},{"address_ids":"a7"}]"#
    let annotations = try joined(deals, #"[{"id":"a7","lat":37,"lon":127,"floor":2}]"#).annotations
    #expect(annotations[0].properties["id"]?.text == "12")
    for annotation in annotations {
      let named = annotation.properties.entries.filter { $0.value.text == "a7" }.map(\.name)
      #expect(named == ["address_ids", "place_id"])
      #expect(annotation.properties["floor"]?.text == "2")
    }
    #expect(annotations.map(\.placeID) == ["a7", "a7"])
  }

  @Test func `a place's property whose name is taken gets the next free number`() throws {
    let deals = #"[{"address_ids":"a","floor":1,"place_floor":2,"place_floor_2":3}]"#
    let places = #"[{"id":"a","lat":37,"lon":127,"floor":4}]"#
    let properties = try #require(try joined(deals, places).annotations.first).properties
    #expect(
      properties.entries.map(\.name)
        == ["address_ids", "floor", "place_floor", "place_floor_2", "place_id", "place_floor_3"])
    #expect(properties["place_floor_3"]?.text == "4")
  }

  @Test(arguments: UInt64(0)..<40)
  func `a join is what two loops find`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let placeIDs = (0..<Int.random(in: 0..<12, using: &random)).map { number in
      ["p\(number)", "\(number)", "p@\(number)", "%\(number)"].randomElement(using: &random)!
    }
    let isPlaced = placeIDs.map { _ in Int.random(in: 0..<4, using: &random) > 0 }
    let places = zip(placeIDs.indices, isPlaced).map { place, isPlaced in
      #"{"address_id":"\#(placeIDs[place])","n":\#(place)"#
        + (isPlaced ? #","lat":\#(place + 1),"lon":\#(place + 2)}"# : "}")
    }
    let known = placeIDs + ["lost", "away", "3"]
    let deals = (0..<30).map { deal in
      (
        id: deal % 5 == 0 ? "d@\(deal)" : "d\(deal)",
        keys: (0..<Int.random(in: 0..<5, using: &random)).map { _ in
          known.randomElement(using: &random)!
        }
      )
    }
    let text = deals.map { deal in
      #"{"id":"\#(deal.id)","keys":[\#(deal.keys.map { "\"\($0)\"" }.joined(separator: ","))]}"#
    }
    let result = try joined(
      "[\(text.joined(separator: ","))]", "[\(places.joined(separator: ","))]", key: "keys")

    // The judge: for each deal and each of its keys, the first place of that id.
    var expected: [(deal: String, place: Int?)] = []
    var unknown = 0
    for deal in deals {
      var reached: [Int] = []
      for key in deal.keys {
        guard let place = placeIDs.firstIndex(of: key) else {
          unknown += 1
          continue
        }
        if !reached.contains(place) { reached.append(place) }
      }
      if reached.isEmpty { expected.append((deal.id, nil)) }
      expected += reached.map { (deal.id, $0) }
    }
    #expect(result.annotations.count == expected.count, "seed \(seed)")
    for (annotation, pair) in zip(result.annotations, expected) {
      #expect(annotation.properties["id"]?.text == pair.deal)
      #expect(annotation.placeID == pair.place.map { placeIDs[$0] })
      #expect(annotation.properties["n"]?.number == pair.place.map { Double($0) })
      let latitude = pair.place.flatMap { isPlaced[$0] ? Double($0 + 1) : nil }
      #expect(annotation.coordinate?.latitude == latitude, "seed \(seed)")
    }
    #expect(Set(result.annotations.map(\.id)).count == expected.count, "seed \(seed)")
    #expect(result.report.warnings["place-unknown", default: 0] == unknown)
    #expect(
      result.report.placed == expected.count { $0.place.map { isPlaced[$0] } ?? false })
    #expect(result.report.records == result.report.placed + result.report.unplaced)
  }

  @Test(arguments: ["a;b", "a, b", "[\"a\",\"b\"]", " a | b ", "a,b,"])
  func `ids in one text are parted, unless a place is called so`(cell: String) throws {
    let table = "id,keys,lat,lon\n7,\"\(cell.replacing("\"", with: "\"\""))\",,\n"
    let result = try joined(table, PlaceJoinTests.addresses, key: "keys", named: "d.csv")
    #expect(result.annotations.map(\.id.text) == ["7@a", "7@b"])
    let whole = try joined(
      "id,keys,lat,lon\n7,\"a,b\",,\n", #"[{"address_id":"a,b","lat":1,"lon":2}]"#, key: "keys",
      named: "d.csv")
    #expect(whole.annotations.map(\.placeID) == ["a,b"])
  }

  @Test func `a record without places stays where it is`() throws {
    let result = try joined(
      #"[{"id":1,"keys":null,"lat":1,"lon":2},{"id":2,"keys":7,"lat":1,"lon":2}]"#,
      #"[{"address_id":7,"lat":5,"lon":6}]"#, key: "keys")
    #expect(result.annotations.map { $0.coordinate?.latitude } == [1, 5])
    #expect(result.annotations.map(\.id.text) == ["1", "2@7"])
  }

  @Test func `annotations of a join come back from an index`() throws {
    let annotations = try joined(PlaceJoinTests.deals, PlaceJoinTests.addresses).annotations
    #expect(!annotations.isEmpty)
    var generator = SeededGenerator(seed: 1)
    let kept = try #require(ShuffledRecords(annotations, using: &generator))
    for (place, row) in kept.order.enumerated() {
      #expect(
        BasicAnnotation(copying: kept.annotation(place))
          == BasicAnnotation(copying: annotations[row]))
    }
  }

  @Test func `a key that no record has, and a strict join without positions, are errors`() throws {
    #expect {
      try joined(PlaceJoinTests.deals, PlaceJoinTests.addresses, key: "adress_ids")
    } throws: { error in
      (error as? ImportError)?.description.contains("correct `key`") == true
    }
    let places = try importing(PlaceJoinTests.addresses, named: "a.json").annotations
    let deals = try importing(PlaceJoinTests.deals, named: "d.json") {
      $0.isStrict = true
      $0.requiresPositions = false
    }
    let join = PlaceJoin(places: places, named: "a.json", key: "address_ids")
    #expect { try join.join(deals, isStrict: true) } throws: { error in
      (error as? ImportError)?.code == "row-no-coordinate"
    }
  }
}
