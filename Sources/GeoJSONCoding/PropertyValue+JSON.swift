import MapAnnotations

extension PropertyValue {
  /// Parses a whole JSON text (RFC 8259).
  ///
  ///     let settings = try PropertyValue(json: Array(#"{"size": 1.50}"#.utf8))
  ///
  /// Numbers keep their text, and so any precision; objects keep the order of their members and
  /// repeated names. A byte order mark at the start is skipped.
  ///
  /// - Parameter bytes: UTF-8.
  /// - Throws: `GeoJSONError` with `empty-input`, `encoding`, `json-syntax` (the grammar, half a
  ///   surrogate pair, anything after the value) or `json-depth` (over 512 levels).
  /// - Complexity: O(*n*) time, on a stack of constant depth.
  public init(json bytes: [UInt8]) throws(GeoJSONError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(GeoJSONError) -> PropertyValue in
      try PropertyValue(json: buffer)
    }
  }

  /// Parses a whole JSON text; see `init(json:)` for arrays.
  public init(json bytes: UnsafeBufferPointer<UInt8>) throws(GeoJSONError) {
    var scanner = JSONScanner(bytes)
    try scanner.expectContent()
    self = try scanner.value(duplicates: .kept)
    try scanner.expectEnd()
  }

  /// The value as `JSONWriter` writes it, in UTF-8 and without a line end.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  /// The value as JSON, with a line end.
  package var jsonLine: [UInt8] { json + [0x0A] }

  /// The value as JSON, without a line end.
  package var jsonText: String { String(decoding: json, as: UTF8.self) }

  /// The value as the text of a cell: JSON for an array or an object; nil for null.
  package var cellText: String? {
    switch self {
    case .null: nil
    case .array, .object: jsonText
    case .string, .number, .bool: text
    }
  }
}

extension JSONScanner {
  /// Throws if there is only white space.
  mutating func expectContent() throws(GeoJSONError) {
    skipWhitespace()
    guard position < end else {
      throw error(.emptyInput, "there is no text here; give a file with content", at: position)
    }
  }
}
