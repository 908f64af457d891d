#if Store
  import CNearbySQLite
  import SystemCalls

  /// Stops a statement whose work is out of proportion to its file.
  ///
  /// A malicious view may count forever, and a damaged tree may name one page a million times. Work
  /// is counted in steps of SQLite's virtual machine; reading a table takes about one step for each
  /// column of a row. A step that calls a function may take long, so for SQL of foreign files
  /// processor time is measured too.
  ///
  /// Source: https://sqlite.org/security.html, "Untrusted SQLite Database Files".
  final class WorkLimit {
    /// The work of a statement so far.
    struct Work {
      var steps = 0
      var seconds = 0.0
    }

    private static let stepsBetweenLooks = 1_000
    /// The work allowed to every statement.
    private static let free = (steps: 10_000_000, seconds: 20.0)
    /// The additional work allowed for each byte of the file.
    private static let perByte = (steps: 20, seconds: 1e-5)

    /// The work of the running statement.
    private(set) var work = Work()
    /// Whether processor time counts.
    var isTimed = false
    /// A description of the exceeded limit; nil while none is exceeded.
    private(set) var excess: String?
    private var start = 0.0
    private let byteCount: () -> Int
    /// The limits by the size of the file when it was last asked, which takes longer than reading a row.
    private var limits = WorkLimit.free

    /// - Parameter byteCount: Returns the current size of the file in bytes; called when needed.
    init(of handle: OpaquePointer, byteCount: @escaping () -> Int) {
      self.byteCount = byteCount
      sqlite3_progress_handler(
        handle, Int32(WorkLimit.stepsBetweenLooks),
        { context in
          guard let context else { return 0 }
          return Unmanaged<WorkLimit>.fromOpaque(context).takeUnretainedValue().look() ? 0 : 1
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Resumes counting for a statement.
    func resume(_ work: Work) {
      self.work = work
      excess = nil
      if isTimed { start = clockSeconds(CLOCK_THREAD_CPUTIME_ID) }
    }

    /// Pauses counting.
    ///
    /// - Returns: Whether the statement may go on.
    func pause() -> Bool {
      if isTimed {
        let now = clockSeconds(CLOCK_THREAD_CPUTIME_ID)
        work.seconds += now - start
        start = now
      }
      if work.steps <= limits.steps, work.seconds <= limits.seconds { return true }
      let bytes = byteCount()
      limits.steps = WorkLimit.free.steps + WorkLimit.perByte.steps * bytes
      limits.seconds = WorkLimit.free.seconds + WorkLimit.perByte.seconds * Double(bytes)
      if work.steps > limits.steps {
        excess = "\(limits.steps) steps of SQLite, the limit for \(bytes) bytes"
      } else if work.seconds > limits.seconds {
        excess = "\(Int(limits.seconds)) s of processor time, the limit for \(bytes) bytes"
      }
      return excess == nil
    }

    private func look() -> Bool {
      work.steps += WorkLimit.stepsBetweenLooks
      return pause()
    }
  }
#endif
