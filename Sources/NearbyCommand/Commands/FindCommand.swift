#if CommandLine
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// `nearby --lat DEG --lon DEG`: the nearest annotations.
  struct FindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "find",
      abstract: "The annotations nearest to a position (the default command).",
      discussion: """
        Ten results, or every one with --within; -k says otherwise. The answer also tells how far \
        the position may move before another set of annotations would be the answer.
        """)

    @OptionGroup(title: "Query") var query: QueryOptions
    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
      try FindQuestion(query, input, output).answer()
    }
  }
#endif
