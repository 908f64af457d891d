import MapAnnotations
import NearbyTestSupport
import Testing

@Suite struct DecimalNumberTests {
  @Test(arguments: [
    ("0.1", "0.10"), ("1", "1.0"), ("1e3", "1000"), ("-0", "0"), ("0.000", "0e99"), (".5", "0.5"),
    ("5.", "5"), ("+7", "7"), ("007", "7"),
    ("123456789012345678901234567890", "123456789012345678901234567890.0"),
    ("1e-3", "0.001"), ("12.50E+2", "1250"),
  ]) func `one number written in two ways is one number`(left: String, right: String) throws {
    let (a, b) = (try #require(DecimalNumber(left)), try #require(DecimalNumber(right)))
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
    #expect(!(a < b) && !(b < a))
    for number in [a, b] {
      let (digits, exponent) = number.scaled
      #expect(DecimalNumber("\(digits)e\(exponent)") == a)
      #expect(digits.utf8.allSatisfy { $0 != UInt8(ascii: ".") })
    }
  }

  @Test func `numbers are ordered by all of their digits`() throws {
    let ascending = [
      "-1e400", "-12345678901234567891", "-12345678901234567890", "-10", "-9.5", "-0.001", "0",
      "1e-400", "0.001", "0.05", "0.5", "2", "9", "9.99999999999999999999999", "10",
      "12345678901234567890", "12345678901234567890.00001", "12345678901234567891", "1e400",
    ]
    let numbers = try ascending.map { try #require(DecimalNumber($0)) }
    for (i, left) in numbers.enumerated() {
      for (j, right) in numbers.enumerated() {
        #expect((left < right) == (i < j), "\(ascending[i]) and \(ascending[j])")
      }
    }
  }

  @Test func `random decimals are ordered as integers of one scale`() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<2_000 {
      // The same value, scaled by a power of ten, is an integer that Swift compares.
      let values = (0..<2).map { _ in Int.random(in: -20_000...20_000, using: &generator) }
      let places = Int.random(in: 0...4, using: &generator)
      let texts = values.map { value -> String in
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (value < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places) + "0"
      }
      let numbers = try texts.map { try #require(DecimalNumber($0)) }
      #expect((numbers[0] < numbers[1]) == (values[0] < values[1]), "\(texts)")
      #expect((numbers[0] == numbers[1]) == (values[0] == values[1]), "\(texts)")
    }
  }

  @Test(arguments: [
    "", " ", "-", ".", "e5", "1e", "1e+", "1,5", "nan", "inf", "0x1F", "1 2", "--1", "1.2.3", "１",
  ])
  func `what is no decimal is none`(text: String) {
    #expect(DecimalNumber(text) == nil)
  }

  @Test func `a text with blanks around a number is one, in a property`() {
    #expect(PropertyValue.string(" 10\t").decimal == DecimalNumber("10"))
    #expect(PropertyValue.string("  ").decimal == nil)
    #expect(PropertyValue.bool(true).decimal == nil)
  }
}
