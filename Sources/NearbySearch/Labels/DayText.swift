import MapAnnotations

/// A day as apps write it: `2026-12-13 (일)`, with `오늘` or `내일` instead of the weekday for today and
/// tomorrow.
///
///     DayText(closing, today: today, in: .korean).description    // "2026-12-13 (일)"
///     DayText(today, today: today, in: .japanese).description    // "2026-11-22 (今日)"
///     DayText(tomorrow, today: today).word                       // "tomorrow"
///
/// The date is written as in ISO 8601 in every language, so that a list of dates lines up. The caller passes the
/// current day at the place: nothing here reads a clock.
public struct DayText: Hashable, Sendable, CustomStringConvertible {
  /// The date alone: `2026-12-13`.
  public let date: String
  /// The weekday, or today or tomorrow: `일`, `오늘`; `日`, `明日`; `Sun`, `tomorrow`.
  public let word: String

  /// The date, and the word in parentheses after it.
  public var description: String { "\(date) (\(word))" }

  /// The text of a day.
  ///
  /// - Parameters:
  ///   - day: Any day.
  ///   - today: The current day; nil to use the weekday for every day.
  ///   - language: The language of the word.
  public init(_ day: CalendarDate, today: CalendarDate?, in language: LabelLanguage = .english) {
    date = day.description
    let (now, next, weekdays) = DayText.words(in: language)
    switch today.map({ day.dayNumber - $0.dayNumber }) {
    case 0?: word = now
    case 1?: word = next
    default: word = weekdays[day.weekday]
    }
  }

  /// Today, tomorrow, and the weekdays from Monday on.
  private static func words(
    in language: LabelLanguage
  ) -> (today: String, tomorrow: String, weekdays: [String]) {
    switch language {
    case .english: ("today", "tomorrow", ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    case .korean: ("오늘", "내일", ["월", "화", "수", "목", "금", "토", "일"])
    case .japanese: ("今日", "明日", ["月", "火", "水", "木", "金", "土", "日"])
    }
  }
}
