import Geodesy

/// Durations in everyday words.
package enum RoughDuration {
  /// A duration as `40 s`, `12 min`, `5 h` or `3 days`, rounded down, in the largest unit with a value of at least two.
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
