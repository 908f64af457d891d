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
  }

  extension Nearby {
    /// Kinds as the command line names them; nil, for all, when it names none.
    static func kindSet(_ names: [String]) -> Set<AnnotationKind>? {
      names.isEmpty
        ? nil : Set(names.map { AnnotationKind(rawValue: ArgumentPreparation.restored($0)) })
    }
  }
#endif
