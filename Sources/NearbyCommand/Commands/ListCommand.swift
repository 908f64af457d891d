#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import NearbySearch

  /// `nearby list SOURCE`: what a source holds, filtered, sorted, counted and page by page.
  struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Filter, sort, count and page through records, with or without a position.",
      discussion: """
        Lists all records by id. --limit 10 --after '' prints the first ten and says how to get \
        the next. Records without a position are listed, too, and a table needs no columns for \
        coordinates. To measure distances from a position, use find.
        """)

    @Flag(help: "Print only how many there are.")
    var count = false

    @OptionGroup(title: "Query") var query: ListOptions
    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
      let output = try output.plan()
      try query.measured.check()
      var operands = input.sources
      if try PositionOperand.take(from: &operands) != nil {
        throw ReportedError(
          MeasuredOptions.code,
          "list takes no position, because it measures no distances; use nearby find",
          fault: .usage)
      }
      guard let listing = try listing(output) else { return }
      try listing.answer(output, countOnly: count, of: listing.source.count, "record")
    }

    /// What is left of the records; nil if they only had to be counted, and have been.
    private func listing(_ output: OutputPlan) throws(ReportedError) -> Listing? {
      do throws(ReportedError) {
        let tellsNext = output.format == .json
        var question = try Question(query)
        let files = try input.sourceFiles()
        var reading = try input.sourceReading()
        reading.options.requiresPositions = false
        if files.count == 1, files[0].isServerAddress {
          var opened = try Source.index(of: files, reading, isAskedOnce: true, for: question)
          return try question.listing(of: &opened, .byTheMachine, tellsNext: tellsNext)
        }
        let annotations = try Source.annotations(of: files, reading)
        if count, !output.explains, question.query.asksOnlyWhich {
          // A listing of millions of rows takes longer, and more memory, than the rows.
          let left =
            try question.offsets(of: annotations, remark: Console.remark)?.count
            ?? annotations.count
          try output.answer(count: left)
          return nil
        }
        return try question.listing(
          of: AnnotationScan(annotations), annotations, .byTheMachine, tellsNext: tellsNext)
      } catch {
        guard error.code == MeasuredOptions.code else { throw error }
        // A condition, an order or an arrival that measures a distance.
        throw MeasuredOptions.refusal("a distance")
      }
    }
  }

  /// What to list: how many, which kinds, which rows, in which order.
  struct ListOptions: ParsableArguments {
    @Option(help: .usual("How many results (default: all).", valueName: "n|all"))
    var limit: String?

    @OptionGroup var choice: ChoiceOptions

    @Option(help: ChoiceOptions.onHelp) var on: String?

    @Flag(help: "Print the first of each kind, grouped.")
    var perKind = false

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
