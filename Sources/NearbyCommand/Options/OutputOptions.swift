#if CommandLine
  import ArgumentParser
  import TextMaps

  /// How results are written.
  struct OutputOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "table, json, jsonl, csv, geojson, geojsonseq or ids.", valueName: "format"),
      completion: .words(of: OutputFormat.self))
    var format: String?

    @Flag(help: "The same as --format json.")
    var json = false

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("Write there; the format follows the ending.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Only these of the source's own columns.", valueName: "a,b"))
    var fields: String?

    @Flag(help: "Leave the map out of the table.")
    var noMap = false

    @OptionGroup var map: MapOptions

    @Flag(
      name: [.short, .long], help: "Print nothing; the exit status is 1 when nothing is found.")
    var quiet = false

    @Flag(help: "Exit with 1 when nothing is found.")
    var exitStatus = false

    @Flag(help: "Say on standard error what the search did.")
    var explain = false

    var outputFile: FileName? { output.map(FileName.init(argument:)) }

    /// Whether a terminal will show the results, and not a file.
    var isOnTerminal: Bool { Console.showsOnTerminal(outputFile) }

    /// The format asked for, else the one the file's ending names, else `standard`.
    func format(default standard: OutputFormat) throws(CommandError) -> OutputFormat {
      if let format { return try parseWord(format, option: "--format") }
      if json { return .json }
      guard let file = outputFile else { return standard }
      return try OutputFormat(ending: file) ?? standard
    }

    var fieldNames: [String]? {
      fields.map(OutputOptions.fieldNames)
    }

    /// The column names of a list with commas between them.
    static func fieldNames(_ list: String) -> [String] {
      ArgumentPreparation.restored(list).split(separator: ",").map { trimmed($0) }
    }

    /// Refuses words that the options do not know, before any source is read.
    func check() throws(CommandError) {
      _ = try format(default: .table)
      try map.check()
    }

    /// Writes results where they were asked for.
    func write(_ bytes: [UInt8]) throws(CommandError) {
      try write { (sink) throws(CommandError) in try sink.write(bytes) }
    }

    /// Writes results where they were asked for, as they come.
    func write(_ body: (OutputSink) throws(CommandError) -> Void) throws(CommandError) {
      if quiet { return }
      let sink = try OutputSink(outputFile)
      try body(sink)
      try sink.finish()
    }

    /// Ends with status 1 where nothing was found and the caller wants to know.
    func finish(isEmpty: Bool) throws {
      if isEmpty, quiet || exitStatus { throw ExitCode(ExitStatus.empty.rawValue) }
    }
  }

  /// How results look on the way out.
  enum OutputFormat: String, CaseIterable {
    case table, json, jsonl, csv, geojson, geojsonseq, ids

    /// The format that a file name's ending stands for; nil when it stands for none.
    ///
    /// - Throws: Where it stands for one that is read and not written: what is in the file would
    ///   belie its name.
    init?(ending file: FileName) throws(CommandError) {
      let parts = file.lastComponent.text.split(separator: ".")
      switch parts.count > 1 ? parts.last.map({ $0.lowercased() }) : nil {
      case "json": self = .json
      case "jsonl", "ndjson": self = .jsonl
      case "csv": self = .csv
      case "geojson": self = .geojson
      case "geojsonl", "geojsonseq", "geojsons": self = .geojsonseq
      case "txt": self = .table
      case let ending? where ["gpkg", "gpx", "gz", "nbx", "tab", "tsv"].contains(ending):
        throw CommandError(
          "bad-format",
          "\(file.text) ends in .\(ending), which is not written; use .csv or .geojson, or --format",
          status: .usage)
      default: return nil
      }
    }
  }

  /// How maps are drawn.
  struct MapOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The map's size in characters.", valueName: "colsxrows"))
    var size: String?

    @Option(
      help: ArgumentHelp("braille, block or ascii.", valueName: "style"),
      completion: .words(of: TextMap.Style.self))
    var style = "braille"

    @Option(
      help: ArgumentHelp(
        "Draw this GeoJSON's outlines faintly, instead of the built-in ones.", valueName: "file"))
    var basemap: String?

    @Option(
      help: ArgumentHelp("Color: auto, always or never.", valueName: "when"),
      completion: .words(of: ColorMode.self))
    var color = "auto"

    /// The size asked for, or as wide as the terminal allows up to the usual one.
    func mapSize(onTerminal: Bool) throws(CommandError) -> TextMap.Size {
      guard let size else {
        return TextMap.Size(
          columns: min(TextMap.Size.standard.columns, Console.width(onTerminal: onTerminal)),
          rows: TextMap.Size.standard.rows)
      }
      let numbers = size.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      guard numbers.count == 2, let columns = Int(numbers[0]), let rows = Int(numbers[1]),
        (20...1_000).contains(columns), (8...1_000).contains(rows)
      else {
        throw CommandError(
          "bad-size",
          "--size \(ArgumentPreparation.restored(size)) is no map size; write columns x rows, 20x8 to 1000x1000, as 64x20",
          status: .usage)
      }
      return TextMap.Size(columns: columns, rows: rows)
    }

    /// Refuses sizes and words that the options do not know.
    func check() throws(CommandError) {
      _ = try mapSize(onTerminal: false)
      _ = try mapStyle()
      _ = try terminalColor(onTerminal: false)
    }

    func mapStyle() throws(CommandError) -> TextMap.Style {
      try parseWord(style, option: "--style")
    }

    /// - Parameter onTerminal: Whether a terminal will show it, and not a file.
    func terminalColor(onTerminal: Bool) throws(CommandError) -> TerminalColor {
      let mode: ColorMode = try parseWord(color, option: "--color")
      return usesColor(mode, onTerminal) ? .ansi : .none
    }

    private func usesColor(_ mode: ColorMode, _ onTerminal: Bool) -> Bool {
      switch mode {
      case .always: true
      case .never: false
      case .auto:
        // https://no-color.org: any value but the empty one; CLICOLOR_FORCE likewise, if not 0.
        if Console.variable("NO_COLOR").map({ !$0.isEmpty }) ?? false {
          false
        } else if Console.variable("CLICOLOR_FORCE").map({ !$0.isEmpty && $0 != "0" }) ?? false {
          true
        } else {
          onTerminal && Console.variable("TERM") != "dumb"
        }
      }
    }
  }

  /// When color is used.
  enum ColorMode: String, CaseIterable {
    case auto, always, never
  }
#endif
