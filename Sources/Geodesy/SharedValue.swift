import Synchronization

/// A `Mutex` that thread sanitizer understands.
///
/// On Linux the kernel passes a contended `Mutex` to the waiting thread. The sanitizer sees only
/// the program and reports the next reads as a race: 20 lines with only a `Mutex` are enough. Here
/// each turn also ends with a store that the next turn loads, which costs nothing beside the lock.
/// So a race that the tool reports for a `SharedValue` is real.
package struct SharedValue<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let turn = Atomic(0)

  @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Calls `body` with exclusive access to the value.
  ///
  /// Always inlined: called, it would look up the types of value and result each time, which takes longer than most
  /// bodies.
  @inlinable @inline(__always) package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { (value) throws(Failure) in
      _ = turn.load(ordering: .acquiring)
      defer { turn.store(0, ordering: .releasing) }
      return try body(&value)
    }
  }
}
