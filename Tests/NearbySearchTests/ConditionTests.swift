import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import NearbySearch

@Suite struct ConditionTests {
  private static let rows: [BasicAnnotation] = [
    BasicAnnotation(
      id: 1, name: "중앙약국", kind: "pharmacy", coordinate: Coordinate(unchecked: 37.5, 127),
      properties: ["rating": "4.5", "open": true, "좌표정보(X)": "200000.5", "note": "it's"]),
    BasicAnnotation(
      id: "b", name: "ＧＳ２５ 강남", kind: "mart", coordinate: Coordinate(unchecked: 37.6, 127.1),
      properties: ["rating": "10", "open": false, "note": ""]),
    BasicAnnotation(
      id: 10, name: "Café", kind: nil, coordinate: nil,
      properties: ["rating": .number("9.50"), "note": nil, "big": .number("12345678901234567890")]),
  ]
  private static let origin = Coordinate(unchecked: 37.5, 127)

  private func ids(_ text: String) throws -> [String] {
    let filter = try ConditionFilter(
      Condition(parsing: text), for: Self.rows, from: Self.origin)
    return Self.rows.filter(filter.includes).map(\.id.text)
  }

  @Test(arguments: [
    ("kind = 'mart'", ["b"]), ("rating > 5", ["b", "10"]), ("rating = 9.5", ["10"]),
    ("rating between 4.5 and 9.5", ["1", "10"]), ("rating not between 4.5 and 9.5", ["b"]),
    ("rating in (10, 4.50)", ["1", "b"]), ("rating not in (10)", ["1", "10"]),
    ("name contains '약국'", ["1"]), ("name contains 'gs２5'", ["b"]),
    ("name like 'Caf_'", ["10"]), ("name like 'caf%'", []), ("name ilike 'CAF_'", ["10"]),
    ("name ilike '%gs%'", ["b"]), ("name not like '중%국'", ["b", "10"]), ("name like 'ＧＳ%'", ["b"]),
    ("name like 'Cafe\u{301}'", ["10"]), ("note like 'it''s'", ["1"]), ("rating like '1%'", ["b"]),
    ("name starts with 'CAFÉ'", ["10"]), ("name ends with '강남'", ["b"]),
    ("name starts with 'cafe\u{301}'", ["10"]), ("note is null", ["b", "10"]),
    ("note is not null", ["1"]), ("note = 'it''s'", ["1"]), ("not note = 'it''s'", []),
    ("kind != 'mart'", ["1"]), ("not kind = 'mart'", ["1"]), ("kind is null", ["10"]),
    ("\"좌표정보(X)\" > 200000", ["1"]), ("\"좌표정보(X)\" = 200000.50", ["1"]),
    ("open = true", ["1"]), ("open = false", ["b"]), ("id = 10", ["10"]), ("id = '10'", ["10"]),
    ("id in ('b', '1')", ["1", "b"]), ("id > 2", ["10"]), ("latitude >= 37.6", ["b"]),
    ("distance < 1", ["1"]), ("distance > 0", ["b"]), ("big = 12345678901234567890", ["10"]),
    ("big = 12345678901234567891", []),
    ("KIND = 'mart' OR rating = 4.5 AND open = true", ["1", "b"]),
    ("(kind = 'mart' or rating = 4.5) and open = true", ["1"]),
    // Unknown or true is true; unknown and false is false, and its negation true.
    ("kind = 'mart' or id = 10", ["b", "10"]), ("not (kind = 'mart' and id = 1)", ["1", "10"]),
    ("10 > rating", ["1", "10"]), ("rating = rating", ["1", "b", "10"]),
    ("1 = 1", ["1", "b", "10"]),
    ("not not kind = 'mart'", ["b"]), ("rating <> 10", ["1", "10"]), ("rating == 10.0", ["b"]),
  ]) func `a condition is true of`(text: String, expected: [String]) throws {
    #expect(try ids(text) == expected)
  }

