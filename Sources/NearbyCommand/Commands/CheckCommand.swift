#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import MapAnnotations

  /// `nearby check SOURCE`: what is wrong with it.
  struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract:
        "List what is wrong with a source, the most frequent first; --rejects FILE writes the rejected rows.",
      usage: "nearby check [<options>] [<source> ...]")

    @OptionGroup var input: InputOptions

    @OptionGroup var report: ReportOptions

    func run() throws {
      let writesJSON = try report.writesJSON()
      do throws(ReportedError) {
        var reading = try input.sourceReading()
        reading.options.comparesRecords = true
        let result = try Source.read(try input.sourceFiles(), reading, isSilent: true)
        var report = result.report
        let progress = reading.surroundings.progress("checked for hours and dates")
        TimeCheck.count(result.annotations, in: &report) {
          progress.update(rows: $0, of: result.annotations.count)
        }
        progress.finish()
        for remark in report.remarks { Console.remark(remark) }
        try write(report, asJSON: writesJSON)
      } catch {
        // What is wrong with a source is the answer here, however much it is.
        if var report = error.report {
          if let kept = error.annotations { TimeCheck.count(kept, in: &report) { _ in } }
          try write(report, asJSON: writesJSON)
        }
        throw error
      }
    }

    private func write(_ report: ImportReport, asJSON: Bool) throws(ReportedError) {
      // A record with two places counts twice.
      let things = input.places == nil ? "records" : "annotations"
      if asJSON {
        return try Console.write(PropertyValue.object(report.members(of: things)).jsonLine)
      }
      let lines = report.lines(of: things) { OptionNames.put(into: $0) }
      try Console.write(lines.map { Console.safe($0) + "\n" }.joined())
    }
  }
#endif
