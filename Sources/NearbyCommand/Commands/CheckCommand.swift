#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import TextMaps

  /// `nearby check SOURCE`: what is wrong with it.
  struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract:
        "List what is wrong with a source, the most frequent first; --rejects FILE writes the rejected rows."
    )

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
      try Console.write(
        asJSON
          ? CheckCommand.json(report, of: things) : CheckCommand.text(report, of: things))
    }

    private static func json(_ report: ImportReport, of things: String) -> [UInt8] {
      func counts(_ ranked: [(code: String, count: Int)]) -> PropertyValue {
        .object(
          Properties(ranked.map { Properties.Entry(name: $0.code, value: .integer($0.count)) }))
      }
      return PropertyValue.object([
        things: .integer(report.records), "placed": .integer(report.placed),
        "unplaced": .integer(report.unplaced), "rejected": counts(report.rankedReasons),
        "warnings": counts(report.rankedWarnings),
      ]).jsonLine
    }

    private static func text(_ report: ImportReport, of things: String) -> [UInt8] {
      let width = max(things.utf8.count, "unplaced".utf8.count) + 2
      var lines = [
        (things, report.records), ("placed", report.placed), ("unplaced", report.unplaced),
        ("rejected", report.rejectedCount),
      ].map { TerminalText.padded($0.0, to: width) + grouped($0.1) }
      func list(_ title: String, _ ranked: [(code: String, count: Int)]) {
        guard !ranked.isEmpty else { return }
        lines += ["", title]
        let width = ranked.map { grouped($0.count).count }.max() ?? 0
        for entry in ranked {
          let count = grouped(entry.count)
          lines.append(
            String(repeating: " ", count: 2 + width - count.count) + "\(count)  \(entry.code)")
          if let example = report.examples[entry.code] {
            lines.append(String(repeating: " ", count: width + 4) + OptionNames.put(into: example))
          }
        }
      }
      list("rejected, most frequent reason first", report.rankedReasons)
      if report.unplaced > 0, report.rejected["row-no-coordinate"] == nil {
        list("kept without a position", [("row-no-coordinate", report.unplaced)])
      }
      list("warnings", report.rankedWarnings)
      return lines.flatMap { Array((Console.safe($0) + "\n").utf8) }
    }
  }
#endif
