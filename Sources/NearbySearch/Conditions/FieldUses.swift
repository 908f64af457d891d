import Geodesy
import MapAnnotations

/// The properties that a condition names and the types that it expects, to check against annotations.
struct FieldUses {
  /// One property, and the type that its values must have.
  private struct Use {
    let field: Condition.Field
    let name: String
    let wanted: Wanted
    /// Whether another field is compared with it, so that a text without its quotes may be meant.
    let mayBeText: Bool
    var isThere = false
    var fits = false
    /// A value that does not fit, for the message.
    var example: PropertyValue?
  }

  private enum Wanted {
    case anything, number, text, truth
    /// A text, or a list that holds one.
    case searchedText
    /// A text ordered against a text that is not a number: a column of numbers is a mistake.
    case orderedText
  }

  /// By name and type the first of each: to look for one twice would cost a walk over all annotations again.
  private var uses: [Use] = []

  init(_ condition: Condition) { add(condition) }

  /// Fields that may have values of any kind.
  init(_ fields: [Condition.Field]) { for field in fields { add(field, .anything) } }

  private mutating func add(_ condition: Condition) {
    switch condition {
    case .comparison(let left, let comparison, let right):
      add([left, right], isOrdered: comparison != .equal && comparison != .unequal)
    case .range(let operand, let low, let high): add([operand, low, high], isOrdered: true)
    case .membership(let operand, let literals):
      add([operand] + literals.prefix(1).map { .literal($0) }, isOrdered: false)
    case .search(let operand, _, _):
      if case .field(let field) = operand { add(field, .searchedText) }
    case .isNull(let field): add(field, .anything)
    case .not(let condition): add(condition)
    case .all(let members), .any(let members): for member in members { add(member) }
    }
  }

  private mutating func add(_ operands: [Condition.Operand], isOrdered: Bool) {
    var wanted = Wanted.anything
    switch Condition.type(of: operands) {
    case .number: wanted = .number
    case .bool: wanted = .truth
    case .text:
      let isAfterNumber = operands.contains {
        if case .literal(.text(let text)) = $0 { DecimalNumber(text) != nil } else { false }
      }
      wanted = isOrdered && !isAfterNumber ? .orderedText : .text
    case nil: break
    }
    var isAfterField = false
    for case .field(let field) in operands {
      add(field, wanted, mayBeText: isAfterField)
      isAfterField = true
    }
  }

  private mutating func add(
    _ field: Condition.Field, _ wanted: Wanted, mayBeText: Bool = false
  ) {
    guard case .property(let name) = field.name else { return }
    guard !uses.contains(where: { $0.name == name && $0.wanted == wanted }) else { return }
    uses.append(Use(field: field, name: name, wanted: wanted, mayBeText: mayBeText))
  }

  /// Checks that annotations have the properties, with values of the right kind.
  ///
  /// - Throws: `ConditionError` with `where-field` or `where-type`, for the first property that does not fit.
  func check<Item: Annotation>(
    _ annotations: some Collection<Item>, columns: [String]
  ) throws(ConditionError) {
    guard !annotations.isEmpty || !columns.isEmpty else { return }
    // One by one: the first name that nothing has ends the check, however many more there are.
    for var use in uses {
      use.isThere = columns.contains(use.name)
      for annotation in annotations {
        FieldUses.look(at: annotation.property(use.name), for: &use)
        if use.fits { break }
      }
      guard use.isThere else {
        throw FieldSuggestions(annotations, columns: columns)
          .error(for: use.name, at: use.field.column, mayBeText: use.mayBeText)
      }
      if let example = use.example, !use.fits {
        throw ConditionError(.type, FieldUses.mismatch(use, example), column: use.field.column)
      }
    }
  }

  private static func look(at property: PropertyValue?, for use: inout Use) {
    guard let property else { return }
    use.isThere = true
    let value = FieldValue(property)
    if use.wanted == .anything { use.fits = true }
    guard !value.isNull else { return }
    switch use.wanted {
    case .anything: break
    case .number: use.fits = value.decimal != nil
    case .text: use.fits = value.plainText != nil
    case .searchedText: use.fits = value.searchedTexts != nil
    case .orderedText: use.fits = value.plainText != nil && value.decimal == nil
    case .truth: use.fits = value.truth != nil
    }
    if use.example == nil { use.example = property }
  }

