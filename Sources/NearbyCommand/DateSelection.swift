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

  /// Reads `today`, `tomorrow`, `this-month`, `all`, `next` or a date.
  init(_ text: String, today: CalendarDate) throws(CommandError) {
    self.today = today
    switch text.lowercased() {
    case "today": choice = .segment(.today)
    case "tomorrow": choice = .segment(.tomorrow)
    case "this-month": choice = .segment(.thisMonth)
    case "all": choice = .segment(.all)
    case "next": choice = .next
    default:
      guard let day = CalendarDate(text) else {
        throw CommandError(
          "bad-date",
          "--on \"\(text)\" is no day; write a date as 2026-11-22, "
            + "or today, tomorrow, this-month, next or all", status: .usage)
      }
      choice = .segment(.on(day))
    }
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
    case .segment(.thisMonth): return "\(today)/\(today.endOfMonth)"
    case .next: return "next:\(today)"
    default: return "all"
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
