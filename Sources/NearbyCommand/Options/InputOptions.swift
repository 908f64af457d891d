#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapProjections
  import PROJTransforms
  import SpatialIndexing

  /// How sources are read.
  struct InputOptions: ParsableArguments {
    @Argument(
      help: ArgumentHelp(
        """
        Files to read (csv, tsv, geojson, geojsonseq, json, gpx, gpkg, nbx; text also .gz), or - \
        for standard input.
        """,
        valueName: "source"), completion: .file())
    var sources: [String] = []

    @Flag(help: "Use the built-in sample data.")
    var sample = false

    @Option(
      help: ArgumentHelp(
        "Another source with the places of the records; needs --place-key.",
        valueName: "file", visibility: .rare), completion: .file())
    var places: String?

    @Option(
      help: ArgumentHelp(
        "The column that says which places of --places a record is at. A record with two places becomes two annotations.",
        valueName: "column", visibility: .rare))
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
      let plain = try ReadingOptions.none().readingUnclaimed()
      let key = ArgumentPreparation.restored(placeKey)
      let placesReading = PlacesReading(file) { (surroundings) throws(ReportedError) in
        var reading = plain
        reading.surroundings = surroundings
        return PlaceJoin(
          places: try Source.read([file], reading).annotations, named: file.text, key: key)
      }
      reading.places = try placesReading.read(plain.surroundings)
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

  /// What lines and areas are taken for.
  enum ShapeReading: String, WrittenFormat {
    case shape, point
  }

  /// How one source is read, apart from its name.
  struct ReadingOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "csv, tsv, geojson, geojsonseq, json or gpx; also gpkg and nbx where these can be read.",
        valueName: "format", visibility: .rare))
    var inputFormat: String?

    @Option(
      help: ArgumentHelp(
        "Only this layer of a store or GeoPackage; with import and sync, the layer to write.",
        valueName: "name", visibility: .rare))
    var layer: String?

    @Option(
      help: ArgumentHelp(
        "What to read from GPX: waypoints (the default), routes, tracks or all.",
        valueName: "points", visibility: .rare),
      completion: .words(of: GPXPointChoice.self))
    var points: String?

    @Option(
      name: .customLong("by"),
      help: ArgumentHelp(
        "Measure lines and areas by their shape (the default), or by the point that represents each.",
        valueName: "shape|point", visibility: .rare),
      completion: .words(of: ShapeReading.self))
    var shapeReading: String?

    @Option(
      help: ArgumentHelp(
        "auto (the default), utf-8, cp949, shift_jis, euc-jp, utf-16, utf-16le, utf-16be or windows-1252.",
        valueName: "name"), completion: .words(of: TextEncoding.self))
    var encoding: String?

    @Option(
      help: ArgumentHelp(
        "The coordinate reference system (default: degrees on WGS 84).", valueName: "EPSG:n"))
    var crs: String?

    @Option(
      name: [.customLong("lat-field"), .customLong("y")],
      help: ArgumentHelp("The column with latitudes or northings.", valueName: "column"))
    var latitudeField: String?

    @Option(
      name: [.customLong("lon-field"), .customLong("x")],
      help: ArgumentHelp("The column with longitudes or eastings.", valueName: "column"))
    var longitudeField: String?

    @Option(
      help: ArgumentHelp("The column with ids; # to number the records.", valueName: "column"))
    var idField: String?

    @Option(
      help: ArgumentHelp(
        "The column with names, or a template: '{brand} {branch}'.", valueName: "column",
        visibility: .rare))
    var nameField: String?

    @Option(help: ArgumentHelp("The column with kinds.", valueName: "column", visibility: .rare))
    var kindField: String?

    @Option(
      help: ArgumentHelp("The column with opening hours.", valueName: "column", visibility: .rare)
    )
    var hoursField: String?

    @Option(
      help: ArgumentHelp(
        "The JSON member that holds the records, or a path: body.items. Give it again for each further array. Records without a kind get the array's name as kind.",
        valueName: "field", visibility: .rare))
    var rowsField: [String] = []

    @Flag(help: ArgumentHelp("There is no header; columns are named 1, 2, ….", visibility: .rare))
    var noHeader = false

    @Option(
      help: ArgumentHelp("The quote character, or none.", valueName: "c|none", visibility: .rare))
    var quote: String?

    @Option(
      help: ArgumentHelp(
        "The delimiter, such as ; or \\t or || (default: detected).", valueName: "text",
        visibility: .rare))
    var delimiter: String?

    @Option(
      help: ArgumentHelp("Skip lines that start with this.", valueName: "text", visibility: .rare)
    )
    var comment: String?

    @Option(
      help: ArgumentHelp(
        "Reject positions outside this region: KR, JP, a box W,S,E,N or a GeoJSON file.",
        valueName: "region", visibility: .rare))
    var region: String?

    @Flag(help: ArgumentHelp("Accept 0,0 as a position.", visibility: .rare))
    var allowNullIsland = false

    @Flag(
      help: ArgumentHelp(
        "Fail on any rejected row and, except with list and diff, on any without a position.",
        visibility: .rare))
    var strict = false

    @Option(
      help: ArgumentHelp(
        "Fail if more rows than this are rejected.", valueName: "n|p%", visibility: .rare))
    var maxRejects: String?

    @Option(
      help: ArgumentHelp(
        "Write rejected rows to this file, with reasons.", valueName: "file", visibility: .rare),
      completion: .file())
    var rejects: String?

    @Option(help: UnpackingLimit.help)
    var maxUnpacked: String?

    @Flag(
      help: ArgumentHelp(
        "Use an index file even if its source has changed.", visibility: .rare))
    var allowStale = false

    @Option(
      help: ArgumentHelp(
        "Show progress on standard error: auto, never or json.", valueName: "when",
        visibility: .rare),
      completion: .words(of: ProgressReport.Mode.self))
    var progress = "auto"

    /// Refuses the position of devices without a fix, and remarks on one outside the region.
    func check(origin: Coordinate) throws(ReportedError) {
      try OriginCheck(allowsNullIsland: allowNullIsland, region: try regionOfValidity())
        .check(origin)
    }

    func regionOfValidity() throws(ReportedError) -> Region? {
      try region.map(parseRegion)
    }

    /// The importer's options, for positions in a region.
    func importOptions(in region: Region?) throws(ReportedError) -> ImportOptions {
      var options = SourceReading().options
      options.encoding = try encoding.flatMap(ReadingOptions.encoding)
      options.idField = idField.map(ArgumentPreparation.restored)
      options.latitudeField = latitudeField.map(ArgumentPreparation.restored)
      options.longitudeField = longitudeField.map(ArgumentPreparation.restored)
      options.nameField = nameField.map(ArgumentPreparation.restored)
      options.kindField = kindField.map(ArgumentPreparation.restored)
      options.hoursField = hoursField.map(ArgumentPreparation.restored)
      options.rowsFields = rowsField.map(ArgumentPreparation.restored)
      options.hasHeader = !noHeader
      options.allowsNullIsland = allowNullIsland
      options.isStrict = strict
      options.unpackingLimit = try UnpackingLimit(option: maxUnpacked)
      if let delimiter { options.delimiter = try ReadingOptions.delimiter(delimiter) }
      options.comment = Array((comment.map(ArgumentPreparation.restored) ?? "").utf8)
      if let quote { options.quoting = try quoting(quote, besides: options.delimiter) }
      if let maxRejects { options.rejectLimit = try rejectLimit(maxRejects) }
      if let shapeReading {
        let reading: ShapeReading = try parseWord(shapeReading, option: "--by")
        options.takesShapesForPoints = reading == .point
      }
      if let points { options.gpxPoints = try parseWord(points, option: "--points") }
      options.region = region
      if let crs { options.crs = try ReadingOptions.sourceCRS(crs) }
      return options
    }

    /// The CRS that `--crs` names; `EPSG:4326` has the longitude in the column of longitudes.
    private static func sourceCRS(_ name: String) throws(ReportedError) -> SourceCRS {
      let name = ArgumentPreparation.restored(name)
      if CRSName.epsgCode(in: name) == 4326 { return .wgs84 }
      let shown = CRSName.epsgCode(in: name).map { "EPSG:\($0)" } ?? name
      return try ReportedError.wrapping(.usage) { () throws(CRSError) in
        .transformed(shown, try CRSCatalog.toWGS84(name))
      }
    }

    /// What was asked for, as the source reader takes it.
    func reading() throws(ReportedError) -> SourceReading {
      let reading = try readingUnclaimed()
      try reading.rejects?.claim(option: "--rejects")
      return reading
    }

    /// The options where none is given.
    static func none() throws(ReportedError) -> ReadingOptions {
      do {
        return try ReadingOptions.parse([])
      } catch {
        throw ReportedError("usage", "\(error)", fault: .usage)
      }
    }

    /// The same, before it is known whether another option names the file of rejects.
    func readingUnclaimed() throws(ReportedError) -> SourceReading {
      let differs = strict || maxRejects != nil
      var reading = SourceReading()
      reading.options = try importOptions(in: try regionOfValidity())
      reading.format = try inputFormat.map(ReadingOptions.format)
      reading.layer = layer
      reading.rejects = rejects.map { RejectFile(FileName(argument: $0), worded: OptionNames.put) }
      reading.allowsStale = allowStale
      reading.differs = differs || !words.isEmpty
      reading.differsBeyondLayer = differs || words.count > (layer == nil ? 0 : 1)
      reading.surroundings = .terminal(try progressMode())
      return reading
    }

    func progressMode() throws(ReportedError) -> ProgressReport.Mode {
      try parseWord(progress, option: "--progress")
    }

    /// What an index file has to remember, as words that parse to the same options.
    var words: [String] {
      func word(_ option: String, _ value: String?) -> [String] {
        value.map { ["\(option)=\(ArgumentPreparation.restored($0))"] } ?? []
      }
      return word("--input-format", inputFormat) + word("--layer", layer) + word("--points", points)
        + word("--by", shapeReading)
        + word("--crs", crs) + word("--encoding", encoding?.lowercased() == "auto" ? nil : encoding)
        + word("--lat-field", latitudeField) + word("--lon-field", longitudeField)
        + word("--id-field", idField)
        + word("--name-field", nameField) + word("--kind-field", kindField)
        + word("--hours-field", hoursField)
        + rowsField.flatMap { word("--rows-field", $0) } + word("--quote", quote)
        + word("--delimiter", delimiter) + word("--comment", comment)
        + word("--region", region)
        + (noHeader ? ["--no-header"] : []) + (allowNullIsland ? ["--allow-null-island"] : [])
    }

    static func format(_ name: String) throws(ReportedError) -> SourceFormat {
      if name.lowercased() == "nbx" { return .index }
      if name.lowercased() == "gpkg" { return .geoPackage }
      guard let format = InputFormat(rawValue: name.lowercased()) else {
        throw ReportedError(
          "bad-format",
          """
          the input format "\(name)" is not known; use csv, tsv, geojson, geojsonseq, json, gpx, \
          gpkg or nbx
          """,
          fault: .usage)
      }
      return .imported(format)
    }

    /// nil for `auto`.
    static func encoding(_ name: String) throws(ReportedError) -> TextEncoding? {
      if name.lowercased() == "auto" { return nil }
      guard let encoding = TextEncoding(named: name) else {
        let names = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
        throw ReportedError(
          "bad-encoding", "the encoding \"\(name)\" is not known; use auto, \(names)",
          fault: .usage)
      }
      return encoding
    }

    static func delimiter(_ text: String) throws(ReportedError) -> [UInt8] {
      let text = ArgumentPreparation.restored(text)
      let names = [
        "\\t": "\t", "tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " ",
      ]
      let bytes = Array((names[text.lowercased()] ?? text).utf8)
      guard !bytes.isEmpty, !bytes.contains(.lineFeed), !bytes.contains(.carriageReturn) else {
        throw ReportedError(
          "bad-delimiter", "--delimiter \"\(text)\" is empty or a line end; write ; or \\t or ||",
          fault: .usage)
      }
      return bytes
    }

    /// What `--quote` asks for.
    ///
    /// - Parameter delimiter: The delimiter, which cannot be the quote, too; nil if it is detected.
    private func quoting(
      _ text: String, besides delimiter: [UInt8]?
    ) throws(ReportedError) -> Quoting {
      if text == "none" { return .none }
      guard text.utf8.count == 1, let byte = text.utf8.first else {
        throw ReportedError(
          "bad-quote", "--quote \"\(text)\" is not one ASCII character; write it, or none",
          fault: .usage)
      }
      guard (delimiter ?? [.comma]) != [byte] else {
        throw ReportedError(
          "bad-quote",
          "--quote \(text) is the delimiter, too; write another character, none, or another "
            + "--delimiter", fault: .usage)
      }
      return .character(byte)
    }

    private func rejectLimit(_ text: String) throws(ReportedError) -> RejectLimit {
      let text = ArgumentPreparation.restored(text)
      if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
        return .percent(percent)
      }
      guard let count = Int(text), count >= 0 else {
        throw ReportedError(
          "bad-max-rejects",
          "--max-rejects \(text) is neither a count nor a percentage; write 20 or 1%",
          fault: .usage)
      }
      return .count(count)
    }
  }

  extension UnpackingLimit {
    /// The help of `--max-unpacked`.
    static let help = ArgumentHelp(
      """
      Unpack at most this much from a gzipped source, such as 8G. The default is 250 times its \
      packed size, at least 64 MiB and at most 4 GiB.
      """, valueName: "bytes", visibility: .rare)

    /// The limit that `--max-unpacked` sets, or the standard one.
    init(option text: String?) throws(ReportedError) {
      self =
        try text.map { (text) throws(ReportedError) in
          .bytes(try parseByteCount(text, option: "--max-unpacked"))
        } ?? .standard
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
