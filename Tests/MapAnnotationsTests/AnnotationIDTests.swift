import MapAnnotations
import Testing

@Suite struct AnnotationIDTests {
  /// In the order that ids are promised to have.
  private let ordered: [AnnotationID] = [
    // Canonical decimals of any length, by value.
    "-123456789012345678901234567890", "-123456789012345678901234567889", "-99999999999999999999",
    "-9223372036854775809", "-9223372036854775808", "-20", "-3", "-1", "0", "1", "7", "10", "99",
    "100", "9223372036854775807", "9223372036854775808", "10000000000000000000",
    "99999999999999999999", "123456789012345678901234567889", "123456789012345678901234567890",
    // Everything else, by its bytes.
    "", " 1", "+1", "-", "--1", "-0", "-01", "-a", "00", "007", "1 ", "1.0", "1e3", "10a", "A",
    "Z", "a", "a1", "a10", "a2", "b", "e\u{301}", "é", "z", "é1", "가게", "店", "😀",
  ]

  @Test func `ids and kinds are written as texts with values in them`() {
    let number = 7
    #expect("shop-\(number)" as AnnotationID == AnnotationID("shop-7"))
    #expect("\(number)" as AnnotationID == 7)
    #expect("kind \(number)" as AnnotationKind == AnnotationKind(rawValue: "kind 7"))
  }

  @Test func `decimals come first by value, texts follow by their bytes`() {
    let texts = ordered.drop { $0 != "" }
    let byBytes = texts.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    var shuffled = ordered
    for seed in 0..<20 {
      shuffled.swapAt(seed, shuffled.count - 1 - seed)
      shuffled.append(shuffled.removeFirst())
      #expect(shuffled.sorted() == Array(ordered.prefix { $0 != "" }) + byBytes)
    }
  }

  @Test func `the order is total: of two ids one comes first, or they are equal`() {
    for (i, a) in ordered.enumerated() {
      for (j, b) in ordered.enumerated() {
        let relations = [a < b, b < a, a == b].filter { $0 }
        #expect(relations.count == 1, "\(a) and \(b)")
        #expect((a == b) == (i == j), "\(a) and \(b)")
      }
    }
  }

  @Test(arguments: [0, 1, -1, 42, .max, .min])
  func `a number and its decimal digits are one id`(number: Int) {
    let fromText = AnnotationID(String(number))
    #expect(AnnotationID(number) == fromText)
    #expect(AnnotationID(number).hashValue == fromText.hashValue)
    #expect(fromText.text == String(number))
  }

  @Test(arguments: ["007", "-0", "+7", "7.0", "", "-", "00", "99999999999999999999", "é", "영화관 1"])
  func `a text is kept as it is`(text: String) {
    #expect(AnnotationID(text).text == text)
    #expect(AnnotationID(text).description == text)
    #expect(AnnotationID(text) == AnnotationID(text))
  }

  @Test func `ids that look alike and differ in bytes are two`() {
    let composed = AnnotationID("caf\u{E9}"), decomposed = AnnotationID("cafe\u{301}")
    #expect(composed.text == decomposed.text)
    #expect(composed != decomposed)
    #expect(decomposed < composed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func `007 is not 7`() {
    #expect(AnnotationID("007") != 7)
    #expect(AnnotationID(7) < AnnotationID(10))
    #expect(AnnotationID(10) < AnnotationID("007"))
  }
}
