import Foundation
import NearbyTestSupport
import Testing

/// Data that is out to harm: what a review found by reading, kept from coming back.
@Suite struct RobustnessTests {
  private let question = ["--lat", "37.57", "--lon", "126.97"]

  @Test func `data cannot command the terminal through a message`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\na,\u{1B}]0;owned\u{7},127\nb,37.5,127\n", to: "evil.csv")
    for arguments in [question + ["evil.csv"], ["check", "evil.csv"]] {
      let outcome = try Program.run(arguments, in: folder)
      #expect(!outcome.output.contains(0x1B) && !outcome.errors.utf8.contains(0x1B))
      #expect((outcome.errors + outcome.text).contains("␛]0;owned"))
    }
    try folder.write(
      "$GPGGA,1\u{1B}]0;owned\u{7},4807,N,01131,E,1,08,0.9,545.4,M,46,M,,\n", to: "e.nmea")
    try folder.write("id,lat,lon\na,48,11\n", to: "fences.csv")
    for options in ["track", "track --explain", "fence fences.csv --explain --radius 9m"] {
      var arguments = options.split(separator: " ").map(String.init)
      arguments.insert("e.nmea", at: 1)
      let outcome = try Program.run(arguments, in: folder)
      #expect(!outcome.output.contains(0x1B) && outcome.text.contains("␛]0;owned"))
    }
  }

  @Test func `without files to open there is an error and no trap`() throws {
    let folder = try Folder.withShops()
    for command in [
      "tiles shops.csv -z 0-1 -o x.pmtiles", "tiles shops.csv -z 0-1 -o x/",
      "convert shops.csv -o x.csv", "sync shops.csv --store s.gpkg --layer a",
      "sync http://127.0.0.1:1/ --store s.gpkg --layer a", "index build shops.csv -o x.nbx",
      "join shops.csv shops.csv -k 1 -o y.csv", "convert shops.csv -o x.gpkg",
    ] {
      var failures = 0
      for limit in 3...12 {
        let outcome = try Program.shell(
          "rm -rf x x.* y.* s.*; ulimit -n \(limit); exec \"$nearby\" \(command)", in: folder)
        guard outcome.status != 0 else { continue }
        failures += 1
        // 127: fewer than the system's loader needs to start the program.
        #expect(
          outcome.status == 127
            || (64...74).contains(outcome.status) && outcome.errors.contains("error: "),
          "\(command) \(limit): \(outcome.status) \(outcome.errors)")
      }
      #expect(failures > 0, "\(command)")
    }
  }

  @Test(.enabled(if: TestedProgram.memoryIsItsOwn, "a sanitizer has the memory"))
  func `a file that claims more bytes than there is memory is an error`() throws {
    let folder = try Folder()
    let made = try Program.shell("truncate -s 7E huge.csv || truncate -s 15T huge.csv", in: folder)
    guard made.status == 0 else { return }
    let outcome = try Program.shell(
      "ulimit -v 4000000; exec \"$nearby\" info huge.csv", in: folder)
    #expect(outcome.status == 66, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("error: file-too-large: huge.csv has "), "\(outcome.errors)")
  }

  @Test(
    .enabled(if: TestedProgram.memoryIsItsOwn, "a sanitizer has the memory"),
    arguments: ["info /dev/zero", "info - < /dev/zero", "info --sample --region /dev/zero"])
  func `a device without an end is refused`(command: String) throws {
    let outcome = try Program.shell(
      "ulimit -v 4000000; exec \"$nearby\" \(command)", in: try Folder())
    #expect(outcome.status == 66, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("error: file-too-large: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(" is a device that may never end; "), "\(outcome.errors)")
  }

  @Test(
    .enabled(if: TestedProgram.memoryIsItsOwn, "a sanitizer has the memory"),
    arguments: [
      "track /dev/zero", "track - < /dev/zero", "track - --input-format nmea < /dev/zero",
    ])
  func `a track whose line never ends is refused`(command: String) throws {
    let outcome = try Program.shell(
      "ulimit -v 4000000; exec \"$nearby\" \(command)", in: try Folder())
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("error: line-too-long: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(": line 1 has more than 16,777,216 bytes; "))
  }

  @Test func `a file from the far future can be indexed`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\na,37.5,127\n", to: "late.csv")
    let outcome = try Program.shell(
      "touch -d 2300-01-01 late.csv && \"$nearby\" index build late.csv -o late.nbx "
        + "&& \"$nearby\" index verify late.nbx", in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `what killed runs left behind does not stop the next`() throws {
    let folder = try Folder.withShops()
    // The shell's own process becomes the program's, so its number is known beforehand.
    let outcome = try Program.shell(
      """
      n=0; while [ $n -lt 100 ]; do : > "out.csv.$$-$n.partial"; n=$((n + 1)); done
      exec "$nearby" convert shops.csv -o out.csv
      """, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try !folder.bytes("out.csv").isEmpty)
    #expect(try folder.names.count { $0.hasSuffix(".partial") } == 100)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal that ends a run leaves nothing of what it wrote, and what was there`(
    signal: Int32
  ) throws {
    let folder = try Folder()
    try folder.write("what was there", to: "out.jsonl")
    let (process, input) = try Self.waitingRun(in: folder)
    #expect(kill(process.processIdentifier, signal) == 0)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    #expect(try folder.names == ["out.jsonl"])
    #expect(try folder.text("out.jsonl") == "what was there")
    try input.close()
  }

  /// What it sends to itself does not end it.
  @Test(.enabled(if: hasContainers, "unshare is not allowed here"))
  func `a signal ends the first process of a container, too`() throws {
    let folder = try Folder()
    let (process, input) = try Self.waitingRun(
      in: folder,
      through: """
        exec timeout -s KILL 60 unshare -Urpf --kill-child sh -c \
          '(until [ -e go ]; do sleep 0.02; done; kill -TERM 1) & exec "$@"' sh
        """)
    try folder.write("", to: "go")
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 128 + SIGTERM)
    #expect(try folder.names == ["go"])
    try input.close()
  }

  private static let hasContainers =
    (try? Program.shell("unshare -Urpf --kill-child true", in: try Folder()).status) == 0

  @Test func `a signal that the program is to ignore ends nothing`() throws {
    let folder = try Folder()
    let (process, input) = try Self.waitingRun(in: folder, through: "trap '' HUP; exec")
    #expect(kill(process.processIdentifier, SIGHUP) == 0)
    try input.write(contentsOf: Data("37.6,127\n".utf8))
    try input.close()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(try folder.names == ["out.jsonl"])
    #expect(try folder.text("out.jsonl").split(separator: "\n").count == 2)
  }

  /// A run that has begun to write and waits for the rest of its track.
  private static func waitingRun(
    in folder: Folder, through command: String = "exec"
  ) throws -> (process: Process, input: FileHandle) {
    let input = Pipe()
    try input.fileHandleForWriting.write(contentsOf: Data("lat,lon\n37.5,127\n".utf8))
    let process = try Program.startWriting(
      "\(command) $nearby track - --gate none -o out.jsonl", input: input, in: folder)
    return (process, input.fileHandleForWriting)
  }

  @Test func `options hold for the program's own annotations, too`() throws {
    let folder = try Folder()
    let outcome = try Program.run(["check", "--sample", "--region", "KR", "--json"], in: folder)
    let rejected = try #require(try outcome.json["rejected"] as? [String: Int])
    #expect(rejected == ["outside-region": 912])
  }

  @Test func `rows refused over an index are written down like any others`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\na,37.5,127\nb,48.85,2.35\n", to: "s.csv")
    _ = try Program.run(["index", "build", "s.csv", "-o", "s.nbx"], in: folder)
    let outcome = try Program.run(
      ["check", "s.nbx", "--region", "KR", "--rejects", "bad.csv"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rejects = String(decoding: try folder.bytes("bad.csv"), as: UTF8.self)
    #expect(rejects.contains("outside-region") && rejects.contains("b,48.85,2.35"))
  }

  @Test func `a column that only a later row has is not lost`() throws {
    let folder = try Folder()
    try folder.write("37.5,127\n37.6,127.1,extra\n", to: "ragged.csv")
    try folder.write("name,name,lat,lon\na,extra,37,127\n", to: "repeated.csv")
    for command in ["convert", "list"] {
      let ragged = try Program.run(
        [
          command, "ragged.csv", "--no-header", "--lat-field", "1", "--lon-field", "2", "--format",
          "csv",
        ], in: folder)
      #expect(ragged.text.contains("extra"))
      let repeated = try Program.run([command, "repeated.csv", "--format", "csv"], in: folder)
      #expect(repeated.lines[0].contains(",name_2") && repeated.lines[1].contains(",extra"))
    }
  }

  @Test func `a field that no row has is a slip, not an empty column`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(
      question + ["shops.csv", "--fields", "adress", "--format", "csv"], in: folder)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("unknown-field") && outcome.errors.contains("\"adress\""))
  }

  @Test func `every line of a pipe is answered, a blank one too`() throws {
    let folder = try Folder()
    let outcome = try Program.run(
      ["geohash", "decode"], input: Array("wydm\n\nwydj\n".utf8), in: folder)
    #expect(outcome.lines.count == 3 && outcome.lines[1].hasPrefix("error: "))
    #expect(outcome.status == 65)
  }

  @Test func `a promise of how far one may move is rounded down`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\na,0,10\nb,0,10.00001\nc,0,10.00003\n", to: "line.csv")
    let outcome = try Program.run(
      ["--lat", "0", "--lon", "10", "-k", "1", "line.csv", "--json"], in: folder)
    // Half of 1.1131949 m.
    #expect(outcome.text.contains("\"validRadius\":0.5565,"))
  }
}
