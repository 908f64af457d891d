import Geodesy

/// A value in a source's own data, with the types of JSON.
public enum PropertyValue: Hashable, Sendable {
  /// JSON's `null`: the property has a name but no value.
  case null
  /// JSON's `true` and `false`.
  case bool(Bool)
  /// A number as it was written, in JSON's grammar (`-1.50e3`).
  ///
  /// So long ids and trailing zeros survive reading and writing; `1` and `1.0` differ.
  case number(String)
  /// A text.
  case string(String)
  /// A list of values.
  case array([PropertyValue])
  /// Values by name.
  case object(Properties)

  /// Makes a number, in the shortest form that reads back as the same; whole numbers have no point.
  ///
  /// `null` for infinity and NaN, which JSON cannot express.
  public static func double(_ value: Double) -> PropertyValue {
    guard value.isFinite else { return .null }
    return .number(value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)")
  }

  /// Makes a whole number.
  public static func integer(_ value: Int) -> PropertyValue { .number(String(value)) }

  /// The text of a string, a number or a truth value; nil for null, arrays and objects.
  public var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let value): String(value)
    case .null, .array, .object: nil
    }
  }

  /// The value of a number, or of a string that is only a decimal number; nil otherwise.
  ///
  /// Always finite: `nan`, `inf` and hexadecimal count as words, and `1e999` is too large.
  public var number: Double? {
    switch self {
    case .number(let text), .string(let text): finiteNumber(text)
    case .null, .bool, .array, .object: nil
    }
  }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Makes a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes JSON's `null`, which is a value, unlike `Optional<PropertyValue>.none`.
  public init(nilLiteral: ()) { self = .null }
}

/// Named values in the order of their source; a name may repeat, as in a CSV header.
public struct Properties: Hashable, Sendable {
  /// A name and its value.
  public struct Entry: Hashable, Sendable, Codable {
    /// The property's name, as its source spells it.
    public let name: String
    /// The value in the source.
    public let value: PropertyValue

    /// Pairs a name with a value.
    public init(name: String, value: PropertyValue) {
      self.name = name
      self.value = value
    }
  }

  /// The names and values, in the order of their source.
  public var entries: [Entry]

  /// Makes properties from entries; names may repeat.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The first value with a name; nil if there is none.
  ///
  /// A name that is equal byte for byte comes before one that is only canonically equivalent: `é`
  /// may be one code point or two, and a source may have both columns. Setting a value replaces the
  /// first one with exactly that name, or appends it; setting nil removes all of them.
  ///
  /// - Complexity: O(*n*) in the entries.
  public subscript(name: String) -> PropertyValue? {
    get {
      let exact = entries.first { $0.name.isSameBytes(as: name) }
      // An ASCII name has only one spelling.
      if exact != nil || name.utf8.allSatisfy({ $0 < 0x80 }) { return exact?.value }
      return entries.first { $0.name == name }?.value
    }
    set {
      guard let newValue else { return entries.removeAll { $0.name.isSameBytes(as: name) } }
      let entry = Entry(name: name, value: newValue)
      if let place = entries.firstIndex(where: { $0.name.isSameBytes(as: name) }) {
        entries[place] = entry
      } else {
        entries.append(entry)
      }
    }
  }

  /// Whether there are no properties.
  public var isEmpty: Bool { entries.isEmpty }

  /// Appends a value, even if the name exists.
  public mutating func append(_ name: String, _ value: PropertyValue) {
    entries.append(Entry(name: name, value: value))
  }
}

extension Properties: ExpressibleByDictionaryLiteral {
  /// Makes properties from a literal, in its order; names may repeat.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    entries = elements.map { Entry(name: $0, value: $1) }
  }
}

// MARK: No value

/// The texts that mean "no value" in sources.
///
/// A table has no other way to say this. The same texts count in every format, so that a query's
/// result does not change when a source is converted or imported.
package enum NullText {
  /// The words; an empty text means the same.
  package static let words: Set<String> = [
    "\\N", "NULL", "null", "Null", "-", "N/A", "n/a", "#N/A",
  ]
  private static let longest = words.map(\.utf8.count).max() ?? 0

  /// Whether a text means "no value".
  package static func isNull(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return true }
    return isFirst[Int(first)] && text.utf8.count <= longest && words.contains(text)
  }

  /// Whether a text in UTF-8 means "no value".
  package static func isNull(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= longest else { return false }
    guard let first = bytes.first else { return true }
    // Nearly all short texts are decided here.
    guard isFirst[Int(first)] else { return false }
    return spellings.contains { $0.elementsEqual(bytes) }
  }

  private static let spellings = words.map { Array($0.utf8) }

  /// For each byte, whether one of the words begins with it.
  private static let isFirst: [Bool] = {
    let firsts = Set(words.compactMap(\.utf8.first))
    return (UInt8.min...UInt8.max).map(firsts.contains)
  }()
}

