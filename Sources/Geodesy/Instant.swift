/// A moment, to the millisecond.
///
///     let opening = Instant(seconds: 1_795_435_200)            // 2026-11-23T12:00Z
///     opening.advanced(by: .seconds(600)) > opening            // true
///     Instant(secondsSince1970: 1_795_435_200.25)              // to the millisecond
///
/// Nothing here asks a clock: moments come in as arguments, and a test makes its own.
public struct Instant: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00Z; leap seconds are not counted.
  public let milliseconds: Int64

  /// A moment by its milliseconds since 1970-01-01T00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// A moment by its seconds since 1970-01-01T00:00Z.
  ///
  /// More than 292 million years away it is the last, or the first, of them.
  public init(seconds: Int64) {
    let (product, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
    milliseconds = isBeyond ? (seconds < 0 ? .min : .max) : product
  }

  /// A moment by its seconds since 1970-01-01T00:00Z, to the nearest millisecond; nil for what is not finite, and
  /// more than 292 million years away.
  public init?(secondsSince1970 seconds: Double) {
    guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// Whole seconds since 1970-01-01T00:00Z, rounded down.
  public var seconds: Int64 { milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0) }

  /// The moment so much later; a negative length is earlier, and less than a millisecond is lost.
  ///
  /// Beyond the last moment, or before the first, it is that.
  public func advanced(by length: Duration) -> Instant {
    let more = length.wholeMilliseconds
    let (sum, isBeyond) = milliseconds.addingReportingOverflow(more)
    return Instant(milliseconds: isBeyond ? (more < 0 ? .min : .max) : sum)
  }

  /// How long it is until another moment; negative when that lies before.
  public func duration(to other: Instant) -> Duration {
    .milliseconds(other.milliseconds) - .milliseconds(milliseconds)
  }
}

extension Instant: Comparable {
  /// Whether the left moment comes first.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Instant: Codable {
  /// As seconds since 1970-01-01T00:00Z: `1795435200`, or `1795435200.25`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if milliseconds % 1000 == 0 {
      try container.encode(seconds)
    } else {
      try container.encode(Double(milliseconds) / 1000)
    }
  }

  /// - Throws: `DecodingError` for what is no number, and for more than 292 million years.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let number = try container.decode(Double.self)
    guard let instant = Instant(secondsSince1970: number) else {
      throw decoder.refusal("\(number) is not a moment; give seconds since 1970-01-01T00:00Z")
    }
    self = instant
  }
}

extension Duration {
  /// The length in milliseconds, what is less than one left out.
  package var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
