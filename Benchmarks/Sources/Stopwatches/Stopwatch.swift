#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// What time is taken by.
public enum Stopwatch: Sendable {
  /// The clock on the wall: what somebody waits for.
  case clock
  /// The processor time of the process: for a machine that others use meanwhile.
  ///
  /// It knows neither waiting nor a second thread, so rows with threads are left out.
  case processor
  /// The processor time of the thread that reads it.
  case thread

  /// Seconds since some moment.
  public var seconds: Double {
    var time = timespec()
    let clock =
      switch self {
      case .clock: CLOCK_MONOTONIC
      case .processor: CLOCK_PROCESS_CPUTIME_ID
      case .thread: CLOCK_THREAD_CPUTIME_ID
      }
    precondition(clock_gettime(clock, &time) == 0, "the clock cannot be read")
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Whether it can time so many threads.
  public func times(threads: Int) -> Bool { threads == 1 || self == .clock }

  /// The seconds since a moment.
  public func seconds(since start: Double) -> Double { seconds - start }

  /// The seconds that something takes.
  public func measure(_ work: () throws -> Void) rethrows -> Double {
    let start = seconds
    try work()
    return seconds(since: start)
  }
}
