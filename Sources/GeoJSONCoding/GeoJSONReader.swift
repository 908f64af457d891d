import MapAnnotations

/// Goes through a GeoJSON text (RFC 7946) one feature at a time.
///
/// A feature that is not one is reported and the rest goes on; the tree of the whole text is never
/// built, so memory holds one feature besides the bytes.
///
///     let document = try GeoJSONReader().read(bytes) { record in
///       switch record.feature {
///       case .success(let feature): add(feature)
///       case .failure(let error): report(record.number, error)
///       }
///       return .readOn
///     }
///
/// Coordinates are any finite numbers: the caller checks whether they lie on the
/// Earth. The page of this library says what the reader decides where the RFC leaves it open.
public struct GeoJSONReader: Sendable {
  /// How a text holds its features.
  public enum Framing: Sendable {
    /// Told by the first bytes; see `sequence` and `document`.
    ///
    /// A sequence begins with a record separator (byte 0x1E), or has a first line whose braces
    /// and brackets close, followed by a line that begins with a brace: no single value can be
    /// written so. All else is one document.
    case automatic
    /// One feature collection, feature or geometry.
    case document
    /// One after the other: each after a record separator (RFC 8142), or each on a line of its
    /// own. Empty lines are passed over. Each may be a feature, a geometry or a collection.
    case sequence
  }

  /// What the receiver of a record wants next.
  public enum NextStep: Sendable {
    case readOn, stop
  }

  /// How the text to read holds its features.
  public var framing: Framing

  /// Makes a reader; it keeps nothing between texts.
  public init(framing: Framing = .automatic) {
    self.framing = framing
  }

  /// Reads a text and hands over its features in their order.
  ///
  /// In one thing it is more lenient than RFC 7946 §3.1.6: a ring that does not end where it starts is closed, and
  /// `GeoJSONRecord.closedRings` counts it.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8; a byte order mark at the start is passed over.
  ///   - receive: Called for each record, good or bad.
  /// - Returns: What the text says outside its features.
  /// - Throws: `GeoJSONError` where the text as a whole is wrong: empty, not JSON to its end, of
  ///   no or another type, without `features`. Records may have been handed over by then; they
  ///   are worth nothing. In a sequence nothing throws but emptiness: each record stands alone.
  /// - Complexity: O(*n*) in bytes. A collection whose `features` come before its `type` is gone
  ///   through twice. A record is allocated once, and freed when the receiver drops it.
  @discardableResult
  public func read(
    _ bytes: [UInt8], _ receive: (GeoJSONRecord) -> NextStep
  ) throws(GeoJSONError) -> GeoJSONDocument {
    try bytes.withUnsafeBufferPointer { (buffer) throws(GeoJSONError) -> GeoJSONDocument in
      try read(buffer, receive)
    }
  }

  /// Reads a text that lies in memory, a mapped file for instance, as `read` of an array does.
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

  /// Goes through a text as `read` does, checks as much, and makes nothing of ids and properties.
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
  /// - Throws: `GeoJSONError`, that of the first bad record or of the text as a whole.
  public func features(in bytes: [UInt8]) throws(GeoJSONError) -> [Feature] {
    var features: [Feature] = []
    var firstError: GeoJSONError?
    try read(bytes) { record in
      switch record.feature {
      case .success(let feature):
        features.append(feature)
        return .readOn
      case .failure(let error):
        firstError = error
        return .stop
      }
    }
    if let firstError { throw firstError }
    return features
  }
}
