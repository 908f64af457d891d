#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser

  /// A source beside the one that the input options are about.
  protocol SourceSide: Sendable {
    /// What help calls it; its options begin with this in lowercase.
    static var name: String { get }
  }

  /// What a join finds matches for.
  enum LeftSide: SourceSide { static let name = "LEFT" }

  /// The fences beside a track.
  enum FenceSide: SourceSide { static let name = "FENCES" }

  /// How such a source is read: the input options with the side's name in front, but for those that
  /// hold for both sources, and those of kinds and hours, which nobody asks of it.
  struct SourceOptions<Side: SourceSide>: ParsableArguments {
    @Option(
      name: Self.name("input-format"),
      help: ArgumentHelp("The format of \(Side.name).", valueName: "format"))
    var inputFormat: String?

    @Option(
      name: Self.name("layer"),
      help: ArgumentHelp("Only this layer of \(Side.name).", valueName: "name"))
    var layer: String?

    @Option(
      name: Self.name("points"),
      help: ArgumentHelp(
        "What to read from GPX: waypoints, routes, tracks or all.", valueName: "points"),
      completion: .words(of: GPXPointChoice.self))
    var points: String?

    @Option(
      name: Self.name("encoding"),
      help: ArgumentHelp("The encoding of \(Side.name).", valueName: "name"))
    var encoding: String?

    @Option(
      name: Self.name("crs"),
      help: ArgumentHelp("The coordinate reference system of \(Side.name).", valueName: "epsg"))
    var crs: String?

    @Option(
      name: Self.name("lat-field", "y"),
      help: ArgumentHelp(
        "The column of \(Side.name) with latitudes or northings.", valueName: "column"))
    var latitudeField: String?

    @Option(
      name: Self.name("lon-field", "x"),
      help: ArgumentHelp(
        "The column of \(Side.name) with longitudes or eastings.", valueName: "column"))
    var longitudeField: String?

    @Option(
      name: Self.name("id-field"),
      help: ArgumentHelp(
        "The column of \(Side.name) with ids; # to number the records.", valueName: "column"))
    var idField: String?

    @Option(
      name: Self.name("name-field"),
      help: ArgumentHelp("The column of \(Side.name) with names.", valueName: "column"))
    var nameField: String?

    @Option(
      name: Self.name("rows-field"),
      help: ArgumentHelp(
        "The JSON member that holds the records of \(Side.name).", valueName: "field"))
    var rowsField: String?

    @Flag(name: Self.name("no-header"), help: "\(Side.name) has no header.")
    var noHeader = false

    @Option(
      name: Self.name("quote"),
      help: ArgumentHelp("The quote character of \(Side.name), or none.", valueName: "c|none"))
    var quote: String?

    @Option(
      name: Self.name("delimiter"),
      help: ArgumentHelp("The delimiter of \(Side.name).", valueName: "text"))
    var delimiter: String?

    @Option(
      name: Self.name("comment"),
      help: ArgumentHelp("Skip lines of \(Side.name) that start with this.", valueName: "text"))
    var comment: String?

    @Option(
      name: Self.name("region"),
      help: ArgumentHelp(
        "Reject positions of \(Side.name) outside this region.", valueName: "region"))
    var region: String?

    @Flag(
      name: Self.name("strict"),
      help: "Fail on any row of \(Side.name) that is rejected or without a position.")
    var strict = false

    @Option(
      name: Self.name("max-rejects"),
      help: ArgumentHelp(
        "Fail if more rows of \(Side.name) than this are rejected.", valueName: "n|p%"))
    var maxRejects: String?

    @Option(
      name: Self.name("rejects"),
      help: ArgumentHelp("Write rejected rows of \(Side.name) to this file.", valueName: "file"),
      completion: .file())
    var rejects: String?

    /// The options understood.
    func reading() throws(ReportedError) -> SourceReading {
      let reading: SourceReading
      do throws(ReportedError) {
        var options = try ReadingOptions.none()
        options.inputFormat = inputFormat
        options.layer = layer
        options.points = points
        options.encoding = encoding
        options.crs = crs
        options.latitudeField = latitudeField
        options.longitudeField = longitudeField
        options.idField = idField
        options.nameField = nameField
        if let rowsField { options.rowsField = [rowsField] }
        options.noHeader = noHeader
        options.quote = quote
        options.delimiter = delimiter
        options.comment = comment
        options.region = region
        options.strict = strict
        options.maxRejects = maxRejects
        options.rejects = rejects
        reading = try options.readingUnclaimed()
      } catch {
        throw Self.named(error)
      }
      // An error of both this option and the other source's names both as they are.
      try reading.rejects?.claim(option: "--\(Self.prefix)rejects")
      return reading
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
          ? "--\(prefix)" + word.dropFirst(2) : String(word)
      }.joined(separator: " ")
    }

    private static var prefix: String { Side.name.lowercased() + "-" }

    private static func name(_ names: String...) -> NameSpecification {
      NameSpecification(names.map { NameSpecification.Element.customLong(prefix + $0) })
    }
  }
#endif
