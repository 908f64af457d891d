#if CommandLine
  import AnnotationSources
  import ArgumentParser

  /// How `check` and `info` answer.
  struct ReportOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp("table or json.", valueName: "format"),
      completion: .words(of: ReportFormat.self))
    var format = "table"

    @Flag(help: "The same as --format json.")
    var json = false

    func writesJSON() throws(ReportedError) -> Bool {
      if json { return true }
      let format: ReportFormat = try parseWord(format, option: "--format")
      return format == .json
    }
  }

  private enum ReportFormat: String, CaseIterable {
    case table, json
  }
#endif
