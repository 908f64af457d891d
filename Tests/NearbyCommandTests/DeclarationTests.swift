#if CommandLine
  import Foundation
  import NearbyTestSupport
  import Testing

  @testable import NearbyCommand

  /// What the commands declare to their parser.
  @Suite struct DeclarationTests {
    /// Asks the program that was built with the tests, whichever the other tests run.
    ///
    /// Built for debugging, the parser looks for two options of one name, options that can never be
    /// given and their like in every command that it describes, and ends the program where it finds one.
    @Test func `the parser finds nothing wrong with what any command declares`() throws {
      let outcome = try Program.run(
        TestedProgram.builtWithTests, ["--experimental-dump-help"], in: try Folder())
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      func paths(_ command: [String: Any]) throws -> [String] {
        let name = try #require(command["commandName"] as? String)
        let below = command["subcommands"] as? [[String: Any]] ?? []
        return try [name] + below.flatMap { try paths($0).map { "\(name) \($0)" } }
      }
      let commands = try paths(try #require(try outcome.json["command"] as? [String: Any]))
      #expect(commands.contains("nearby tiles") && commands.contains("nearby index build"))
      #expect(commands.count > 30, "\(commands)")
      // Those that take several values, and no others, may be given twice.
      var repeatable: Set<String> = []
      func visit(_ command: [String: Any]) {
        for argument in command["arguments"] as? [[String: Any]] ?? []
        where argument["kind"] as? String == "option" && argument["isRepeating"] as? Bool == true {
          for name in argument["names"] as? [[String: Any]] ?? [] {
            repeatable.insert("--\(name["name"] as? String ?? "")")
          }
        }
        (command["subcommands"] as? [[String: Any]] ?? []).forEach(visit)
      }
      visit(try #require(try outcome.json["command"] as? [String: Any]))
      #if Store
        #expect(repeatable == OptionNames.repeatable)
      #else
        #expect(repeatable.isSubset(of: OptionNames.repeatable))
      #endif
    }
  }
#endif
