#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import NearbySearch
  import TextMaps

  /// How results are written.
  struct OutputOptions: ParsableArguments {
    @OptionGroup var written: WrittenOutput<OutputFormat>

    @Option(help: ArgumentHelp("Show only these of the source's own columns.", valueName: "a,b"))
    var fields: String?

    @Flag(help: "Leave out the map below the table.")
    var noMap = false

    @OptionGroup(visibility: .rare) var map: MapOptions

    @Flag(
      name: [.short, .long],
      help: ArgumentHelp("Print no results; exit with 1 if nothing is found.", visibility: .rare))
    var quiet = false

    @Flag(help: ArgumentHelp("Exit with 1 if nothing is found.", visibility: .rare))
    var exitStatus = false

    @Flag(help: ArgumentHelp("Explain on standard error what the search did.", visibility: .rare))
    var explain = false

    /// The options understood.
    ///
    /// - Throws: For words that they do not know, before any source is read.
    func plan() throws(ReportedError) -> OutputPlan {
      let (file, format) = try written.claim()
      return OutputPlan(
        format: format ?? .table, file: file,
        fields: fields.map(OutputOptions.columnNames),
        showsMap: !noMap, map: try map.plan(onTerminal: Console.showsOnTerminal(file)),
        isQuiet: quiet, tellsEmptiness: exitStatus, explains: explain)
    }

    /// The columns of a list that a source must have; nil without a list.
    ///
    /// - Throws: For a column that no record has, and that is no part of the position.
    static func columns(
      _ list: String?, of source: ImportedAnnotations, option: String = "--fields"
    ) throws(ReportedError) -> [String]? {
      guard let list else { return nil }
      let names = columnNames(list)
      for name in names { try source.requireField(name, of: option) }
      return names
    }

    /// The column names of a list with commas between them, without their quotes.
    static func columnNames(_ list: String) -> [String] { fieldNames(list).map(columnName) }

    /// The text between double quotes, or the whole text if there are none.
    static func columnName(_ text: String) -> String {
      if case .property(let name) = Condition.Field(named: text).name { name } else { text }
    }

    /// The names of a list with commas between them, with their quotes.
    static func fieldNames(_ list: String) -> [String] {
      names(in: ArgumentPreparation.restored(list)).filter { !$0.isEmpty }
    }

    /// The same, blank ones among them.
    static func names(in list: String) -> [String] {
      Condition.Field.names(in: list).map { trimmed($0) }
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
        "Draw this GeoJSON file's outlines faintly instead of the built-in ones.",
        valueName: "file", visibility: .rare
      ),
      completion: .file())
    var basemap: String?

    @Option(
      help: ArgumentHelp("When to use color: auto, always or never.", valueName: "when"),
      completion: .words(of: ColorMode.self))
    var color = "auto"

    /// The options understood.
    ///
    /// - Parameter onTerminal: Whether a terminal will show the map, and not a file.
    /// - Throws: For sizes and words that they do not know.
    func plan(onTerminal: Bool) throws(ReportedError) -> MapPlan {
      let mode: ColorMode = try parseWord(color, option: "--color")
      var plan = MapPlan.standard(onTerminal: onTerminal)
      plan.style = try parseWord(style, option: "--style")
      plan.color = mode.color(onTerminal: onTerminal)
      plan.basemap = basemap.map(FileName.init(argument:))
      if let size { plan.size = try MapOptions.size(size) }
      return plan
    }

    private static func size(_ text: String) throws(ReportedError) -> TextMap.Size {
      let numbers = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      guard numbers.count == 2, let columns = Int(numbers[0]), let rows = Int(numbers[1]),
        (20...1_000).contains(columns), (8...1_000).contains(rows)
      else {
        throw ReportedError(
          "bad-size",
          "--size \(ArgumentPreparation.restored(text)) is not a map size; write columns x rows, 20x8 to 1000x1000, such as 64x20",
          fault: .usage)
      }
      return TextMap.Size(columns: columns, rows: rows)
    }
  }
#endif