  @Test(arguments: [("a_b", true), ("a__b", false), ("a\r\nb", true), ("a%b", true)])
  func `a line's end of two bytes is one character`(pattern: String, matches: Bool) {
    var text = "a\r\nb"
    let like = LikePattern(pattern, ignoresCase: false)
    #expect(text.withUTF8 { like.matches($0) } == matches)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `like agrees with a regular expression`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func text(_ letters: String, _ length: Int) -> String {
      String((0..<length).map { _ in letters.randomElement(using: &generator) ?? "a" })
    }
    for _ in 0..<50 {
      let pattern = text(
        seed.isMultiple(of: 2) ? "aaAbB%%_" : "aA가%_é\\.", .random(in: 0...7, using: &generator))
      var expression = ""
      var isTaken = false
      for character in pattern {
        switch character {
        case "\\" where !isTaken: isTaken = true
        case "%" where !isTaken: expression += ".*"
        case "_" where !isTaken: expression += "."
        default:
          expression += character.isLetter ? "\(character)" : "\\\(character)"
          isTaken = false
        }
      }
      if isTaken { expression += "\\\\" }
      for ignoresCase in [false, true] {
        let judge = try Regex(expression).dotMatchesNewlines().ignoresCase(ignoresCase)
        let like = LikePattern(pattern, ignoresCase: ignoresCase)
        for _ in 0..<20 {
          var subject = text(
            seed.isMultiple(of: 2) ? "aaAbB" : "aA가é%\\.", .random(in: 1...8, using: &generator))
          let matches = subject.wholeMatch(of: judge) != nil
          #expect(
            subject.withUTF8 { like.matches($0) } == matches,
            "\(subject) like \(pattern) \(ignoresCase)")
        }
      }
    }
  }

  @Test(arguments: [
    ("tags contains 'swift'", ["1", "2"]), ("tags contains 'wiftU'", ["1"]),
    ("tags starts with 'ui'", ["2"]), ("tags ends with 'ＵＩ'", ["1"]),
    ("not tags contains 'swift'", ["3", "6"]), ("tags not contains 'i'", ["3", "6"]),
    ("tags is null", ["5"]), ("tags contains 'ab'", ["6"]),
  ]) func `a text is searched in every element of a list`(text: String, expected: [String]) throws {
    let lists: [PropertyValue] = [
      .array(["ＳwiftUI", "Kotlin"]), .array([.null, "uikit", "swift"]), .array([]),
      .array([.number("1"), .object(["swift": "swift"])]), .null, "abc",
    ]
    let rows = lists.enumerated().map { place, list in
      BasicAnnotation(
        id: AnnotationID(place + 1), name: nil, kind: nil, coordinate: nil,
        properties: ["tags": list])
    }
    let filter = try ConditionFilter(Condition(parsing: text), for: rows, from: nil)
    #expect(rows.filter(filter.includes).map(\.id.text) == expected)
    // A list without texts is no text anywhere, and the condition a mistake.
    let numbers = [rows[3]]
    if !text.contains("null") {
      #expect(throws: ConditionError.self) {
        try ConditionFilter(Condition(parsing: text), for: numbers, from: nil)
      }
    }
  }

  @Test(arguments: [
    ("", "where-syntax", 1), ("kind", "where-syntax", 5), ("kind = ", "where-syntax", 8),
    ("kind = 'mart", "where-syntax", 8), ("(kind = 'a'", "where-syntax", 1),
    ("kind = 'a')", "where-syntax", 11), ("kind = 'a' rating = 1", "where-syntax", 12),
    ("rating > 5km", "where-syntax", 10), ("rating in 5", "where-syntax", 11),
    ("rating in ()", "where-syntax", 12), ("rating between 1 or 2", "where-syntax", 18),
    ("kind = null", "where-type", 8), ("kind = ''", "where-type", 8), ("kind = 5", "where-type", 8),
    ("latitude = 'north'", "where-type", 12), ("distance contains '1'", "where-type", 19),
    ("name contains 5", "where-type", 15), ("rating in (1, 'a')", "where-type", 15),
    ("note = 'n/a'", "where-type", 8), ("note in ('x', '-')", "where-type", 15),
    ("rating between 1 and 'z'", "where-type", 22), ("5 is null", "where-type", 3),
    ("ratng > 5", "where-field", 1), ("kind = 'a' and nope = 1", "where-field", 16),
    ("note > 5", "where-type", 1), ("open > 5", "where-type", 1),
    ("rating = true", "where-type", 1),
    ("\"좌표정보(X)\" > 'x'", "where-type", 1), ("big contains '1'", "where-type", 1),
    ("\"\" = 1", "where-syntax", 1), ("a ; b", "where-syntax", 3), ("in = 1", "where-syntax", 1),
    ("kind ! 'a'", "where-syntax", 6), ("rating = .", "where-syntax", 10),
    ("note = 'it's'", "where-syntax", 11), ("rating = 5android", "where-syntax", 10),
  ]) func `a mistake is an error with its place`(text: String, code: String, column: Int) {
    #expect {
      _ = try ConditionFilter(Condition(parsing: text), for: Self.rows, from: Self.origin)
    } throws: { error in
      let error = error as? ConditionError
      #expect(error?.code == code, "\(text): \(error?.description ?? "no error")")
      #expect(error?.column == column, "\(text): \(error?.description ?? "no error")")
      return true
    }
  }

  @Test(arguments: [("kind = 'a' && rating = 1", "write and"), ("kind = 'a' || 1", "write or")])
  func `the signs of other languages for and and or are told the words`(
    text: String, remedy: String
  ) {
    let error = #expect(throws: ConditionError.self) { try Condition(parsing: text) }
    #expect(error?.column == 12 && error?.description.contains(remedy) == true, "\(error!)")
  }

  @Test(arguments: [
    ("note = 'it's'", "write '' for each ' inside it"), ("note = 'it", "double each ' inside it"),
    ("\"note = 1", "double each \" inside it"), ("rating > 1+2", "or arithmetic"),
  ]) func `a mistake with signs is told a remedy that helps`(text: String, remedy: String) {
    let error = #expect(throws: ConditionError.self) { try Condition(parsing: text) }
    #expect(error?.message.contains(remedy) == true, "\(error?.message ?? "no error")")
  }

  /// The name that each error puts in double quotes; nil where it suggests none.
  @Test(
    arguments: [
      ("1일주차권요금 > 10000", "\"1일주차권요금\""), ("unit-price > 3", "\"unit-price\""),
      ("kind = 'a' and a.b = 'x'", "\"a.b\""), ("not (2nd line is null)", "\"2nd line\""),
      ("가격(원) > 10", "\"가격(원)\""), ("(값 (원) > 5)", "\"값 (원)\""),
      ("tel no = '010'", "\"tel no\""), ("open late not in ('y')", "\"open late\""),
      ("rating > 5km", nil), ("rating > 5km and price < 3", nil), ("rating in (5km) or b = 1", nil),
      ("rating + tax > 3", nil), ("rating 'x' = 'y'", nil), ("rating not = 3", nil),
      ("(rating) > 3", nil), ("rating between 1-2 and 3", nil), ("rating", nil), ("", nil),
    ] as [(String, String?)])
  func `a name that needs double quotes is shown in them`(text: String, name: String?) {
    let error = #expect(throws: ConditionError.self) { try Condition(parsing: text) }
    let remedy = "put the field's name in double quotes, "
    let message = error?.message ?? "no error"
    #expect(message.contains(remedy + (name ?? "")) == (name != nil), "\(message)")
  }

  @Test(arguments: [
    (
      "tags = 'a'",
      "tags holds lists, which cannot be compared; search them with contains or like, or write tags is null"
    ),
    (
      "sizes like '1'",
      "sizes holds lists without texts, which cannot be searched; write sizes is null"
    ),
    ("owner = 'a'", "owner holds objects, which cannot be compared; write owner is null"),
    ("b = 'x'", "b holds true or false; write b = true"),
    ("b > 1", "b holds true or false; write b = true"),
    ("b contains 'x'", "b holds true or false; write b = true"),
    (
      "size = 'x'",
      "size is compared with a text, but holds numbers, as \"5\"; compare it with a number, without quotes"
    ),
    (
      "size = true",
      "size is compared with true or false, but holds neither, as \"5\"; compare it with a text or a number"
    ),
    (
      "note > 1",
      "note is compared with a number, but holds none, as \"big\"; compare it with a text in '…'"
    ),
  ]) func `a comparison that fits no value says what the field holds`(
    text: String, message: String
  ) throws {
    let row = BasicAnnotation(
      id: 1,
      properties: [
        "tags": .array(["a", "b"]), "sizes": .array([.number("1")]), "owner": .object(["a": "b"]),
        "b": true, "size": .number("5"), "note": "big",
      ])
    let error = #expect(throws: ConditionError.self) {
      try ConditionFilter(Condition(parsing: text), for: [row], from: nil)
    }
    #expect(error?.message == message)
  }

  /// Values of `sales`, and what is said of them.
  @Test(
    arguments: [
      (["1,234", "999", "12,000원", nil, "10,500"], "3 of 4 values of sales, such as \"1,234\""),
      (["999", "₩ 500", "-", "2026-11-30", "none"], "1 of 4 values of sales, such as \"₩ 500\""),
      (
        ["999", "-1,234.5", "$ 5", "3.5점", "12 km", "40%"],
        "5 of 6 values of sales, such as \"-1,234.5\""
      ),
      (["999", "1e3", " 7 ", "-0.5", "none", "02-123-4567", "02 123 4567", "031)1234567"], nil),
      (
        ["999", "1,5", "2,4", "1234,567", "1,234,5", "5/6/2020", "2026. 5. 6.", "2026년 5월 6일"], nil
      ),
      (["999", "932ｰ7", "R석170000원/S석130000원", "광주시민 10퍼센트 등", "중앙로 12"], nil),
      (["999", "B552094", "M5341", "3A", "1000chvf", "제80번、제81번", "10원 20원", "5개(예약)"], nil),
    ] as [([String?], String?)]) func `numbers that are written as texts are told`(
      values: [String?], told: String?
    ) throws
  {
    let rows = values.enumerated().map { number, value in
      BasicAnnotation(
        id: AnnotationID("\(number)"),
        properties: ["sales": value.map { PropertyValue.string($0) } ?? .null])
    }
    var compared = NearbyQuery()
    compared.condition = try Condition(parsing: "not (sales > 1000 or sales in (5))")
    var ordered = NearbyQuery()
    ordered.order = ResultOrder(.field(.property("sales")))
    let expected = told.map {
      ["note: not read as numbers: \($0); write them without separators and units"]
    }
    for query in [compared, ordered] {
      #expect(query.remarksOnNumbers(among: rows) == expected ?? [])
    }
    // As texts they are what they are.
    var equal = NearbyQuery()
    equal.condition = try Condition(parsing: "sales = '1,234'")
    #expect(equal.remarksOnNumbers(among: rows).isEmpty)
    let texts = rows.filter { $0.property("sales") != "999" }
    #expect(told == nil || ordered.remarksOnNumbers(among: texts).isEmpty)
  }

  @Test(arguments: [
    ("note = \"big\"", "for a text, write 'big'; fields are id, name, "),
    ("note == cinema", "for a text, write 'cinema'; fields are "),
    ("note between \"o'b\" and 'z'", "for a text, write 'o''b'; "),
    ("5 < quux", "fields are id, "), ("quux > 5", "fields are id, "),
    ("note = not1", "for a text, write 'not1'; did you mean note?"),
  ]) func `a text that was written as a field is told how to write it`(
    text: String, remedy: String
  ) throws {
    let row = BasicAnnotation(id: 1, properties: ["note": "big"])
    let error = #expect(throws: ConditionError.self) {
      try ConditionFilter(Condition(parsing: text), for: [row], from: nil)
    }
    #expect(error?.code == "where-field")
    #expect(error?.message.contains("\"; " + remedy) == true, "\(error?.message ?? "no error")")
  }

  @Test func `a word for no value is none in any field but an id`() throws {
    let words = ["-", "n/a", "N/A", "#N/A", "NULL", "Null", "null", "\\N", ""]
    let rows = words.map {
      BasicAnnotation(
        id: AnnotationID($0), name: $0, kind: AnnotationKind(rawValue: $0), coordinate: nil,
        properties: ["note": .string($0)])
    }
    let others = [
      BasicAnnotation(
        id: "x", name: "--", kind: "NA", coordinate: nil, properties: ["note": "none"])
    ]
    func count(_ text: String) throws -> Int {
      let filter = try ConditionFilter(Condition(parsing: text), for: rows + others, from: nil)
      return (rows + others).filter(filter.includes).count
    }
    for field in ["note", "name", "kind"] {
      #expect(try count("\(field) is null") == words.count)
      #expect(try count("\(field) != 'x'") == 1)
    }
    #expect(try count("id = '-'") == 1)
    let facets = try {
      var counter = try FacetCounter<BasicAnnotation>([.property("note")], from: nil)
      for row in rows { counter.count(row) }
      return counter.facets[0].counts
    }()
    #expect(facets.map(\.value) == [nil])
  }

  @Test(arguments: [
    ("longitude = 180", true), ("longitude = -180", true), ("longitude != 180", false),
    ("longitude != -180", false), ("not longitude = 180", false), ("180 = longitude", true),
    ("longitude in (5, 180)", true), ("longitude not in (180)", false),
    ("longitude between 170 and 180", true), ("longitude between -180 and -170", true),
    ("longitude between 0 and 10", false), ("longitude not between 170 and 180", false),
    ("longitude > 179.9", true), ("longitude <= -170", true), ("longitude >= 180", true),
    ("longitude < -180", false), ("longitude = written", true), ("longitude < longitude", false),
    ("longitude is null", false),
    ("longitude >= 80 and longitude < 81", false),
    ("not (longitude >= 80 and longitude < 81)", true),
    ("longitude < 81 and id = '1' and longitude >= 80", false),
    ("longitude > 170 and longitude < -170", false),
    ("longitude > 170 or longitude < -170", true),
    ("longitude >= 179 and longitude <= 180 and id = '1'", true),
    ("longitude >= -180 and longitude < -179", true),
    ("not (longitude >= -180 and longitude < -179)", false),
    ("longitude in (180, 5) and longitude in (-180, 5)", false),
    ("longitude > 170 and longitude != 180", false),
    ("longitude != 20 and longitude > 170", true),
    ("longitude > 170 and not longitude < 175", false),
    ("not (longitude < 0 and longitude < missing)", false),
    ("not (longitude > 0 and longitude < missing)", false),
    ("not (longitude > 180 and longitude < missing)", true),
  ]) func `the antimeridian is one meridian with two numbers`(text: String, isTrue: Bool) throws {
    // Both are one coordinate; the sources wrote them differently.
    for written in [180.0, -180] {
      let row = BasicAnnotation(
        id: 1, name: nil, kind: nil,
        coordinate: try Coordinate(latitude: 0, longitude: written),
        properties: ["written": .double(written)])
      let other = BasicAnnotation(
        id: 2, name: nil, kind: nil, coordinate: Coordinate(unchecked: 0, 20),
        properties: ["written": 7, "missing": 7])
      let filter = try ConditionFilter(Condition(parsing: text), for: [row, other], from: nil)
      #expect(filter.includes(row) == isTrue)
    }
  }

  @Test func `an unknown field is answered with the nearest one`() {
    #expect(message("ratng > 5").contains("did you mean rating?"))
    #expect(message("lat > 5").contains("did you mean latitude?"))
    #expect(message("위도 > 5").contains("did you mean latitude?"))
    #expect(message("\"X(経度)\" > 5").contains("did you mean longitude?"))
    #expect(message("\"좌표정보X\" > 5").contains("did you mean \"좌표정보(X)\"?"))
    #expect(message("zzzzzz > 5").contains("fields are id, name, kind"))
  }

  @Test func `a condition made in code has no column, and a list of fields names each once`() {
    let row = BasicAnnotation(id: 1, properties: ["name": "a", "kind": "b", "note": "c"])
    let error = #expect(throws: ConditionError.self) {
      try ConditionFilter(.isNull(.property("zzzzzz")), for: [row], from: nil)
    }
    #expect(error?.column == 0)
    #expect(
      error?.description == "no field is named \"zzzzzz\"; fields are id, name, kind, latitude, "
        + "longitude, distance, note")
  }

  private func message(_ text: String) -> String {
    do {
      _ = try ids(text)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `distance needs a place to measure from`() {
    #expect(throws: ConditionError.self) {
      _ = try ConditionFilter(Condition(parsing: "distance < 5"), for: Self.rows, from: nil)
    }
  }

  @Test func `depth and length are bounded`() throws {
    let deep = String(repeating: "(", count: 99) + "kind = 'a'" + String(repeating: ")", count: 99)
    #expect(try Condition(parsing: deep) == Condition(parsing: "kind = 'a'"))
    for text in [
      String(repeating: "(", count: 60_000), String(repeating: "not ", count: 15_000),
      "(" + deep + ")",
    ] {
      #expect {
        _ = try Condition(parsing: text)
      } throws: {
        ($0 as? ConditionError)?.code == "where-depth"
      }
    }
    let long = (0..<20_000).map { "k=\($0)" }.joined(separator: " or ")
    #expect {
      _ = try Condition(parsing: long)
    } throws: {
      ($0 as? ConditionError)?.code == "where-length"
    }
    let wide = (0..<3_000).map { "rating = \($0)" }.joined(separator: " or ")
    #expect(try ids(wide) == ["b"])
  }

  // MARK: Text and back

  @Test func `what a condition prints parses to the same condition`() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<3_000 {
      let condition = Self.condition(depth: 4, &generator)
      let text = condition.description
      #expect(try Condition(parsing: text) == condition, "\(text)")
    }
  }

  @Test(arguments: [
    ("KIND='mart'", "kind = 'mart'"), ("a<>1", "a != 1"), ("a==+1", "a = +1"),
    ("((a=1)) and(b=2 or c=3)", "a = 1 and (b = 2 or c = 3)"),
    ("not(a in(1,2))", "a not in (1, 2)"), ("not (a is null)", "a is not null"),
    ("\"rating\" = 1", "rating = 1"), ("\"name\" = 'x'", "\"name\" = 'x'"),
    ("\"a\"\"b\" = 'x'", "\"a\"\"b\" = 'x'"), ("가게 = '가'", "가게 = '가'"),
    ("\"and\" = 1", "\"and\" = 1"), ("\"CO₂\" = 1", "CO₂ = 1"), ("m²=1", "m² = 1"),
    ("\"₂\" = 1", "\"₂\" = 1"),
    (
      "a=5AND b between 1and 3or c='x'and d=1e5and e=1",
      "a = 5 and b between 1 and 3 or c = 'x' and d = 1e5 and e = 1"
    ),
  ]) func `the text of a condition has one form`(text: String, expected: String) throws {
    #expect(try Condition(parsing: text).description == expected)
  }

  private static let names = [
    "rating", "and", "name", "좌표정보(X)", "a b", "ﾊﾞ", "x\"y", "IN", "é", "9a", "m²", "_", "distance",
  ]
  private static let texts = ["a", "it's", "약국", "''", "\"", "and (", "\u{301}x", "\n", " "]

  private static func field(_ generator: inout SeededGenerator) -> Condition.Field {
    Bool.random(using: &generator)
      ? .property(names.randomElement(using: &generator) ?? "")
      : .common(Condition.Field.Common.id)
  }

  private static func literal(_ kind: Int, _ generator: inout SeededGenerator) -> Condition.Literal
  {
    switch kind {
    case 0:
      .number(
        ["1", "-2.50", "1e9", "12345678901234567890"].randomElement(using: &generator) ?? "0")
    case 1: .text(texts.randomElement(using: &generator) ?? "a")
    default: .bool(Bool.random(using: &generator))
    }
  }

  private static func condition(
    depth: Int, _ generator: inout SeededGenerator
  ) -> Condition {
    let kind = Int.random(in: 0..<3, using: &generator)
    let operand = Condition.Operand.field(field(&generator))
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
    case 0:
      return .comparison(
        operand, Condition.Comparison.allCases.randomElement(using: &generator) ?? .equal,
        .literal(literal(kind, &generator)))
    case 1:
      return .range(
        operand, .literal(literal(kind, &generator)), .literal(literal(kind, &generator)))
    case 2:
      return .membership(
        operand,
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in literal(kind, &generator) })
    case 3:
      return .search(
        operand, Condition.TextSearch.allCases.randomElement(using: &generator) ?? .contains,
        texts.randomElement(using: &generator) ?? "a")
    case 4: return .isNull(field(&generator))
    case 5: return .not(condition(depth: depth - 1, &generator))
    case let choice:
      let members = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
        condition(depth: depth - 1, &generator)
      }
      return choice == 6 ? .all(members) : .any(members)
    }
  }
}
