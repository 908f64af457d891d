import GeoJSONCoding
import MapAnnotations
import NearbyTestSupport
import Testing

/// Names are remembered from one feature to the next; each must still get its own.
@Suite struct PropertyNamesTests {
  private func feature(_ properties: String) -> String {
    #"{"type":"Feature","geometry":null,"properties":"# + properties + "}"
  }

  /// The properties of each record, nil for a bad one.
  private func read(_ properties: [String]) -> [Properties?] {
    let text =
      #"{"type":"FeatureCollection","features":["#
      + properties.map(feature).joined(separator: ",") + "]}"
    return Outcome(reading: text).records.map { (try? $0.feature.get())?.properties }
  }

  @Test func `names after a bad feature are its own`() throws {
    let found = read([
      #"{"a":1,"b":2}"#,
      // Bad after two names that nobody had; what comes next has just these.
      #"{"c":1,"d":2,"c":3}"#, #"{"c":1,"d":2}"#, #"{"c":1,"d":2,"c":3}"#, #"{"c":1,"d":2,"c":3}"#,
      #"{"ab":1}"#, #"{"a":1}"#, #"{"a":1,"b":2}"#, #"{"a":1}"#, "{}", #"{"a":1}"#,
      #"{"\u0061":1}"#, #"{"\u0061":1,"a":2}"#, #"{"\u0061":1,"a":2}"#, #"{"é":1,"e\u0301":2}"#,
    ])
    let names = found.map { $0?.entries.map(\.name) }
    #expect(
      names == [
        ["a", "b"], nil, ["c", "d"], nil, nil, ["ab"], ["a"], ["a", "b"], ["a"], [], ["a"], ["a"],
        nil, nil, ["é", "e\u{301}"],
      ])
  }

  @Test func `random features read one by one and together are the same`() throws {
    var generator = SeededGenerator(seed: 21)
    let names = [#""a""#, #""b""#, #""ab""#, #""\u0061""#, #""long name 12345678""#, #""나""#]
    let values = ["1", "-2.50e3", #""x""#, #""é\n""#, "null", "true", "[1,{\"a\":[]}]", "{}"]
    let properties = (0..<400).map { _ -> String in
      let members = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        let name = names.randomElement(using: &generator) ?? ""
        return name + ":" + (values.randomElement(using: &generator) ?? "")
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    let together = read(properties)
    let apart = properties.map { read([$0])[0] }
    #expect(together == apart)
    #expect(together.contains(nil) && together.contains { $0 != nil })
    // The tree reads the same.
    for (text, found) in zip(properties, together) {
      guard let found, case .object(let tree) = try PropertyValue(json: Array(text.utf8)) else {
        continue
      }
      #expect(found == tree)
    }
  }

  @Test func `numbers are written as Swift prints them`() {
    var generator = SeededGenerator(seed: 22)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 0...9, using: &generator)
      var value = Double.random(in: -180...180, using: &generator)
      if digits < 9 {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        value = (value * scale).rounded() / scale
      }
      var writer = JSONWriter()
      writer.number(value)
      let isWhole = value == value.rounded()
      #expect(
        writer.text
          == (isWhole && value != 0
            ? String(Int(value)) : value == 0 && value.sign == .plus ? "0" : value.description))
    }
  }
}
