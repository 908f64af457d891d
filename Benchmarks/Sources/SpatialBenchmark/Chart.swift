import Foundation

/// A drawing of time against the number of points, both logarithmic.
///
/// There is a panel for each operation and in it a line for each engine; the SVG file needs nothing
/// from outside.
struct Chart {
  let results: [Suite.Result]

  private static let panelWidth = 300.0, panelHeight = 230.0, columns = 3
  private static let left = 52.0, right = 34.0, top = 30.0, bottom = 36.0
  private static let legendRow = 18.0, legendColumn = 160.0
  /// Colors that stay apart in print; this package's line is the dark thick one.
  private static let colors = [
    "#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f",
    "#bcbd22", "#17becf", "#aec7e8", "#98df8a", "#c49c94",
  ]

  var svg: String {
    let operations = Suite.rowNames.filter { name in
      results.contains { !$0.rows(of: name).isEmpty }
    }
    let peers = results.flatMap(\.kinds).map(\.name).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let width = Chart.panelWidth * Double(Chart.columns)
    let legendColumns = Int(width / Chart.legendColumn)
    let legendHeight =
      Double((peers.count + legendColumns - 1) / legendColumns) * Chart.legendRow + 20
    let panelRows = (operations.count + Chart.columns - 1) / Chart.columns
    let height = legendHeight + Double(panelRows) * Chart.panelHeight
    var body = ""
    for (place, peer) in peers.enumerated() {
      let x = 12 + Double(place % legendColumns) * Chart.legendColumn
      let y = 16 + Double(place / legendColumns) * Chart.legendRow
      body += line(x, y, x + 22, y, style(peer, peers))
      body += label(x + 28, y + 4, peer, anchor: "start")
    }
    for (place, operation) in operations.enumerated() {
      body += panel(
        operation, peers, x: Double(place % Chart.columns) * Chart.panelWidth,
        y: legendHeight + Double(place / Chart.columns) * Chart.panelHeight)
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(width)) \(text(height))" \
      width="\(text(width))" height="\(text(height))" font-family="sans-serif" font-size="11">
      <rect width="100%" height="100%" fill="white"/>
      \(body)</svg>

      """
  }

  private func panel(_ operation: String, _ peers: [String], x: Double, y: Double) -> String {
    let points = results.flatMap { result in
      result.rows(of: operation).map { (peer: $0.peer, n: Double(result.data.count), $0.best) }
    }.filter { $0.2 > 0 }
    guard let least = points.map(\.2).min(), let most = points.map(\.2).max(),
      let fewest = points.map(\.n).min(), let greatest = points.map(\.n).max()
    else { return "" }
    // Half a decade of room beside a single size, whole decades of time.
    let horizontal =
      fewest < greatest
      ? log10(fewest)...log10(greatest) : log10(fewest) - 0.5...log10(fewest) + 0.5
    let low = floor(log10(least)), vertical = low...max(low + 1, ceil(log10(most)))
    let plotWidth = Chart.panelWidth - Chart.left - Chart.right
    let plotHeight = Chart.panelHeight - Chart.top - Chart.bottom
    func across(_ n: Double) -> Double {
      x + Chart.left + horizontal.part(log10(n)) * plotWidth
    }
    func up(_ value: Double) -> Double {
      y + Chart.top + (1 - vertical.part(log10(value))) * plotHeight
    }
    let grid = "stroke=\"#ddd\" stroke-width=\"1\""
    var body = label(
      x + Chart.left, y + Chart.top - 10, "\(operation), \(unit(of: operation))",
      anchor: "start", isBold: true)
    for decade in stride(from: vertical.lowerBound, through: vertical.upperBound, by: 1) {
      let value = pow(10, decade)
      body += line(
        x + Chart.left, up(value), x + Chart.left + plotWidth, up(value), grid)
      body += label(x + Chart.left - 5, up(value) + 4, decadeText(decade), anchor: "end")
    }
    for n in Set(points.map(\.n)).sorted() {
      body += line(across(n), y + Chart.top, across(n), y + Chart.top + plotHeight, grid)
      body += label(
        across(n), y + Chart.top + plotHeight + 15, Figures.grouped(Int(n)), anchor: "middle")
    }
    // This package's line last, so that no other lies over it.
    for peer in peers.filter({ $0 != NearbyKind.rowName }) + [NearbyKind.rowName] {
      let own = points.filter { $0.peer == peer }.sorted { $0.n < $1.n }
      guard !own.isEmpty else { continue }
      let path = own.map { "\(text(across($0.n))),\(text(up($0.2)))" }.joined(separator: " ")
      body += "<polyline points=\"\(path)\" fill=\"none\" \(style(peer, peers))/>\n"
      for point in own {
        body +=
          "<circle cx=\"\(text(across(point.n)))\" cy=\"\(text(up(point.2)))\" r=\"2.5\" "
          + "fill=\"\(color(peer, peers))\"/>\n"
      }
    }
    return body
  }

  private func unit(of operation: String) -> String {
    switch results.lazy.flatMap({ $0.rows(of: operation) }).first?.unit {
    case .bytesPerPoint: "bytes a point"
    case .nanosecondsPerPoint: "ns a point"
    case .nanoseconds, nil: "ns"
    }
  }

  private func decadeText(_ decade: Double) -> String {
    decade >= 6
      ? Figures.grouped(Int(pow(10, decade - 6))) + " M"
      : decade >= 0 ? Figures.grouped(Int(pow(10, decade))) : String(format: "%g", pow(10, decade))
  }

  private func color(_ peer: String, _ peers: [String]) -> String {
    guard peer != NearbyKind.rowName else { return "#111" }
    let place = peers.filter { $0 != NearbyKind.rowName }.firstIndex(of: peer) ?? 0
    return Chart.colors[place % Chart.colors.count]
  }

  private func style(_ peer: String, _ peers: [String]) -> String {
    "stroke=\"\(color(peer, peers))\" stroke-width=\"\(peer == NearbyKind.rowName ? 3 : 1.5)\""
  }

  private func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String
  ) -> String {
    "<line x1=\"\(text(x1))\" y1=\"\(text(y1))\" x2=\"\(text(x2))\" y2=\"\(text(y2))\" \(style)/>\n"
  }

  private func label(
    _ x: Double, _ y: Double, _ content: String, anchor: String, isBold: Bool = false
  ) -> String {
    let weight = isBold ? " font-weight=\"bold\"" : ""
    return
      "<text x=\"\(text(x))\" y=\"\(text(y))\" text-anchor=\"\(anchor)\"\(weight)>\(content)</text>\n"
  }

  private func text(_ coordinate: Double) -> String { String(format: "%.1f", coordinate) }
}

extension ClosedRange<Double> {
  /// Where a value lies between the bounds, 0 and 1 being these.
  fileprivate func part(_ value: Double) -> Double {
    (value - lowerBound) / (upperBound - lowerBound)
  }
}
