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
      let summary = SourceSummary(result.annotations, report: result.report)
      if writesJSON {
        try Console.write(report: PropertyValue.object(summary.members).jsonLine)
      } else {
        try Console.write(summary.text(width: Console.width()))
      }
    }
  }

  /// What a source holds, counted once.
  private struct SourceSummary {
    private let sources: [String]
    private let count: Int
    private let placed: Int
    private let rejected: Int
    private let box: BoundingBox?
    private let kinds: [(name: String, count: Int)]
    private let columns: [String]
    private let first: ImportedAnnotation?

    init(_ annotations: ImportedAnnotations, report: ImportReport) {
      sources = annotations.sources
      count = annotations.count
      rejected = report.rejectedCount
      box = annotations.extent
      columns = annotations.allColumns
      first = annotations.first
      placed = annotations.count { $0.coordinate != nil }
      kinds = annotations.kindCounts.filter { !$0.name.isEmpty }
    }

    var members: Properties {
      [
        "sources": .array(sources.map { .string($0) }), "annotations": .integer(count),
        "placed": .integer(placed), "unplaced": .integer(count - placed),
        "rejected": .integer(rejected), "bbox": .box(box),
        "kinds": .object(
          Properties(kinds.map { Properties.Entry(name: $0.name, value: .integer($0.count)) })),
        "columns": .array(columns.map { .string($0) }),
      ]
    }

    func text(width: Int) -> String {
      var lines = [("annotations", "\(grouped(count)), of them \(grouped(placed)) placed")]
      // Of several that are all empty none is named.
      if !sources.isEmpty { lines.insert(("sources", sources.joined(separator: ", ")), at: 0) }
      if rejected > 0 { lines.append(("rejected", grouped(rejected))) }
      if let box {
        lines.append(
          (
            "bbox",
            [box.west, box.south, box.east, box.north].map(plainDecimal).joined(separator: ",")
          ))
      }
      if !kinds.isEmpty {
        lines.append(
          (
            "kinds",
            kinds.prefix(12).map { "\($0.name) \(grouped($0.count))" }.joined(separator: ", ")
              + (kinds.count > 12 ? ", … (\(kinds.count))" : "")
          ))
      }
      if !columns.isEmpty { lines.append(("columns", columns.joined(separator: ", "))) }
      if let first {
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
