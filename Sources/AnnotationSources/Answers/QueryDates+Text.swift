import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch

extension QueryDates {
  /// Reads `today`, `tomorrow`, `this-month`, `all`, `next`, a date, a month as `2026-12`, or a run of days as
  /// `2026-12-01/2026-12-07`.
  package init(_ text: String, named name: String, today: CalendarDate) throws(ReportedError) {
    let choice: Choice
    switch text.lowercased() {
    case "today": choice = .segment(.today)
    case "tomorrow": choice = .segment(.tomorrow)
    case "this-month": choice = .segment(.thisMonth)
    case "all": choice = .segment(.all)
    case "next": choice = .next
    default:
      if let day = CalendarDate(text) {
        choice = .segment(.on(day))
      } else if let (first, last) = Self.ends(of: text) {
        let problem: String? =
          last < first
          ? "ends before it begins; write the earlier day first"
          : last.dayNumber - first.dayNumber >= Self.mostDays
            ? "has more than 3,653 days, ten years; write a shorter run" : nil
        if let problem {
          throw ReportedError("bad-date", "\(name) \"\(text)\" \(problem)", fault: .usage)
        }
        choice = .segment(.during(first...last))
      } else {
        throw ReportedError(
          "bad-date",
          "\(name) \"\(text)\" is not a day; write a date as 2026-11-22, a month as 2026-11, a run as "
            + "2026-11-22/2026-11-28, or today, tomorrow, this-month, next or all", fault: .usage)
      }
    }
    self.init(choice, today: today)
  }

  /// Whether which days are chosen, or which sessions are shown, depends on the date of today.
  var dependsOnToday: Bool {
    switch choice {
    case .segment(.on), .segment(.during): false
    case .segment, .next: true
    }
  }

  /// The longest run of days that is asked at once: ten years.
  private static let mostDays = 3_653

  /// The first and last day of a month, or of a run of days whose ends are named; nil for anything else.
  private static func ends(of text: String) -> (first: CalendarDate, last: CalendarDate)? {
    if text.utf8.count == 7, let first = CalendarDate(text + "-01") {
      return (first, first.endOfMonth)
    }
    let ends = text.split(separator: "/", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = CalendarDate(String(ends[0])),
      let last = CalendarDate(String(ends[1]))
    else { return nil }
    return (first, last)
  }
}

extension PlaceClocks {
  /// The date at a position, or else where most annotations are.
  package func today(
    at position: Coordinate?,
    orAmong annotations: @autoclosure () -> some RandomAccessCollection<ImportedAnnotation>,
    now: Instant
  ) -> CalendarDate {
    let date = setting(at: position, orAmong: annotations()).localTime(at: now).date
    // The clock of a machine may say anything; a calendar ends in 9999.
    return CalendarDate(year: date.0, month: date.1, day: date.2)
      ?? CalendarDate(year: 1970, month: 1, day: 1)!
  }
}
