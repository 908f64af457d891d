/// Reads a GPX file (1.0 or 1.1) one point at a time.
///
///     let file = try GPXReader().read(bytes) { point in
///       if case .trackPoint = point.role { fixes.append(point) }
///     }
///
/// Expat parses the XML. Elements are recognized by their names without prefixes; elements outside
/// GPX are skipped. A document type is refused, so only XML's five entities are ever expanded, and
/// nothing outside the file is opened.
public struct GPXReader: Sendable {
  /// Makes a reader; it keeps no state between files.
  public init() {}

  /// Reads a file and passes its points on in order.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, UTF-16, ISO 8859-1 or ASCII, as the file declares; it may start with a byte
  ///     order mark.
  ///   - receive: Called for each point.
  /// - Returns: The counts of the file's contents.
  /// - Throws: `GPXError` if the file as a whole is invalid; points passed on before must then be
  ///   discarded.
  /// - Complexity: O(*n*) time; memory for one point, and a few bytes for each open element.
  @discardableResult
  public func read(
    _ bytes: [UInt8], _ receive: (GPXPoint) -> Void
  ) throws(GPXError) -> GPXDocument {
    try bytes.withUnsafeBufferPointer { (buffer) throws(GPXError) -> GPXDocument in
      try withoutActuallyEscaping(receive) { (receive) throws(GPXError) -> GPXDocument in
        let parsing = GPXParsing(receive)
        try parsing.feed(buffer, isLast: true)
        return parsing.document
      }
    }
  }
}

/// The contents of a GPX file, counted.
public struct GPXDocument: Hashable, Sendable {
  /// The version in the file, `1.0` or `1.1`; nil if there is none.
  public internal(set) var version: String?
  /// The number of tracks, including empty ones.
  public internal(set) var tracks = 0
  /// The number of track segments, including empty ones.
  public internal(set) var segments = 0
  /// The number of track points.
  public internal(set) var trackPoints = 0
  /// The number of routes, including empty ones.
  public internal(set) var routes = 0
  /// The number of route points.
  public internal(set) var routePoints = 0
  /// The number of waypoints.
  public internal(set) var waypoints = 0
}
