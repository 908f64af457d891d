#if CommandLine
  import AnnotationSources
  import TextMaps

  /// How and where results are written, every word of the options understood.
  struct OutputPlan {
    var format = OutputFormat.table
    /// nil and `-` stand for standard output.
    var file: FileName?
    /// The source's own columns that are wanted; nil for all.
    var fields: [String]?
    var showsMap = true
    var map: MapPlan
    /// Whether nothing is printed and the exit status alone answers.
    var isQuiet = false
    /// Whether nothing found makes the exit status 1.
    var tellsEmptiness = false
    /// Whether standard error says what the search did.
    var explains = false

    /// Whether a terminal will show the results, and not a file.
    var isOnTerminal: Bool { Console.showsOnTerminal(file) }

    /// Writes results where they were asked for.
    func write(_ bytes: [UInt8]) throws(ReportedError) {
      try write { (sink) throws(ReportedError) in try sink.write(bytes) }
    }

    /// Writes results where they were asked for, as they come.
    func write(_ body: (OutputSink) throws(ReportedError) -> Void) throws(ReportedError) {
      if isQuiet { return }
      let sink = try OutputSink(file)
      try body(sink)
      try sink.finish()
    }

    /// Ends with status 1 where nothing was found and the caller wants to know.
    func finish(isEmpty: Bool) {
      if isEmpty, isQuiet || tellsEmptiness { Console.exit(.empty) }
    }
  }

  extension MapPlan {
    /// What is drawn when nothing is said: as wide as a terminal allows up to the usual size, in
    /// color on a terminal.
    static func standard(onTerminal: Bool) -> MapPlan {
      MapPlan(
        size: TextMap.Size(
          columns: min(TextMap.Size.standard.columns, Console.width(onTerminal: onTerminal)),
          rows: TextMap.Size.standard.rows),
        color: ColorMode.auto.color(onTerminal: onTerminal))
    }
  }

  /// When color is used.
  enum ColorMode: String, CaseIterable {
    case auto, always, never

    /// - Parameter onTerminal: Whether a terminal will show it, and not a file.
    func color(onTerminal: Bool) -> TerminalColor {
      switch self {
      case .always: return .ansi
      case .never: return .none
      case .auto:
        // https://no-color.org: any value but the empty one; CLICOLOR_FORCE likewise, if not 0.
        if let value = Console.variable("NO_COLOR"), !value.isEmpty { return .none }
        if let value = Console.variable("CLICOLOR_FORCE"), !value.isEmpty, value != "0" {
          return .ansi
        }
        return onTerminal && Console.variable("TERM") != "dumb" ? .ansi : .none
      }
    }
  }

  /// How results look on the way out.
  enum OutputFormat: String, WrittenFormat {
    case table, json, jsonl, csv, geojson, geojsonseq, gpx, ics, ids
  }
#endif
