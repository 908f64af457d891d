import AnnotationSources
import SystemCalls

/// What happens at a terminal.
enum TerminalEvent: Equatable {
  case key(Key)
  case resized
  /// The terminal is gone, or somebody asked the program to end.
  case end(signal: Int32?)
}

/// The terminal as a screen: keys come singly, the picture fills it, and what was there before comes back
/// at every end, also by a signal or a crash.
///
/// One exists at a time; handlers of signals know no other place to find it.
final class Terminal {
  private let file: OpenFile
  private var descriptor: Int32 { file.descriptor }
  private var pending: [UInt8] = []

  /// Takes the terminal over; nil where there is none.
  init?() {
    // Keys come from the terminal even where a source comes through standard input.
    guard let file = OpenFile.terminal() else { return nil }
    guard isatty(STDOUT_FILENO) == 1, tcgetattr(file.descriptor, &terminalBefore) == 0,
      pipe(&wakePipe) == 0
    else { return nil }
    self.file = file
    for end in wakePipe {
      // A handler must never wait, and no other program needs the pipe.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    terminalDescriptor = descriptor
    atexit { restoreTerminal() }
    // Whoever started the program may have held signals back, which their children inherit.
    var heard = sigset_t()
    sigemptyset(&heard)
    for number in wakingSignals + crashes + [SIGCONT] { sigaddset(&heard, number) }
    for number in wakingSignals { signal(number) { wake($0) } }
    for number in crashes {
      signal(number) { number in
        restoreTerminal()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &heard, nil)
    enter()
  }

  deinit { restoreTerminal() }

  private func enter() {
    var raw = terminalBefore
    // Keys singly and unseen; ^C and ^Z remain signals.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(descriptor, TCSAFLUSH, &raw)
    isTerminalTaken = true
    // The other screen, without a cursor; clicks and the wheel are told in decimal.
    send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h")
  }

  /// Columns and lines.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows lines from the top, at once; none may be wider than the screen.
  func show(_ lines: [String]) {
    var text = "\u{1B}[?2026h\u{1B}[H"
    for (row, line) in lines.prefix(size.rows).enumerated() {
      text += (row == 0 ? "" : "\r\n") + line + "\u{1B}[0m\u{1B}[K"
    }
    send(text + "\u{1B}[J\u{1B}[?2026l")
  }

  private func send(_ text: String) { _ = Files.send(Array(text.utf8), to: descriptor) }

  /// Waits for what happens next.
  func nextEvent() -> TerminalEvent {
    while true {
      if let key = takeKey() { return .key(key) }
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wakePipe[0], events: Int16(POLLIN), revents: 0),
      ]
      let isInsideSequence = !pending.isEmpty
      let count = poll(&waits, nfds_t(waits.count), isInsideSequence ? Self.sequenceWait : -1)
      if count == 0, isInsideSequence {
        // Nothing followed: it was the key itself.
        pending.removeAll()
        return .key(.escape)
      }
      if let event = takeSignal() { return event }
      guard waits[0].revents != 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 256)
      let got = read(descriptor, &bytes, bytes.count)
      if got > 0 {
        pending += bytes[..<got]
      } else if got == 0 || errno != EINTR && errno != EAGAIN {
        return .end(signal: nil)
      }
    }
  }

  /// Milliseconds between the escape byte and what belongs to it.
  private static let sequenceWait: Int32 = 60

  private func takeSignal() -> TerminalEvent? {
    var byte: UInt8 = 0
    guard read(wakePipe[0], &byte, 1) == 1 else { return nil }
    switch Int32(byte) {
    case SIGWINCH: return .resized
    case SIGTSTP:
      // The shell gets its terminal as it was, and gives it back with SIGCONT.
      restoreTerminal()
      raise(SIGSTOP)
      enter()
      return .resized
    case let number: return .end(signal: number)
    }
  }

  /// The next whole key of what was read; nil where more must be read first.
  private func takeKey() -> Key? {
    while let first = pending.first {
      if first == 0x1B {
        guard let length = Self.sequenceLength(pending) else { return nil }
        let sequence = String(decoding: pending[1..<length], as: UTF8.self)
        pending.removeFirst(length)
        // Sequences of other keys say nothing here.
        if let key = Self.keys[sequence] ?? Self.mouse(sequence) { return key }
        continue
      }
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      guard pending.count >= length else { return nil }
      let text = String(decoding: pending[..<length], as: UTF8.self)
      pending.removeFirst(length)
      switch first {
      case 0x09: return .tab
      case 0x0A, 0x0D: return .enter
      case 0x08, 0x7F: return .backspace
      case ..<0x20: continue
      default: return text.first.map(Key.character)
      }
    }
    return nil
  }

  /// How long the escape sequence at the beginning is; nil while its end is missing.
  private static func sequenceLength(_ bytes: [UInt8]) -> Int? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "O"): return bytes.count > 2 ? 3 : nil
    case UInt8(ascii: "["):
      // Parameters, then one byte from @ to ~.
      return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    default: return 1
    }
  }

  /// What the mouse did, where that is something here: `[<button;column;rowM`, both counted from 1.
  private static func mouse(_ sequence: String) -> Key? {
    guard sequence.hasPrefix("[<"), sequence.hasSuffix("M") else { return nil }
    let numbers = sequence.dropFirst(2).dropLast().split(separator: ";").map { Int($0) }
    guard numbers.count == 3, let button = numbers[0], let column = numbers[1], let row = numbers[2]
    else { return nil }
    switch button {
    case 0: return .click(column: column - 1, row: row - 1)
    case 64: return .wheelUp
    case 65: return .wheelDown
    default: return nil
    }
  }

  private static let keys: [String: Key] = [
    "": .escape, "[A": .up, "[B": .down, "[C": .right, "[D": .left, "OA": .up, "OB": .down,
    "OC": .right, "OD": .left, "[5~": .pageUp, "[6~": .pageDown, "[H": .home, "[1~": .home,
    "[Z": .backTab,
  ]
}

// What handlers of signals need. They may run at any moment and may call only what is safe then, so that
// these are plain values, set before the first handler is.

private nonisolated(unsafe) var terminalBefore = termios()
private nonisolated(unsafe) var terminalDescriptor: Int32 = -1
private nonisolated(unsafe) var isTerminalTaken = false
private nonisolated(unsafe) var wakePipe: [Int32] = [-1, -1]
/// The usual screen, with its cursor and no color.
private let restoring: StaticString =
  "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

private let wakingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH]
private let crashes = [SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTRAP]

private func wake(_ number: Int32) {
  var byte = UInt8(number)
  let before = errno
  _ = write(wakePipe[1], &byte, 1)
  errno = before
}

private func restoreTerminal() {
  guard isTerminalTaken else { return }
  isTerminalTaken = false
  _ = write(terminalDescriptor, restoring.utf8Start, restoring.utf8CodeUnitCount)
  tcsetattr(terminalDescriptor, TCSAFLUSH, &terminalBefore)
}

/// Ends as the signal would have ended the program, so that a shell sees why.
func end(bySignal number: Int32) -> Never {
  restoreTerminal()
  signal(number, SIG_DFL)
  raise(number)
  Console.exit(.success)
}
