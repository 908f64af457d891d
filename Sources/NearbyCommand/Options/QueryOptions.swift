#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import SpatialIndexing

  /// What to look for: which annotations, how many, in which order.
  struct QueryOptions: ParsableArguments {
    @OptionGroup var filter: FilterOptions

    @Option(
      name: .customShort("k", allowingJoined: true),
      help: ArgumentHelp("How many results, or 'all'.", valueName: "n|all"))
    var limit: String?

    /// What `list` calls it, taken to say so: the parser would suggest `--lat`.
    @Option(name: .customLong("limit"), help: .private)
    var listLimit: String?

    @OptionGroup var order: OrderOptions

    @Flag(help: "Find the nearest of each kind, grouped.")
    var perKind = false

    @Option(help: indexHelp, completion: .words(of: PositionIndexKind.self))
    var index = "tree"

    static let indexHelp = ArgumentHelp(
      "The index to use: tree, or geohash for a sorted list; answers are the same.",
      valueName: "tree|geohash", visibility: .rare)

    func indexKind() throws(ReportedError) -> PositionIndexKind {
      try parseWord(index, option: "--index")
    }

    /// How many results; nil where that is not said.
    func count() throws(ReportedError) -> Int? {
      if let listLimit {
        let count = ArgumentPreparation.restored(listLimit)
        throw ReportedError(
          "bad-k", "--limit is an option of list; write -k \(count)", fault: .usage)
      }
      guard let limit else { return nil }
      return try parseLimit(limit)
    }
  }

  extension Nearby {
    /// Kinds as the command line names them; nil, for all, when it names none.
    static func kindSet(_ names: [String]) -> Set<AnnotationKind>? {
      names.isEmpty
        ? nil : Set(names.map { AnnotationKind(rawValue: ArgumentPreparation.restored($0)) })
    }
  }
#endif
