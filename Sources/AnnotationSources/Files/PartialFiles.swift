import Synchronization
import SystemCalls

/// Files and folders that do not have their own name yet, and are removed where a signal ends the
/// program.
///
/// Files are removed in the signal's handler. A folder of files takes more than a handler may do, so
/// that the one who fills it asks between two files whether there was a signal; a second signal ends
/// the program at once.
///
/// Whoever interrupts a run wants nothing of it. After `kill -9` and on a machine that stops, such a
/// file stays; the next run does not mind it.
package enum PartialFiles {
  /// Notes a file that is about to be made.
  ///
  /// It stays noted: once it has its own name, there is nothing of this one.
  package static func note(_ file: FileName) {
    guard let path = file.path.withPointer({ strdup($0) }) else { return }
    let noted = UnsafeMutablePointer<NotedFile>.allocate(capacity: 1)
    var before = notedFiles.load(ordering: .acquiring)
    while true {
      noted.initialize(to: NotedFile(path: path, next: before))
      let (exchanged, found) = notedFiles.compareExchange(
        expected: before, desired: noted, ordering: .acquiringAndReleasing)
      if exchanged { break }
      before = found
    }
    if before == nil { listen() }
  }

  /// Lets signals wait from now on for somebody who asks for them.
  static func beginFolder() {
    isFolderOpen.store(true, ordering: .sequentiallyConsistent)
    listen()
  }

  /// Lets signals end the program again as they come.
  static func endFolder() { isFolderOpen.store(false, ordering: .sequentiallyConsistent) }

  /// Ends the program where a signal waits for that.
  ///
  /// - Parameter tidy: What is to be done before.
  static func endIfAsked(_ tidy: () -> Void) {
    let number = waitingSignal.load(ordering: .sequentiallyConsistent)
    guard number != 0 else { return }
    tidy()
    // To the whole program: this thread may be one that hears no signals.
    signal(number, SIG_DFL)
    kill(getpid(), number)
    sleep(1)
    // The first process of a container outlives a signal that it sends to itself.
    _exit(128 + number)
  }

  /// Hears the signals by which people and systems end programs, but for those that somebody else
  /// hears, as the interactive map, or that whoever started the program has it ignore, as `nohup`.
  private static func listen() {
    // Made before the first handler, which may not make them.
    _ = (notedFiles.load(ordering: .relaxed), isFolderOpen.load(ordering: .relaxed))
    _ = waitingSignal.load(ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number) { endWithoutPartialFiles($0) }
      if unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_DFL, to: Int.self) {
        signal(number, before)
      }
    }
  }
}

// What the handler needs. It may run at any moment, on any thread, and may call only what is safe then:
// it walks a list whose parts never change and are never freed.

private struct NotedFile {
  let path: UnsafeMutablePointer<CChar>
  let next: UnsafeMutablePointer<NotedFile>?
}

private nonisolated(unsafe) let notedFiles = Atomic<UnsafeMutablePointer<NotedFile>?>(nil)

private let isFolderOpen = Atomic(false)
/// The signal that is to end the program once a folder is gone; 0 for none.
private let waitingSignal = Atomic<Int32>(0)

private func endWithoutPartialFiles(_ number: Int32) {
  var noted = notedFiles.load(ordering: .acquiring)
  while let file = noted {
    unlink(file.pointee.path)
    noted = file.pointee.next
  }
  // As the signal would have ended the program, so that a shell sees why.
  signal(number, SIG_DFL)
  if isFolderOpen.load(ordering: .sequentiallyConsistent) {
    waitingSignal.store(number, ordering: .sequentiallyConsistent)
  } else {
    // It is held back while it is handled.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    // The first process of a container outlives a signal that it sends to itself.
    _exit(128 + number)
  }
}
