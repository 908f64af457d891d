import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Work that waits for others, done while the main thread sleeps: the program itself is not
/// asynchronous, which would cost every start.
enum AwaitedWork {
  /// Does the work and gives what comes of it.
  static func result<Value: Sendable>(
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

  /// Sleeps for a time; throws when the task is cancelled meanwhile.
  static func sleep(_ length: Duration) async throws { try await Task.sleep(for: length) }
}

/// What comes of work, and a pipe whose end tells that it has come.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let ends: (read: Int32, write: Int32)

  init() throws(CommandError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw CommandError(
        "no-pipe",
        "the system gives no pipe: \(String(cString: strerror(errno)).lowercased()); "
          + "allow more open files (ulimit -n)", status: .inputOutput)
    }
    self.ends = (ends[0], ends[1])
  }

  func set(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    close(ends.write)
  }

  func wait() -> Result<Value, any Error> {
    var byte: UInt8 = 0
    while read(ends.read, &byte, 1) < 0, errno == EINTR {}
    close(ends.read)
    guard let result = result.withLock(\.self) else {
      preconditionFailure("the work ended without a result")
    }
    return result
  }
}
