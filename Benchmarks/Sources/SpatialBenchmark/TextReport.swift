import Foundation

/// The results for the eye: operation by operation, every engine with its spread and its verdict.
struct TextReport {
  let result: Suite.Result

  var text: String {
    let data = result.data
    var lines = ["\(data.name): \(Figures.grouped(data.count)) points"]
    for operation in result.operations {
      lines.append("")
      lines.append(
        row(operation, ["best", "median", "spread", "to \(NearbyKind.rowName)"], ""))
      for row in result.rows(of: operation) {
        lines.append(
          self.row(
            "  " + row.peer,
            [
              Figures.number(row.best), Figures.number(row.median), Figures.percent(row.spread),
              result.ratio(row).map(Figures.ratio) ?? "–",
            ], TextReport.text(of: row)))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(_ name: String, _ figures: [String], _ answers: String) -> String {
    name.padding(toLength: 32, withPad: " ", startingAt: 0)
      + figures.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
      + (answers.isEmpty ? "" : "  " + answers)
  }

  private static func text(of row: Row) -> String {
    switch row.verdict {
    case .unjudged: row.unit == .nanoseconds ? "not judged" : ""
    case .right(let judge): "right (\(judge))"
    case .inexact(let differences, let count): "inexact (\(differences) of \(count) questions)"
    case .wrong(let why): "WRONG: \(why)"
    }
  }
}
