/// One value of a source's own data, with the shapes that JSON has.
public enum PropertyValue: Hashable, Sendable {
  /// JSON's `null`: the source names the property and gives it nothing.
  case null
  /// JSON's `true` and `false`.
  case bool(Bool)
  /// A number as it was written, in JSON's grammar (`-1.50e3`).
  ///
  /// So long ids and trailing zeros survive being read and written again; `1` and `1.0` differ.
  case number(String)
  /// A text.
  case string(String)
  /// Values in a row.
  case array([PropertyValue])
  /// Values by name.
  case object(Properties)

  /// A number, in the shortest form that reads back as the same; whole ones without a point.
  ///
  /// `null` for one that is infinite or not a number, which JSON has no number for.
  public static func double(_ value: Double) -> PropertyValue {
    guard value.isFinite else { return .null }
    return .number(value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)")
  }

  /// A whole number.
  public static func integer(_ value: Int) -> PropertyValue { .number(String(value)) }

  /// The text of a string, a number or a truth value; nil for null, arrays and objects.
  public var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let value): String(value)
    case .null, .array, .object: nil
    }
  }

  /// The number, or a string that holds nothing but a decimal one; nil otherwise.
  ///
  /// Finite always: `nan`, `inf` and hexadecimal are words here, and `1e999` is too large.
  public var number: Double? {
    switch self {
    case .number(let text), .string(let text):
      guard text.utf8.allSatisfy(PropertyValue.occursInDecimals), let number = Double(text),
        number.isFinite
      else { return nil }
      return number
    case .null, .bool, .array, .object: return nil
    }
  }

  private static func occursInDecimals(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// JSON's `null`, which is a value: `Optional<PropertyValue>.none` is none.
  public init(nilLiteral: ()) { self = .null }
}

/// Named values in the order of their source; a name may repeat, as a CSV header's may.
public struct Properties: Hashable, Sendable {
  /// One name and its value.
  public struct Entry: Hashable, Sendable {
    /// The property's name, as its source spells it.
    public let name: String
    /// What the source gives it.
    public let value: PropertyValue

    /// Pairs a name with a value.
    public init(name: String, value: PropertyValue) {
      self.name = name
      self.value = value
    }
  }

  /// The names and values, in the order of their source.
  public var entries: [Entry]

  /// Takes names and values as they are; names may repeat.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The first value of that name; nil when there is none.
  ///
  /// A name that is the same byte for byte comes before one that only looks so: `é` may be one
  /// character or two, and a source may have both columns. Setting a value replaces the first of
  /// exactly that name, or appends it; setting nil removes every one.
  ///
  /// - Complexity: O(*n*) in the entries.
  public subscript(name: String) -> PropertyValue? {
    get {
      let exact = entries.first { $0.name.isSameBytes(as: name) }
      // Of ASCII there is one way to write a name.
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

  /// Whether the source says nothing else.
  public var isEmpty: Bool { entries.isEmpty }

  /// Adds a value at the end, even where the name is there already.
  public mutating func append(_ name: String, _ value: PropertyValue) {
    entries.append(Entry(name: name, value: value))
  }
}

extension Properties: ExpressibleByDictionaryLiteral {
  /// Names and values in the order written; names may repeat.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    entries = elements.map { Entry(name: $0, value: $1) }
  }
}
