import MapAnnotations
import NearbyTestSupport
import Testing

@testable import GeoJSONCoding

@Suite struct JSONTextTests {
  private func parse(_ text: String) throws(GeoJSONError) -> PropertyValue {
    try PropertyValue(json: Array(text.utf8))
  }

  private func failure(_ bytes: [UInt8]) -> GeoJSONError? {
    do throws(GeoJSONError) { _ = try PropertyValue(json: bytes) } catch { return error }
    return nil
  }

  @Test func `a value keeps the text of numbers, the order of members, and those that repeat`()
    throws
  {
    let value = try parse(#" {"b": -1.50e+3, "a": [true, false, null, {}, []], "b": "x"} "#)
    #expect(
      value
        == .object([
          "b": .number("-1.50e+3"),
          "a": .array([.bool(true), .bool(false), .null, .object([:]), .array([])]),
          "b": "x",
        ]))
  }

  @Test func `escapes become their characters`() throws {
    let value = try parse(#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\uDE00 한""#)
    #expect(value == .string("\"\\/\u{8}\u{c}\n\r\tA\u{e9}\u{1F600} 한"))
  }

  @Test(arguments: [
    #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\ud800""#,
    #""\u12g4""#, #""\x""#, "\"a\u{1}\"", "\"open", "[1,]", "[1 2]", "{\"a\" 1}", "{\"a\":1,}",
    "{a:1}", "01", "-", "1.", ".5", "+1", "1e", "0x1", "NaN", "tru", "nulll", "1 2", "[1]]", "[",
    "{",
    "\u{a0}1",
  ])
  func `what is not JSON is rejected as such`(text: String) {
    #expect(failure(Array(text.utf8))?.code == "json-syntax")
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xE2, 0x82],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func `bytes in a string that are not UTF-8 are rejected where they stand`(bytes: [UInt8]) throws {
    let padding = Array("\"0123456789".utf8)
    let error = try #require(failure(padding + bytes + Array("\"".utf8)))
    #expect(error.code == "encoding")
    #expect(error.byteOffset == padding.count)
  }

  @Test func `every scalar of UTF-8 is accepted, whatever its place in a word`() throws {
    for start in stride(from: UInt32(0x20), through: 0x10FFFF, by: 97) {
      guard let scalar = Unicode.Scalar(start), scalar != "\"", scalar != "\\" else { continue }
      let text = String(repeating: "x", count: Int(start % 9)) + String(Character(scalar))
      #expect(try parse("\"\(text)\"") == .string(text))
    }
  }

  @Test(arguments: [("[", 100_000), (#"[{"":"#, 50_000), (#"{"a":["#, 100_000)])
  func `deep nesting is an error and no crash`(unit: String, count: Int) throws {
    let bytes = Array(String(repeating: unit, count: count).utf8)
    #expect(failure(bytes)?.code == "json-depth")
    for framing in [GeoJSONReader.Framing.automatic, .document, .sequence] {
      #expect(Outcome(reading: bytes, framing: framing).codes == ["json-depth"])
    }
    let feature = #"{"type":"Feature","geometry":null,"properties":{"a":"#
    #expect(Outcome(reading: Array(feature.utf8) + bytes).codes == ["json-depth"])
  }

  @Test func `512 levels are read and 513 are not`() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(failure(nested(512)) == nil)
    #expect(failure(nested(513))?.code == "json-depth")
  }

  @Test func `a byte order mark is passed over, and nothing else is empty`() throws {
    #expect(try PropertyValue(json: [0xEF, 0xBB, 0xBF] + Array("7".utf8)) == 7)
    #expect(failure([0xEF, 0xBB, 0xBF])?.code == "empty-input")
    #expect(failure(Array(" \n\t\r".utf8))?.code == "empty-input")
    #expect(failure([])?.code == "empty-input")
  }

  @Test func `an error says its byte, line and column`() throws {
    let error = try #require(failure(Array("{\n \"한글\": 1,\n \"a\" 2}".utf8)))
    #expect(error.byteOffset == 21)
    #expect(error.line == 3)
    #expect(error.column == 6)
    #expect(
      error.description
        == "line 3, column 6 (byte 21): '2' cannot stand here; put a colon after the member's name")
    let wide = try #require(failure(Array("[\"한글\" x".utf8)))
    #expect(wide.column == 7)
    #expect(wide.byteOffset == 10)
  }

  @Test func `errors on one line each have their own column, in whatever order they are made`() {
    let text = Array("[\"한글\",\n\"a\", 1, \"나\", 2]".utf8)
    text.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      for offset in Array(0..<text.count) + [15, 3, 20, 11] {
        let before = String(decoding: text[..<offset], as: UTF8.self)
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        let error = scanner.error(.syntax, "", at: offset)
        #expect(error.line == lines.count)
        // An offset inside a character counts the character that it cuts.
        let leads = text[..<offset].suffix(lines[lines.count - 1].utf8.count)
        if String(validating: text[..<offset], as: UTF8.self) != nil {
          #expect(error.column == leads.count { $0 & 0xC0 != 0x80 } + 1, "\(offset)")
        }
      }
    }
  }

  // MARK: Numbers

  private func double(_ text: String) throws -> Double {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      return try scanner.double()
    }
  }

  @Test(arguments: UInt64(0)..<20)
  func `a number is the double that the standard library reads`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let digits =
        UInt64.random(in: 0...UInt64.max, using: &generator)
        >> UInt64.random(in: 0..<64, using: &generator)
      var text = String(digits)
      let decimals = Int.random(in: 0...22, using: &generator)
      if decimals > 0 {
        text = String(repeating: "0", count: max(0, decimals + 1 - text.count)) + text
        text.insert(".", at: text.index(text.endIndex, offsetBy: -decimals))
      }
      if Bool.random(using: &generator) { text = "-" + text }
      if Int.random(in: 0..<8, using: &generator) == 0 {
        text += "e\(Int.random(in: -330...310, using: &generator))"
      }
      let expected = try #require(Double(text))
      #expect(try double(text).bitPattern == expected.bitPattern, "\(text)")
    }
  }

  @Test(arguments: [
    // Halfway between two doubles, and a hair to either side of it.
    "9007199254740993", "9007199254740993.000", "9007199254740992.999", "9007199254740993.001",
    "4503599627370496.5", "4503599627370497.5", "4503599627370497.499", "1.0000000000000001110",
    "0.1", "0.3", "-0", "-0.0", "0.0000000000000000001", "9999999999999999999",
    "0.9999999999999999999", "18014398509481983", "1e22", "1e23", "5e-324", "2e-324", "1e400",
    "-1e400", "179.99999999999997", "123456789012345678901234567890.5",
  ])
  func `a number hard to round is the double that the standard library reads`(text: String) throws {
    let expected = try #require(Double(text))
    #expect(try double(text).bitPattern == expected.bitPattern)
  }
}
