import Synchronization

/// The sessions that are running code of their caller further up on this stack.
///
/// A session holds no lock while it runs a caller's closure, so the closure may call anything. But
/// if it changed the same session, the step that called the closure would start again and call it
/// again, without end. With this scope a session detects that and refuses.
package final class CallerScope: Sendable {
  @TaskLocal private static var innermost: CallerScope?

  private let session: ObjectIdentifier
  private let outer: CallerScope?
  /// The task that runs the closure; 0 outside of tasks.
  ///
  /// A task that the closure starts inherits the scope but is not inside it.
  private let task: Int
  private let isOver = Atomic(false)

  private init(_ session: AnyObject) {
    self.session = ObjectIdentifier(session)
    outer = CallerScope.innermost
    task = CallerScope.currentTask
  }

  /// Runs code that may call the caller's closures.
  package static func run<Result>(_ session: AnyObject, _ body: () -> Result) -> Result {
    let scope = CallerScope(session)
    // The memory address of a finished task may be reused by another one.
    defer { scope.isOver.store(true, ordering: .releasing) }
    return $innermost.withValue(scope) { body() }
  }

  /// Whether this code was called by a caller's closure of a session.
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
