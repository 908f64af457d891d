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
