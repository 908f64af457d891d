#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser

  /// How the fences of a track are read: the input options with `fences-` in front, those without
  /// being the track's.
  struct FenceReadingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The format of FENCES.", valueName: "format"))
    var fencesInputFormat: String?

    @Option(help: ArgumentHelp("Only this layer of FENCES.", valueName: "name"))
    var fencesLayer: String?

    @Option(help: ArgumentHelp("The encoding of FENCES.", valueName: "name"))
    var fencesEncoding: String?

    @Option(help: ArgumentHelp("The coordinate reference system of FENCES.", valueName: "epsg"))
    var fencesCrs: String?

    @Option(
      name: [.customLong("fences-lat-field"), .customLong("fences-y")],
      help: ArgumentHelp("The column of FENCES with latitudes or northings.", valueName: "column"))
    var fencesLatitudeField: String?

    @Option(
      name: [.customLong("fences-lon-field"), .customLong("fences-x")],
      help: ArgumentHelp("The column of FENCES with longitudes or eastings.", valueName: "column"))
    var fencesLongitudeField: String?

    @Option(
      help: ArgumentHelp(
        "The column of FENCES with ids; # to number the records.", valueName: "column"))
    var fencesIdField: String?

    @Option(help: ArgumentHelp("The column of FENCES with names.", valueName: "column"))
    var fencesNameField: String?

    @Option(help: ArgumentHelp("The JSON member that holds FENCES.", valueName: "field"))
    var fencesRowsField: String?

    @Flag(help: "FENCES has no header.")
    var fencesNoHeader = false

    @Option(help: ArgumentHelp("The quote character of FENCES, or none.", valueName: "c|none"))
    var fencesQuote: String?

    @Option(help: ArgumentHelp("The delimiter of FENCES.", valueName: "text"))
    var fencesDelimiter: String?

    @Option(
      help: ArgumentHelp("Skip lines of FENCES that start with this.", valueName: "text"))
    var fencesComment: String?

    @Option(help: ArgumentHelp("Reject fences outside this region.", valueName: "region"))
    var fencesRegion: String?

    @Flag(help: "Fail on any rejected or unplaced fence.")
    var fencesStrict = false

    @Option(help: ArgumentHelp("Fail if more fences than this are rejected.", valueName: "n|p%"))
    var fencesMaxRejects: String?

    @Option(
      help: ArgumentHelp("Write rejected fences to this file.", valueName: "file"),
      completion: .file())
    var fencesRejects: String?

    /// The options understood.
    func reading() throws(ReportedError) -> SourceReading {
      try PrefixedOptions.reading(words, FenceReadingOptions.names, prefix: "fences-")
    }

    /// What was said, as the options of any source.
    private var words: [String] {
      let values = [
        ("input-format", fencesInputFormat), ("layer", fencesLayer),
        ("encoding", fencesEncoding), ("crs", fencesCrs), ("lat-field", fencesLatitudeField),
        ("lon-field", fencesLongitudeField), ("id-field", fencesIdField),
        ("name-field", fencesNameField), ("rows-field", fencesRowsField),
        ("quote", fencesQuote), ("delimiter", fencesDelimiter), ("comment", fencesComment),
        ("region", fencesRegion), ("max-rejects", fencesMaxRejects), ("rejects", fencesRejects),
      ]
      return values.compactMap { name, value in value.map { "--\(name)=\($0)" } }
        + (fencesNoHeader ? ["--no-header"] : []) + (fencesStrict ? ["--strict"] : [])
    }

    /// The names that stand behind `fences-`.
    private static let names = [
      "input-format", "layer", "encoding", "crs", "lat-field", "lon-field", "id-field",
      "name-field", "rows-field", "no-header", "quote", "delimiter", "comment", "region", "strict",
      "max-rejects", "rejects",
    ]

    /// The same error, with the options in it that FENCES has.
    static func named(_ error: ReportedError) -> ReportedError {
      PrefixedOptions.named(error, names, prefix: "fences-")
    }
  }
#endif
