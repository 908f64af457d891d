import GPXCoding
import Geodesy
import TextMaps
import TrackImport

/// A judged track as text: a line for each fix, which needs no other, and a summary.
package struct TrackText {
  /// Columns of the terminal.
  package let width: Int
  /// Whether all reasons stand, and what it would have taken.
  package let explains: Bool
  /// The words for what would have given the other verdict.
  package let words: (JudgedPoint.Otherwise) -> [String]

  private static let timeColumns = 20

  private var showsTime: Bool { width >= 60 }

  package var header: String { line("fix", showsTime ? "time" : "", "verdict", "why") }

  package func lines(of judged: JudgedPoint) -> String {
    var sentences = judged.sentences
    if !explains { sentences = Array(sentences.prefix(1)) }
    var text = line(
      String(judged.number), TrackText.time(of: judged.point), judged.verdict.rawValue,
      sentences.first ?? "")
    guard explains else { return text }
    for sentence in sentences.dropFirst() { text += line("", "", "", sentence) }
    text += line("", "", "", place(of: judged.point))
    if let words = judged.otherwise.map(words) {
      let other = judged.isAccepted ? "held with" : "accepted with"
      text += line("", "", "", "\(other) \(words.joined(separator: ", "))")
    } else if !judged.isAccepted {
      text += line("", "", "", "no setting would accept it")
    }
    return text
  }

  private func place(of point: TrackPoint) -> String {
    var text = "line \(point.line)"
    if let latitude = point.fix.latitude, let longitude = point.fix.longitude,
      point.unreadDegrees == nil
    {
      text += ": \(plainDecimal(latitude)),\(plainDecimal(longitude))"
    }
    if let accuracy = point.fix.accuracy { text += " ±\(plainDecimal(accuracy)) m" }
    return text
  }

  private func line(_ number: String, _ time: String, _ verdict: String, _ why: String) -> String {
    var text = TrackText.padded(number, 6, right: true) + "  "
    if showsTime { text += TrackText.padded(time, TrackText.timeColumns) + "  " }
    text += TrackText.padded(verdict, 8) + "  "
    // Explained, a reason is not cut: it takes as many lines as it needs.
    // A reason may quote a field of the file.
    return LineWrapping.line(
      text, TerminalText.sanitized(why), width: width,
      under: width - text.utf8.count < 12 ? 8 : nil, isCut: !explains)
  }

  /// A text padded with spaces to a number of columns; longer ones stay as they are.
  static func padded(_ text: String, _ columns: Int, right: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, columns - DisplayWidth.columns(of: text)))
    return right ? blanks + text : text + blanks
  }

  /// The time of a fix; of one without a day the time of day alone.
  package static func time(of point: TrackPoint) -> String {
    guard let time = point.fix.time, let text = GPXTime.text(time) else { return "" }
    // Tenths of a second are in the data formats.
    let whole = text.prefix { $0 != "." && $0 != "Z" }
    return point.isDated ? whole + "Z" : String(whole.dropFirst(11))
  }
}

extension TrackText {
  package func summary(_ tally: TrackTally, _ counts: TrackCounts) -> String {
    var lines: [String] = []
    let format = counts.format?.title ?? "nothing"
    guard tally.summary.fixes > 0 else {
      var text = "no fixes from \(format)"
      if let document = counts.document, document.waypoints + document.routePoints > 0 {
        text +=
          ": waypoints \(grouped(document.waypoints)), points of routes "
          + "\(grouped(document.routePoints)), track points 0"
      }
      return LineWrapping.line("", text, width: width)
    }
    lines.append(
      "fixes     \(grouped(tally.summary.fixes)) from \(format), in \(grouped(counts.parts, "part"))"
        + (counts.otherRecords > 0 ? ", other records \(grouped(counts.otherRecords))" : ""))
    if let times = tally.summary.times, let duration = tally.summary.duration,
      let start = GPXTime.text(times.lowerBound), let end = GPXTime.text(times.upperBound)
    {
      lines.append("time      \(start) to \(end), \(TrackText.duration(duration))")
    }
    for verdict in JudgedPoint.Verdict.allCases {
      let list = tally.reasonList(verdict, space: "\u{A0}")
      lines.append(
        TrackText.padded(verdict.rawValue, 10) + grouped(tally.count(verdict))
          + (list.isEmpty ? "" : ": " + list))
    }
    lines.append(
      "length    \(tally.summary.length.label) recorded, \(tally.believed.length.label) believed, "
        + "\(tally.accepted.length.label) accepted")
    if tally.summary.stillSteps + tally.summary.sameTimeSteps + tally.summary.backwardSteps > 0 {
      lines.append(
        "steps     \(grouped(tally.summary.sameTimeSteps)) at the same time, "
          + "\(grouped(tally.summary.backwardSteps)) back in time, "
          + "\(grouped(tally.summary.stillSteps)) without moving")
    }
    if let median = tally.summary.speed(quantile: 0.5), let most = tally.summary.speeds.max() {
      lines.append(
        "speed     \(TrackText.rounded(median)) m/s median, "
          + "\(TrackText.rounded(most)) m/s greatest recorded, "
          + "\(TrackText.rounded(tally.greatestBelievedSpeed)) m/s believed")
    }
    return TrackText.wrapped(lines, width)
  }

  /// Lines of a summary, whose words begin at column 10, as wide as a terminal.
  package static func wrapped(_ lines: [String], _ width: Int) -> String {
    lines.map {
      LineWrapping.line(String($0.prefix(10)), String($0.dropFirst(10)), width: width)
    }.joined()
  }

  private static func rounded(_ speed: Double) -> String {
    guard speed.isFinite, speed < 1e12 else { return "infinitely many" }
    return plainDecimal((speed * 10).rounded() / 10)
  }

  private static func duration(_ seconds: Double) -> String {
    guard abs(seconds) < 1e12 else { return "very long" }
    let whole = Int(seconds.rounded())
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    if hours > 0 { return "\(grouped(hours)) h \(minutes) min" }
    return minutes > 0 ? "\(minutes) min \(whole % 60) s" : "\(whole) s"
  }
}

extension TrackFormat {
  /// The format as people call it.
  fileprivate var title: String {
    switch self {
    case .gpx: "GPX"
    case .nmea: "NMEA"
    case .csv: "CSV"
    case .geojson: "GeoJSON"
    case .geojsonseq: "JSON Lines"
    }
  }
}
