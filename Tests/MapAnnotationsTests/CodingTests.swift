import Foundation
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@Suite struct `Encoded annotations` {
  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decoded<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  private func words<Value: Decodable>(_ text: String, as type: Value.Type) -> String {
    do {
      return "\(try decoded(text, as: type))"
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "other: \(error)"
    }
  }

  @Test func `come back from names with underscores`() throws {
    let encoder = JSONEncoder(), decoder = JSONDecoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let shop = Deal(
      BasicAnnotation(
        id: 7, placeID: "p", openingHours: "24/7",
        validDates: [DateSpan(first: CalendarDate("2026-11-01"), last: nil)]),
      terms: "half", webAddress: "https://a.b")
    #expect(try decoder.decode(Deal.self, from: encoder.encode(shop)) == shop)
  }

  @Test func `have stable names, and leave out what is not said`() throws {
    #expect(try text(BasicAnnotation(id: 7)) == #"{"id":"7"}"#)
    let shop = BasicAnnotation(
      id: "a/7", placeID: "p", name: "약국", kind: "pharmacy",
      coordinate: try Coordinate(latitude: 37.5, longitude: 127), openingHours: "24/7",
      validDates: [DateSpan(first: CalendarDate("2026-11-01"), last: nil)],
      properties: ["rating": 5, "rating": "x"], origin: RecordOrigin(source: "a.csv", record: 3))
    #expect(
      try text(shop)
        == #"{"coordinate":{"latitude":37.5,"longitude":127},"id":"a/7","kind":"pharmacy","#
        + #""name":"약국","openingHours":"24/7","origin":{"record":3,"source":"a.csv"},"#
        + #""placeID":"p","properties":[{"name":"rating","value":5},{"name":"rating","value":"x"}],"#
        + #""validDates":[{"first":"2026-11-01"}]}"#)
    #expect(
      try text(Deal(BasicAnnotation(id: 1), terms: "half"))
        == #"{"id":"1","properties":[{"name":"terms","value":"half"}],"terms":"half"}"#)
    #expect(
      try decoded(#"{"id":"1","terms":"half"}"#, as: Deal.self)
        == Deal(BasicAnnotation(id: 1), terms: "half"))
    #expect(try text([AnnotationID("b"): 1, 7: 2]) == #"{"7":2,"b":1}"#)
    #expect(try text([AnnotationKind.mart: 1]) == #"{"mart":1}"#)
    #expect(try decoded(#"[7, "7", -3]"#, as: [AnnotationID].self) == ["7", 7, "-3"])
    #expect(
      try decoded(
        "[9223372036854775807, 12345678901234567890, 18446744073709551615, -9223372036854775808]",
        as: [AnnotationID].self) == [
          "9223372036854775807", "12345678901234567890", "18446744073709551615",
          "-9223372036854775808",
        ])
    #expect(
      try decoded(#"{"b":1,"7":2}"#, as: [AnnotationID: Int].self) == [AnnotationID("b"): 1, 7: 2])
    let segments: [DateSegment] = [
      .today, .tomorrow, .thisMonth, .all, .on(CalendarDate("2026-12-13")!),
      .during(CalendarDate("2026-12-01")!...CalendarDate("2026-12-31")!),
    ]
    let written = try text(segments)
    #expect(
      written
        == #"["today","tomorrow","this-month","all","2026-12-13","2026-12-01/2026-12-31"]"#)
    #expect(try decoded(written, as: [DateSegment].self) == segments)
    let statuses: [BusinessStatus] = [
      .inBusiness, .suspended, .unknown, .closedDown(since: nil),
      .closedDown(since: CalendarDate("2015-08-27")),
    ]
    #expect(try decoded(text(statuses), as: [BusinessStatus].self) == statuses)
  }

  @Test(arguments: [
    ("1", "1"), ("-0.5", "-0.5"), ("4.5", "4.5"), ("1.50", #"{"number":"1.50"}"#),
    ("4.0", #"{"number":"4.0"}"#), ("12345678901234567890", #"{"number":"12345678901234567890"}"#),
    ("9007199254740993", #"{"number":"9007199254740993"}"#), ("-0", #"{"number":"-0"}"#),
    ("1e3", #"{"number":"1e3"}"#), ("0.1", "0.1"), ("1e999", #"{"number":"1e999"}"#),
  ]) func `keep each number as it was written`(number: String, form: String) throws {
    #expect(try text([PropertyValue.number(number)]) == "[\(form)]")
    #expect(try decoded("[\(form)]", as: [PropertyValue].self) == [.number(number)])
  }

  private static func value(_ depth: Int, _ generator: inout SeededGenerator) -> PropertyValue {
    let texts = ["", "number", "{\"a\"", "é", "e\u{301}", "null", "약국", "\n"]
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .double(Double.random(in: -1e6...1e6, using: &generator))
    case 3: return .integer(Int.random(in: .min ... .max, using: &generator))
    case 4: return .string(texts.randomElement(using: &generator)!)
    case 5:
      return .array(
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth - 1, &generator) })
    default:
      return .object(
        Properties(
          (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            Properties.Entry(
              name: texts.randomElement(using: &generator)!, value: value(depth - 1, &generator))
          }))
    }
  }

  @Test(arguments: UInt64(0)..<10)
  func `come back as they were`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for number in 0..<30 {
      let day = CalendarDate("2026-11-23")!.adding(days: number)
      let common = BasicAnnotation(
        id: number % 2 == 0 ? AnnotationID(number) : AnnotationID("007-\(number)"),
        placeID: number % 3 == 0 ? "p" : nil, name: number % 5 == 0 ? "é" : nil,
        kind: number % 4 == 0 ? "bakery" : nil,
        coordinate: try Coordinate(
          latitude: Double.random(in: -90...90, using: &generator),
          longitude: Double.random(in: -180...180, using: &generator)),
        validDates: number % 2 == 0 ? [DateSpan(first: nil, last: day)] : [],
        properties: [
          "a": Self.value(3, &generator), "a": Self.value(3, &generator),
          "b": Self.value(2, &generator),
        ], origin: number % 3 == 1 ? RecordOrigin(source: "-", record: number) : nil)
      let deal = Deal(common, terms: number % 2 == 0 ? "half" : nil, webAddress: "https://a.b")
      #expect(try decoded(text(common), as: BasicAnnotation.self) == common)
      #expect(try decoded(text(deal), as: Deal.self) == deal)
      #expect(try decoded(text(deal), as: BasicAnnotation.self) == deal.common)
      let cinema = Cinema(common, address: "1, a"), mart = Mart(common, brand: "b", address: nil)
      #expect(try decoded(text(cinema), as: Cinema.self) == cinema)
      #expect(try decoded(text(mart), as: Mart.self) == mart)
      let list = try PropertyListEncoder().encode([deal])
      // A property list has no null.
      if !(try text(deal)).contains("null") {
        #expect(try PropertyListDecoder().decode([Deal].self, from: list) == [deal])
      }
    }
  }

  @Test func `of numbers that are none nothing is left`() throws {
    let list = try PropertyListEncoder().encode([1.5, .nan, .infinity, 7])
    let values = try PropertyListDecoder().decode([PropertyValue].self, from: list)
    #expect(values == [.number("1.5"), .null, .null, .number("7")])
    let texts = JSONDecoder()
    texts.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "NaN")
    #expect(
      try texts.decode([PropertyValue].self, from: Data(#"["NaN",1.5]"#.utf8)) == [
        "NaN", .number("1.5"),
      ])
  }

  @Test func `that say what cannot be are errors with the value and what to do`() {
    #expect(
      words(#"["2026-02-30"]"#, as: [CalendarDate].self)
        == "\"2026-02-30\" is not a date; write one such as 2026-11-23")
    #expect(
      words(#"{"first":"2026-02-03","last":"2026-02-01"}"#, as: DateSpan.self)
        == "the first day 2026-02-03 lies after the last 2026-02-01; swap them")
    #expect(
      words(#"[{"number":"1,5"}]"#, as: [PropertyValue].self)
        == "\"1,5\" is not a number; write a decimal one such as -12.50")
    #expect(
      words(#"["2026-12-31/2026-12-01"]"#, as: [DateSegment].self).contains("names no days; "))
    #expect(
      words(#"{"status":"gone"}"#, as: BusinessStatus.self).hasPrefix("\"gone\" is not a status"))
    #expect(words("{}", as: BasicAnnotation.self).hasPrefix("other: "))
    #expect(
      words(#"{"id":1,"coordinate":{"latitude":91,"longitude":200}}"#, as: BasicAnnotation.self)
        .hasPrefix("latitude 91 is outside -90…90"))
  }
}
