import AnnotationImport
import Geodesy

extension SourceReading {
  /// Says what there is to say of a source that was read.
  func tell(_ report: ImportReport, of file: FileName) {
    SourceReading.lines(
      report, name: file.isStandardInput ? "standard input" : file.text,
      tellsUnplaced: tellsUnplaced
    ).forEach(surroundings.remark)
  }

  /// Says how many records of a source have no position, where some have none.
  func tellUnplaced(_ count: Int, of records: Int, in name: String) {
    if count > 0 { surroundings.remark(SourceReading.unplaced(count, of: records, in: name)) }
  }

  private static func unplaced(
    _ count: Int, of records: Int, in name: String, _ example: String? = nil
  ) -> String {
    "\(name): \(grouped(count)) of \(grouped(records, "record")) \(count == 1 ? "has" : "have") no position "
      + (example.map { "(row-no-coordinate); first: \($0)" } ?? "(unplaced)")
  }

  package static func lines(_ report: ImportReport, name: String, tellsUnplaced: Bool) -> [String] {
    var lines = report.remarks
    if report.rejectedCount > 0 {
      lines.append("\(name): \(report.rejectionSummary)")
      // The first row of each reason, so that a person knows where to look.
      for reason in report.rankedReasons.prefix(3) {
        if let example = report.examples[reason.code] {
          lines.append("  \(reason.code): \(example)")
        }
      }
    }
    if report.unplaced > 0, tellsUnplaced {
      lines.append(
        unplaced(
          report.unplaced, of: report.records, in: name, report.examples["row-no-coordinate"]))
    }
    for warning in report.rankedWarnings {
      let example = report.examples[warning.code] ?? name
      let count =
        warning.count == 1 ? "" : "\(name): \(grouped(warning.count)) records; first: "
      lines.append("warning: \(warning.code): \(count)\(example)")
    }
    return lines
  }
}
