extension Encoder {
  /// Encodes a single value without a container of its own.
  package func encodeAlone(_ value: some Encodable) throws {
    var container = singleValueContainer()
    try container.encode(value)
  }
}

extension KeyedEncodingContainer {
  /// Encodes a list; an empty one is omitted.
  package mutating func encodeUnlessEmpty(
    _ values: some Collection & Encodable, forKey key: Key
  ) throws {
    if !values.isEmpty { try encode(values, forKey: key) }
  }
}
