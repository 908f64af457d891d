#if CommandLine
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// `nearby --lat DEG --lon DEG`: the nearest annotations.
  struct FindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "find",
      abstract: "Find what is nearest to a position (the default command).",
      discussion: """
        Prints ten results, or all of them with --within; -k sets another number. The answer also \
        says how far you may move before the set of nearest annotations may change.
        """)

    @OptionGroup(title: "Query") var query: QueryOptions
    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
      try FindQuestion(query, input, output).answer()
    }
  }
#endif
