import Geodesy
import MapAnnotations
import NearbySearch
import TextMaps

// What an answer lacks: days that were not understood, and what servers did not say.

extension Listing {
  /// Which days and sessions of the answer were not understood; nil if all were that concern the days which the query
  /// asks for, or if it asks for none.
  package var unreadDatesRemark: String? {
    guard let dates = query.dates else { return nil }
    var undecided: [String] = []
    var incomplete: [String] = []
    for row in rows {
      let calendar = row.annotation.calendar
      guard let words = calendar.unread.first else { continue }
      if dates.isMet(by: calendar) == nil {
        undecided.append(words)
      } else if !calendar.isRead(for: dates.days),
        // Of a single day without sessions nothing more is to be known.
        dates.day == nil || calendar.timetable != nil
      {
        incomplete.append(words)
      }
    }
    let told = undecided.isEmpty ? incomplete : undecided
    guard let words = told.first else { return nil }
    return
      "\(told.count) of these \(told.count == 1 ? "has" : "have") days or times "
      + "that were not understood, and may \(undecided.isEmpty ? "have more days or sessions" : "not be valid") then: "
      + "\"\(TerminalText.sanitized(String(words.prefix(80))))\""
  }

  /// How old the answer may be; nil if it is not from a replica that lags.
  package var replicaRemark: String? {
    guard let lag = replicaLag, lag > 0 else { return nil }
    return lag.isFinite
      ? "replica: changes of the last \(grouped(Int(lag.rounded(.up)), "second")) may be missing"
      : "replica: changes may be missing, and how far it is behind is not known"
  }

  /// Takes down what was not asked or may not be known yet, so that the answer may not be the whole one.
  package mutating func lack(whatOf opened: OpenedIndex) {
    replicaLag = opened.replicaLag
    guard let lost = opened.missing else { return }
    if query.origin != nil { validRadius = .zero }
    missing = MissingParts(
      names: lost.servers, clearance: lost.clearance, in: query,
      distances: rows.map { $0.distance ?? .infinity })
  }
}

extension MissingParts {
  /// Which servers did not answer, and what that leaves of the answer.
  package var remark: String {
    let names = names.map(TerminalText.sanitized).joined(separator: ", ")
    return "incomplete: \(names) did not answer; "
      + (certainCount == 0
        ? "results may be missing anywhere"
        : "results may be missing after the first\(certainCount == 1 ? "" : " \(certainCount)")")
  }
}
