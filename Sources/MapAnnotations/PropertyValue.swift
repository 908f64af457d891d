/// One value of a source's own data, with the shapes that JSON has.
public enum PropertyValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number as it was written, in JSON's grammar (`-1.50e3`), so that long ids and trailing
  /// zeros survive being read and written again.
  case number(String)
  case string(String)
  case array([PropertyValue])
  case object(Properties)

  /// - Precondition: `value` is finite.
  public static func double(_ value: Double) -> PropertyValue {
    precondition(value.isFinite, "JSON has no number for \(value)")
    return .number(value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)")
  }

  public static func integer(_ value: Int) -> PropertyValue { .number(String(value)) }

  /// The text of a string, a number or a truth value; nil for null, arrays and objects.
  public var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let value): String(value)
    case .null, .array, .object: nil
    }
  }

  /// The number, or a string that holds nothing but one; nil otherwise.
  public var number: Double? {
    switch self {
    case .number(let text), .string(let text): Double(text)
    default: nil
    }
  }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
}

/// Named values in the order of their source; a name may repeat, as a CSV header's may.
public struct Properties: Hashable, Sendable {
  /// One name and its value.
  public struct Entry: Hashable, Sendable {
    public let name: String
    public let value: PropertyValue

    public init(name: String, value: PropertyValue) {
      self.name = name
      self.value = value
    }
  }

  public var entries: [Entry]

  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The first value of that name; nil when there is none. Setting nil removes every one.
  public subscript(name: String) -> PropertyValue? {
    get { entries.first { $0.name == name }?.value }
    set {
      guard let newValue else { return entries.removeAll { $0.name == name } }
      let entry = Entry(name: name, value: newValue)
      if let place = entries.firstIndex(where: { $0.name == name }) {
        entries[place] = entry
      } else {
        entries.append(entry)
      }
    }
  }

  public var isEmpty: Bool { entries.isEmpty }

  public mutating func append(_ name: String, _ value: PropertyValue) {
    entries.append(Entry(name: name, value: value))
  }
}

extension Properties: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    entries = elements.map { Entry(name: $0, value: $1) }
  }
}
