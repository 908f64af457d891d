import GzipReading

/// The unpacked bytes of a source.
enum SourceBytes: @unchecked Sendable {
  case owned([UInt8])
  /// A part of the program itself, which never changes or disappears.
  case permanent(UnsafeBufferPointer<UInt8>)

  func withUnsafeBufferPointer<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .owned(let bytes): try bytes.withUnsafeBufferPointer(body)
    case .permanent(let bytes): try body(bytes)
    }
  }
}

/// The maximum unpacked size of gzip content.
///
/// A few bytes can unpack to a thousand times as many (deflate reaches 1,032 to 1), so that a small
/// file could fill a machine's memory. The page of this module has the ratios of real data.
public struct UnpackingLimit: Hashable, Sendable {
  /// The smallest limit, whatever the packed size, in bytes.
  private let least: Int
  /// The maximum ratio of unpacked to packed size.
  private let ratio: Int
  /// The largest limit, whatever the packed size, in bytes.
  private let most: Int

  private init(least: Int, ratio: Int, most: Int) {
    self.least = least
    self.ratio = ratio
    self.most = most
  }

  /// 250 times the packed size, at least 64 MiB and at most 4 GiB.
  public static let standard = UnpackingLimit(least: 64 << 20, ratio: 250, most: 4 << 30)

  /// A fixed number of bytes, whatever the packed size.
  ///
  /// - Precondition: `count >= 0`.
  public static func bytes(_ count: Int) -> UnpackingLimit {
    precondition(count >= 0, "a limit of \(count) bytes")
    return UnpackingLimit(least: count, ratio: 0, most: count)
  }

  /// The maximum unpacked size for a packed size, in bytes.
  func byteCount(forPacked packed: Int) -> Int {
    let (product, overflows) = packed.multipliedReportingOverflow(by: ratio)
    return min(max(least, overflows ? .max : product), most)
  }
}

extension GzipInflater {
  /// The unpacked bytes; unchanged if they are not packed.
  ///
  /// - Throws: As `inflate(_:limit:isOneMember:)`.
  package static func unpacked(
    _ bytes: consuming [UInt8], limit: UnpackingLimit = .standard
  ) throws(GzipFailure) -> [UInt8] {
    let most = limit.byteCount(forPacked: bytes.count)
    return isGzip(bytes) ? try inflate(bytes, limit: most) : bytes
  }
}
