import NearbyTestSupport
import Testing

@testable import AnnotationImport

@Suite struct DecimalParserTests {
  private func number(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { DecimalParser.number($0[...]) }
  }

  @Test(arguments: UInt64(0)..<10)
  func `a decimal is the double that the standard library reads`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var wrong: [String] = []
    for _ in 0..<10_000 {
      let text = decimal(using: &generator)
      if number(text)?.bitPattern != Double(text)?.bitPattern { wrong.append(text) }
    }
    #expect(wrong == [], "seed \(seed)")
  }

  /// Coordinates as sources write them, digits of every length, and powers of ten.
  private func decimal(using generator: inout SeededGenerator) -> String {
    func digits(_ lengths: ClosedRange<Int>) -> String {
      (0..<Int.random(in: lengths, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }.joined()
    }
    let sign = ["", "-", "+"].randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return sign + digits(1...3) + "." + digits(0...7)
    case 1: return sign + digits(1...3) + "." + digits(12...18)
    case 2: return sign + digits(0...22) + "." + digits(1...22)
    case 3: return String(Double.random(in: -180...180, using: &generator))
    default:
      let exponent = Int.random(in: -330...310, using: &generator)
      return sign + digits(1...20) + "e\(exponent)"
    }
  }

  @Test func `halfway cases are rounded to even`() {
    // 2⁵³ + 1 and its like lie halfway between two doubles.
    for text in [
      "9007199254740993", "900719925474099.3", "9007199254740.9935", "18014398509481985.0",
      "1.8014398509481985", "4503599627370497.5", "4503599627370498.5",
    ] {
      #expect(number(text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test func `blanks around a number do not count`() {
    #expect(number(" 33.075843 ") == 33.075843)
    #expect(number("\t-7\t") == -7)
  }

  @Test(arguments: [
    "", " ", "37,5", "nan", "inf", "-inf", "infinity", "0x1p3", "1e", "1e+", "e5", ".", "-", "+-1",
    "1 2", "1.2.3", "37.5N", "３７.５", "1_000", "\u{2212}33.9", "--1", "1e1.5",
  ])
  func `what is not a decimal number is refused`(text: String) {
    #expect(number(text) == nil)
  }

  @Test func `zero keeps its sign, and a point needs a digit on one side only`() {
    #expect(number("-0")?.bitPattern == (-0.0).bitPattern)
    #expect(number("37.") == 37)
    #expect(number(".5") == 0.5)
    #expect(number("1e400") == .infinity)
    #expect(number("0e999999999999999999999") == 0)
  }
}
