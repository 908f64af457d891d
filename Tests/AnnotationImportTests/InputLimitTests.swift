import GeoJSONCoding
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import AnnotationImport

/// Work and memory grow with the input and no faster, or there is a limit with a name.
///
/// Timings decide nothing: a quadratic step takes these tests from a second to an hour.
@Suite struct InputLimitTests {
  private static let point =
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":[127,37]},"#

  @Test func `blank column names are numbered in one pass`() throws {
    let blanks = String(repeating: ",", count: 20_000)
    let result = try importing("id,lat,lon\(blanks)\n1,37,127\(blanks)\n2,37,127\(blanks)\n")
    #expect(result.annotations.count == 2)
    for annotation in result.annotations {
      let names = annotation.properties.withDistinctNames.entries.map(\.name)
      // The judge: the first has its name, and the n-th a number n behind it.
      #expect(names == ["id", ""] + (2...20_000).map { "_\($0)" })
    }
  }

  @Test func `a number behind a name is never one that a column has`() {
    let names = ["a", "a_2", "a", "a_3", "a", "a_2", "", "_2", "", "a"]
    let properties = Properties(names.map { Properties.Entry(name: $0, value: .null) })
    let distinct = properties.withDistinctNames.entries.map(\.name)
    #expect(distinct == ["a", "a_2", "a_4", "a_3", "a_5", "a_2_2", "", "_2", "_3", "a_6"])
    #expect(Set(distinct).count == names.count)
  }

  @Test func `a header of strange names is looked through in one pass`() throws {
    // Twenty records of twenty thousand words, none of which names a coordinate.
    let line = (0..<20_000).map { "w\($0 % 9)ordmap" }.joined(separator: ",") + "\n"
    let error = importError(String(repeating: line, count: 20))
    #expect(error?.code == "no-coordinate-fields")
  }

  @Test func `a file without line ends is refused by name`() {
    let error = importError(String(repeating: ",", count: 200_000))
    #expect(error?.code == "header-size")
    #expect(
      error?.description
        == "shops.csv: no columns for latitude and longitude; line 1 has 200,001 columns, and up to "
        + "65,536 are read; check `delimiter`, `quoting` and the line ends")
    let cell = importError(String(repeating: "x", count: 100_000))
    #expect(cell?.code == "header-size")
    #expect(cell?.description.contains("line 1 has a cell of 100,000 bytes") == true)
  }

  @Test func `a row of too many cells is rejected, and the next is read`() throws {
    let result = try importing(
      "id,lat,lon\n1,37,127\n\(String(repeating: ",", count: 200_000))\n2,38,128\n")
    #expect(result.report.rejected == ["row-fields": 1])
    #expect(result.report.examples["row-fields"]?.contains("200001 fields, header has 3") == true)
    #expect(result.annotations.map(\.id.text) == ["1", "2"])
  }

  @Test func `a feature of too many values is rejected, and the next is read`() throws {
    func feature(_ count: Int) -> String {
      let list = String(repeating: "0,", count: count - 2) + "0"
      return InputLimitTests.point + #""properties":{"a":[\#(list)]}}"#
    }
    // The list and its elements are values of their own.
    let result = try importing(
      #"{"type":"FeatureCollection","features":[\#(feature(1_000_001)),\#(feature(1_000_000))]}"#,
      named: "a.geojson")
    #expect(result.report.rejected == ["json-size": 1])
    #expect(result.annotations.map(\.id.text) == ["2"])
    #expect(
      result.report.examples["json-size"]?.hasSuffix(
        "there are more than 1,000,000 values in one piece; split it, or thin it out") == true)
  }

  @Test func `a row of JSON has the limit of a feature`() {
    let list = String(repeating: "[],", count: 1_000_001) + "0"
    let error = importError(#"[{"lat":37,"lon":127,"a":[\#(list)]}]"#, named: "a.json")
    #expect(error?.code == "json-size")
  }

  // MARK: Traps

  @Test(arguments: UInt64(0)..<20)
  func `features that were spoiled are rejected or can be read again`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let seeds = [
      InputLimitTests.point
        + #""id":7,"bbox":[1,2,3,4],"properties":{"a":[1,{"b":"\u00e9"}],"n":-1e5}}"#,
      #"{"type":"Feature","x":{"y":[]},"geometry":{"type":"Polygon","coordinates":"#
        + #"[[[0,0],[9,0],[9,9],[0,0]]]},"properties":null}"#,
    ]
    var readCount = 0
    for _ in 0..<200 {
      var text =
        Array(
          #"{"type":"FeatureCollection","features":["#.utf8)
        + Array(seeds.joined(separator: ",\n").utf8) + Array("]}".utf8)
      if Bool.random(using: &generator) { text = Array(seeds.joined(separator: "\n").utf8) }
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: text.indices, using: &generator)
        let other = Int.random(in: text.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: text[place] = text[other]
        case 1: text.remove(at: place)
        default: text.insert(contentsOf: text[min(place, other)..<max(place, other)], at: place)
        }
      }
      guard let result = try? importing(text, named: "a.geojson") else { continue }
      for annotation in result.annotations {
        // Every member reads the feature again.
        #expect(annotation.feature != nil)
        #expect(annotation.coordinate == nil || annotation.feature?.geometry != nil)
        _ = (annotation.id, annotation.name, annotation.validDates, annotation.properties)
        readCount += 1
      }
    }
    #expect(readCount > 0)
  }
}
