#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import SpatialIndexing

  #if Store
    import SQLiteStore
  #endif

  /// The command tree, in which `find` answers when no command is named.
  @main
  struct Nearby: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "nearby",
      abstract: "Find the nearest shops, cinemas, deals or anything else that has a position.",
      discussion: """
        Distances are geodesics on WGS 84. Results are ordered by distance, then by id. Results go \
        to standard output, everything else to standard error. With no file, nearby searches \
        the store in $NEARBY_STORE, or the one that import made in ~/.local/share/nearby, or else \
        its built-in sample data (--sample).

          nearby --lat 37.57 --lon 126.97 -k 3
          nearby --lat 37.57 --lon 126.97 --within 2km shops.csv --format geojson
          nearby join stations.csv cinemas.geojson -k 1 --within 1km
        """,
      version: ProgramVersion.text,
      subcommands: [
        FindCommand.self, BoxCommand.self, WithinCommand.self, ListCommand.self, JoinCommand.self,
        DiffCommand.self,
        MapCommand.self, ClusterCommand.self, InfoCommand.self, CheckCommand.self,
        ConvertCommand.self,
        ExportCommand.self, TilesCommand.self, GeohashCommand.self, DistanceCommand.self,
        TransformCommand.self,
        TrackCommand.self, FenceCommand.self, HoursCommand.self, IndexCommand.self,
        ServeCommand.self, CompletionsCommand.self,
      ] + storeCommands,
      defaultSubcommand: FindCommand.self)

    #if Store
      private static let storeCommands: [any ParsableCommand.Type] = [
        ImportCommand.self, SyncCommand.self, GeocodeCommand.self, FavoriteCommand.self,
        StoreCommand.self,
      ]
    #else
      private static let storeCommands: [any ParsableCommand.Type] = []
    #endif

    /// What the first word may be, unless it is a source or an option of `find`.
    static var commandNames: [String] {
      configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    }

    static func main() {
      Console.prepare()
      do {
        let arguments = ArgumentPreparation.arguments()
        try ArgumentPreparation.checkEncoding(of: arguments) { isFlag(at: $0, in: arguments) }
        if let question = try FindQuestion(plain: arguments) { return try question.answer() }
        try checkForMistypedCommand(arguments)
        try checkForValuesOfFlags(arguments)
        var command = try parsed(arguments)
        try OptionNames.checkRepeats(of: arguments) { isFlag(at: $0, in: arguments) }
        try command.run()
      } catch let error as ReportedError {
        Console.fail(error)
      } catch {
        finish(error)
      }
    }

    /// Reports a word that is not a command, such as `trak` or `index bild`: the parser would
    /// complain about what follows, and behind `help` it would ignore the word.
    private static func checkForMistypedCommand(_ arguments: [String]) throws(ReportedError) {
      let asksForHelp = arguments.first == "help"
      let words = asksForHelp ? arguments.dropFirst().filter { !$0.hasPrefix("-") } : arguments
      var command: any ParsableCommand.Type = Nearby.self
      var known: [String] = []
      for word in words {
        guard let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        else {
          return try refuse(word, of: command, behind: known, asksForHelp: asksForHelp)
        }
        command = next
        known.append(word)
      }
    }

    /// Refuses a word in the place of a command's subcommand, unless it can be something else.
    ///
    /// - Parameter known: The words before it, which are commands.
    private static func refuse(
      _ word: String, of command: any ParsableCommand.Type, behind known: [String],
      asksForHelp: Bool
    ) throws(ReportedError) {
      let subcommands = command.configuration.subcommands
      let mayBeSource = !asksForHelp && command.configuration.defaultSubcommand != nil
      guard asksForHelp ? word != "help" : !word.hasPrefix("-") && !subcommands.isEmpty,
        !mayBeSource || known.isEmpty && !word.contains(".")
      else { return }
      let file = FileName(argument: word)
      let names = subcommands.map { $0._commandName } + (known.isEmpty ? ["help", "version"] : [])
      let similar = SimilarNames.words(like: word, among: names)
      // A file with a name like it is suggested where the source does not open.
      if mayBeSource,
        similar.isEmpty || Files.exists(file) || !SimilarNames.names(like: file).isEmpty
      {
        return
      }
      let help = (["nearby", "help"] + known).joined(separator: " ")
      let group = (["nearby"] + known).joined(separator: " ")
      let meant = similar.map {
        $0 == "version" ? "nearby --version" : "\(asksForHelp ? help : group) \($0)"
      }
      throw ReportedError(
        "no-such-command",
        (mayBeSource
          ? "\(file.text) is neither a command nor a file; "
          : "\(group) has no command \(file.text); ")
          + (meant.isEmpty ? "see \(help)" : "did you mean \(meant.joined(separator: " or "))?"),
        fault: .usage)
    }

    /// Refuses an empty value of a flag, as in `--no-map=`: the parser would take it for a source.
    private static func checkForValuesOfFlags(_ arguments: [String]) throws(ReportedError) {
      for (place, name) in arguments.enumerated().dropLast()
      where name.hasPrefix("--") && arguments[place + 1].isEmpty && isFlag(at: place, in: arguments)
      {
        throw ReportedError(
          "usage", "\(name) takes no value; leave out the empty one behind it", fault: .usage)
      }
    }

    /// Whether the parser refuses a value of the option at an index, which is not the last argument.
    private static func isFlag(at place: Int, in arguments: [String]) -> Bool {
      let name = arguments[place]
      var trial = arguments
      trial.replaceSubrange(place...place + 1, with: ["\(name)=1"])
      do { _ = try parseAsRoot(trial) } catch {
        return fullMessage(for: error).contains("'\(name)' does not take any value")
      }
      return false
    }

    /// The command; a negative value of an option that takes whole numbers is given to it as `--days=-1`, so that the
    /// command says what it may be: numbers do not know the sign that stands in for the minus.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
      do { return try parseAsRoot(arguments) } catch {
        let message = fullMessage(for: error)
        let place = arguments.indices.dropLast().first { place in
          let value = arguments[place + 1]
          return value.asTyped != value
            && message.contains("'\(value)' is invalid for '\(arguments[place])")
        }
        guard let place else { throw error }
        var typed = arguments
        let value = typed.remove(at: place + 1).asTyped
        typed[place] += "=\(value)"
        return try parsed(typed)
      }
    }

    /// Says how to see the options that a help leaves out; nil for another text, and where it leaves out none.
    static func moreOptions(behind help: String) -> String? {
      guard let (command, name) = shownCommand(after: "\nUSAGE: ", in: help) else { return nil }
      func lineCount(_ text: String) -> Int { text.count { $0 == "\n" } }
      // What the parser prints may end in a line more or less than what it returns.
      guard lineCount(helpMessage(for: command, includeHidden: true)) > lineCount(help) + 1
      else { return nil }
      return "These are the usual options; \(name) --help-all shows all of them."
    }

    /// The command whose usage follows a mark in a text of the parser's, and its name; nil where none does.
    private static func shownCommand(
      after mark: String, in text: String
    ) -> (type: any ParsableCommand.Type, name: String)? {
      guard let usage = text.firstRange(of: mark) else { return nil }
      let words = text[usage.upperBound...].prefix { $0 != "\n" }.split(separator: " ")
      var command: any ParsableCommand.Type = Nearby.self
      var name = "nearby"
      for word in words.dropFirst() {
        let next = command.configuration.subcommands.first { $0._commandName == word }
        guard let next else { break }
        command = next
        name += " \(word)"
      }
      return (command, name)
    }

    /// The parser's message of an unknown option, with the one that was probably meant; other messages unchanged.
    ///
    /// The parser always suggests the nearest by letters: for `--near` it is `--lat`.
    private static func withLikelyOption(_ message: String) -> String {
      let mark = "Error: Unknown option '"
      guard message.hasPrefix(mark), let end = message.firstIndex(of: "\n") else { return message }
      let option = message.dropFirst(mark.count).prefix { $0 != "'" }
      guard let (command, _) = shownCommand(after: "\nUsage: ", in: message) else { return message }
      let known = helpMessage(for: command, includeHidden: true).split(separator: "\n")
        .filter { $0.hasPrefix("  -") }
        .flatMap {
          $0.split { $0 == " " || $0 == "," }.prefix { $0.hasPrefix("-") }.map(String.init)
        }
      // One letter keeps its hyphen: `-q` is --quiet elsewhere, but `--q` a query.
      let name = option.utf8.count > 2 ? option.drop { $0 == "-" } : option
      let likely =
        otherNames[name.lowercased()]?.first { known.contains(String($0.prefix { $0 != " " })) }
        ?? SimilarNames.option(like: String(option), among: known)
      return "\(mark)\(option)'" + (likely.map { ". Did you mean '\($0)'?" } ?? "")
        + message[end...]
    }

    /// The options to suggest by names of other programs and commands, perhaps with a value; the first that the command
    /// has.
    private static let otherNames = [
      "lng": ["--lon"], "long": ["--lon"], "longitude": ["--lon"], "latitude": ["--lat"],
      "radius": ["--within"], "distance": ["--within"], "dist": ["--within"], "type": ["--kind"],
      "limit": ["-k"], "count": ["--counts", "-k"], "n": ["-k", "--limit"],
      "-n": ["-k", "--limit"],
      "top": ["-k", "--limit"], "head": ["-k", "--limit"],
      "json": ["--format"], "csv": ["--format"], "geojson": ["--format"],
      "q": ["--where"], "query": ["--where"], "filter": ["--where"],
      // `import` and `sync` say the same in two ways.
      "replace": ["--policy replace"], "upsert": ["--policy upsert"],
      "policy": ["--upsert or --replace"],
    ]

    /// Ends as the parser asks: with help on standard output, or what is wrong with the arguments.
    private static func finish(_ error: any Error) -> Never {
      let status = exitCode(for: error)
      let message = withLikelyOption(
        ArgumentPreparation.restoredThroughout(fullMessage(for: error)))
      if status == .success {
        let more = moreOptions(behind: message).map { "\($0)\n" } ?? ""
        do { try Console.write(message + "\n" + more) } catch { Console.fail(error) }
      } else if !message.isEmpty {
        // The parser's own words, in the shape of every other error.
        let parserMark = "Error: "
        Console.remark(
          message.hasPrefix(parserMark)
            ? "error: usage: " + message.dropFirst(parserMark.count) : message)
      }
      exit(withError: status)
    }
  }

  /// What `--version` prints: the program's version and those of the formats it writes.
  enum ProgramVersion {
    static let number = "0.1.0"
    static let text = "nearby \(number)\nindex file format \(IndexFileFormat.version)\(store)"
    #if Store
      private static let store = "\nstore schema \(AnnotationStore.schemaVersion)"
    #else
      private static let store = ""
    #endif
  }
#else
  /// The program without its parser: what remains when the trait `CommandLine` is off.
  @main
  struct Nearby {
    static func main() {
      Console.remark(
        "error: no-command-line: nearby was built without the trait CommandLine; build it with it")
      // The same status as for arguments that cannot be read.
      Console.exit(.usage)
    }
  }
#endif