  private static func mismatch(_ use: Use, _ example: PropertyValue) -> String {
    let text = example.text ?? ""
    let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
    return switch (example, use.wanted) {
    case (.bool, _): "\(use.field) holds true or false; write \(use.field) = true"
    case (.array, .searchedText):
      "\(use.field) holds lists without texts, which cannot be searched; write \(use.field) is null"
    case (.array, _):
      "\(use.field) holds lists, which cannot be compared; "
        + "search them with contains or like, or write \(use.field) is null"
    case (.object, _):
      "\(use.field) holds objects, which cannot be compared; write \(use.field) is null"
    case (_, .number):
      "\(use.field) is compared with a number, but holds none, as \"\(shown)\"; "
        + "compare it with a text in '…'"
    case (_, .truth):
      "\(use.field) is compared with true or false, but holds neither, as \"\(shown)\"; "
        + "compare it with a text or a number"
    default:
      "\(use.field) is compared with a text, but holds numbers, as \"\(shown)\"; "
        + "compare it with a number, without quotes"
    }
  }
}

extension NearbyQuery {
  /// What to say of the properties that the query compares with numbers or orders by, if numbers there are written so
  /// that it passes them over.
  ///
  /// - Complexity: O(1): the first annotations are read.
  package func remarksOnNumbers<Item: Annotation>(
    among annotations: some Collection<Item>
  ) -> [String] {
    let compared = condition.map { FieldUses($0).comparedWithNumbers } ?? []
    var remarks = compared.compactMap { NumberTexts($0, among: annotations)?.remark }
    for field in order?.fields ?? [] {
      guard case .property(let name) = field.name, !compared.contains(name),
        let texts = NumberTexts(name, among: annotations)
      else { continue }
      // A column of texts is ordered as texts.
      if texts.isAmongNumbers { remarks.append(texts.remark) }
    }
    return remarks
  }
}

extension FieldUses {
  /// The properties that are compared with numbers, each once.
  fileprivate var comparedWithNumbers: [String] {
    uses.reduce(into: []) { names, use in
      if use.wanted == .number, !names.contains(use.name) { names.append(use.name) }
    }
  }
}

/// The values of a property that are a number with other signs, such as `1,234` and `500원`: they are texts, which
/// comparisons with numbers, orders and sums pass over.
package struct NumberTexts {
  private let name: String
  private var count = 0
  private var total = 0
  private var example = ""
  /// Whether the sample is only the beginning of the annotations.
  private let isOfFirst: Bool
  /// Whether other values are numbers.
  private(set) var isAmongNumbers = false

  private static let sampleSize = 1_000

  /// Looks at the first annotations; nil if they have no such values.
  package init?<Item: Annotation>(_ name: String, among annotations: some Collection<Item>) {
    let sample = annotations.prefix(NumberTexts.sampleSize)
    self.name = name
    isOfFirst = sample.endIndex != annotations.endIndex
    for annotation in sample {
      let value = FieldValue(annotation.property(name))
      guard !value.isNull else { continue }
      total += 1
      if value.decimal != nil {
        isAmongNumbers = true
      } else if let text = value.plainText, NumberTexts.holdsNumber(text) {
        if count == 0 { example = text }
        count += 1
      }
    }
    if count == 0 { return nil }
  }

  /// Whether a text is one number with separators of thousands, or with a currency before it or a unit behind it.
  ///
  /// Dates, telephone numbers, codes such as `M5341`, lists and decimal commas are not.
  private static func holdsNumber(_ text: String) -> Bool {
    let scalars = Array(trimmed(text.plainSigns).unicodeScalars)
    guard let first = scalars.firstIndex(where: \.isASCIIDigit),
      let last = scalars.lastIndex(where: \.isASCIIDigit)
    else { return false }
    let parts = scalars[first...last].split(separator: ".", omittingEmptySubsequences: false)
    let groups = parts[0].split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.dropFirst().allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      groups.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      groups.count == 1 || groups[0].count <= 3 && groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return false }
    let before = scalars[..<first].filter { $0 != " " }
    let behind = scalars[(last + 1)...]
    if before.isEmpty || before == ["-"] || before == ["+"] {
      return behind.isEmpty ? groups.count > 1 : isUnit(behind)
    }
    return behind.isEmpty && before.count == 1
      && before[0].properties.generalCategory == .currencySymbol
  }

  /// Whether what stands behind a number is one word or sign; letters of ASCII that touch it may be those of a code.
  private static func isUnit(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    let word = text.drop { $0 == " " }
    guard let first = word.first,
      word.count < text.count || !first.properties.isAlphabetic || !first.isASCII
    else { return false }
    let signs: [Unicode.GeneralCategory] = [.currencySymbol, .otherSymbol]
    return word.allSatisfy(\.properties.isAlphabetic)
      || word.count == 1 && (first == "%" || signs.contains(first.properties.generalCategory))
  }

  /// One line.
  package var remark: String {
    let shown = example.count > 40 ? example.prefix(40) + "…" : example[...]
    return
      "note: not read as numbers: \(count) of \(isOfFirst ? "the first " : "")\(total) values of "
      + "\(Condition.Field.property(name)), such as \"\(shown)\"; write them without separators and units"
  }
}

