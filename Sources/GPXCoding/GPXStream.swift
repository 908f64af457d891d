/// Goes through a GPX file that arrives piece by piece, as from a pipe.
///
///     let stream = GPXStream()
///     while let bytes = next() { for point in try stream.read(bytes) { show(point) } }
///     let (last, counts) = try stream.finish()
///
/// What `GPXReader` says of strictness holds here, too. A point is handed over when its element
/// has ended.
public final class GPXStream {
  private var points: [GPXPoint] = []
  private lazy var parsing = GPXParsing { [unowned self] point in points.append(point) }

  /// Begins with nothing read.
  public init() {}

  /// Before this byte of the text everything has come that belongs to a point of a track: those that
  /// are not handed over yet begin behind it, with the blanks before them.
  package var settledCount: Int { parsing.settledCount }

  /// What has come behind the last end of a tag.
  private var rest: [UInt8] = []

  /// Reads the next bytes and returns the points that end in them, in their order.
  ///
  /// - Throws: `GPXError`, from then on each time; points of earlier pieces stay true.
  public func read(_ bytes: some Sequence<UInt8>) throws(GPXError) -> [GPXPoint] {
    rest.append(contentsOf: bytes)
    // Expat puts off what ends amid a tag until much more has come: it never gets such an end.
    guard let end = rest.lastIndex(of: UInt8(ascii: ">")) else { return [] }
    let whole = Array(rest[...end])
    rest.removeFirst(whole.count)
    return try read(whole, isLast: false)
  }

  /// Ends the text, and returns the points that end with it and how many of what there are.
  ///
  /// - Throws: `GPXError` where the text is not whole.
  public func finish() throws(GPXError) -> (points: [GPXPoint], document: GPXDocument) {
    let last = try read(rest, isLast: true)
    rest = []
    return (last, parsing.counts)
  }

  private func read(_ bytes: [UInt8], isLast: Bool) throws(GPXError) -> [GPXPoint] {
    points.removeAll(keepingCapacity: true)
    // A closure that throws a type of its own is not inferred here.
    var failure: GPXError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(GPXError) { try parsing.feed(buffer, isLast: isLast) } catch { failure = error }
    }
    if let failure { throw failure }
    return points
  }
}
