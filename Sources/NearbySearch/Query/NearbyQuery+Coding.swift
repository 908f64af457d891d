import Geodesy
import MapAnnotations

extension Encoder {
  /// Encodes the text of a value, or throws if the text reads back as anything else.
  fileprivate func encode<Value: Equatable>(
    _ text: String, of value: Value, readBack: Value?
  ) throws {
    guard readBack == value else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription: "\(text) does not read back as it was made; make it from a text"))
    }
    try encodeAlone(text)
  }
}

extension NearbyQuery: Codable {
  /// Encodes its ``text``: `"lat=37.5666&lon=126.9784&kind=mart&k=3"`.
  ///
  /// - Throws: `EncodingError` for a query made in code that has no text form, such as one whose condition has none.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(text, of: self, readBack: try? NearbyQuery(parsing: text))
  }

  /// - Throws: `DecodingError`, with the message of ``QueryTextError``.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = try decoder.checked { () throws(QueryTextError) in try NearbyQuery(parsing: text) }
  }
}

extension Condition: Codable {
  /// Encodes its text: `"kind = 'mart' and rating >= 4.5"`.
  ///
  /// - Throws: `EncodingError` for a condition made in code that has no text form.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(description, of: self, readBack: Condition(description))
  }

  /// - Throws: `DecodingError`, with the message of `ConditionError`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = try decoder.checked { () throws(ConditionError) in try Condition(parsing: text) }
  }
}

extension Condition.Field: Codable {
  /// Encodes its name, `"rating"`; in double quotes where it would be read as something else.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(description) }

  /// Decodes its name, as read by `init(named:)`.
  public init(from decoder: any Decoder) throws {
    self.init(named: try decoder.singleValueContainer().decode(String.self))
  }
}
