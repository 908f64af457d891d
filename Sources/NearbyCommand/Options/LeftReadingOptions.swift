#if CommandLine
  import AnnotationImport
  import ArgumentParser

  /// How the left source of a join is read: the input options with `left-` in front.
  struct LeftReadingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Its format.", valueName: "format"))
    var leftInputFormat: String?

    @Option(
      name: [.customLong("left-lat-field"), .customLong("left-y")],
      help: ArgumentHelp("Its column of latitudes.", valueName: "column"))
    var latitudeField: String?

    @Option(
      name: [.customLong("left-lon-field"), .customLong("left-x")],
      help: ArgumentHelp("Its column of longitudes.", valueName: "column"))
    var longitudeField: String?

    @Option(help: ArgumentHelp("Its column of ids; # for record numbers.", valueName: "column"))
    var leftIdField: String?

    @Flag(help: "Its first record is data.")
    var leftNoHeader = false

    @Option(help: ArgumentHelp("The character around its cells, or none.", valueName: "c|none"))
    var leftQuote: String?

    @Option(help: ArgumentHelp("Write its bad rows there.", valueName: "file"))
    var leftRejects: String?

    /// The left source's own options, with what holds for both sides from the right one's.
    func reading(beside right: ReadingOptions) throws(CommandError) -> SourceReading {
      var reading = try right.reading()
      var options = ImportOptions()
      options.idField = leftIdField.map(ArgumentPreparation.restored)
      options.latitudeField = latitudeField.map(ArgumentPreparation.restored)
      options.longitudeField = longitudeField.map(ArgumentPreparation.restored)
      options.hasHeader = !leftNoHeader
      if let leftQuote { options.quoting = try ReadingOptions.quoting(leftQuote) }
      options.allowsNullIsland = reading.options.allowsNullIsland
      options.isStrict = reading.options.isStrict
      options.rejectLimit = reading.options.rejectLimit
      options.region = reading.options.region
      reading.options = options
      reading.format = try leftInputFormat.map(ReadingOptions.format)
      reading.rejects = leftRejects.map(FileName.init(argument:))
      return reading
    }
  }
#endif
