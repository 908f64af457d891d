import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch

extension QueryDates {
  /// Reads `today`, `tomorrow`, `this-month`, `all`, `next`, a date, a month as `2026-12`, or a run of days as
  /// `2026-12-01/2026-12-07`; all dates in the notations of columns, too.
  package init(_ text: String, named name: String, today: CalendarDate) throws(ReportedError) {
    let read =
      QueryDates(word: text.lowercased(), today: today)
      ?? Self.segment(text).map { QueryDates(.segment($0), today: today) }
    let isShortEnough =
      read?.days.map { $0.upperBound.dayNumber - $0.lowerBound.dayNumber < Self.mostDays } ?? true
    guard let dates = read, isShortEnough else {
      throw ReportedError(
        "bad-date",
        "\(name) \"\(text)\" \(Self.problem(of: text, isTooLong: !isShortEnough))", fault: .usage)
    }
    self = dates
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

  /// A day, a run of days, a month or a year.
  private static func segment(_ written: String) -> DateSegment? {
    let text = AnnotationDates.withJoinedRuns(written)
    // A day with a time would be more days than were asked for.
    let hasTime =
      text.contains { $0 == ":" || $0 == "T" }
      || zip(text, text.dropFirst()).contains { $0.isNumber && $1.isWhitespace }
    if hasTime { return nil }
    let span = AnnotationDates.span(text[...])
    let month = span == nil ? WrittenDay(text) : nil
    guard let first = span?.first ?? month?.first, let last = span?.last ?? month?.last else {
      return nil
    }
    return first == last ? .on(first) : .during(first...last)
  }

  /// What is wrong with a text, and what to write.
  private static func problem(of text: String, isTooLong: Bool) -> String {
    if isTooLong { return "has more than 3,653 days, ten years; write a shorter run" }
    let ends = text.split(separator: "/", omittingEmptySubsequences: false)
      .map { CalendarDate(String($0)) }
    if ends.count == 2, let first = ends[0], let last = ends[1], last < first {
      return "ends before it begins; write the earlier day first"
    }
    return "is not a day; write a date as 2026-11-22, a month as 2026-11, a run as "
      + "2026-11-22/2026-11-28, or today, tomorrow, this-month, next or all"
  }
}

extension PlaceClocks {
  /// The date at a position, or else where most annotations are.
  package func today(
    at position: Coordinate?,
    orAmong annotations: @autoclosure () -> some RandomAccessCollection<ImportedAnnotation>,
    now: Instant
  ) -> CalendarDate {
    let day = setting(at: position, orAmong: annotations()).localTime(at: now).day
    // The clock of a machine may say anything; a calendar ends in 9999.
    return CalendarDate(dayNumber: day) ?? CalendarDate(dayNumber: 0)!
  }
}
