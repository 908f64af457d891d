#if CommandLine
  import AnnotationImport
  import ArgumentParser

  /// How the left source of a join is read: the input options with `left-` in front, but for those
  /// of names, kinds and hours, of which a join says nothing.
  struct LeftReadingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Its format.", valueName: "format"))
    var leftInputFormat: String?

    @Option(help: ArgumentHelp("Only this layer of it.", valueName: "name"))
    var leftLayer: String?

    @Option(
      help: ArgumentHelp("Of GPX: waypoints, routes, tracks or all.", valueName: "points"),
      completion: .words(of: GPXPointChoice.self))
    var leftPoints: String?

    @Option(help: ArgumentHelp("Its encoding.", valueName: "name"))
    var leftEncoding: String?

    @Option(help: ArgumentHelp("Its coordinates' reference system.", valueName: "epsg"))
    var leftCrs: String?

    @Option(
      name: [.customLong("left-lat-field"), .customLong("left-y")],
      help: ArgumentHelp("Its column of latitudes.", valueName: "column"))
    var leftLatitudeField: String?

    @Option(
      name: [.customLong("left-lon-field"), .customLong("left-x")],
      help: ArgumentHelp("Its column of longitudes.", valueName: "column"))
    var leftLongitudeField: String?

    @Option(help: ArgumentHelp("Its column of ids; # for record numbers.", valueName: "column"))
    var leftIdField: String?

    @Option(help: ArgumentHelp("The member of JSON that holds its records.", valueName: "field"))
    var leftRowsField: String?

    @Flag(help: "Its first record is data.")
    var leftNoHeader = false

    @Option(help: ArgumentHelp("The character around its cells, or none.", valueName: "c|none"))
    var leftQuote: String?

    @Option(help: ArgumentHelp("What stands between its cells.", valueName: "text"))
    var leftDelimiter: String?

    @Option(help: ArgumentHelp("What its lines that are no records begin with.", valueName: "text"))
    var leftComment: String?

    @Option(help: ArgumentHelp("Where its positions must lie.", valueName: "region"))
    var leftRegion: String?

    @Flag(help: "Fail when any of its rows is bad.")
    var leftStrict = false

    @Option(help: ArgumentHelp("Fail when more of its rows are bad.", valueName: "n|p%"))
    var leftMaxRejects: String?

    @Option(help: ArgumentHelp("Write its bad rows there.", valueName: "file"), completion: .file())
    var leftRejects: String?

    /// The left source's own options, and those of the right one that hold for both.
    func reading(beside right: ReadingOptions) throws(CommandError) -> SourceReading {
      var reading = try PrefixedOptions.reading(
        words, LeftReadingOptions.names, prefix: "left-")
      reading.options.allowsNullIsland = right.allowNullIsland
      reading.options.unpackingLimit = try UnpackingLimit(option: right.maxUnpacked)
      reading.allowsStale = right.allowStale
      reading.progress = try right.progressMode()
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
    static func named(_ error: CommandError) -> CommandError {
      PrefixedOptions.named(error, names, prefix: "left-")
    }
  }
#endif
