import Foundation

/// What time is taken by.
enum Stopwatch {
  /// The clock on the wall: what somebody waits for.
  case clock
  /// The processor time of the process: for a machine that others use meanwhile.
  ///
  /// It knows neither waiting nor a second thread, so rows with threads are left out.
  case processor

  /// Seconds since some moment.
  var seconds: Double {
    var time = timespec()
    let clock = self == .clock ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID
    precondition(clock_gettime(clock, &time) == 0, "the clock cannot be read")
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Whether it can time so many threads.
  func times(threads: Int) -> Bool { threads == 1 || self == .clock }

  /// The seconds since a moment.
  func seconds(since start: Double) -> Double { seconds - start }
}
