import Geodesy

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
      } else if let number = try? container.decode(Double.self) {
        self = .number("\(number)")
      } else {
        self = .string(try container.decode(String.self))
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
