#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// `nearby convert SOURCE`: the same annotations in another format, unplaced ones too.
  struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "convert",
      abstract: "Convert a source to csv, geojson, geojsonseq, jsonl, gpx or gpkg.",
      discussion: """
        Converts all records, or only those that match the filters; a filter does not change how a \
        record is written. Records without a position are kept, unless you ask for a box or a \
        distance.
        """)

    @OptionGroup(title: "Filter") var filter: FilterOptions

    @OptionGroup var input: InputOptions

    @Option(
      help: ArgumentHelp(
        "csv, geojson, geojsonseq, jsonl, gpx or gpkg (default: by the extension of -o).",
        valueName: "format"))
    var format: String?

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("Write to this file; its extension sets the format.", valueName: "file"),
      completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Show only these of the source's own columns.", valueName: "a,b"))
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
      if format == .gpkg { return try writeGeoPackage(of: question, input, to: file) }
      let annotations = try Source.annotations(input)
      let chosen = try question.chosen(of: annotations)
      let fields = try OutputOptions.columns(self.fields, of: annotations)
      let sink = try OutputSink(file)
      let progress = ProgressReport(
        mode: try input.reading.progressMode(), name: file?.lastComponent.text ?? format.rawValue)
      defer { progress.finish() }
      try Conversion(annotations: chosen, source: annotations, fields: fields, progress: progress)
        .write(as: format, to: sink)
      try sink.finish()
    }

    private func writeGeoPackage(
      of question: Question, _ input: InputOptions, to file: FileName?
    ) throws(ReportedError) {
      #if Store
        guard let file, !file.isStandardInput else {
          throw ReportedError(
            "missing-output", "a GeoPackage cannot go to standard output; say -o out.gpkg",
            fault: .usage)
        }
        try GeoPackageOutput.check(file)
        let source = try Source.annotations(input)
        let fields = try OutputOptions.columns(self.fields, of: source)
        let annotations = try question.chosen(of: source)
        let progress = ProgressReport(
          mode: try input.reading.progressMode(), name: file.lastComponent.text)
        defer { progress.finish() }
        try GeoPackageOutput.write(
          annotations, keeping: fields, to: file, at: Console.now, progress)
      #else
        throw StoreSource.withoutStore
      #endif
    }
  }

  /// What a source is converted to.
  private enum ConversionFormat: String, WrittenFormat {
    case csv, geojson, geojsonseq, jsonl, gpx, gpkg
  }

  /// Annotations of a source on their way into another format, a few at a time.
  private struct Conversion {
    let annotations: ImportedAnnotations
    /// All that the source has: what one is written like does not depend on which others are.
    let source: ImportedAnnotations
    let fields: [String]?
    let progress: ProgressReport

    func write(as format: ConversionFormat, to sink: OutputSink) throws(ReportedError) {
      if format != .geojson { ReducedShapes.remarks(of: annotations).forEach(Console.remark) }
      switch format {
      case .csv: try writeCSV(to: sink)
      case .geojson: try writeGeoJSON(.featureCollection, to: sink)
      case .gpx: try GPXFile.write(annotations, keeping: fields, to: sink).forEach(Console.remark)
      case .geojsonseq: try writeGeoJSON(.sequence(recordSeparators: false), to: sink)
      case .jsonl: try writeJSONLines(to: sink)
      case .gpkg: break  // No stream of bytes: `GeoPackageOutput`.
      }
    }

    private func writeCSV(to sink: OutputSink) throws(ReportedError) {
      let table = CSVTable(
        columns: fields ?? source.allColumns, of: source, roles: source.roleColumns)
      var reduced = ReducedShapes(format: "CSV")
      try sink.write(table.header, each: annotations.enumerated()) { annotation, bytes in
        progress.update(rows: annotation.offset, of: annotations.count)
        let row = CSVTable.Row(annotation.element)
        reduced.add(row.feature)
        table.append(row, to: &bytes)
      }
      reduced.remarks.forEach(Console.remark)
    }

    private func writeJSONLines(to sink: OutputSink) throws(ReportedError) {
      var reduced = ReducedShapes(format: "JSON Lines")
      try sink.writeLines(
        annotations.enumerated().lazy.map { place, annotation in
          progress.update(rows: place, of: annotations.count)
          reduced.add(annotation.feature)
          return Listing.members(of: annotation, keeping: fields)
        })
      reduced.remarks.forEach(Console.remark)
    }

    private func writeGeoJSON(
      _ format: GeoJSONWriter.Format, to sink: OutputSink
    ) throws(ReportedError) {
      var writer = GeoJSONWriter(format)
      writer.begin(bbox: annotations.extent, members: annotations.collectionMembers)
      let leavesNumbers = source.areNumberedAgain
      for (place, annotation) in annotations.enumerated() {
        progress.update(rows: place, of: annotations.count)
        writer.write(annotation.wholeFeature(keeping: fields, leavesNumbers: leavesNumbers))
        if writer.bytes.count > OutputSink.chunk { try sink.write(writer.takeBytes()) }
      }
      writer.end()
      try sink.write(writer.takeBytes())
    }
  }
#endif
