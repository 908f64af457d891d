extension Encoder {
  /// Encodes a value that is all there is.
  package func encodeAlone(_ value: some Encodable) throws {
    var container = singleValueContainer()
    try container.encode(value)
  }
}

extension KeyedEncodingContainer {
  /// Encodes a list; an empty one is left out.
  package mutating func encodeUnlessEmpty(
    _ values: some Collection & Encodable, forKey key: Key
  ) throws {
    if !values.isEmpty { try encode(values, forKey: key) }
  }
}
