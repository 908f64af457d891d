#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import TextMaps

  /// `nearby info SOURCE`: what is in it.
  struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "info",
      abstract:
        "Describe a source: how many annotations, where, which kinds and columns, an example.")

    @OptionGroup var input: InputOptions

    @OptionGroup var report: ReportOptions

    func run() throws {
      let writesJSON = try report.writesJSON()
      let result = try Source.read(try input.sourceFiles(), try input.sourceReading())
      let summary = SourceSummary(annotations: result.annotations, report: result.report)
      if writesJSON {
        try Console.write(report: PropertyValue.object(summary.members).jsonLine)
      } else {
        try Console.write(summary.text(width: Console.width()))
      }
    }
  }

  /// What a source holds.
  private struct SourceSummary {
    let annotations: ImportedAnnotations
    let report: ImportReport

    private var placed: Int { annotations.count { $0.coordinate != nil } }
    private var kinds: [(name: String, count: Int)] {
      annotations.kindCounts.filter { !$0.name.isEmpty }
    }

    var members: Properties {
      let placed = placed
      let kinds = kinds.map { Properties.Entry(name: $0.name, value: .integer($0.count)) }
      return [
        "sources": .array(annotations.sources.map { .string($0) }),
        "annotations": .integer(annotations.count), "placed": .integer(placed),
        "unplaced": .integer(annotations.count - placed),
        "rejected": .integer(report.rejectedCount), "bbox": .box(annotations.extent),
        "kinds": .object(Properties(kinds)),
        "columns": .array(annotations.allColumns.map { .string($0) }),
      ]
    }

    func text(width: Int) -> String {
      var lines = [
        ("annotations", "\(grouped(annotations.count)), of them \(grouped(placed)) placed")
      ]
      let sources = annotations.sources
      // Of several that are all empty none is named.
      if !sources.isEmpty { lines.insert(("sources", sources.joined(separator: ", ")), at: 0) }
      if report.rejectedCount > 0 { lines.append(("rejected", grouped(report.rejectedCount))) }
      if let box = annotations.extent {
        lines.append(
          (
            "bbox",
            box.edges.map(plainDecimal).joined(separator: ",")
          ))
      }
      let kinds = kinds
      if !kinds.isEmpty {
        lines.append(
          (
            "kinds",
            kinds.prefix(12).map { "\($0.name) \(grouped($0.count))" }.joined(separator: ", ")
              + (kinds.count > 12 ? ", … (\(kinds.count))" : "")
          ))
      }
      let columns = annotations.allColumns
      if !columns.isEmpty { lines.append(("columns", columns.joined(separator: ", "))) }
      if let first = annotations.first {
        let position = first.coordinate.map { "at \($0)" } ?? "without a position"
        lines.append(("first", "\(first.id) \(first.name ?? "") \(position)"))
      }
      return lines.map { name, value in
        let label = TerminalText.padded(name, to: 13)
        return label
          + TerminalText.truncated(TerminalText.sanitized(value), to: max(20, width - 13))
          + "\n"
      }.joined()
    }
  }
#endif
