/// Goes through a GPX file (1.0 or 1.1) one point at a time.
///
///     let file = try GPXReader().read(bytes) { point in
///       if case .trackPoint = point.role { fixes.append(point) }
///     }
///
/// XML is read by Expat. Elements are recognized by their names without prefixes; what GPX does not name
/// is passed over. A document type is refused, so no entity but XML's own five is ever expanded,
/// and nothing outside the file is opened.
public struct GPXReader: Sendable {
  /// Makes a reader; it keeps nothing between files.
  public init() {}

  /// Reads a file and hands over its points in their order.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, UTF-16, ISO 8859-1 or ASCII, as the file says; a byte order mark may stand in
  ///     front.
  ///   - receive: Called for each point.
  /// - Returns: How many of what there are.
  /// - Throws: `GPXError` where the file as a whole is wrong; points may have been handed over by
  ///   then, and are worth nothing.
  /// - Complexity: O(*n*) time; memory for one point, and a few bytes for each open element.
  @discardableResult
  public func read(
    _ bytes: [UInt8], _ receive: (GPXPoint) -> Void
  ) throws(GPXError) -> GPXDocument {
    try bytes.withUnsafeBufferPointer { (buffer) throws(GPXError) -> GPXDocument in
      try withoutActuallyEscaping(receive) { (receive) throws(GPXError) -> GPXDocument in
        try GPXParsing(receive).run(buffer)
      }
    }
  }
}

/// What a GPX file holds.
public struct GPXDocument: Hashable, Sendable {
  /// As the file names it, `1.0` or `1.1`; nil when it does not.
  public internal(set) var version: String?
  /// How many tracks there are, empty ones too.
  public internal(set) var tracks = 0
  /// How many track segments there are, empty ones too.
  public internal(set) var segments = 0
  /// How many points of tracks there are.
  public internal(set) var trackPoints = 0
  /// How many routes there are, empty ones too.
  public internal(set) var routes = 0
  /// How many points of routes there are.
  public internal(set) var routePoints = 0
  /// How many waypoints there are.
  public internal(set) var waypoints = 0
}