// MARK: Equal byte for byte

/// A text that equals another only if their bytes are equal.
///
/// In Swift `é` equals `e` followed by an accent. In CSV, JSON and SQL, however, columns with these
/// names are different columns: code that collects columns by name uses this type.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether two texts are equal byte for byte.
  package func isSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

extension PropertyValue {
  /// Whether two values are equal, with all their texts byte for byte.
  package func isSameBytes(as other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.isSameBytes(as: right)
    case (.array(let left), .array(let right)):
      left.elementsEqual(right) { $0.isSameBytes(as: $1) }
    case (.object(let left), .object(let right)): left.isSameBytes(as: right)
    default: self == other
    }
  }
}

extension Properties {
  /// Whether the entries are equal in order, with all their texts byte for byte.
  package func isSameBytes(as other: Properties) -> Bool {
    entries.elementsEqual(other.entries) {
      $0.name.isSameBytes(as: $1.name) && $0.value.isSameBytes(as: $1.value)
    }
  }
}

extension Sequence<String> {
  /// The texts in order, without bytewise duplicates.
  package var withoutRepeats: [String] {
    var seen: Set<ExactText> = []
    return filter { seen.insert(ExactText($0)).inserted }
  }

  /// The text that is the same byte by byte, or else to people: in names of files macOS has Hangul in its parts.
  package func first(sameAs text: String) -> String? {
    first { $0.isSameBytes(as: text) } ?? first { $0 == text }
  }
}

extension PropertyValue {
  /// The text of opening hours: a list of texts is one, as schema.org and Google write the days of a week, and so are a
  /// week's days in an object and schema.org's `OpeningHoursSpecification`; nil for what has none.
  ///
  /// Joined by commas: behind a semicolon, Saturday's times would end Friday's night.
  package var hoursText: String? {
    switch self {
    case .array(let values):
      TimesColumns.withHolidaysLast(values.map { TimesColumns.specification($0) ?? $0 })
        .joinedTexts(", ")
    case .object(let members):
      (members["weekday_text"] ?? members["weekdayDescriptions"])?.hoursText
        ?? TimesColumns.week(members) ?? TimesColumns.specification(self)?.text
    default: text
    }
  }

  /// The text of a name, which Google's `displayName` has beside its language; nil for what has none.
  package var nameText: String? {
    if case .object(let members) = self { members["text"]?.text } else { text }
  }
}

extension [PropertyValue] {
  /// The texts of a list, with "?" for each value that is not a text, so that nobody takes the rest for all.
  var listedTexts: [String] { filter { $0 != .null }.map { $0.text ?? "?" } }

  /// The same as one text, without empty ones; nil if there are none.
  func joinedTexts(_ separator: String) -> String? {
    let texts = listedTexts.filter { !$0.isEmpty }
    return texts.isEmpty ? nil : texts.joined(separator: separator)
  }
}

// MARK: Repeated names

extension String {
  /// The name, or else the first of `name_2`, `name_3`, … that is free.
  package func firstFree(_ mark: Character = "_", where isFree: (String) -> Bool) -> String {
    var name = self
    var number = 2
    while !isFree(name) {
      name = "\(self)\(mark)\(number)"
      number += 1
    }
    return name
  }
}

extension Properties {
  /// Whether a name occurs twice.
  package var hasRepeatedName: Bool { firstRepeatedName(in: entries[...]) != nil }

  /// The same entries with a number appended to each repeated name.
  ///
  /// - Complexity: O(*n*): numbering of a name continues from its last number.
  package var withDistinctNames: Properties {
    guard hasRepeatedName else { return self }
    let written = Set(entries.map { ExactText($0.name) })
    var lastNumber: [ExactText: Int] = [:]
    return Properties(
      entries.map { entry in
        let key = ExactText(entry.name)
        guard var number = lastNumber[key] else {
          lastNumber[key] = 1
          return entry
        }
        // A numbered name has only one possible base, so no other name gets this one.
        repeat { number += 1 } while written.contains(ExactText("\(entry.name)_\(number)"))
        lastNumber[key] = number
        return Entry(name: "\(entry.name)_\(number)", value: entry.value)
      })
  }

