#if CommandLine
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import SpatialIndexing

  /// What to look for: where from, how many, how far, which kinds.
  struct QueryOptions: ParsableArguments {
    @Option(
      name: .customLong("lat"),
      help: ArgumentHelp("Latitude in degrees, north positive.", valueName: "deg"))
    var latitude: String?

    @Option(
      name: .customLong("lon"),
      help: ArgumentHelp("Longitude in degrees, east positive.", valueName: "deg"))
    var longitude: String?

    @Option(
      name: .customShort("k", allowingJoined: true),
      help: ArgumentHelp("How many results, or 'all'.", valueName: "n|all"))
    var limit: String?

    @OptionGroup var match: RingOptions

    @Flag(help: "Find the nearest of each kind, grouped.")
    var perKind = false

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var open: OpenOptions

    @Option(help: indexHelp, completion: .words(of: PositionIndexKind.self))
    var index = "tree"

    static let indexHelp = ArgumentHelp(
      "What finds positions: tree, or geohash for a sorted list; answers are the same.",
      valueName: "tree|geohash", visibility: .hidden)

    func indexKind() throws(CommandError) -> PositionIndexKind {
      try parseWord(index, option: "--index")
    }

    /// The position to measure from; nil when none was given.
    func origin(_ input: InputOptions) throws(CommandError) -> Coordinate? {
      switch (latitude, longitude) {
      case (nil, nil): return nil
      case (let latitude?, let longitude?):
        let origin = try parsePosition(latitude: latitude, longitude: longitude)
        try input.check(origin: origin)
        return origin
      case (nil, _):
        throw CommandError(
          "missing-position", "--lon is given but --lat is not; give both", status: .usage)
      case (_, nil):
        throw CommandError(
          "missing-position", "--lat is given but --lon is not; give both", status: .usage)
      }
    }

    func requiredOrigin(_ input: InputOptions) throws(CommandError) -> Coordinate {
      guard let origin = try origin(input) else {
        throw CommandError(
          "missing-position", "say where to look from: --lat 37.57 --lon 126.97", status: .usage)
      }
      return origin
    }

    func limit(default standard: Int) throws(CommandError) -> Int {
      guard let limit else { return standard }
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
