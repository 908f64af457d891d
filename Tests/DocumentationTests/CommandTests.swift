#if CommandLine
  import Foundation
  import Testing

  /// Commands in running text and in tables, which are not run.
  @Suite struct `Commands on the pages` {
    /// But those of the changelog, which names what is gone, too.
    @Test(arguments: try MarkdownPage.all().filter { $0.path != "CHANGELOG.md" })
    func `have options that the program has`(page: MarkdownPage) throws {
      guard !page.commands.isEmpty else { return }
      let tool = try DeclaredCommand.program()
      for command in page.commands {
        let unknown = tool.unknownOptions(of: command)
        #expect(unknown == [], "\(page.path): nearby \(command)")
      }
    }

    @Test func `are found`() throws {
      let pages = try MarkdownPage.all().filter { $0.path != "CHANGELOG.md" }
      #expect(pages.flatMap(\.commands).count > 50)
    }

    @Test func `are taken apart into command and options`() throws {
      let tool = try DeclaredCommand.program()
      #expect(tool.unknownOptions(of: "--lat 1 --lon 2 -k 3 --open=arrival") == [])
      #expect(tool.unknownOptions(of: "index build a.csv -o a.nbx --nonsense") == ["--nonsense"])
      #expect(tool.unknownOptions(of: "bbox 1,2,3,4 --zoom 3") == ["--zoom"])
    }
  }

  extension MarkdownPage {
    /// What stands behind `nearby` in the code of sentences and tables.
    fileprivate var commands: [String] {
      prose.flatMap { line in
        line.matches(of: #/`nearby ([^`]+)`/#).map { String($0.1) }
      }
    }
  }

  /// A command as its parser declares it.
  private struct DeclaredCommand {
    let name: String
    let options: Set<String>
    let subcommands: [DeclaredCommand]
    let defaultSubcommand: String?

    static func program() throws -> DeclaredCommand {
      let dump = try BuiltProgram().output(of: "nearby --experimental-dump-help")
      let tool = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
      return DeclaredCommand(try #require(tool?["command"] as? [String: Any]))
    }

    init(_ members: [String: Any]) {
      name = members["commandName"] as? String ?? ""
      defaultSubcommand = members["defaultSubcommand"] as? String
      subcommands = (members["subcommands"] as? [[String: Any]] ?? []).map(DeclaredCommand.init)
      options = Set(
        (members["arguments"] as? [[String: Any]] ?? []).flatMap { argument in
          (argument["names"] as? [[String: Any]] ?? []).compactMap { name -> String? in
            guard let letters = name["name"] as? String else { return nil }
            return name["kind"] as? String == "long" ? "--\(letters)" : "-\(letters)"
          }
        })
    }

    /// The options of a command line, without `nearby`, that no command on its way has.
    func unknownOptions(of commandLine: String) -> [String] {
      // What follows a pipe or a redirection is another program's; what stands in quotes is a value.
      let own = commandLine.replacing(#/"[^"]*"|'[^']*'/#, with: "TEXT").prefix { $0 != "|" }
      var command = self
      var words = own.split(separator: " ")[...]
      while let next = command.subcommands.first(where: { $0.name == words.first ?? "" }) {
        command = next
        words = words.dropFirst()
      }
      while let next = command.subcommands.first(where: { $0.name == command.defaultSubcommand }) {
        command = next
      }
      return words.map { word in String(word.prefix { $0 != "=" }) }.filter { word in
        let isOption = word.hasPrefix("--") || word.count == 2 && word.contains(#/^-[a-z]/#)
        // Every command has it and lists it for none.
        return isOption && !command.options.contains(word) && word != "--help-all"
      }
    }
  }
#endif