  /// Says only a text under a name, or nothing, for readers that look nowhere else.
  ///
  /// A value with the same text becomes that text, a word for "no value" gives way, and any other value gets a number
  /// after its name.
  ///
  /// - Precondition: Names do not repeat.
  package mutating func say(_ name: String, _ text: String?) {
    guard let place = entries.firstIndex(where: { $0.name.isSameBytes(as: name) }) else {
      if let text { append(name, .string(text)) }
      return
    }
    let value = entries[place].value
    let isNull = value.text.map { NullText.isNull($0) } ?? (value == .null)
    let isSame = text.map { value.text?.isSameBytes(as: $0) ?? false } ?? false
    guard isNull || isSame else {
      renameEntry(at: place)
      if let text { append(name, .string(text)) }
      return
    }
    let own = text.map(PropertyValue.string) ?? .null
    // An empty text says nothing as it is.
    if value != own, text != nil || value != "" {
      entries[place] = Entry(name: name, value: own)
    }
  }

  /// Adds the first free number from 2 to the name of an entry, as in `name_2`.
  package mutating func renameEntry(at place: Int) {
    let entry = entries[place]
    entries[place] = Entry(name: entry.name.firstFree { self[$0] == nil }, value: entry.value)
  }
}

/// A name that occurs twice among members; nil if there is none.
///
/// Names are compared by bytes: é and e followed by an accent are two names in JSON.
///
/// - Complexity: O(*n*) hashes above 16 members, up to that *n*² / 2 short comparisons.
package func firstRepeatedName(in entries: ArraySlice<Properties.Entry>) -> String? {
  if entries.count <= 16 {
    for index in entries.indices {
      let name = entries[index].name
      for earlier in entries[..<index] where earlier.name.isSameBytes(as: name) { return name }
    }
    return nil
  }
  var seen = Set<ExactText>(minimumCapacity: entries.count)
  return entries.first { !seen.insert(ExactText($0.name)).inserted }?.name
}

extension PropertyValue: Codable {
  private enum Key: String, CodingKey { case number, object }

  /// Encodes the value itself: `null`, `true`, `"text"`, `4.5` and lists look as in JSON.
  ///
  /// A number that would not survive (`1.50`, one of 20 digits) is encoded with its text as
  /// `{"number": "1.50"}`. An object is `{"object": [{"name": …, "value": …}, …]}`, since its names
  /// may repeat and have an order. For self-describing formats: JSON and property lists.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .number(let text):
      if let whole = Int(text), String(whole) == text, whole.magnitude <= 1 << 53 {
        try encoder.encodeAlone(whole)
      } else if let number = Double(text), "\(number)" == text, number != number.rounded() {
        try encoder.encodeAlone(number)
      } else {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(text, forKey: .number)
      }
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(members, forKey: .object)
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try encoder.encodeAlone(value)
    case .string(let text): try encoder.encodeAlone(text)
    case .array(let values): try encoder.encodeAlone(values)
    }
  }

  /// - Throws: `DecodingError` for a `{"number": …}` that is not a decimal number.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      if container.contains(.object) {
        self = .object(try container.decode(Properties.self, forKey: .object))
        return
      }
      let text = try container.decode(String.self, forKey: .number)
      guard PropertyValue.number(text).number != nil || DecimalNumber(text) != nil else {
        throw decoder.refusal("\"\(text)\" is not a number; write a decimal one such as -12.50")
      }
      self = .number(text)
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try [PropertyValue](from: decoder))
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let whole = try? container.decode(Int.self) {
        self = .integer(whole)
      } else if let text = try? container.decode(String.self) {
        self = .string(text)
      } else {
        // Of numbers that are none, which property lists have, nothing is left.
        let number = try container.decode(Double.self)
        self = number.isFinite ? .number("\(number)") : .null
      }
    }
  }
}

extension Properties: Codable {
  /// Encodes the list of entries in order, `[{"name": "rating", "value": 4.5}, …]`.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(entries) }

  /// - Throws: `DecodingError`, as for its values.
  public init(from decoder: any Decoder) throws { self.init(try [Entry](from: decoder)) }
}
