#if CommandLine
  import ArgumentParser
  import MapAnnotations

  /// How far and which kinds: what a search and a join ask alike.
  struct RingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("No farther than this: 300m, 2km, 1.5mi.", valueName: "dist"))
    var within: String?

    @Option(help: ArgumentHelp("Farther than this.", valueName: "dist"))
    var beyond: String?

    @Option(
      name: .customLong("kind"),
      help: ArgumentHelp("Only this kind; may be given again.", valueName: "kind"))
    var kinds: [String] = []

    func ring() throws(CommandError) -> Ring { try Ring(within: within, beyond: beyond) }
  }
#endif
