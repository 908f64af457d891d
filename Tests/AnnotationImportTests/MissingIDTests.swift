import AnnotationImport
import GeoJSONCoding
import MapAnnotations
import NearbyTestSupport
import Testing

@Suite struct MissingIDTests {
  /// Three of the rows have no id, and two of them say the same.
  private static let shops = """
    id,name,lat,lon,memo
    3,가,37.5,127,
    ,나,37.6,127.1,late
    ,다,37.7,127.2,
     ,다,37.7,127.2,NULL
    2,라,37.8,127.3,

    """

  private static func isMadeUp(_ id: AnnotationID) -> Bool { id.text.hasPrefix("no-id-") }

  @Test func `a row without an id goes by what it says, never by a number`() throws {
    let result = try importing(MissingIDTests.shops)
    let ids = result.annotations.map(\.id)
    #expect(ids.map(MissingIDTests.isMadeUp) == [false, true, true, true, false])
    // SHA-256 of `name`, 0xFF, `나`, 0xFF and so on, by Python's hashlib.
    #expect(ids[1] == "no-id-56c1eb82f55e95b2")
    #expect(ids[2] == ids[3] && ids[1] != ids[2])
    #expect(
      result.report.warnings == ["no-id": 3] && !result.annotations.idsAscend
        && result.report.examples["no-id"]
          == "shops.csv:3: there is no id here, so the record is identified by its content; give it "
          + "an id to be able to change it"
    )
  }

  @Test(arguments: UInt64(0)..<20)
  func `ids stay when rows are shuffled, put in and left out, or a column is added`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    func rows(_ numbers: [Int], more: String) -> String {
      "id,name,lat,lon\(more.isEmpty ? "" : ",more")\n"
        + numbers.map { number in
          "\(number % 3 == 0 ? "" : "s\(number)"),\"n \(number)\",\(number % 90),\(number)\(more)\n"
        }.joined()
    }
    let first = try importing(rows(Array(1..<100), more: "")).annotations
    let numbers = (1..<150).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
    let second = try importing(rows(numbers, more: seed % 2 == 0 ? "" : ",")).annotations
    let held = Dictionary(uniqueKeysWithValues: first.map { ($0.name, $0.id) })
    for annotation in second {
      guard let name = annotation.name, let id = held[name] else { continue }
      #expect(annotation.id == id, "seed \(seed)")
    }
    #expect(Set(second.map(\.id)).count == numbers.count)
  }

  @Test func `every way to lack an id counts`() throws {
    let texts = [
      ("a.geojson", #"{"type":"FeatureCollection","features":["#, "]}"), ("a.geojsonl", "", ""),
    ]
    for (name, start, end) in texts {
      let features = [
        #""id":1,"properties":{}"#, #""properties":{"id":null}"#, #""properties":{"id":""}"#,
        #""properties":{"name":"b","l":[1]}"#, #""id":" ","properties":{"name":"b"}"#,
      ].map { #"{"type":"Feature","geometry":null,\#($0)}"# }
      let text = start + features.joined(separator: start.isEmpty ? "\n" : ",") + end
      let result = try importing(text, named: name)
      #expect(
        result.annotations.map { MissingIDTests.isMadeUp($0.id) }
          == [false, true, true, true, true])
      #expect(result.annotations[1].id == result.annotations[2].id)
      #expect(Set(result.annotations.map(\.id)).count == 4)
      #expect(result.report.warnings == ["no-id": 4])
    }
    let feed = try importing(
      #"[{"id":"x","lat":1,"lon":2},{"lat":1,"lon":2},{"lon":2,"lat":"1"}]"#, named: "a.json")
    #expect(feed.annotations[1].id == feed.annotations[2].id)
    #expect(feed.report.warnings["no-id"] == 2)
  }

  @Test func `records are numbered where none has an id`() throws {
    let table = try importing("name,lat,lon\na,1,2\nb,1,x\nc,1,2\n")
    #expect(table.annotations.map(\.id) == [1, 3])
    let feed = try importing(#"[{"n":1,"lat":1,"lon":2},{"n":2}]"#, named: "a.json")
    #expect(feed.annotations.map(\.id) == [1, 2])
    #expect(feed.annotations.idsAscend && feed.report.warnings["no-id"] == nil)
    // A column of ids in which none is written is not numbered: the next edition may fill it in.
    let column = try importing("id,name,lat,lon\n,a,1,2\n,b,1,2\n")
    #expect(column.annotations.allSatisfy { MissingIDTests.isMadeUp($0.id) })
  }

  @Test func `an id that says what stands for a missing one is that id`() throws {
    let id = try importing(MissingIDTests.shops).annotations[1].id
    let again = try importing("id,name,lat,lon\n\(id),나,1,2\n").annotations[0]
    #expect(again.id == id)
  }

  @Test func `records read from an index have the ids that they had`() throws {
    var generator = SeededGenerator(seed: 1)
    for (text, name) in [
      (MissingIDTests.shops, "a.csv"),
      (#"[{"id":7,"lat":1,"lon":2},{"name":"b","lat":1,"lon":2}]"#, "a.json"),
      (#"[{"lat":1,"lon":2},{"name":"b","lat":1,"lon":2}]"#, "a.json"),
    ] {
      let annotations = try importing(text, named: name).annotations
      #expect(!annotations.isEmpty)
      let kept = try #require(ShuffledRecords(annotations, using: &generator))
      for (place, row) in kept.order.enumerated() {
        #expect(kept.annotation(place).id == annotations[row].id)
      }
    }
  }

  @Test func `a source read from an index has numbers for ids if it had before`() throws {
    var generator = SeededGenerator(seed: 1)
    let feature = #"{"type":"Feature","geometry":null,"properties":{"n":1}}"#
    let named = feature.replacing(#""geometry""#, with: #""id":"x","geometry""#)
    for (text, name) in [
      (feature + "\n" + feature, "a.geojsonl"), (named + "\n" + named, "a.geojsonl"),
      (named + "\n" + feature, "a.geojsonl"), (feature + "\n" + named, "a.geojsonl"),
      (MissingIDTests.shops, "a.csv"), ("name,lat,lon\na,1,2\n", "a.csv"),
      (#"[{"id":7,"lat":1,"lon":2},{"id":8,"lat":1,"lon":2}]"#, "a.json"),
    ] {
      let annotations = try importing(text, named: name).annotations
      let kept = try #require(ShuffledRecords(annotations, using: &generator))
      let read = try #require(ImportedAnnotations(kept).inOrderOfSources())
      #expect(read.map(\.id) == annotations.map(\.id))
      #expect(read.numberedSources == annotations.numberedSources, "\(text)")
      #expect(read.areNumberedInOrder == annotations.areNumberedInOrder, "\(text)")
    }
  }
}
