import Synchronization

/// A `Mutex` whose turns thread sanitizer sees.
///
/// On Linux a thread that has to wait for a `Mutex` is given it by the kernel. The tool watches the
/// program alone and takes what that thread then reads for a race: 20 lines with a `Mutex` and nothing
/// else are reported. Here each turn also ends with a store that the next one loads, which costs
/// nothing beside the lock; so whatever the tool reports of a `SharedValue` is a race indeed.
package struct SharedValue<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let turn = Atomic(0)

  @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Lets `body` have the value alone.
  @inlinable package borrowing func withLock<Result>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result {
    mutex.withLock { value in
      _ = turn.load(ordering: .acquiring)
      defer { turn.store(0, ordering: .releasing) }
      return body(&value)
    }
  }
}
