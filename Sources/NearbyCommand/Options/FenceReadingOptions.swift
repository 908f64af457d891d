#if CommandLine
  import AnnotationImport
  import ArgumentParser

  /// How the fences of a track are read: the input options with `fences-` in front, those without
  /// being the track's.
  struct FenceReadingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Their format.", valueName: "format"))
    var fencesInputFormat: String?

    @Option(help: ArgumentHelp("Only this layer of them.", valueName: "name"))
    var fencesLayer: String?

    @Option(help: ArgumentHelp("Their encoding.", valueName: "name"))
    var fencesEncoding: String?

    @Option(help: ArgumentHelp("Their coordinates' reference system.", valueName: "epsg"))
    var fencesCrs: String?

    @Option(
      name: [.customLong("fences-lat-field"), .customLong("fences-y")],
      help: ArgumentHelp("Their column of latitudes.", valueName: "column"))
    var fencesLatitudeField: String?

    @Option(
      name: [.customLong("fences-lon-field"), .customLong("fences-x")],
      help: ArgumentHelp("Their column of longitudes.", valueName: "column"))
    var fencesLongitudeField: String?

    @Option(help: ArgumentHelp("Their column of ids; # for record numbers.", valueName: "column"))
    var fencesIdField: String?

    @Option(help: ArgumentHelp("Their column of names.", valueName: "column"))
    var fencesNameField: String?

    @Option(help: ArgumentHelp("The member of JSON that holds them.", valueName: "field"))
    var fencesRowsField: String?

    @Flag(help: "Their first record is data.")
    var fencesNoHeader = false

    @Option(help: ArgumentHelp("The character around their cells, or none.", valueName: "c|none"))
    var fencesQuote: String?

    @Option(help: ArgumentHelp("What stands between their cells.", valueName: "text"))
    var fencesDelimiter: String?

    @Option(
      help: ArgumentHelp("What lines that are no fences begin with.", valueName: "text"))
    var fencesComment: String?

    @Option(help: ArgumentHelp("Where they must lie.", valueName: "region"))
    var fencesRegion: String?

    @Flag(help: "Fail when any of them is bad.")
    var fencesStrict = false

    @Option(help: ArgumentHelp("Fail when more of them are bad.", valueName: "n|p%"))
    var fencesMaxRejects: String?

    @Option(help: ArgumentHelp("Write bad ones there.", valueName: "file"), completion: .file())
    var fencesRejects: String?

    /// The options understood.
    func reading() throws(CommandError) -> SourceReading {
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
    static func named(_ error: CommandError) -> CommandError {
      PrefixedOptions.named(error, names, prefix: "fences-")
    }
  }
#endif
