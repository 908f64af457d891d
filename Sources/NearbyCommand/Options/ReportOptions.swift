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
      let word = try formatWord(format, json: json) ?? "table"
      let format: ReportFormat = try parseWord(word, option: "--format")
      return format == .json
    }
  }

  private enum ReportFormat: String, CaseIterable {
    case table, json
  }
#endif
