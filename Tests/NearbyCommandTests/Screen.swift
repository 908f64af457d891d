import Foundation
import NearbyTestSupport
import Testing

/// A shell in a tmux of its own.
final class Screen {
  static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")

  let folder: Folder
  /// In the arguments of the program, so that a signal finds this one alone.
  let mark = "--basemap mark-\(UUID().uuidString).geojson"
  private let socket = "nearby-\(UUID().uuidString)"

  init(columns: Int, rows: Int) throws {
    folder = try Folder()
    let basemap = String(mark.split(separator: " ")[1])
    try folder.write(#"{"type":"FeatureCollection","features":[]}"#, to: basemap)
    // The server that this starts must not hold what the test waits to be closed: it gets no other
    // files than the usual three.
    _ = try Program.run(
      URL(filePath: "/bin/bash"),
      [
        "-c",
        """
        (for file in /proc/$BASHPID/fd/*; do
          number=${file##*/}; [ "$number" -gt 2 ] && eval "exec $number>&-"
        done
        exec tmux -u -L \(socket) -f /dev/null new-session -d -x \(columns) -y \(rows) \
          env LC_ALL=C.UTF-8 'PS1=ready> ' bash --norc --noprofile) < /dev/null > /dev/null 2>&1
        """,
      ], in: folder)
    try wait(for: "ready>")
  }

  deinit { _ = try? close() }

  /// Takes the terminal away from what runs in it.
  ///
  /// Not by `kill-server`, which is a SIGTERM that the server may have been started without ears for;
  /// without a session it ends.
  func close() throws { try tmux("kill-session") }

  @discardableResult
  func tmux(_ arguments: String...) throws -> String {
    let outcome = try Program.run(
      URL(filePath: "/usr/bin/tmux"), ["-u", "-L", socket] + arguments, in: folder)
    return outcome.text
  }

  /// Types a line.
  func type(_ line: String) throws {
    try tmux("send-keys", "-l", line)
    try tmux("send-keys", "Enter")
  }

  func run(_ command: String, before: String = "") throws {
    try type("\(before) \(TestedProgram.url.path) \(command) \(mark)")
  }

  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  func shell(_ line: String) throws { _ = try Program.shell(line, in: folder) }

  var text: String { get throws { try tmux("capture-pane", "-p") } }

  @discardableResult
  func wait(for words: String) throws -> String {
    try wait { $0.contains(words) }
  }

  /// Waits until the screen shows something; that it does in the end is the test.
  @discardableResult
  func wait(until holds: (String) -> Bool) throws -> String {
    var text = ""
    for _ in 0..<600 {
      text = try self.text
      if holds(text) { return text }
      usleep(50_000)
    }
    Issue.record("the screen never showed it:\n\(text)")
    throw CancellationError()
  }

  /// Whether the screen shows something within three seconds.
  func shows(_ holds: (String) -> Bool) throws -> Bool {
    for _ in 0..<60 {
      if try holds(text) { return true }
      usleep(50_000)
    }
    return false
  }

  /// Waits for the shell, and looks whether the terminal is as it was: the usual screen, the cursor seen,
  /// lines and echo.
  func waitForShell() throws {
    for _ in 0..<600 {
      if try tmux("display-message", "-p", "#{alternate_on}").hasPrefix("0") { break }
      usleep(50_000)
    }
    #expect(try tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}") == "0 1\n")
    try type("stty -a > modes; echo over")
    try wait { $0.split(separator: "\n").contains("over") }
    let modes = try folder.text("modes").split(separator: " ").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: ";\n"))
    }
    #expect(modes.contains("icanon") && modes.contains("echo") && modes.contains("icrnl"))
    try tmux("send-keys", "-l", "clear")
    try tmux("send-keys", "Enter")
  }
}
