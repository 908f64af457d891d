#if CommandLine
  import AnnotationSources
  import ArgumentParser

  /// What to list: how many, which kinds, which rows, in which order.
  struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many results (default: all).", valueName: "n|all"))
    var limit: String?

    @Option(
      name: .customLong("kind"),
      help: ArgumentHelp("Only this kind; repeatable.", valueName: "kind"))
    var kinds: [String] = []

    @Flag(help: "Print the first of each kind, grouped.")
    var perKind = false

    @OptionGroup var content: ContentOptions

    @OptionGroup var order: OrderOptions

    @OptionGroup var open: OpenOptions

    @OptionGroup(visibility: .private) var measured: MeasuredOptions
  }

  /// The options of `find` that measure from a position, taken where there is none, to say so.
  struct MeasuredOptions: ParsableArguments {
    @Option(name: .customLong("lat")) var latitude: String?
    @Option(name: .customLong("lon")) var longitude: String?
    @Option(name: .customShort("k", allowingJoined: true)) var nearest: String?
    @Option var within: String?
    @Option var beyond: String?

    /// Refuses whichever was given.
    func check() throws(ReportedError) {
      let given = [
        ("--lat", latitude), ("--lon", longitude), ("-k", nearest), ("--within", within),
        ("--beyond", beyond),
      ].first { $0.1 != nil }
      if let (name, _) = given { throw MeasuredOptions.refusal(name) }
    }

    static let code = "missing-position"

    /// Says which command takes what needs a position.
    static func refusal(_ what: String) -> ReportedError {
      ReportedError(
        code,
        "list takes no position, which \(what) needs; use nearby find --lat DEG --lon DEG"
          + (what == "-k" ? ", or say --limit for the first few" : ""), fault: .usage)
    }
  }
#endif
