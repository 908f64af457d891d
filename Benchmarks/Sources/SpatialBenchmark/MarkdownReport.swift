/// The results as tables for a page: engines down, operations across.
struct MarkdownReport {
  let result: Suite.Result

  var text: String {
    let data = result.data
    let engines = result.kinds.map(\.name)
    let own = engines.contains(NearbyKind.rowName)
    var text = """
      ### \(data.name): \(Figures.grouped(data.count)) points

      Best of the rounds, nanoseconds an operation (a point for building, bytes a point for \
      memory)\(own ? "; in brackets how many times the index of this package" : "").


      """
    text += table { row in
      let ratio = row.peer == NearbyKind.rowName ? nil : result.ratio(row)
      return Figures.number(row.best) + (ratio.map { " (\(Figures.ratio($0)))" } ?? "")
        + mark(row.verdict)
    }
    text += "\nMedian of the rounds, and by how much the slowest was slower than the fastest.\n\n"
    text += table { "\(Figures.number($0.median)), \(Figures.percent($0.spread))" }
    return text + "\n" + checks + "\n" + exactness
  }

  private func mark(_ verdict: Verdict) -> String {
    switch verdict {
    case .inexact: " *inexact*"
    case .wrong: " **wrong**"
    case .right, .unjudged: ""
    }
  }

  private func table(_ cell: (Row) -> String) -> String {
    let operations = result.operations
    var lines = [
      "| | " + operations.map { "`\($0)`" }.joined(separator: " | ") + " |",
      "|---|" + operations.map { _ in "--:|" }.joined(),
    ]
    for kind in result.kinds {
      let cells = operations.map { result.row(kind.name, $0).map(cell) ?? "" }
      lines.append("| \(kind.name) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// How many answers were looked at, and by whom.
  private var checks: String {
    var counts: [String: (rows: Int, answers: Int)] = [:]
    for row in result.rows where row.unit == .nanoseconds {
      let judge =
        switch row.verdict {
        case .right(let judge): judge
        case .inexact: "comparison with WGS 84"
        case .unjudged: "nobody"
        case .wrong: "a judge who found them wrong"
        }
      counts[judge, default: (0, 0)].rows += 1
      counts[judge, default: (0, 0)].answers += row.checked
    }
    let parts = counts.sorted { $0.key < $1.key }.map {
      "\(Figures.grouped($0.value.answers)) in \($0.value.rows) rows by \($0.key)"
    }
    return """
      Answers checked, the first of each row, 1,000 at most: \(parts.joined(separator: "; ")).

      """
  }

  /// What each engine is, how it is set, and how far its order is from the geodesic's.
  private var exactness: String {
    let operations = result.operations.filter { operation in
      result.otherSets.values.contains { $0[operation] != nil }
    }
    var lines = [
      "| | version | settings | measure | "
        + (operations.isEmpty
          ? "|"
          : "other sets than the geodesic's, of 1,000 questions: "
            + operations.map { "`\($0)`" }.joined(separator: ", ") + " |"),
      "|---|---|---|---|---|",
    ]
    for kind in result.kinds {
      let counts = operations.map { operation in
        result.otherSets[kind.name]?[operation].map(String.init) ?? "–"
      }
      lines.append(
        "| \(kind.name) | \(kind.version) | \(kind.settings) | \(kind.measure.rawValue) | "
          + (kind.measure == .wgs84 ? "exact" : counts.joined(separator: ", ")) + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
