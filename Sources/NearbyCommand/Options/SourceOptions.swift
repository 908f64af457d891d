#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapProjections
  import PROJTransforms

  /// Which of a command's sources some options are about.
  protocol SourceSide: Sendable {
    /// What help calls it; its options begin with this in lowercase. nil for the source that other options are about.
    static var name: String? { get }
  }

  extension SourceSide {
    fileprivate static var prefix: String { name.map { $0.lowercased() + "-" } ?? "" }
    /// Says in help whose something is.
    fileprivate static var ofIt: String { name.map { " of \($0)" } ?? "" }
  }

  /// What a command reads.
  enum OnlySide: SourceSide { static let name: String? = nil }

  /// What a join finds matches for.
  enum LeftSide: SourceSide { static let name: String? = "LEFT" }

  /// The fences beside a track.
  enum FenceSide: SourceSide { static let name: String? = "FENCES" }

  /// How the records of one source are read, whichever side of a command it is on.
  struct SourceOptions<Side: SourceSide>: ParsableArguments {
    @Option(
      name: Self.name("input-format"),
      help: .rare(
        (Side.name.map { "The format of \($0): " } ?? "")
          + "csv, tsv, geojson, geojsonseq, json or gpx; also gpkg and nbx where these can be read.",
        valueName: "format"))
    var inputFormat: String?

    @Option(
      name: Self.name("layer"),
      help: .rare(
        Side.name.map { "Only this layer of \($0)." }
          ?? "Only this layer of a store or GeoPackage; with import and sync, the layer to write.",
        valueName: "name"))
    var layer: String?

    @Option(
      name: Self.name("points"),
      help: .rare(
        "What to read from GPX: waypoints (the default), routes, tracks or all.",
        valueName: "points"), completion: .words(of: GPXPointChoice.self))
    var points: String?

    @Option(
      name: Self.name("encoding"),
      help: .usual(
        (Side.name.map { "The encoding of \($0): " } ?? "")
          + "auto (the default), utf-8, cp949, shift_jis, euc-jp, utf-16, utf-16le, utf-16be or windows-1252.",
        valueName: "name"), completion: .words(of: TextEncoding.self))
    var encoding: String?

    @Option(
      name: Self.name("crs"),
      help: .usual(
        "The coordinate reference system\(Side.ofIt) (default: degrees on WGS 84).",
        valueName: "EPSG:n"))
    var crs: String?

    @Option(
      name: Self.name("lat-field", "y"),
      help: .usual(
        "The column\(Side.ofIt) with latitudes or northings.", valueName: "column"))
    var latitudeField: String?

    @Option(
      name: Self.name("lon-field", "x"),
      help: .usual(
        "The column\(Side.ofIt) with longitudes or eastings.", valueName: "column"))
    var longitudeField: String?

    @Option(
      name: Self.name("id-field"),
      help: .usual(
        "The column\(Side.ofIt) with ids; # to number the records.", valueName: "column"))
    var idField: String?

    @Option(
      name: Self.name("name-field"),
      help: .rare(
        "The column\(Side.ofIt) with names, or a template: '{brand} {branch}'.",
        valueName: "column"))
    var nameField: String?

    @Option(
      name: Self.name("rows-field"),
      help: .rare(
        "The JSON member that holds the records\(Side.ofIt), or a path: body.items. Give it again for each further array. Records without a kind get the array's name as kind.",
        valueName: "field"))
    var rowsField: [String] = []

    @Flag(
      name: Self.name("no-header"),
      help: .rare(
        "\(Side.name ?? "The source") has no header; columns are named 1, 2, …."))
    var noHeader = false

    @Option(
      name: Self.name("quote"),
      help: .rare(
        "The quote character\(Side.ofIt), or none.", valueName: "c|none"))
    var quote: String?

    @Option(
      name: Self.name("delimiter"),
      help: .rare(
        "The delimiter\(Side.ofIt), such as ; or \\t or || (default: detected).",
        valueName: "text"))
    var delimiter: String?

    @Option(
      name: Self.name("comment"),
      help: .rare(
        "Skip lines\(Side.ofIt) that start with this.", valueName: "text"))
    var comment: String?

    @Option(
      name: Self.name("region"),
      help: .rare(
        "Reject positions\(Side.ofIt) outside this region: KR, JP, a box W,S,E,N or a GeoJSON file.",
        valueName: "region"))
    var region: String?

    @Flag(
      name: Self.name("strict"),
      help: .rare(
        "Fail on any rejected row\(Side.ofIt) and\(Side.name == nil ? ", except with list and diff," : "") on any without a position."
      ))
    var strict = false

    @Option(
      name: Self.name("max-rejects"),
      help: .rare(
        "Fail if more rows\(Side.ofIt) than this are rejected.", valueName: "n|p%"))
    var maxRejects: String?

    @Option(
      name: Self.name("rejects"),
      help: .rare(
        "Write rejected rows\(Side.ofIt) to this file, with reasons.", valueName: "file"),
      completion: .file())
    var rejects: String?

    private static func name(_ names: String...) -> NameSpecification {
      NameSpecification(names.map { NameSpecification.Element.customLong(Side.prefix + $0) })
    }

    /// What was asked for, as the source reader takes it.
    func reading() throws(ReportedError) -> SourceReading {
      let reading: SourceReading
      do throws(ReportedError) {
        reading = try readingUnclaimed()
      } catch {
        throw Self.named(error)
      }
      // An error of both this option and the other source's names both as they are.
      try claimRejects(of: reading)
      return reading
    }

    /// The same, before it is known whether another option names the file of rejects.
    func readingUnclaimed() throws(ReportedError) -> SourceReading {
      let differs = strict || maxRejects != nil
      var reading = SourceReading()
      reading.options = try importOptions(in: try regionOfValidity())
      reading.format = try format()
      reading.layer = layer?.asTyped
      reading.rejects = rejects.map { RejectFile(FileName(argument: $0), worded: OptionNames.put) }
      reading.differs = differs || !words.isEmpty
      reading.differsBeyondLayer = differs || words.count > (layer == nil ? 0 : 1)
      reading.surroundings = .terminal(.bar)
      return reading
    }

    /// Refuses a file of rejects that another option names, too.
    func claimRejects(of reading: SourceReading) throws(ReportedError) {
      try reading.rejects?.claim(option: "--\(Side.prefix)rejects")
    }

    func regionOfValidity() throws(ReportedError) -> Region? {
      try region.map(parseRegion)
    }

    /// The importer's options, for positions in a region.
    func importOptions(in region: Region?) throws(ReportedError) -> ImportOptions {
      var options = SourceReading().options
      options.encoding = try encoding.flatMap(Self.encoding)
      options.idField = idField?.asTyped
      options.latitudeField = latitudeField?.asTyped
      options.longitudeField = longitudeField?.asTyped
      options.nameField = nameField?.asTyped
      options.rowsFields = rowsField.map(\.asTyped)
      options.hasHeader = !noHeader
      options.isStrict = strict
      if let delimiter { options.delimiter = try Self.delimiter(delimiter) }
      options.comment = Array((comment?.asTyped ?? "").utf8)
      if let quote { options.quoting = try quoting(quote, besides: options.delimiter) }
      if let maxRejects { options.rejectLimit = try rejectLimit(maxRejects) }
      if let points { options.gpxPoints = try parseWord(points, option: "--points") }
      options.region = region
      if let crs { options.crs = try Self.sourceCRS(crs) }
      return options
    }

    /// What an index file has to remember, as words that parse to the same options.
    var words: [String] {
      word("--input-format", inputFormat) + word("--layer", layer) + word("--points", points)
        + word("--crs", crs) + word("--encoding", encoding?.lowercased() == "auto" ? nil : encoding)
        + word("--lat-field", latitudeField) + word("--lon-field", longitudeField)
        + word("--id-field", idField) + word("--name-field", nameField)
        + rowsField.flatMap { word("--rows-field", $0) } + word("--quote", quote)
        + word("--delimiter", delimiter) + word("--comment", comment)
        + word("--region", region) + (noHeader ? ["--no-header"] : [])
    }

    /// The CRS that `--crs` names; `EPSG:4326` has the longitude in the column of longitudes.
    private static func sourceCRS(_ name: String) throws(ReportedError) -> SourceCRS {
      let name = name.asTyped
      if CRSName.epsgCode(in: name) == 4326 { return .wgs84 }
      let shown = CRSName.epsgCode(in: name).map { "EPSG:\($0)" } ?? name
      return try ReportedError.wrapping(.usage) { () throws(CRSError) in
        .transformed(shown, try CRSCatalog.toWGS84(name))
      }
    }

    /// nil where none is given.
    func format() throws(ReportedError) -> SourceFormat? {
      guard let name = inputFormat else { return nil }
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
    private static func encoding(_ name: String) throws(ReportedError) -> TextEncoding? {
      if name.lowercased() == "auto" { return nil }
      guard let encoding = TextEncoding(named: name) else {
        let names = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
        throw ReportedError(
          "bad-encoding", "the encoding \"\(name)\" is not known; use auto, \(names)",
          fault: .usage)
      }
      return encoding
    }

    private static func delimiter(_ text: String) throws(ReportedError) -> [UInt8] {
      let text = text.asTyped
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
      let text = text.asTyped
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

    /// The annotations of such a source.
    static func annotations(
      of file: FileName, _ reading: SourceReading
    ) throws(ReportedError) -> ImportedAnnotations {
      var reading = reading
      let remark = reading.surroundings.remark
      reading.surroundings.remark = { remark(Self.named($0)) }
      do throws(ReportedError) {
        return try Source.annotations(of: [file], reading)
      } catch {
        throw named(error)
      }
    }

    private static func named(_ error: ReportedError) -> ReportedError {
      ReportedError(error.code, named(error.description), fault: error.fault)
    }

    /// The same message, with the options in it that this source has.
    private static func named(_ message: String) -> String {
      let names = [
        "input-format", "layer", "points", "encoding", "crs", "lat-field", "lon-field", "id-field",
        "name-field", "rows-field", "no-header", "quote", "delimiter", "comment", "region",
        "strict", "max-rejects", "rejects",
      ]
      let sentence = OptionNames.put(into: message)
      return sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
        names.contains { word.hasPrefix("--\($0)") }
          ? "--\(Side.prefix)" + word.dropFirst(2) : String(word)
      }.joined(separator: " ")
    }
  }

  /// What lines and areas are taken for.
  enum ShapeReading: String, WrittenFormat {
    case shape, point
  }

  /// How one source is read, apart from its name.
  struct ReadingOptions: ParsableArguments {
    @OptionGroup var source: SourceOptions<OnlySide>

    @Option(
      name: .customLong("by"),
      help: .rare(
        "Measure lines and areas by their shape (the default), or by the point that represents each.",
        valueName: "shape|point"), completion: .words(of: ShapeReading.self))
    var shapeReading: String?

    @Option(help: .rare("The column with kinds.", valueName: "column"))
    var kindField: String?

    @Option(help: .rare("The column with opening hours.", valueName: "column"))
    var hoursField: String?

    @Flag(help: .rare("Accept 0,0 as a position."))
    var allowNullIsland = false

    @Option(help: UnpackingLimit.help)
    var maxUnpacked: String?

    @Flag(help: .rare("Use an index file even if its source has changed."))
    var allowStale = false

    @Option(
      help: .rare("Show progress on standard error: auto, never or json.", valueName: "when"),
      completion: .words(of: ProgressReport.Mode.self))
    var progress = "auto"

    /// Refuses the position of devices without a fix, and remarks on one outside the region.
    func check(origin: Coordinate) throws(ReportedError) {
      try Question.check(
        origin: origin, allowsNullIsland: allowNullIsland, in: try source.regionOfValidity(),
        remark: Console.remark)
    }

    /// What was asked for, as the source reader takes it.
    func reading() throws(ReportedError) -> SourceReading {
      let reading = try readingUnclaimed()
      try source.claimRejects(of: reading)
      return reading
    }

    /// The same, before it is known whether another option names the file of rejects.
    func readingUnclaimed() throws(ReportedError) -> SourceReading {
      var reading = try source.readingUnclaimed()
      try complete(&reading.options)
      reading.allowsStale = allowStale
      reading.differs = reading.differs || !ownWords.isEmpty
      reading.differsBeyondLayer = reading.differsBeyondLayer || !ownWords.isEmpty
      reading.surroundings = .terminal(try progressMode())
      return reading
    }

    /// The importer's options, for positions in a region.
    func importOptions(in region: Region?) throws(ReportedError) -> ImportOptions {
      var options = try source.importOptions(in: region)
      try complete(&options)
      return options
    }

    private func complete(_ options: inout ImportOptions) throws(ReportedError) {
      options.kindField = kindField?.asTyped
      options.hoursField = hoursField?.asTyped
      options.allowsNullIsland = allowNullIsland
      options.unpackingLimit = try UnpackingLimit(option: maxUnpacked)
      if let shapeReading {
        let reading: ShapeReading = try parseWord(shapeReading, option: "--by")
        options.takesShapesForPoints = reading == .point
      }
    }

    func progressMode() throws(ReportedError) -> ProgressReport.Mode {
      try parseWord(progress, option: "--progress")
    }

    /// What an index file has to remember, as words that parse to the same options.
    var words: [String] { source.words + ownWords }

    private var ownWords: [String] {
      word("--by", shapeReading) + word("--kind-field", kindField)
        + word("--hours-field", hoursField) + (allowNullIsland ? ["--allow-null-island"] : [])
    }
  }

  /// An option as a word with its value; nothing where it is not given.
  private func word(_ option: String, _ value: String?) -> [String] {
    value.map { ["\(option)=\($0.asTyped)"] } ?? []
  }
#endif
