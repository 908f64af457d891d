import MapAnnotations

/// Reads a GeoJSON text (RFC 7946) one feature at a time.
///
/// An invalid feature is reported and reading continues. The tree of the whole text is never built,
/// so memory holds one feature besides the bytes.
///
///     let document = try GeoJSONReader().read(bytes) { record in
///       switch record.feature {
///       case .success(let feature): add(feature)
///       case .failure(let error): report(record.number, error)
///       }
///       return .readOn
///     }
///
/// Coordinates may be any finite numbers: the caller checks whether they lie on the Earth. The page
/// of this library says what the reader decides where the RFC leaves a choice.
public struct GeoJSONReader: Sendable {
  /// How features are arranged in a text.
  public enum Framing: Sendable {
    /// Detected from the first bytes; see `sequence` and `document`.
    ///
    /// A sequence begins with a record separator (byte 0x1E), or its first line has balanced braces
    /// and brackets and the next line begins with a brace, which is impossible for a single value.
    /// Anything else is one document.
    case automatic
    /// One feature collection, feature or geometry.
    case document
    /// Features one after the other: each after a record separator (RFC 8142), or each on its own
    /// line. Empty lines are skipped. Each may be a feature, a geometry or a collection.
    case sequence
  }

  /// What to do after a record.
  public enum NextStep: Sendable {
    case readOn, stop
  }

  /// How features are arranged in the text.
  public var framing: Framing

  /// Makes a reader; it keeps no state between texts.
  public init(framing: Framing = .automatic) { self.framing = framing }

  /// Reads a text and passes its features on in order.
  ///
  /// It is more lenient than RFC 7946 §3.1.6 in one point: a ring that does not end where it starts
  /// is closed, and `GeoJSONRecord.closedRings` counts it.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8; a byte order mark at the start is skipped.
  ///   - receive: Called for each record, valid or not.
  /// - Returns: The content of the text outside its features.
  /// - Throws: `GeoJSONError` if the text as a whole is invalid: empty, incomplete JSON, a missing
  ///   or unknown type, no `features`. Records passed on before must then be discarded. A sequence
  ///   throws only if it is empty: its records are independent.
  /// - Complexity: O(*n*) in bytes. A collection whose `features` come before its `type` is read
  ///   twice. A record is allocated once, and freed when the receiver drops it.
  @discardableResult
  public func read(
    _ bytes: [UInt8], _ receive: (GeoJSONRecord) -> NextStep
  ) throws(GeoJSONError) -> GeoJSONDocument {
    try bytes.withUnsafeBufferPointer { (buffer) throws(GeoJSONError) -> GeoJSONDocument in
      try read(buffer, receive)
    }
  }

  /// Reads a text in memory, such as a mapped file; see `read` for arrays.
  @discardableResult
  public func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ receive: (GeoJSONRecord) -> NextStep
  ) throws(GeoJSONError) -> GeoJSONDocument {
    try scan(bytes) { record in
      receive(
        GeoJSONRecord(
          number: record.number, feature: record.feature.map { $0.feature() },
          byteRange: record.byteRange, line: record.line, closedRings: record.closedRings))
    }
  }

  /// Reads and checks a text as `read` does, without making values of ids and properties.
  ///
  /// - Complexity: O(*n*) in bytes; nothing is allocated for features with points.
  @discardableResult
  package func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, _ receive: (ScannedRecord) -> NextStep
  ) throws(GeoJSONError) -> GeoJSONDocument {
    try withoutActuallyEscaping(receive) { (receive) throws(GeoJSONError) -> GeoJSONDocument in
      var reading = GeoJSONReading(bytes, receive)
      return try reading.read(framing)
    }
  }

  /// All features of a text.
  ///
  /// - Parameters:
  ///   - bytes: The whole text.
  ///   - onRecord: Called with each valid record.
  ///   - onDocument: Called at the end with the content outside the features.
  /// - Throws: `GeoJSONError` of the first invalid record or of the text as a whole.
  public func features(
    in bytes: [UInt8], onRecord: (GeoJSONRecord) -> Void = { _ in },
    onDocument: (GeoJSONDocument) -> Void = { _ in }
  ) throws(GeoJSONError) -> [Feature] {
    var features: [Feature] = []
    var firstError: GeoJSONError?
    let document = try read(bytes) { record in
      switch record.feature {
      case .success(let feature):
        features.append(feature)
        onRecord(record)
        return .readOn
      case .failure(let error):
        firstError = error
        return .stop
      }
    }
    if let firstError { throw firstError }
    onDocument(document)
    return features
  }
}

/// One feature of a GeoJSON text, or the reason why it is invalid, and its location.
public struct GeoJSONRecord: Hashable, Sendable {
  /// The number of the record, from 1, invalid ones included.
  public let number: Int
  /// The feature, or its first error; a bare geometry becomes a feature with null properties.
  public let feature: Result<Feature, GeoJSONError>
  /// The bytes of the record in the input, without white space around it.
  public let byteRange: Range<Int>
  /// The line where the record begins, from 1.
  public let line: Int
  /// How many rings did not end where they start, against RFC 7946 §3.1.6; they were closed.
  public let closedRings: Int
}

/// A `GeoJSONRecord` whose feature is not decoded yet; see `ScannedFeature`.
package struct ScannedRecord {
  package let number: Int
  package let feature: Result<ScannedFeature, GeoJSONError>
  package let byteRange: Range<Int>
  package let line: Int
  package let closedRings: Int

  /// Makes a record, possibly with a feature from another reader.
  package init(
    number: Int, feature: Result<ScannedFeature, GeoJSONError>, byteRange: Range<Int>, line: Int,
    closedRings: Int = 0
  ) {
    self.number = number
    self.feature = feature
    self.byteRange = byteRange
    self.line = line
    self.closedRings = closedRings
  }
}

/// The content of a GeoJSON text outside its features.
public struct GeoJSONDocument: Hashable, Sendable {
  /// The overall form of the text.
  public enum Form: Hashable, Sendable {
    case featureCollection, feature, geometry
    /// A sequence of features (RFC 8142, or one on each line).
    case sequence
  }

  /// One collection, feature or geometry, or several in a sequence.
  public internal(set) var form: Form
  /// The number of records, invalid ones included.
  public internal(set) var recordCount = 0
  /// The collection's `bbox`, four or six numbers; nil if it has none.
  public internal(set) var bbox: [Double]?
  /// The collection's members outside RFC 7946, such as the older `crs`; empty for the other forms,
  /// whose foreign members belong to their features.
  public internal(set) var foreignMembers = Properties()
  /// The first `crs` of the older GeoJSON of 2008 that is not WGS 84, wherever it is: also in a
  /// feature or a geometry.
  package internal(set) var firstCRS: PropertyValue?
  /// Whether the text was read to its end; false if the receiver stopped.
  public internal(set) var isComplete = true
}
