import AnnotationImport
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import NearbySearch

/// Conditions asked of imported rows: one by one, of columns, and by every search that there is, beside
/// `PlainCondition`.
@Suite struct ConditionColumnTests {
  private static let origin = Coordinate(unchecked: 37.5, 127)

  private static let texts = [
    "", "-", "NULL", "null", "n/a", "\\N", "Café", "cafe\u{301}", "CAFE", "Straße", "STRASSE",
    "ISTANBUL", "ıstanbul", "İstanbul", "i\u{307}stanbul", "중앙약국", "중앙약국 강남점", "강남 ＧＳ２５",
    "\u{1112}\u{1161}\u{11AB}글", "한글", "ｶﾞｽ", "ガス", "か\u{3099}す", "がす", "Ω", "\u{2126}",
    "\u{212A}elvin",
    "kelvin", "say \"hi\"", "\"", "\"\"quoted\"\"", "two\nlines", "two\r\nlines", "a,b;c", "a\tb",
    "true", "FALSE", "True", "4.5", "4.50", "+4.5", " 4.5 ", "10", "010", "1e1", "-3", ".5", "5.",
    "1e-3", "123456789012345678901234567890", "123456789012345678901234567891",
    "0.1234567890123", "9999999999999999", "99999999999999999", "0", "-0", "1e99", "nan", "0x10",
    "a text that is longer than one vector, in which the Café comes late",
    "end", "한", "é", "e\u{301}", "É", "ß", "ss", "aaaaaaaaaaaaaaaaaaaaaaaaaaaab",
  ]

  private static let names = ["note", "rating", "코드", "tags"]

  // MARK: Sources

  private struct Row {
    let id: String?, name: String, kind: String
    let latitude: Double?, longitude: Double
    let values: [String]
  }

  private static func rows(
    _ count: Int, among texts: [String], using generator: inout SeededGenerator
  ) -> [Row] {
    func text() -> String { texts.randomElement(using: &generator)! }
    return (0..<count).map { number in
      let isBeyond = Int.random(in: 0..<20, using: &generator) == 0
      return Row(
        id: number % 17 == 3 ? nil : ["\(number + 1)", "0\(number)", "x\(number)"][number % 3],
        name: text(), kind: ["mart", "cafe", "-", "약국"].randomElement(using: &generator)!,
        latitude: number % 19 == 5 ? nil : Double.random(in: 37...38, using: &generator),
        longitude: isBeyond
          ? [-180, 180].randomElement(using: &generator)!
          : Double.random(in: 126...128, using: &generator),
        values: names.map { _ in text() })
    }
  }

  private static func table(_ rows: [Row]) -> String {
    func cell(_ text: String) -> String {
      guard text.contains(where: { ",\"".contains($0) || $0.isNewline }) || text.first == " "
      else { return text }
      return "\""
        + text.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
    }
    var table = "id,name,kind,latitude,longitude,\(names.joined(separator: ","))\r\n"
    for row in rows {
      let cells =
        [
          row.id ?? "", row.name, row.kind, row.latitude.map { "\($0)" } ?? "",
          row.latitude == nil ? "" : "\(row.longitude)",
        ] + row.values
      table += cells.map(cell).joined(separator: ",") + "\r\n"
    }
    return table
  }

