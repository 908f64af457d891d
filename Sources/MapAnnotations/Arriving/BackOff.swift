import Geodesy

/// The wait before another attempt after a failure.
///
/// The wait doubles with every failure up to a limit. Half of it is random, so that clients that
/// failed together do not retry together; the other half is fixed, so that none retries at once.
/// Source: Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015, where this is
/// "equal jitter".
public struct BackOff: Hashable, Sendable {
  /// The longest wait after the first failure.
  public var first: Duration
  /// The longest wait after any number of failures.
  public var longest: Duration

  /// Makes a back-off with its first and longest wait.
  ///
  /// - Precondition: `.zero < first <= longest`.
  public init(first: Duration, longest: Duration) {
    precondition(first > .zero && first <= longest, "waits cannot grow from \(first) to \(longest)")
    self.first = first
    self.longest = longest
  }

  /// The wait after a number of consecutive failures.
  ///
  /// - Parameters:
  ///   - failures: At least 1.
  ///   - random: Picks the wait within its range.
  /// - Returns: Between half and the whole of the smaller of `longest` and `first` · 2^(`failures`
  ///   − 1), in whole milliseconds and at least one.
  public func wait(
    afterFailures failures: Int, using random: inout some RandomNumberGenerator
  ) -> Duration {
    precondition(failures >= 1, "there is nothing to wait for after \(failures) failures")
    let most = max(1, longest.wholeMilliseconds)
    // 2^32 seconds are longer than any practical limit.
    let doublings = min(failures - 1, 32)
    let (whole, isTooLong) = max(1, first.wholeMilliseconds)
      .multipliedReportingOverflow(by: 1 << doublings)
    let span = isTooLong ? most : min(whole, most)
    return .milliseconds(span - span / 2 + Int64.random(in: 0...(span / 2), using: &random))
  }
}
