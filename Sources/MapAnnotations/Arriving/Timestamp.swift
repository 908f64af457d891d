/// A moment, to the millisecond, on whatever clock the caller reads.
///
/// Nothing here asks a clock: moments come in as arguments, and a test makes its own.
public struct Timestamp: Hashable, Sendable, Codable {
  /// Milliseconds since the start of 1970, UTC; leap seconds are not counted.
  public let milliseconds: Int64

  /// A moment by its milliseconds since the start of 1970, UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// A moment by its seconds since the start of 1970, UTC.
  public init(seconds: Int64) { milliseconds = seconds * 1000 }

  /// The moment so much later; a negative length is earlier, and less than a millisecond is lost.
  public func advanced(by length: Duration) -> Timestamp {
    Timestamp(milliseconds: milliseconds + length.wholeMilliseconds)
  }

  /// How long it is until another moment; negative when that lies before.
  public func duration(to other: Timestamp) -> Duration {
    .milliseconds(other.milliseconds - milliseconds)
  }
}

extension Timestamp: Comparable {
  /// Whether the left moment comes first.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Duration {
  /// The length in milliseconds, what is less than one left out.
  package var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

/// Lengths of time as a person says them.
package enum RoughDuration {
  /// As `40 s`, `12 min`, `5 h` or `3 days`, rounded down; the largest unit of which there are two.
  package static func text(_ length: Duration) -> String {
    let seconds = max(0, length.wholeMilliseconds) / 1000
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7_200: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h"
    default: return "\(seconds / 86_400) days"
    }
  }
}
