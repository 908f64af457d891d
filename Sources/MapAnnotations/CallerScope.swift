import Synchronization

/// Which sessions are running code of their caller right here, further down on the same stack.
///
/// A session holds no lock while it runs a caller's closure, so that the closure may call whatever it
/// likes. A change to the session whose step the closure is a part of would begin that step again, which
/// calls the closure again, without end: this is how a session sees that, and refuses.
package final class CallerScope: Sendable {
  @TaskLocal private static var innermost: CallerScope?

  private let session: ObjectIdentifier
  private let outer: CallerScope?
  /// The task that runs the closure, 0 outside of tasks.
  ///
  /// A task that the closure makes inherits the scope and is not inside of it.
  private let task: Int
  private let isOver = Atomic(false)

  private init(_ session: AnyObject) {
    self.session = ObjectIdentifier(session)
    outer = CallerScope.innermost
    task = CallerScope.currentTask
  }

  /// Runs what may call the caller's code.
  package static func run<Result>(_ session: AnyObject, _ body: () -> Result) -> Result {
    let scope = CallerScope(session)
    // The memory of a task that has ended may serve another one.
    defer { scope.isOver.store(true, ordering: .releasing) }
    return $innermost.withValue(scope) { body() }
  }

  /// Whether this is called by the caller's code of a session.
  package static func isInside(_ session: AnyObject) -> Bool {
    guard var scope = innermost else { return false }
    let (wanted, task) = (ObjectIdentifier(session), currentTask)
    while true {
      if scope.session == wanted, scope.task == task, !scope.isOver.load(ordering: .acquiring) {
        return true
      }
      guard let outer = scope.outer else { return false }
      scope = outer
    }
  }

  private static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }
}
