import Foundation
import Testing

/// What a shell has opened is written to, and never replaced: its `>>` keeps what was there.
@Suite struct OutputTargetTests {
  private static let rows = "id,lat,lon,note\n1,37.5,127,a\n2,x,y,b\n3,37.6,127,c\n"

  private static func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(rows, to: "s.csv")
    try folder.write("before\n", to: "log")
    #expect(
      try Program.shell(
        "ln -s /dev/stdout link && ln -s link other && ln log hard && ln -s log soft", in: folder
      ).status == 0)
    return folder
  }

  private static let commands = [
    "convert s.csv --format csv", "convert s.csv --format geojson", "convert s.csv --format gpx",
    "--lat 37.5 --lon 127 s.csv --format jsonl", "bbox 126,37,128,38 s.csv --format table",
    "track s.csv --gate none --format csv", "join s.csv s.csv -k 1 --format csv",
    "cluster --bbox 126,37,128,38 --zoom 9 s.csv --format geojson",
    "cluster diff --from-view 126,37,128,38,9 --to-view 126,37,128,38,9 s.csv --format json",
    "fence s.csv s.csv --radius 100m --gate none --format csv", "map s.csv",
    "hours Mo-Fr --at 2026-11-23T00:00 --tz UTC --format json",
    "export s.csv --html --days 0 --title t",
  ]

  @Test(arguments: commands)
  func `what names standard output writes what standard output would have`(
    command: String
  ) throws {
    let folder = try Self.folder()
    let expected = try Program.shell("\"$nearby\" \(command)", in: folder)
    #expect(expected.status == 0 && !expected.output.isEmpty, "\(expected.errors)")
    for name in [
      "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "link", "./other",
      "log", "hard", "soft", "../\(folder.url.lastPathComponent)/log",
    ] {
      try folder.write("before\n", to: "log")
      let outcome = try Program.shell(
        "ls -i log && \"$nearby\" \(command) -o \(name) >> log && ls -i log", in: folder)
      #expect(outcome.status == 0, "\(name): \(outcome.errors)")
      // Written into the file that was there, behind what was in it.
      #expect(outcome.lines.count == 2 && outcome.lines.first == outcome.lines.last, "\(name)")
      #expect(try folder.bytes("log") == Array("before\n".utf8) + expected.output, "\(name)")
    }
    #expect(try folder.names.allSatisfy { !$0.hasSuffix(".partial") })
  }

  @Test func `another descriptor is written to, and one that is not open is an error`() throws {
    let folder = try Self.folder()
    let convert = "\"$nearby\" convert s.csv --format csv"
    let expected = try Program.shell(convert, in: folder).text
    #expect(
      try Program.shell(convert + " -o /dev/fd/3 3>> log", in: folder).status == 0)
    #expect(try folder.text("log") == "before\n" + expected)
    for name in ["/dev/fd/9", "/proc/self/fd/9", "/dev/stdin"] {
      let outcome = try Program.shell(
        "exec 9>&-; " + convert + " -o \(name) < log", in: folder)
      #expect(outcome.status == 73, "\(name): \(outcome.errors)")
      #expect(outcome.errors.contains("error: cannot-write: cannot write \(name): "))
    }
    // A descriptor that the program itself has opened is none of the shell's.
    let close = (3...9).map { "\($0)>&-" }.joined(separator: " ")
    for number in 3...9 {
      let outcome = try Program.shell(
        "exec \(close); \"$nearby\" join s.csv s.csv -k 1 -o /dev/fd/\(number) --rejects /dev/fd/\(number)",
        in: folder)
      #expect(outcome.status == 73, "\(number): \(outcome.errors)")
    }
    #expect(try folder.text("s.csv") == Self.rows)
  }

  @Test(arguments: ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2", "log", "soft"])
  func `rejects go behind what standard error has been told`(name: String) throws {
    let folder = try Self.folder()
    let outcome = try Program.shell(
      "ls -i log && \"$nearby\" info s.csv --rejects \(name) > out 2>> log && ls -i log",
      in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.lines.first == outcome.lines.last)
    let log = try folder.text("log")
    #expect(log.hasPrefix("before\n"), "\(log)")
    #expect(log.contains("\nsource,line,byte,record,code,message,row\ns.csv,3,"), "\(log)")
    #expect(log.contains("1 of 3 rows rejected"), "\(log)")
  }

  @Test func `rejects of several sources are written once to what is not replaced`() throws {
    let folder = try Self.folder()
    try folder.write("id,lat,lon\n9,q,w\n8,37,127\n", to: "t.csv")
    for command in ["import s.csv t.csv --store x.gpkg", "info s.csv t.csv"] {
      try folder.write("", to: "log")
      let outcome = try Program.shell(
        "\"$nearby\" \(command) --rejects /dev/fd/3 3>> log; cat log", in: folder)
      let rows = try folder.text("log").split(separator: "\n").map { $0.prefix { $0 != "," } }
      #expect(rows == ["source", "s.csv", "t.csv"], "\(command): \(outcome.errors)")
    }
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/dev/fd/3", "/dev/null", "log"])
  func `what has to seek is not written to standard output`(name: String) throws {
    let folder = try Self.folder()
    // Names with the endings that these formats want, and the same behind them.
    #expect(
      try Program.shell(
        "ln -s \(name) x.gpkg && ln -s \(name) x.nbx && ln -s \(name) x.pmtiles", in: folder
      ).status == 0)
    for command in [
      "convert s.csv -o x.gpkg", "convert s.csv --format gpkg -o \(name)",
      "index build s.csv -o x.nbx", "index build s.csv -o \(name)",
      "tiles s.csv -z 0-2 -o x.pmtiles",
    ] {
      let outcome = try Program.shell("\"$nearby\" \(command) >> log 3>> log", in: folder)
      #expect(outcome.status == 73, "\(command): \(outcome.errors)")
      #expect(outcome.errors.contains("error: cannot-write: "), "\(command): \(outcome.errors)")
      #expect(try folder.text("log") == "before\n", "\(command)")
    }
  }

  @Test func `a source that is standard output, too, does not grow by what is made of it`() throws {
    let folder = try Self.folder()
    let outcome = try Program.shell(
      "\"$nearby\" convert s.csv --format csv -o /dev/stdout >> s.csv", in: folder)
    #expect(outcome.status == 64 && outcome.errors.contains("output-is-source"))
    #expect(try folder.text("s.csv") == Self.rows)
  }
}
