/// How many bytes may come out of content packed with gzip.
///
/// A few bytes can unpack to a thousand times as many (deflate reaches 1,032 to 1), so that a small
/// file could fill a machine's memory. The page of this module says what real data reaches.
public struct UnpackingLimit: Hashable, Sendable {
  /// However little is packed, this much may come out.
  private let least: Int
  /// How many times its packed size content may have.
  private let ratio: Int
  /// However much is packed, no more may come out.
  private let most: Int

  private init(least: Int, ratio: Int, most: Int) {
    self.least = least
    self.ratio = ratio
    self.most = most
  }

  /// 250 times what is packed, and at least 64 MiB, but never more than 4 GiB.
  ///
  public static let standard = UnpackingLimit(least: 64 << 20, ratio: 250, most: 4 << 30)

  /// This many bytes, however little is packed.
  ///
  /// - Precondition: `count >= 0`.
  public static func bytes(_ count: Int) -> UnpackingLimit {
    precondition(count >= 0, "a limit of \(count) bytes")
    return UnpackingLimit(least: count, ratio: 0, most: count)
  }

  /// The most bytes that a packed length may unpack to.
  func byteCount(forPacked packed: Int) -> Int {
    let (product, overflows) = packed.multipliedReportingOverflow(by: ratio)
    return min(max(least, overflows ? .max : product), most)
  }
}
