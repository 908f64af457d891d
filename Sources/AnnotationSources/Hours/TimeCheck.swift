import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations

/// Warns of hours and dates that could not be read, which any question about time leaves *unknown*, and of hours that
/// are hardly meant as they are read.
package enum TimeCheck {
  /// Counts the rows in a report, each different text read once.
  ///
  /// - Parameter onRow: Is called with the offset of each row before it is read.
  package static func count(
    _ annotations: ImportedAnnotations, in report: inout ImportReport, onRow: (Int) -> Void
  ) {
    var known: [String: Remark?] = [:]
    for place in annotations.rows(withTimesOr: HoursColumns.cellNames) {
      let item = annotations[place]
      onRow(place)
      let text = HoursColumns.text(of: item) ?? ""
      let days = item.closingDays ?? ""
      if !text.isEmpty || !days.isEmpty {
        let key = "\(text)\u{1E}\(days)"
        let remark: Remark? =
          known[key] ?? hoursRemark(text, days, isCells: HoursColumns.isCells(item))
        known[key] = .some(remark)
        if let remark {
          report.countWarning(remark.code, example: "\(row(item)): \(remark.text)")
        }
      }
      // A day that was read is that of the record; other records need no second look.
      let business = item.business
      if business.absence == .closedDown, business.days.first == nil,
        let day = BusinessRecord.unreadClosingDay(in: item.properties)
      {
        report.countWarning(
          "dates-unread",
          example: "\(row(item)): \"\(shortened(day))\" is not a day; it counts as closed down")
      }
      let unread = item.calendar.unread
      if let first = unread.first {
        let why =
          fault(in: first).map { ": \($0)" } ?? " is not a day, a rule or a session"
        let outcome =
          WrittenDay(first)?.isInUTC == true
          ? "it may begin or end on the day before or after" : "on which days it holds is unknown"
        report.countWarning(
          "dates-unread", example: "\(row(item)): \"\(shortened(first))\"\(why); \(outcome)")
      }
    }
  }

  /// The code of a warning and its words.
  private typealias Remark = (code: String, text: String)

  /// Why a recurrence was not read, or not to its end, or a day is not certain; nil for any other text.
  private static func fault(in text: String) -> String? {
    if WrittenDay(text)?.isInUTC == true { return "the time is in UTC; write the local day" }
    if let remedy = remedy(forYearLast: text) { return remedy }
    let words = text.split(separator: " ").map { CalendarDate(String($0)) }
    if words.count == 3, let first = words[0], let last = words[2], last < first {
      return "the last day is before the first; correct one of them"
    }
    do throws(RecurrenceError) {
      let recurrence = try AnnotationDates.recurrence(text)
      return recurrence?.rules.contains(where: \.isUntilUTC) == true
        ? "UNTIL is in UTC; write a time of the place" : nil
    } catch {
      return error.description
    }
  }

  /// What to do about a date such as `5/6/2020`, of which nobody knows whether the month comes first; nil for any other
  /// text.
  static func remedy(forYearLast text: String) -> String? {
    let numbers = text.prefix { $0.isNumber || "/.-".contains($0) }.split { "/.-".contains($0) }
    guard numbers.count == 3, numbers[2].utf8.count == 4,
      numbers[..<2].allSatisfy({ $0.utf8.count <= 2 }),
      numbers.allSatisfy({ wholeNumber(String($0)) != nil })
    else { return nil }
    return "dates with the year last are not read; write them as 2026-01-31"
  }

  /// What is wrong with hours and closing days; nil where every word of them was read and may be meant.
  private static func hoursRemark(_ text: String, _ days: String, isCells: Bool) -> Remark? {
    let read = HoursColumns.read(text, days)
    // What is wrong may be in the closing days alone, and hours that are joined with them have no warnings.
    let hours = days.isEmpty ? read : HoursColumns.read(text, "")
    let cells = text.split { $0.isNewline || $0 == HoursColumns.separator }
    let shown = isCells ? cells.joined(separator: " / ") : text
    guard read.extent != .whole else {
      // Of blank cells nothing is doubtful: they do not say.
      let doubt =
        read.doubts.first { $0.kind == .emptyTimes && $0.text.contains(where: \.isNumber) }
        .map { "\"\($0.text)\" \($0.kind.rawValue)" }
        ?? hours.hours.warnings.first { !$0.kind.isOfSpelling }?.description
      return doubt.map { ("hours-doubtful", "hours \"\(shortened(shown))\": \($0)") }
    }
    let written = [shown, days].filter { !$0.isEmpty }.joined(separator: " / ")
    let doubt =
      isCells
      // A number of a character would look like that of one of the columns.
      ? read.doubts.first { $0.kind != .emptyTimes }.map { "\"\($0.text)\" \($0.kind.rawValue)" }
      : HoursColumns.error(in: text, hours)?.description ?? read.doubts.first?.description
    return ("hours-unread", "hours \"\(shortened(written))\"\(doubt.map { ": \($0)" } ?? "")")
  }

  private static func row(_ item: ImportedAnnotation) -> String {
    guard let origin = item.origin else { return "id \(item.id.text)" }
    return "\(origin.source), record \(origin.record)"
  }

  private static func shortened(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count <= 60 ? line : line.prefix(59) + "…"
  }
}
