#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser

  /// How the left source of a join is read: the input options with `left-` in front, but for those
  /// of names, kinds and hours, of which a join says nothing.
  struct LeftReadingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The format of LEFT.", valueName: "format"))
    var leftInputFormat: String?

    @Option(help: ArgumentHelp("Only this layer of LEFT.", valueName: "name"))
    var leftLayer: String?

    @Option(
      help: ArgumentHelp(
        "What to read from GPX: waypoints, routes, tracks or all.", valueName: "points"),
      completion: .words(of: GPXPointChoice.self))
    var leftPoints: String?

    @Option(help: ArgumentHelp("The encoding of LEFT.", valueName: "name"))
    var leftEncoding: String?

    @Option(help: ArgumentHelp("The coordinate reference system of LEFT.", valueName: "epsg"))
    var leftCrs: String?

    @Option(
      name: [.customLong("left-lat-field"), .customLong("left-y")],
      help: ArgumentHelp("The column of LEFT with latitudes or northings.", valueName: "column"))
    var leftLatitudeField: String?

    @Option(
      name: [.customLong("left-lon-field"), .customLong("left-x")],
      help: ArgumentHelp("The column of LEFT with longitudes or eastings.", valueName: "column"))
    var leftLongitudeField: String?

    @Option(
      help: ArgumentHelp(
        "The column of LEFT with ids; # to number the records.", valueName: "column"))
    var leftIdField: String?

    @Option(
      help: ArgumentHelp("The JSON member that holds the records of LEFT.", valueName: "field"))
    var leftRowsField: String?

    @Flag(help: "LEFT has no header.")
    var leftNoHeader = false

    @Option(help: ArgumentHelp("The quote character of LEFT, or none.", valueName: "c|none"))
    var leftQuote: String?

    @Option(help: ArgumentHelp("The delimiter of LEFT.", valueName: "text"))
    var leftDelimiter: String?

    @Option(help: ArgumentHelp("Skip lines of LEFT that start with this.", valueName: "text"))
    var leftComment: String?

    @Option(
      help: ArgumentHelp("Reject positions of LEFT outside this region.", valueName: "region"))
    var leftRegion: String?

    @Flag(help: "Fail on any rejected or unplaced row of LEFT.")
    var leftStrict = false

    @Option(
      help: ArgumentHelp("Fail if more rows of LEFT than this are rejected.", valueName: "n|p%"))
    var leftMaxRejects: String?

    @Option(
      help: ArgumentHelp("Write rejected rows of LEFT to this file.", valueName: "file"),
      completion: .file())
    var leftRejects: String?

    /// The left source's own options, and those of the right one that hold for both.
    func reading(beside right: ReadingOptions) throws(ReportedError) -> SourceReading {
      var reading = try PrefixedOptions.reading(
        words, LeftReadingOptions.names, prefix: "left-")
      reading.options.allowsNullIsland = right.allowNullIsland
      reading.options.unpackingLimit = try UnpackingLimit(option: right.maxUnpacked)
      reading.allowsStale = right.allowStale
      reading.surroundings = .terminal(try right.progressMode())
      return reading
    }

    /// What was said, as the options of any source.
    private var words: [String] {
      let values = [
        ("input-format", leftInputFormat), ("layer", leftLayer), ("points", leftPoints),
        ("encoding", leftEncoding), ("crs", leftCrs), ("lat-field", leftLatitudeField),
        ("lon-field", leftLongitudeField), ("id-field", leftIdField),
        ("rows-field", leftRowsField), ("quote", leftQuote), ("delimiter", leftDelimiter),
        ("comment", leftComment), ("region", leftRegion), ("max-rejects", leftMaxRejects),
        ("rejects", leftRejects),
      ]
      return values.compactMap { name, value in value.map { "--\(name)=\($0)" } }
        + (leftNoHeader ? ["--no-header"] : []) + (leftStrict ? ["--strict"] : [])
    }

    /// The names that stand behind `left-`.
    private static let names = [
      "input-format", "layer", "points", "encoding", "crs", "lat-field", "lon-field", "id-field",
      "rows-field", "no-header", "quote", "delimiter", "comment", "region", "strict", "max-rejects",
      "rejects",
    ]

    /// The same error, with the options in it that LEFT has.
    static func named(_ error: ReportedError) -> ReportedError {
      PrefixedOptions.named(error, names, prefix: "left-")
    }
  }
#endif
