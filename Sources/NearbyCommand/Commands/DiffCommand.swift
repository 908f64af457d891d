#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import TextMaps

  /// `nearby diff OLD NEW`: what is new, gone, moved and changed.
  struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Compare two versions of a source by id: what is new, gone, moved and changed.",
      discussion: """
        Input options apply to both sources. Columns that only one of them has are not compared. \
        If several rows have the same id, the first counts.

          nearby diff marts-2025.csv marts-2026.csv
          nearby diff store.gpkg marts.csv --layer marts --tolerance 10m --format csv
        """)

    @Argument(help: .usual("The old version.", valueName: "old"), completion: .file())
    var old: String

    @Argument(help: .usual("The new version.", valueName: "new"), completion: .file())
    var new: String

    @Option(help: .usual("Ignore moves up to this distance.", valueName: "dist"))
    var tolerance: String?

    @Option(
      help: .usual(
        "Compare only these columns (default: all that both sources have).", valueName: "a,b"))
    var fields: String?

    @Option(help: .usual("The layer of OLD, if it is not --layer.", valueName: "name"))
    var oldLayer: String?

    @OptionGroup(title: "Input") var reading: ReadingOptions

    @OptionGroup var written: WrittenOutput<ChangeFormat>

    @Flag(name: [.short, .long], help: "Print no results; exit with 1 if nothing differs.")
    var quiet = false

    @Flag(help: "Exit with 1 if nothing differs.")
    var exitStatus = false

    func run() throws {
      let (file, format) = try written.claim()
      let tolerance =
        try tolerance.map { (text) throws(ReportedError) in
          try parseDistance(text, option: "--tolerance")
        } ?? .zero
      let sources = try sources()
      let diff = SourceDiff(
        from: sources.old, to: sources.new, tolerance: tolerance,
        columns: fields.map(OutputOptions.columnNames))
      try remark(on: diff, sources.old, sources.new)
      if !quiet {
        let sink = try OutputSink(file)
        switch format ?? .table {
        case .table:
          let isOnTerminal = Console.showsOnTerminal(file)
          let width = Console.width(onTerminal: isOnTerminal)
          try sink.write(Array(diff.table(width: width).utf8))
        case .csv: try diff.writeCSV(to: sink)
        case .json: try sink.write(diff.json())
        case .jsonl: try diff.writeJSONLines(to: sink)
        }
        try sink.finish()
      }
      if diff.changes.isEmpty, quiet || exitStatus { Console.exit(.empty) }
    }
  }

  extension DiffCommand {
    private func sources() throws(ReportedError) -> (
      old: ImportedAnnotations, new: ImportedAnnotations
    ) {
      let files = (old: FileName(argument: old), new: FileName(argument: new))
      // Rejected rows of one are written before the other is read.
      ReadFiles.note(files.old)
      ReadFiles.note(files.new)
      if files.old.isStandardInput, files.new.isStandardInput {
        throw ReportedError(
          "one-standard-input", "OLD and NEW cannot both be -; name a file for one", fault: .usage)
      }
      var reading = try reading.reading()
      // What has no position is compared, too.
      reading.options.requiresPositions = false
      // A layer is of the source that has layers.
      let isStore = (
        old: try Source.hasLayers(files.old, reading.format),
        new: try Source.hasLayers(files.new, reading.format)
      )
      var old = reading
      var new = reading
      if isStore.new, !isStore.old { old.layer = nil }
      if isStore.old, !isStore.new { new.layer = nil }
      old.layer = oldLayer?.asTyped ?? old.layer
      return (
        try Source.annotations(of: [files.old], old), try Source.annotations(of: [files.new], new)
      )
    }

    /// Says what the comparison leaves out, and refuses a column that neither source has.
    private func remark(
      on diff: SourceDiff, _ old: ImportedAnnotations, _ new: ImportedAnnotations
    ) throws(ReportedError) {
      if let column = diff.missingColumn {
        for source in [new, old] { try source.requireField(column, of: "--fields") }
      }
      for (name, count) in [
        (self.old, diff.repeatedCounts.old), (self.new, diff.repeatedCounts.new),
      ]
      where count > 0 {
        Console.remark(
          "\(FileName(argument: name).text): \(grouped(count)) \(count == 1 ? "row repeats" : "rows repeat") "
            + "an id; the first of each is compared")
      }
      if let source = (old.numberedSources + new.numberedSources).first {
        Console.remark(
          "warning: compared-by-number: \(source) has no ids, so records are compared by their "
            + "number, which changes when one is added or removed before them; name a column with "
            + "--id-field")
      }
      let columns = diff.unsharedColumns
      if !columns.isEmpty {
        let shown = columns.prefix(8).joined(separator: ", ") + (columns.count > 8 ? ", …" : "")
        Console.remark(
          TerminalText.sanitized("not compared, because only one of the two has them: \(shown)"))
      }
    }
  }

  /// What changes are written as.
  enum ChangeFormat: String, WrittenFormat {
    case table, csv, json, jsonl
  }
#endif
