import Foundation
import Testing

/// Help as a terminal of 80 columns shows it.
@Suite struct HelpTests {
  private func help(_ arguments: String...) throws -> [String] { try help(arguments) }

  private func help(_ arguments: [String]) throws -> [String] {
    let outcome = try Program.run(arguments, in: try Folder())
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    return outcome.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The options that a help describes.
  private func options(_ lines: [String]) -> Set<String> {
    Set(lines.flatMap { $0.matches(of: /^  (?:-\w, )?(--[\w-]+|-\w)/).map { String($0.1) } })
  }

  @Test(arguments: [
    ("find", 60), ("bbox", 62), ("within", 60), ("map", 62), ("list", 60), ("join", 60),
    ("convert", 60), ("tiles", 66), ("export", 66), ("check", 40), ("info", 40), ("track", 66),
    ("fence", 68),
  ])
  func `fits two screens, and its last line says how to see the rest`(
    command: String, limit: Int
  ) throws {
    let lines = try help("help", command)
    // A line ends the text.
    #expect(lines.count - 1 <= limit, "\(lines.count - 1)")
    #expect(
      lines.dropLast().last
        == "These are the usual options; nearby \(command) --help-all shows all of them.")
    #expect(try help(command, "--help") == lines)
    let all = try help(command, "--help-all")
    #expect(options(all).isStrictSuperset(of: options(lines)))
    #expect(try help(command, "--help-hidden") == all)
    #expect(try help("help", command, "--help-all") == all)
    #expect(!all.contains { $0.contains("usual options") })
  }

  @Test func `of find has the usual options, and all others on request`() throws {
    let usual = options(try help("help", "find"))
    #expect(
      usual.isSuperset(of: [
        "--lat", "--lon", "-k", "--within", "--kind", "--where", "--bbox", "--on", "--open",
        "--sort", "--format", "--output", "--encoding", "--crs", "--lat-field", "--lon-field",
        "--sample", "--help",
      ]))
    let rare: Set<String> = [
      "--beyond", "--after", "--facets", "--bucket", "--hours-unknown", "--stay", "--holidays",
      "--tz", "--delimiter", "--strict", "--rejects", "--region", "--progress", "--explain",
      "--quiet", "--size", "--style", "--places", "--max-unpacked", "--layer",
    ]
    #expect(usual.isDisjoint(with: rare))
    #expect(options(try help("find", "--help-all")).isSuperset(of: usual.union(rare)))
  }

  @Test func `of a command within a command is found by its name`() throws {
    #expect(try help("help", "geohash", "encode") == help("geohash", "encode", "--help"))
    #expect(try help("help", "help").first == "OVERVIEW: Show subcommand help information.")
    #expect(try help("help") == help("--help"))
  }

  @Test(arguments: [
    "check", "info", "index build", "favorite list", "transform",
  ])
  func `says how a command is used in 80 columns`(command: String) throws {
    let lines = try help(command.split(separator: " ").map(String.init) + ["--help"])
    let usage = try #require(lines.first { $0.hasPrefix("USAGE: nearby \(command) ") })
    #expect(usage.count <= 80 && usage.contains("[<options>]"), "\(usage)")
  }

  @Test func `has each example on a line, to be typed as it stands`() throws {
    #expect(
      try help("help", "cluster", "diff").contains(
        "  nearby cluster diff --from-view 126,37,127,38,9 --to-view 127,37,128,38,9"))
  }

  @Test func `promises no more where there is none`() throws {
    for arguments in [
      ["--help"], ["help", "distance"], ["help", "completions"], ["help", "geohash", "encode"],
    ] {
      let outcome = try Program.run(arguments, in: try Folder())
      #expect(outcome.status == 0)
      #expect(!outcome.text.contains("--help-all"), "\(arguments)")
    }
  }

  @Test func `hides options that still work and are still completed`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(
      ["37.57,126.97", "shops.csv", "--beyond", "1m", "--explain", "--no-map"], in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("explain: "))
  }
}
