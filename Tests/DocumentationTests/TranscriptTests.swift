import Foundation
import Testing

@Suite struct `Transcripts on the pages` {
  private static func transcripts() throws -> [Transcript] {
    try MarkdownPage.all().flatMap(Transcript.all(in:))
  }

  /// What a transcript may run: the program, and what a shell's user puts around it.
  private static let runnable: Set = ["nearby", "head", "gzip", "printf"]

  /// What stands on pages for the reader to run: it installs and builds, and needs a network or
  /// minutes.
  private static let readersOwn: Set = ["apt-get", "swift", "bash", "cp", "python3"]

  #if CommandLine
    @Test(arguments: try transcripts())
    func `print what the page says`(transcript: Transcript) throws {
      #expect(
        Set(transcript.programs).isSubset(of: Self.runnable),
        "\(transcript.place) runs \(transcript.programs); a transcript runs \(Self.runnable)")
      let output = try BuiltProgram().output(of: transcript.command)
      #expect(output == transcript.output)
    }
  #endif

  @Test func `begin with the main job`() throws {
    let first = try #require(try Self.transcripts().first { $0.place.hasPrefix("README.md:") })
    #expect(first.command == "nearby --lat 37.57 --lon 126.97 -k 3")
    #expect(first.output.split(separator: "\n").count > 4)
  }

  @Test func `are asked by the command that installs`() throws {
    let readme = try #require(try MarkdownPage.all().first { $0.path == "README.md" })
    let main = try #require(try Transcript.all(in: readme).first).command
    let commands = readme.blocks(in: "sh").flatMap(\.lines)
    #expect(commands.contains { $0.hasPrefix("apt-get ") && $0.hasSuffix(" -c release \(main)") })
    #expect(commands.contains("swift test"))
  }

  /// One case a page; a command of an unknown kind is not passed over in silence.
  @Test(arguments: try MarkdownPage.all())
  func `leave to the reader only what installs and builds`(page: MarkdownPage) {
    for block in page.blocks(in: "sh") {
      for line in block.lines where !line.isEmpty {
        let program = line.split(separator: " ").first.map(String.init) ?? ""
        #expect(
          Self.readersOwn.contains(program),
          "\(page.path):\(block.line): `\(line)` is not run; put it into a console block")
      }
    }
  }

  @Test func `are taken apart at their commands`() throws {
    let page = MarkdownPage(
      path: "x.md", text: "a\n```console\n$ nearby a | head -2\none\n\ntwo\n\n$ nearby b\n```\n")
    let transcripts = try Transcript.all(in: page)
    #expect(transcripts.map(\.command) == ["nearby a | head -2", "nearby b"])
    #expect(transcripts.map(\.output) == ["one\n\ntwo\n", ""])
    #expect(transcripts.map(\.place) == ["x.md:3", "x.md:8"])
    #expect(transcripts[0].programs == ["nearby", "head"])
    #expect(throws: PageError.self) {
      try Transcript.all(in: MarkdownPage(path: "x.md", text: "```console\none\n```"))
    }
  }
}
