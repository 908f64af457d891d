import Foundation
import Testing

/// Colors, widths, and readers that go away.
@Suite struct TerminalTests {
  private static let find = "$nearby --lat 37.57 --lon 126.97 shops.csv"

  private func shell(
    _ line: String, _ environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.shell(line, environment: environment, in: try Folder.withShops())
  }

  @Test func `color comes when it is asked for, by option before environment`() throws {
    let find = TerminalTests.find + " --no-map"
    let escape = "\u{1B}["
    #expect(try !shell(find).text.contains(escape))
    #expect(try shell(find + " --color always", ["NO_COLOR": "1"]).text.contains(escape))
    #expect(try shell(find, ["CLICOLOR_FORCE": "1"]).text.contains(escape))
    #expect(try !shell(find, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]).text.contains(escape))
    #expect(try shell(find, ["CLICOLOR_FORCE": "1", "NO_COLOR": ""]).text.contains(escape))
    #expect(try !shell(find + " --color never", ["CLICOLOR_FORCE": "1"]).text.contains(escape))
  }

  @Test func `a table fits the columns there are`() throws {
    let text = try shell(TerminalTests.find, ["COLUMNS": "40"]).text
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 40 })
    #expect(text.contains("시네마"))
  }

  /// Makes a terminal of 40 columns for a line of shell.
  private static let script = "/usr/bin/script"

  #if os(Linux)
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: script), "needs script(1)"))
    func `a terminal gets color and its own width, and a file neither`() throws {
      let outcome = try shell(
        """
        script -qec "stty cols 40; \(TerminalTests.find) 2>&-; NO_COLOR=1 \(TerminalTests.find) 2>&-" \
          /dev/null > shown.txt
        script -qec "stty cols 40; \(TerminalTests.find) 2>&- -o out.txt" /dev/null
        \(TerminalTests.find) 2>&- | cmp - out.txt && cat shown.txt
        """, ["TERM": "xterm"])
      #expect(outcome.status == 0)
      let halves = outcome.text.split(separator: "#", omittingEmptySubsequences: false)
      #expect(halves.count == 3)
      #expect(halves[1].contains("\u{1B}["))
      #expect(!halves[2].contains("\u{1B}["))
      #expect(halves[2].split(separator: "\r\n").allSatisfy { $0.count <= 40 })
    }
  #endif

  @Test func `a reader that has seen enough ends the program quietly`() throws {
    let outcome = try shell(
      """
      { \(TerminalTests.find) --format ids 2>/dev/null; echo "status $?" >&2; } | true
      { $nearby geohash cover --bbox -180,-90,180,90 --precision 4; echo "status $?" >&2; } | head -n 1
      """)
    #expect(outcome.text == "0000\n")
    #expect(outcome.errors == "status 0\nstatus 0\n")
  }

  @Test(arguments: [
    "\(find) >/dev/full", "\(find) >&-", "$nearby --version >/dev/full",
    "echo 1,2,3,4 | $nearby distance >/dev/full", "$nearby convert shops.csv --format csv >&-",
  ])
  func `results that cannot be written are an error`(line: String) throws {
    let outcome = try shell(line)
    #expect(outcome.status == 74)
    #expect(
      outcome.errors.contains(
        "error: write-failed: cannot write to standard output: "
          + (line.hasSuffix(">&-") ? "it is closed; leave it open\n" : "no space left on device; "))
    )
  }

  @Test func `a file that cannot be finished is not there`() throws {
    let outcome = try shell(
      "\(TerminalTests.find) -o /dev/full; echo $?; ls -l /dev/full | cut -c1")
    #expect(outcome.text == "73\nc\n")
    #expect(outcome.errors.contains("error: cannot-write: cannot write /dev/full"))
  }

  @Test func `without anyone to hear remarks, results come all the same`() throws {
    let outcome = try shell("\(TerminalTests.find) -k 1 --format ids 2>&-")
    #expect((outcome.status, outcome.text) == (0, "-3\n"))
  }
}