  /// Features with values of every kind, lists and truth values among them.
  private static func features(_ rows: [Row], using generator: inout SeededGenerator) -> String {
    func json(_ text: String) -> String {
      var quoted = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": quoted += "\\\(scalar)"
        case _ where scalar.value < 0x20:
          quoted +=
            "\\u00" + (scalar.value < 16 ? "0" : "")
            + String(scalar.value, radix: 16)
        default: quoted.unicodeScalars.append(scalar)
        }
      }
      return quoted + "\""
    }
    func value(_ text: String) -> String {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: return "true"
      case 1: return "-1.50e1"
      case 2: return "null"
      case 3: return "[\(json(text)), 7, \(json(texts.randomElement(using: &generator)!))]"
      case 4: return ["[]", "[1]", "{\"a\": 1}"].randomElement(using: &generator)!
      default: return json(text)
      }
    }
    let features = rows.map { row in
      let geometry =
        row.latitude.map {
          "{\"type\":\"Point\",\"coordinates\":[\(row.longitude),\($0)]}"
        } ?? "null"
      let members = zip(names, row.values).map { "\(json($0)):\(value($1))" }
      let id = row.id.map { "\"id\":\(json($0))," } ?? ""
      return
        "{\"type\":\"Feature\",\(id)\"geometry\":\(geometry),\"properties\":{\"name\":\(json(row.name)),"
        + "\"kind\":\(json(row.kind)),\(members.joined(separator: ","))}}"
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  // MARK: Conditions

  private static func condition(
    _ depth: Int, using generator: inout SeededGenerator
  ) -> Condition {
    func any<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
    func member() -> Condition { condition(depth - 1, using: &generator) }
    if depth > 0 {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        return .all([member(), member()] + (Bool.random(using: &generator) ? [member()] : []))
      case 1: return .any([member(), member()])
      case 2: return .not(member())
      default: break
      }
    }
    func property() -> Condition.Field { .property(any(names)) }
    func number() -> Condition.Literal {
      .number(
        any([
          "4.5", "0", "10", "-3", "1e-3", "123456789012345678901234567890", "37.5",
          "0.123456789012",
          "1e99", "50000",
        ]))
    }
    func text() -> Condition.Literal {
      var text = any(texts)
      while NullText.isNull(text) { text = any(texts) }
      return .text(text)
    }
    func part() -> String {
      let text = Array(any(texts).unicodeScalars)
      let start = Int.random(in: 0...text.count, using: &generator)
      var view = String.UnicodeScalarView()
      view.append(
        contentsOf: text[start..<Int.random(in: start...text.count, using: &generator)])
      return String(view)
    }
    let comparison = any(Condition.Comparison.allCases)
    switch Int.random(in: 0..<13, using: &generator) {
    case 0: return .comparison(.field(property()), comparison, .literal(number()))
    case 1: return .comparison(.literal(number()), comparison, .field(property()))
    case 2: return .comparison(.field(property()), comparison, .literal(text()))
    case 3: return .comparison(.field(property()), comparison, .field(property()))
    case 4: return .comparison(.field(property()), comparison, .literal(.bool(true)))
    case 5: return .range(.field(property()), .literal(number()), .literal(number()))
    case 6: return .membership(.field(property()), [text(), text(), text()])
    case 7: return .membership(.field(.common(.id)), [number(), .number("7"), .number("12")])
    case 8: return .isNull(any([property(), .common(.name), .common(.kind), .common(.latitude)]))
    case 9:
      return any([
        .comparison(.field(.common(.kind)), comparison, .literal(.text("mart"))),
        .comparison(.field(.common(.id)), comparison, .literal(.number("7"))),
        .comparison(.field(.common(.latitude)), comparison, .literal(.number("37.5"))),
        .comparison(.field(.common(.longitude)), comparison, .literal(.number("180"))),
        .comparison(.field(.common(.distance)), comparison, .literal(.number("50000"))),
      ])
    default:
      return .search(
        .field(any([property(), .common(.name), .common(.kind), .common(.id)])),
        any(Condition.TextSearch.allCases), part())
    }
  }

  // MARK: Claims

  /// Asks random conditions of a source in every way; returns how many could be asked.
  private func ask(
    _ annotations: ImportedAnnotations, conditions: Int, using generator: inout SeededGenerator
  ) throws -> Int {
    let judge = PlainCondition(origin: Self.origin)
    let index = AnnotationIndex(annotations)
    let placed = annotations.indices.filter { annotations[$0].coordinate != nil }
    func records(_ answer: NearbyAnswer<ImportedAnnotation>) -> [Int] {
      answer.annotations.compactMap { $0.origin?.record }.sorted()
    }
    var asked = 0
    for _ in 0..<conditions {
      let condition = Self.condition(2, using: &generator)
      let filter: ConditionFilter<ImportedAnnotation>
      do throws(ConditionError) {
        filter = try ConditionFilter(
          condition, for: annotations, columns: annotations.columns, from: Self.origin)
      } catch {
        // It compares a field with what no row has there.
        continue
      }
      asked += 1
      let truths = annotations.map { judge.truth(of: condition, $0) }
      let wanted = annotations.indices.filter { truths[$0] == true }
      let one = annotations.map(filter.truth)
      #expect(
        annotations.indices.filter { one[$0] != truths[$0] } == [], "one by one: \(condition)")
      if let columns = ConditionColumns(annotations) {
        let rows = ColumnRun.rows(filter.program, of: columns) { annotations[$0] }
        let found = rows.map { rows in annotations.indices.filter(rows.contains) }
        #expect(filter.columns.isEmpty ? found == nil : found == wanted, "columns: \(condition)")
      }
      var query = NearbyQuery()
      query.condition = condition
      let all = wanted.compactMap { annotations[$0].origin?.record }.sorted()
      let allPlaced = placed.filter { truths[$0] == true }
        .compactMap { annotations[$0].origin?.record }.sorted()
      query.area = .box(.world)
      query.origin = Self.origin
      #expect(records(try index.answer(query)) == allPlaced, "box: \(condition)")
      query.area = .everywhere
      #expect(records(try index.answer(query)) == allPlaced, "nearest: \(condition)")
      guard !condition.measuresDistance else { continue }
      query.origin = nil
      #expect(records(try index.answer(query)) == all, "index: \(condition)")
      #expect(records(try AnnotationScan(annotations).answer(query)) == all, "scan: \(condition)")
    }
    return asked
  }

  @Test(arguments: UInt64(0)..<2)
  func `a condition is true of the same rows of a table in every way of asking`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let rows = Self.rows(300, among: Self.texts, using: &generator)
    let annotations = try importing(Self.table(rows)) { $0.requiresPositions = false }.annotations
    #expect(annotations.count == 300)
    #expect(try ask(annotations, conditions: 80, using: &generator) > 40)
  }

  @Test(arguments: UInt64(0)..<2)
  func `a condition is true of the same features in every way of asking`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 100 + seed)
    let rows = Self.rows(200, among: Self.texts, using: &generator)
    let text = Self.features(rows, using: &generator)
    let annotations = try importing(text, named: "shops.geojson") {
      $0.requiresPositions = false
    }.annotations
    #expect(annotations.count == 200)
    #expect(try ask(annotations, conditions: 60, using: &generator) > 30)
  }

  @Test func `sources joined and in other encodings are asked alike`() throws {
    var generator = SeededGenerator(seed: 1)
    let joined = try Self.joined(using: &generator)
    #expect(joined.count == 510)
    #expect(joined.contains { $0.property("코드")?.text == "중앙약국" })
    #expect(try ask(joined, conditions: 80, using: &generator) > 40)
  }

  /// A table, features, and both with tables in other encodings, each record as an index file keeps it, in
  /// another order than the source's.
  @Test(arguments: UInt64(0)..<3)
  func `a condition is true of the same rows in every way of asking an index file`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: 300 + seed)
    let rows = Self.rows(200, among: Self.texts, using: &generator)
    let text = Self.features(rows, using: &generator)
    let sources = [
      try importing(Self.table(rows)) { $0.requiresPositions = false }.annotations,
      try importing(text, named: "shops.geojson") { $0.requiresPositions = false }.annotations,
      try Self.joined(using: &generator),
    ]
    for source in sources {
      let kept = try #require(ShuffledRecords(source, using: &generator))
      let annotations = ImportedAnnotations(kept)
      #expect(annotations.count == source.count && annotations.columns == source.columns)
      #expect(try ask(annotations, conditions: 40, using: &generator) > 20, "seed \(seed)")
    }
  }

  /// The columns themselves, cell for cell: where one differs, a condition may not notice.
  @Test(arguments: UInt64(0)..<5)
  func `columns of an index file hold what those of its source do`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 400 + seed)
    let source = try Self.joined(using: &generator)
    let kept = try #require(ShuffledRecords(source, using: &generator))
    #expect(!kept.order.isEmpty)
    let fields: [(field: TextField, form: TextColumn.Form)] =
      ([.id, .name, .kind] + (Self.names + ["no column", "9"]).map(TextField.property))
      .flatMap { field in [(field, .written), (field, .folded)] }
    let wanted = source.textColumns(fields)
    let found = ImportedAnnotations(kept).textColumns(fields)
    func cell(_ column: TextColumn, _ row: Int) -> ArraySlice<UInt8> {
      column.bytes[(row == 0 ? 0 : Int(column.ends[row - 1]) + 1)..<Int(column.ends[row])]
    }
    func kind(_ column: TextColumn, _ row: Int) -> UInt8 {
      column.kinds.isEmpty ? TextColumn.CellKind.text.rawValue : column.kinds[row]
    }
    for (number, field) in fields.enumerated() {
      for (row, original) in kept.order.enumerated() {
        #expect(
          cell(found[number], row) == cell(wanted[number], original)
            && kind(found[number], row) == kind(wanted[number], original),
          "\(field), record \(original), seed \(seed)")
      }
    }
  }

  /// Tables in three encodings and features, one behind another.
  private static func joined(
    using generator: inout SeededGenerator
  ) throws -> ImportedAnnotations {
    let ascii = Self.texts.filter { $0.utf8.allSatisfy { $0 < 0x80 } }
    let western = Self.rows(150, among: ascii + ["Café", "Straße", "É"], using: &generator)
    let korean = Self.rows(150, among: ascii + ["중앙약국", "강남", "한글", "한"], using: &generator)
    let wansung: [Unicode.Scalar: [UInt8]] = [
      "중": [0xC1, 0xDF], "앙": [0xBE, 0xD3], "약": [0xBE, 0xE0], "국": [0xB1, 0xB9],
      "강": [0xB0, 0xAD], "남": [0xB3, 0xB2], "한": [0xC7, 0xD1], "글": [0xB1, 0xDB],
      "코": [0xC4, 0xDA], "드": [0xB5, 0xE5],
    ]
    func encoded(_ rows: [Row]) -> [UInt8] {
      Self.table(rows).unicodeScalars.flatMap {
        wansung[$0] ?? [UInt8(truncatingIfNeeded: $0.value)]
      }
    }
    let parts = [
      try importing(encoded(western)) {
        $0.requiresPositions = false
        $0.encoding = .windows1252
      }.annotations,
      try importing(encoded(korean)) {
        $0.requiresPositions = false
        $0.encoding = .cp949
      }.annotations,
      try importing(Self.table(Self.rows(150, among: Self.texts, using: &generator))) {
        $0.requiresPositions = false
      }.annotations,
      try importing(
        Self.features(Self.rows(60, among: Self.texts, using: &generator), using: &generator),
        named: "shops.geojson"
      ) { $0.requiresPositions = false }.annotations,
    ]
    return ImportedAnnotations(joining: parts)
  }

  /// What an app holds says the same as the table that it would be.
  @Test(arguments: UInt64(0)..<2)
  func `a condition is true of the same rows where an app holds them`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 200 + seed)
    let rows = Self.rows(200, among: Self.texts, using: &generator)
    let annotations = try importing(Self.table(rows)) { $0.requiresPositions = false }.annotations
    let held = annotations.map { BasicAnnotation(copying: $0) }
    var asked = 0
    for _ in 0..<100 {
      let condition = Self.condition(2, using: &generator)
      guard
        let filter = try? ConditionFilter(condition, for: held, from: Self.origin),
        let other = try? ConditionFilter(
          condition, for: annotations, columns: annotations.columns, from: Self.origin)
      else { continue }
      asked += 1
      #expect(held.map(filter.truth) == annotations.map(other.truth), "\(condition)")
    }
    #expect(asked > 50)
  }

  @Test func `a text is found in the cells of a column and across none`() {
    var column = TextColumn(.folded, capacity: 4)
    for text in ["abc", "", "def abc", "ABCABC", "xab", "c"] {
      Array(text.utf8).withUnsafeBufferPointer { column.append(cell: $0) }
    }
    column.close()
    for (wanted, rows) in [
      ("abc", [0, 2, 3]), ("b", [0, 2, 3, 4]), ("c", [0, 2, 3, 5]), ("ab", [0, 2, 3, 4]),
      ("cdef", []), ("f a", [2]), ("abcabc", [3]), ("", [0, 2, 3, 4, 5]),
    ] {
      let all = RowSet(allOf: 6)
      let found = column.rows(containing: FoldedText(wanted), among: all)
      #expect((0..<6).filter(found.contains) == rows, "\(wanted)")
    }
  }
}
