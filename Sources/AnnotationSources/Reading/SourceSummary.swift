import AnnotationImport
import Geodesy
import MapAnnotations
import TextMaps

/// What a source holds.
package struct SourceSummary {
  private let annotations: ImportedAnnotations
  private let report: ImportReport

  package init(_ annotations: ImportedAnnotations, _ report: ImportReport) {
    self.annotations = annotations
    self.report = report
  }

  private var placed: Int { annotations.count { $0.coordinate != nil } }
  private var kinds: [(name: String, count: Int)] {
    annotations.kindCounts.filter { !$0.name.isEmpty }
  }

  /// The summary as an object.
  package var members: Properties {
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

  /// The summary in lines as wide as a terminal, in columns.
  package func text(width: Int) -> String {
    var lines: [(name: String, value: String)] = []
    // Of several sources that are all empty none is named.
    func add(_ name: String, _ value: String) {
      if !value.isEmpty { lines.append((name, value)) }
    }
    add("sources", annotations.sources.joined(separator: ", "))
    add("annotations", "\(grouped(annotations.count)), of them \(grouped(placed)) placed")
    if report.rejectedCount > 0 { add("rejected", grouped(report.rejectedCount)) }
    add("bbox", annotations.extent?.edges.map(plainDecimal).joined(separator: ",") ?? "")
    let kinds = kinds
    add(
      "kinds",
      kinds.prefix(12).map { "\($0.name) \(grouped($0.count))" }.joined(separator: ", ")
        + (kinds.count > 12 ? ", … (\(kinds.count))" : ""))
    add("columns", annotations.allColumns.joined(separator: ", "))
    if let first = annotations.first {
      let position = first.coordinate.map { "at \($0)" } ?? "without a position"
      let name = first.name.map { " \($0)" } ?? ""
      add("first", "\(first.id)\(name) \(position)")
    }
    return lines.map { line in
      LineWrapping.line(
        TerminalText.padded(line.name, to: 13), TerminalText.sanitized(line.value), width: width)
    }.joined()
  }
}

extension ImportReport {
  /// What is wrong with a source, as an object.
  ///
  /// - Parameter things: What is counted: records, or annotations where a record may have several.
  package func members(of things: String) -> Properties {
    func counts(_ ranked: [(code: String, count: Int)]) -> PropertyValue {
      .object(
        Properties(ranked.map { Properties.Entry(name: $0.code, value: .integer($0.count)) }))
    }
    return [
      things: .integer(records), "placed": .integer(placed), "unplaced": .integer(unplaced),
      "rejected": counts(rankedReasons), "warnings": counts(rankedWarnings),
    ]
  }

  /// The same in lines, each code with its first example.
  ///
  /// - Parameters:
  ///   - things: What is counted: records, or annotations where a record may have several.
  ///   - worded: Gives the names of settings in an example as the reader knows them.
  package func lines(of things: String, worded: (String) -> String) -> [String] {
    let counts = [
      (things, records), ("placed", placed), ("unplaced", unplaced), ("rejected", rejectedCount),
    ]
    let width = max(things.utf8.count, "unplaced".utf8.count) + 2
    var lines = counts.map { TerminalText.padded($0.0, to: width) + grouped($0.1) }
    func list(_ title: String, _ ranked: [(code: String, count: Int)]) {
      guard !ranked.isEmpty else { return }
      lines += ["", title]
      let width = ranked.map { grouped($0.count).count }.max() ?? 0
      for (code, count) in ranked {
        let number = grouped(count)
        lines.append(String(repeating: " ", count: 2 + width - number.count) + "\(number)  \(code)")
        if let example = examples[code] {
          lines.append(String(repeating: " ", count: width + 4) + worded(example))
        }
      }
    }
    list("rejected, most frequent reason first", rankedReasons)
    if unplaced > 0, rejected["row-no-coordinate"] == nil {
      list("kept without a position", [("row-no-coordinate", unplaced)])
    }
    list("warnings", rankedWarnings)
    return lines
  }
}
