#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import MapAnnotations

  /// `nearby info SOURCE`: what is in it.
  struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "info",
      abstract:
        "Describe a source: how many annotations, where, which kinds and columns, an example.",
      usage: "nearby info [<options>] [<source> ...]")

    @OptionGroup var input: InputOptions

    @OptionGroup var report: ReportOptions

    func run() throws {
      let writesJSON = try report.writesJSON()
      let result = try Source.read(try input.sourceFiles(), try input.sourceReading())
      let summary = SourceSummary(result.annotations, result.report)
      if writesJSON {
        try Console.write(report: PropertyValue.object(summary.members).jsonLine)
      } else {
        try Console.write(summary.text(width: Console.width()))
      }
    }
  }
#endif