extension ConditionError {
  /// The same error, or, of a distance without an origin where annotations have a property of that name, which is
  /// probably meant, how to name the property.
  ///
  /// - Complexity: O(*n*).
  func orProperty<Item: Annotation>(
    of annotations: some Collection<Item>, columns: [String]
  ) -> ConditionError {
    let name = Condition.Field.Common.distance.rawValue
    guard reason == .position,
      columns.contains(name) || annotations.contains(where: { $0.property(name) != nil })
    else { return self }
    return ConditionError(
      .field,
      "\(name) needs a position to measure from, and there is none; for the property of that name, write "
        + "\(Condition.Field.property(name)), with the quotes", column: column)
  }
}

/// The names of fields, for suggesting the one that was probably meant.
struct FieldSuggestions {
  private let names: [String]
  /// Annotations beyond these are not searched for names.
  private static let sampleSize = 1_000

  init<Item: Annotation>(_ annotations: some Collection<Item>, columns: [String]) {
    var names = columns
    var seen = Set(columns)
    for annotation in annotations.prefix(FieldSuggestions.sampleSize) {
      for entry in annotation.properties.entries where seen.insert(entry.name).inserted {
        names.append(entry.name)
      }
    }
    self.names = names
  }

  /// The error for a name that no annotation has.
  ///
  /// - Parameter mayBeText: Whether a text may be meant, whose quotes are missing or those of a name.
  func error(for name: String, at column: Int, mayBeText: Bool) -> ConditionError {
    let text = mayBeText ? "for a text, write \(Condition.Literal.text(name)); " : ""
    return ConditionError(
      .field, "no field is named \"\(name)\"; \(text)\(remedy(for: name))", column: column)
  }

  /// Words of columns that have become the coordinates, and the field that has these.
  private static let coordinateWords = [
    ("latitude", ["위도", "緯度", "纬度"]), ("longitude", ["경도", "経度", "經度", "经度"]),
  ]

  private func remedy(for name: String) -> String {
    let parts = name.split { !$0.isLetter }
    for (field, words) in FieldSuggestions.coordinateWords
    where parts.contains(where: { part in words.contains { part.hasSuffix($0) } }) {
      return "did you mean \(field)?"
    }
    let common = Condition.Field.Common.allCases.map(\.rawValue)
    if let field = common.first(where: { $0 == name }) {
      return "write \(field) without quotes for what every annotation has"
    }
    // `weight:dsc` and `weight desc` are slips of an order.
    if let mark = name.lastIndex(where: { $0 == ":" || $0 == " " }),
      (common + names).contains(String(name[..<mark])),
      name[mark...].dropFirst().lowercased().hasPrefix("d"), name[mark...].utf8.count > 3
    {
      return "for the reverse order, write \(name[..<mark]):desc"
    }
    let nearest = (common + names).map {
      (name: $0, edits: FieldSuggestions.edits(from: name, to: $0))
    }
    .min { $0.edits < $1.edits }
    if let nearest, nearest.edits <= (name.count < 4 ? 1 : max(2, name.count / 3)) {
      let isCommon = common.contains(nearest.name)
      return
        "did you mean \(isCommon ? nearest.name : "\(Condition.Field.property(nearest.name))")?"
    }
    // So is `weight,desc`, in which it looks like a field.
    if ["desc", "descending"].contains(name.lowercased()) {
      return "for the reverse order, write :desc right after a field"
    }
    let others = names.filter { !common.contains($0) }
    let shown = common + others.prefix(30).map { "\(Condition.Field.property($0))" }
    return "fields are \(shown.joined(separator: ", "))"
  }

  /// The edit distance between two names, ignoring case and width; a prefix is one edit away.
  private static func edits(from source: String, to target: String) -> Int {
    func folded(_ text: String) -> [Unicode.Scalar] {
      Array(String(decoding: FoldedText(text).bytes, as: UTF8.self).unicodeScalars)
    }
    let source = folded(source), target = folded(target)
    if source.count >= 2, target.starts(with: source) {
      return source.count == target.count ? 0 : 1
    }
    return editDistance(from: source, to: target)
  }
}
