/// A point in time, to the millisecond.
///
///     let opening = Instant(seconds: 1_795_435_200)            // 2026-11-23T12:00Z
///     opening.advanced(by: .seconds(600)) > opening            // true
///     Instant(secondsSince1970: 1_795_435_200.25)              // to the millisecond
///
/// No function in this package reads a clock: callers pass instants, and a test makes its own.
public struct Instant: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00Z; leap seconds are not counted.
  public let milliseconds: Int64

  /// Makes an instant from milliseconds since 1970-01-01T00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Makes an instant from seconds since 1970-01-01T00:00Z.
  ///
  /// Values beyond ±292 million years become the last or first instant.
  public init(seconds: Int64) {
    let (product, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
    milliseconds = isBeyond ? (seconds < 0 ? .min : .max) : product
  }

  /// Makes an instant from seconds since 1970-01-01T00:00Z, to the nearest millisecond; nil for
  /// values that are not finite or beyond ±292 million years.
  public init?(secondsSince1970 seconds: Double) {
    guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// Whole seconds since 1970-01-01T00:00Z, rounded down.
  public var seconds: Int64 { milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0) }

  /// The instant later by `length`; a negative length is earlier, and fractions of a millisecond are dropped.
  ///
  /// The result is limited to the first and the last instant.
  public func advanced(by length: Duration) -> Instant {
    let more = length.wholeMilliseconds
    // A length that milliseconds cannot count leads to the end from anywhere.
    let isEndless = more == .min || more == .max
    let (sum, isBeyond) = milliseconds.addingReportingOverflow(more)
    return Instant(milliseconds: isEndless || isBeyond ? (more < 0 ? .min : .max) : sum)
  }

  /// The time until another instant; negative if that instant is earlier.
  public func duration(to other: Instant) -> Duration {
    .milliseconds(other.milliseconds) - .milliseconds(milliseconds)
  }
}

extension Instant: Comparable {
  /// Whether the left instant is earlier.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Instant: Codable {
  /// Encodes seconds since 1970-01-01T00:00Z: `1795435200`, or `1795435200.25`.
  ///
  /// Exact for 285,000 years from 1970, and beyond that for whole seconds and for the first and last instant; others
  /// are rounded there.
  public func encode(to encoder: any Encoder) throws {
    if milliseconds % 1000 == 0 {
      try encoder.encodeAlone(seconds)
    } else {
      try encoder.encodeAlone(Double(milliseconds) / 1000)
    }
  }

  /// - Throws: `DecodingError` for a value that is not a number or is beyond ±292 million years.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Whole seconds may have more digits than a `Double`.
    if let seconds = try? container.decode(Int64.self) {
      let (milliseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
      if !isBeyond {
        self = Instant(milliseconds: milliseconds)
        return
      }
    }
    let number = try container.decode(Double.self)
    // As a `Double`, the last instant is rounded up.
    if number == Double(Int64.max) / 1000 {
      self = Instant(milliseconds: .max)
      return
    }
    guard let instant = Instant(secondsSince1970: number) else {
      throw decoder.refusal("\(number) is not a moment; give seconds since 1970-01-01T00:00Z")
    }
    self = instant
  }
}

extension Duration {
  /// The length in whole milliseconds, limited to those of an `Int64`; fractions are dropped.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, isSumBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return isBeyond || isSumBeyond ? (seconds < 0 ? .min : .max) : sum
  }

  /// The length as `40 s`, `12 min`, `5 h` or `3 days`, rounded down, in the largest unit with a value of at least two.
  package var roughText: String {
    let seconds = max(0, wholeMilliseconds) / 1000
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7_200: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h"
    default: return "\(seconds / 86_400) days"
    }
  }
}
