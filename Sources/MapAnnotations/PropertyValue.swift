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
