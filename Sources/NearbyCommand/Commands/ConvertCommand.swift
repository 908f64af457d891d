#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser

  /// `nearby convert SOURCE`: the same annotations in another format, unplaced ones too.
  struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "convert",
      abstract: "Convert a source to csv, geojson, geojsonseq, jsonl, gpx or gpkg.",
      discussion: """
        Converts all records, or only those that match the filters; a filter does not change how a \
        record is written. Records without a position are kept, unless you ask for a box or a \
        distance.

          nearby convert shops.csv -o shops.geojson
        """)

    @OptionGroup(title: "Filter") var filter: FilterOptions

    @OptionGroup var input: InputOptions

    @Option(
      help: .usual(
        "csv, geojson, geojsonseq, jsonl, gpx or gpkg (default: by the extension of -o).",
        valueName: "format"))
    var format: String?

    @Option(
      name: [.short, .long],
      help: .usual("Write to this file; its extension sets the format.", valueName: "file"),
      completion: .file())
    var output: String?

    @Option(help: .usual("Show only these of the source's own columns.", valueName: "a,b"))
    var fields: String?

    func run() throws {
      let file = try OutputFiles.claim(output)
      guard let format = try ConversionFormat.asked(format, for: file) else {
        throw ReportedError(
          "missing-format", "say what to convert to: --format geojson, or -o out.geojson",
          fault: .usage)
      }
      var input = input
      let question = try Question(filter, &input)
      if format == .gpkg { try ConvertCommand.checkGeoPackage(file) }
      let annotations = try Source.annotations(input)
      let chosen = try question.chosen(of: annotations, remark: Console.remark)
      let fields = try OutputOptions.columns(self.fields, of: annotations)
      let progress = ProgressReport(
        mode: try input.reading.progressMode(), name: file?.lastComponent.text ?? format.rawValue)
      defer { progress.finish() }
      try Conversion(
        chosen, of: annotations, keeping: fields, progress: progress, remark: Console.remark
      ).write(as: format, to: file, at: Console.now)
    }

    /// Refuses what no GeoPackage can become, before something is read in vain.
    private static func checkGeoPackage(_ file: FileName?) throws(ReportedError) {
      #if Store
        guard let file, !file.isStandardInput else {
          throw ReportedError(
            "missing-output", "a GeoPackage cannot go to standard output; say -o out.gpkg",
            fault: .usage)
        }
        try GeoPackageOutput.check(file)
      #else
        throw StoreSource.withoutStore
      #endif
    }
  }
#endif
