#if CommandLine
  import AnnotationImport
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// `nearby convert SOURCE`: the same annotations in another format, unplaced ones too.
  struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "convert",
      abstract: "A source as csv, geojson, geojsonseq or jsonl; the ending of -o decides.")

    @OptionGroup var input: InputOptions

    @Option(help: ArgumentHelp("csv, geojson, geojsonseq or jsonl.", valueName: "format"))
    var format: String?

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("Write there; the format follows the ending.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Only these of the source's own columns.", valueName: "a,b"))
    var fields: String?

    func run() throws {
      let file = output.map(FileName.init(argument:))
      let given: OutputFormat? = try format.map { (text) throws(CommandError) in
        try parseWord(text, option: "--format")
      }
      guard let format = given ?? file.flatMap({ OutputFormat(ending: $0.text) }) else {
        throw CommandError(
          "missing-format", "say what to convert to: --format geojson, or -o out.geojson",
          status: .usage)
      }
      let annotations = try Source.annotations(input)
      let fields = fields.map { $0.split(separator: ",").map { trimmed($0) } }
      let bytes: [UInt8]
      switch format {
      case .csv:
        bytes = CSVTable(
          annotations.map { annotation in
            CSVTable.Row(
              annotation: annotation, coordinate: annotation.coordinate,
              properties: annotation.properties.keeping(fields))
          }, hasDistances: false
        ).bytes()
      case .geojson, .geojsonseq:
        bytes = GeoJSONWriter.bytes(
          of: annotations.lazy.map { $0.feature(keeping: fields) },
          as: format == .geojson ? .featureCollection : .sequence(recordSeparators: false),
          bbox: BoundingBox(around: annotations.lazy.compactMap(\.coordinate)))
      case .jsonl:
        var writer = JSONWriter()
        for annotation in annotations {
          writer.value(.object(Listing.members(of: annotation, keeping: fields)))
          writer.endLine()
        }
        bytes = writer.bytes
      case .json, .table, .ids:
        throw CommandError(
          "bad-format",
          "convert does not write \(format.rawValue); use csv, geojson, geojsonseq or jsonl",
          status: .usage)
      }
      if let file { try Files.write(bytes, to: file) } else { try Console.write(bytes) }
    }
  }
#endif
