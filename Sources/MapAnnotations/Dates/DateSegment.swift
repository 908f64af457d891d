import Geodesy

/// The days that a list or map covers: today, tomorrow, this month, or all.
public enum DateSegment: Hashable, Sendable {
  /// The current day.
  case today
  /// The next day; on 9999-12-31, the last date, the same day.
  case tomorrow
  /// From today to the end of the month.
  case thisMonth
  /// One day.
  case on(CalendarDate)
  /// A range of days, both ends included: a week of a calendar, or ``CalendarDate/wholeMonth``.
  case during(ClosedRange<CalendarDate>)
  /// Every day.
  case all

  /// The days of the segment; nil for all.
  ///
  /// - Parameter today: The place's own date; no function here reads a clock.
  public func days(today: CalendarDate) -> ClosedRange<CalendarDate>? {
    switch self {
    case .today: return today...today
    case .tomorrow:
      guard let day = today.adding(days: 1) else { return today...today }
      return day...day
    case .thisMonth: return today...today.endOfMonth
    case .on(let day): return day...day
    case .during(let days): return days
    case .all: return nil
    }
  }

  /// The segment as text: `today`, `tomorrow`, `this-month`, `all`, `2026-12-13`, or
  /// `2026-12-01/2026-12-31`.
  package var word: String {
    switch self {
    case .today: "today"
    case .tomorrow: "tomorrow"
    case .thisMonth: "this-month"
    case .all: "all"
    case .on(let day): "\(day)"
    case .during(let days): "\(days.lowerBound)/\(days.upperBound)"
    }
  }

  /// Reads the text of `word`; nil for anything else.
  package init?(word: String) {
    switch word {
    case "today": self = .today
    case "tomorrow": self = .tomorrow
    case "this-month": self = .thisMonth
    case "all": self = .all
    default:
      let days = word.split(separator: "/", omittingEmptySubsequences: false).map {
        CalendarDate(String($0))
      }
      switch days.count {
      case 1:
        guard let day = days[0] else { return nil }
        self = .on(day)
      case 2:
        guard let first = days[0], let last = days[1], first <= last else { return nil }
        self = .during(first...last)
      default: return nil
      }
    }
  }

  package static let words =
    "write today, tomorrow, this-month, all, a day as 2026-12-13, or two with / between them"
}

extension DateSegment: Codable {
  /// Encodes the text of `word`: `"today"`, `"tomorrow"`, `"this-month"`, `"all"`, `"2026-12-13"`,
  /// or `"2026-12-01/2026-12-31"`.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(word) }

  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    guard let segment = DateSegment(word: word) else {
      throw decoder.refusal("\"\(word)\" names no days; \(DateSegment.words)")
    }
    self = segment
  }
}
