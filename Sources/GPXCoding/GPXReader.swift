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

/// Reads a GPX file that arrives in pieces, as from a pipe.
///
///     let stream = GPXStream()
///     while let bytes = next() { for point in try stream.read(bytes) { show(point) } }
///     let (last, counts) = try stream.finish()
///
/// It is as strict as `GPXReader`. A point is passed on when its element has ended.
public final class GPXStream {
  private var points: [GPXPoint] = []
  private lazy var parsing = GPXParsing { [unowned self] point in points.append(point) }

  /// Makes a stream at the start of a text.
  public init() {}

  /// All track points before this byte have been passed on; the others begin after it, with the
  /// white space before them.
  package var settledCount: Int { parsing.settledCount }

  /// What there was so far.
  package var document: GPXDocument { parsing.document }

  /// What makes a text that was cut off whole again, behind its first `settledCount` bytes; nil for UTF-16.
  package var closingTags: String? { parsing.isWide ? nil : parsing.closingTags }

  /// The bytes after the last complete tag.
  private var rest: [UInt8] = []
  /// The error that the next call throws, or that was thrown.
  private var failure: GPXError?

  /// Reads the next bytes and returns the points that end in them, in order.
  ///
  /// - Throws: `GPXError`, and again on every later call; the points before it stay valid. If some of them end in the
  ///   same bytes, they are returned, and the next call throws: so the bytes give the same points in any pieces.
  public func read(_ bytes: some Sequence<UInt8>) throws(GPXError) -> [GPXPoint] {
    if let failure { throw failure }
    rest.append(contentsOf: bytes)
    // Expat delays a piece that ends inside a tag until much more has arrived, so pieces always end after a tag.
    guard let end = rest.lastIndex(of: UInt8(ascii: ">")) else { return [] }
    let whole = Array(rest[...end])
    rest.removeFirst(whole.count)
    return try read(whole, isLast: false)
  }

  /// Ends the text, and returns the remaining points and the counts of the contents.
  ///
  /// - Throws: `GPXError` if the text is invalid or incomplete.
  public func finish() throws(GPXError) -> (points: [GPXPoint], document: GPXDocument) {
    let last = try read(rest, isLast: true)
    rest = []
    return (last, parsing.document)
  }

  private func read(_ bytes: [UInt8], isLast: Bool) throws(GPXError) -> [GPXPoint] {
    points.removeAll(keepingCapacity: true)
    // Typed throws are not inferred for closures here.
    bytes.withUnsafeBufferPointer { buffer in
      do throws(GPXError) { try parsing.feed(buffer, isLast: isLast) } catch { failure = error }
    }
    if let failure, points.isEmpty || isLast { throw failure }
    return points
  }
}
