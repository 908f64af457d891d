import Geodesy
import SystemCalls

/// Work that waits for others, done while the main thread sleeps: the program itself is not
/// asynchronous, which would cost every start.
package enum AwaitedWork {
  /// Does the work and gives what comes of it.
  package static func result<Value: Sendable>(
    of work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = try Outcome<Value>()
    Task.detached {
      do {
        outcome.set(.success(try await work()))
      } catch {
        outcome.set(.failure(error))
      }
    }
    return try outcome.wait().get()
  }
}

/// What comes of work, and a pipe whose end tells that it has come.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = SharedValue<Result<Value, any Error>?>(nil)
  private let ends: (read: Int32, write: Int32)

  init() throws(ReportedError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.noPipe }
    self.ends = (ends[0], ends[1])
    // The threads of tasks open files of their own, and trap where there are none left.
    let spare = (0..<Self.filesOfThreads).map { _ in dup(ends[0]) }
    let failure = spare.contains(-1) ? Self.noPipe : nil
    for file in spare where file >= 0 { close(file) }
    if let failure { throw failure }
  }

  /// More than the threads of tasks open before the work begins: an epoll, an eventfd, a timer.
  private static var filesOfThreads: Int { 6 }

  /// What is told of the error that the system gave last.
  private static var noPipe: ReportedError {
    ReportedError(
      "no-pipe",
      "no pipe can be made: \(systemMessage()); "
        + "allow more open files with ulimit -n", fault: .inputOutput)
  }

  func set(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    close(ends.write)
  }

  func wait() throws(ReportedError) -> Result<Value, any Error> {
    var byte: UInt8 = 0
    while read(ends.read, &byte, 1) < 0, errno == EINTR {}
    close(ends.read)
    guard let result = result.withLock({ $0 }) else {
      throw ReportedError(
        "read-failed",
        "the end of the work was not reported: \(systemMessage()); run it again",
        fault: .inputOutput)
    }
    return result
  }
}
