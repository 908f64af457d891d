#if CommandLine
  import AnnotationSources
  import ArgumentParser

  /// How `check` and `info` answer.
  struct ReportOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp("table or json. (default: table)", valueName: "format"),
      completion: .words(of: ReportFormat.self))
    var format: String?

    @Flag(help: "The same as --format json.")
    var json = false

    func writesJSON() throws(ReportedError) -> Bool {
      try ReportFormat.asked(try formatWord(format, json: json), for: nil) == .json
    }
  }

  private enum ReportFormat: String, WrittenFormat {
    case table, json
  }
#endif
