import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations

/// Which days an answer is of, as `--on` says it.
struct DateSelection {
  /// What the option may say.
  enum Choice: Equatable {
    case segment(DateSegment)
    /// Each annotation's own first business day.
    case next
  }

  let choice: Choice
  /// The date where the question stands, for the words that need one.
  let today: CalendarDate

  /// Reads `today`, `tomorrow`, `this-month`, `all`, `next`, a date, a month as `2026-12`, or a run of days as
  /// `2026-12-01/2026-12-07`.
  init(_ text: String, today: CalendarDate) throws(CommandError) {
    self.today = today
    switch text.lowercased() {
    case "today": choice = .segment(.today)
    case "tomorrow": choice = .segment(.tomorrow)
    case "this-month": choice = .segment(.thisMonth)
    case "all": choice = .segment(.all)
    case "next": choice = .next
    default:
      if let day = CalendarDate(text) {
        choice = .segment(.on(day))
      } else if let days = Self.run(text) {
        choice = .segment(.during(days))
      } else {
        throw CommandError(
          "bad-date",
          "--on \"\(text)\" is no day; write a date as 2026-11-22, a month as 2026-11, a run as "
            + "2026-11-22/2026-11-28, or today, tomorrow, this-month, next or all", status: .usage)
      }
    }
  }

  /// The longest run of days that is asked at once: ten years.
  private static let mostDays = 3_653

  /// A month, or a run of days whose ends are named; nil for anything else.
  private static func run(_ text: String) -> ClosedRange<CalendarDate>? {
    if text.utf8.count == 7, let first = CalendarDate(text + "-01") { return first.wholeMonth }
    let ends = text.split(separator: "/", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = CalendarDate(String(ends[0])),
      let last = CalendarDate(String(ends[1])), first <= last,
      last.dayNumber - first.dayNumber < mostDays
    else { return nil }
    return first...last
  }

  /// Whether an annotation holds on those days, or may: what was not understood stays visible.
  func includes(_ annotation: some Annotation) -> Bool {
    let calendar = annotation.calendar
    switch choice {
    case .segment(let segment): return calendar.holds(in: segment, today: today) ?? true
    case .next: return calendar.firstDay(onOrAfter: today) != nil || !calendar.unread.isEmpty
    }
  }

  /// The sessions to list: those of the day, or of the first of the days that has some.
  ///
  /// - Returns: nil for an annotation without a timetable.
  func sessions(of annotation: some Annotation) -> [Session]? {
    let calendar = annotation.calendar
    guard calendar.timetable != nil else { return nil }
    var first = today
    var last: CalendarDate?
    if case .segment(let segment) = choice, let days = segment.days(today: today) {
      first = days.lowerBound
      last = days.upperBound
    }
    guard let day = calendar.firstDay(onOrAfter: first), last.map({ day <= $0 }) ?? true else {
      return []
    }
    return calendar.sessions(on: day)
  }

  /// The days of the answer on which an annotation is certain to hold; nil where the answer has no end.
  func days(of annotation: ImportedAnnotation) -> [CalendarDate]? {
    switch choice {
    case .next: return annotation.calendar.firstDay(onOrAfter: today).map { [$0] } ?? []
    case .segment(let segment):
      return segment.days(today: today).map { annotation.calendar.days(in: $0) }
    }
  }

  /// The one day that is asked for; nil for more than one.
  var day: CalendarDate? {
    guard case .segment(let segment) = choice, let days = segment.days(today: today),
      days.lowerBound == days.upperBound
    else { return nil }
    return days.lowerBound
  }

  /// The days in words, as JSON repeats them and cursors remember them.
  var words: String {
    if let day { return "\(day)" }
    switch choice {
    case .segment(let segment):
      return segment.days(today: today).map { "\($0.lowerBound)/\($0.upperBound)" } ?? "all"
    case .next: return "next:\(today)"
    }
  }
}

extension PlaceClocks {
  /// The date at a position, or of the machine's own zone where there is none.
  func today(at position: Coordinate?) -> CalendarDate {
    let date = setting(at: position).localTime(at: Int64(Console.milliseconds / 1000)).date
    // The clock of a machine may say anything; a calendar ends in 9999.
    return CalendarDate(year: date.0, month: date.1, day: date.2)
      ?? CalendarDate(year: 1970, month: 1, day: 1)!
  }
}
