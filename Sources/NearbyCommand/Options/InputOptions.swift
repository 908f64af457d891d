#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import SpatialIndexing

  /// How sources are read.
  struct InputOptions: ParsableArguments {
    @Argument(
      help: .usual(
        """
        Files to read (csv, tsv, geojson, geojsonseq, json, gpx, gpkg, nbx; text also .gz), or - \
        for standard input.
        """,
        valueName: "source"), completion: .file())
    var sources: [String] = []

    @Flag(help: "Use the built-in sample data.")
    var sample = false

    @Option(
      help: .rare(
        "Another source with the places of the records; needs --place-key.", valueName: "file"),
      completion: .file())
    var places: String?

    @Option(
      help: .rare(
        "The column that says which places of --places a record is at. A record with two places becomes two annotations.",
        valueName: "column"))
    var placeKey: String?

    @OptionGroup(title: "Input") var reading: ReadingOptions

    /// What was asked for, as the source reader takes it.
    func sourceReading() throws(ReportedError) -> SourceReading {
      var reading = try self.reading.reading()
      guard places != nil || placeKey != nil else { return reading }
      guard let places, let placeKey else {
        throw ReportedError(
          "missing-places",
          "--places and --place-key are given together, as --places "
            + "addresses.json --place-key address_ids", fault: .usage)
      }
      let file = FileName(argument: places)
      guard !file.isStandardInput || !files.contains(where: \.isStandardInput) else {
        throw ReportedError(
          "one-standard-input", "standard input (-) can be read once; name it once", fault: .usage)
      }
      let key = placeKey.asTyped
      let placesReading = PlacesReading(file) { (surroundings) throws(ReportedError) in
        var reading = SourceReading()
        reading.surroundings = surroundings
        return PlaceJoin(
          places: try Source.read([file], reading).annotations, named: file.text, key: key)
      }
      reading.places = try placesReading.read(reading.surroundings)
      reading.placesReading = placesReading
      // Positions are those of the places.
      reading.options.requiresPositions = false
      reading.differs = true
      reading.differsBeyondLayer = true
      return reading
    }

    var files: [FileName] { sources.map(FileName.init(argument:)) }

    /// The files that are named; without any, the store, or none for the sample.
    func sourceFiles() throws(ReportedError) -> [FileName] {
      try Source.files(files, asksForSample: sample)
    }
  }

  extension UnpackingLimit {
    /// The help of `--max-unpacked`.
    static var help: ArgumentHelp {
      .rare(
        """
        Unpack at most this much from a gzipped source, such as 8G. The default is 250 times its \
        packed size, at least 64 MiB and at most 4 GiB.
        """, valueName: "bytes")
    }

    /// The limit that `--max-unpacked` sets, or the standard one.
    init(option text: String?) throws(ReportedError) {
      self =
        try text.map { (text) throws(ReportedError) in
          .bytes(try parseByteCount(text, option: "--max-unpacked"))
        } ?? .standard
    }
  }

  extension Question {
    /// The annotations that count of the sources that a command names, and all that these have.
    func chosen(
      of input: InputOptions
    ) throws(ReportedError) -> (chosen: ImportedAnnotations, all: ImportedAnnotations) {
      try chosen(
        of: try input.sourceFiles(), try input.sourceReading(), remark: Console.remark)
    }
  }

  extension Source {
    /// The sources that a command names, to be asked.
    static func index(
      _ input: InputOptions, by kind: PositionIndexKind = .tree, isAskedOnce: Bool,
      for question: Question? = nil
    ) throws(ReportedError) -> OpenedIndex {
      try index(
        of: try input.sourceFiles(), try input.sourceReading(), by: kind,
        isAskedOnce: isAskedOnce, for: question)
    }

    /// The annotations of the sources that a command names.
    static func annotations(_ input: InputOptions) throws(ReportedError) -> ImportedAnnotations {
      try annotations(of: try input.sourceFiles(), try input.sourceReading())
    }
  }
#endif
