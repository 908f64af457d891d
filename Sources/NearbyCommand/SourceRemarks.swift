import AnnotationImport
import Geodesy

/// What is said on standard error of a source that was not read without remark.
enum SourceRemarks {
  /// - Parameter tellsUnplaced: Whether it is said that positions are missing.
  static func say(_ report: ImportReport, of file: FileName, tellsUnplaced: Bool) {
    let name = file.isStandardInput ? "standard input" : file.text
    for line in lines(
      report, name: name, tellsUnplaced: tellsUnplaced)
    {
      Console.remark(line)
    }
  }

  static func lines(_ report: ImportReport, name: String, tellsUnplaced: Bool) -> [String] {
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
        "\(name): \(grouped(report.unplaced)) of \(grouped(report.records)) records have no position "
          + (report.examples["row-no-coordinate"].map { "(row-no-coordinate); first: \($0)" }
            ?? "(unplaced)"))
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
