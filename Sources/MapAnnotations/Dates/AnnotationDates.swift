import BusinessHours

/// The days on which a deal or an event is valid, as its source writes them.
///
///     let deal = AnnotationDates("15, 月曜日, 20261224, !2026-12-25")
///     deal.contains(CalendarDate("2026-12-15")!)  // true, the 15th of every month
///     deal.contains(CalendarDate("2026-12-14")!)  // true, a Monday
///     deal.contains(CalendarDate("2026-12-25")!)  // false, an exception
///
/// It is valid on days that match any of its ``rules`` and no exception.
public struct AnnotationDates: Hashable, Sendable {
  /// A rule that selects days.
  public enum Rule: Hashable, Sendable {
    /// Every day.
    case everyDay
    /// A day of the month, 1 to 31; skipped in months that do not have it.
    case dayOfMonth(Int)
    /// A weekday, 0 for Monday to 6 for Sunday.
    case weekday(Int)
    /// A day, or a range of days.
    case span(DateSpan)
    /// An iCalendar rule.
    case recurrence(Recurrence)
  }

  /// A rule for days on which it may be valid, and its text.
  struct Doubt: Hashable, Sendable {
    var rule: Rule
    var text: String
  }

  /// The rules; a day needs to match only one.
  public var rules: [Rule]
  /// Excluded days, whatever the rules say.
  public var exceptions: [DateSpan]
  /// Texts of the source that name no days.
  public var unread: [String]
  /// Rules for days on which it may be valid, beyond those of ``rules``.
  var doubts: [Doubt] = []

  /// Makes dates from rules.
  public init(rules: [Rule], exceptions: [DateSpan] = [], unread: [String] = []) {
    self.rules = rules
    self.exceptions = exceptions
    self.unread = unread
  }

  /// Whether it is valid on a day; nil if a text that was not understood might name the day.
  public func contains(_ day: CalendarDate) -> Bool? { contains(anyOf: day...day) }

  /// How many days a search for the next one covers: ten years.
  public static let searchedDays = 3_653

  /// The first valid day from a day on; nil if there is none within ``searchedDays`` days.
  public func next(onOrAfter day: CalendarDate) -> CalendarDate? {
    if rules.isEmpty { return nil }
    let end = day.dayNumber + Self.searchedDays
    // Ask a recurrence for its next day, instead of testing every day.
    var recurrences: [(recurrence: Recurrence, next: Int)] = []
    var others: [Rule] = []
    for rule in rules {
      if case .recurrence(let recurrence) = rule {
        recurrences.append((recurrence, .min))
      } else {
        others.append(rule)
      }
    }
    for number in day.dayNumber..<end {
      guard let candidate = CalendarDate(dayNumber: number) else { return nil }
      if exceptions.contains(where: { $0.contains(candidate) }) { continue }
      if others.contains(where: { $0.contains(candidate) }) { return candidate }
      for place in recurrences.indices {
        if recurrences[place].next < number {
          recurrences[place].next =
            recurrences[place].recurrence.firstDay(from: number, before: end) ?? .max
        }
        if recurrences[place].next == number { return candidate }
      }
    }
    return nil
  }

  /// Whether it may be valid on a day from a day on that ``next(onOrAfter:)`` does not know.
  func isUndecided(onOrAfter day: CalendarDate) -> Bool {
    if !unread.isEmpty { return true }
    guard !doubts.isEmpty else { return false }
    return AnnotationDates(rules: doubts.map(\.rule), exceptions: exceptions)
      .next(onOrAfter: day) != nil
  }

  /// Whether it is valid on any day of a range; nil if only texts that were not understood might say so.
  ///
  /// - Complexity: O(rules + exceptions) for ranges and for weekly or monthly days: a range of thousands of years costs
  ///   no more than one day.
  public func contains(anyOf days: ClosedRange<CalendarDate>) -> Bool? {
    let wanted = days.lowerBound.dayNumber...days.upperBound.dayNumber
    let gaps = gaps(in: wanted)
    if gaps.contains(where: { gap in rules.contains { $0.namesDay(of: gap) } }) { return true }
    // A text that was not understood may name a day that is not excluded.
    let isDoubtful =
      unread.isEmpty
      ? gaps.contains { gap in doubts.contains { $0.rule.namesDay(of: gap) } } : !gaps.isEmpty
    return isDoubtful ? nil : false
  }

  /// The ranges of days that are not excluded, in order.
  private func gaps(in days: ClosedRange<Int>) -> [ClosedRange<Int>] {
    var gaps: [ClosedRange<Int>] = []
    var next = days.lowerBound
    let taken = exceptions.map {
      (first: $0.first?.dayNumber ?? .min, last: $0.last?.dayNumber ?? .max)
    }.sorted { $0.first < $1.first }
    for (first, last) in taken where last >= next && first <= days.upperBound {
      if first > next { gaps.append(next...(first - 1)) }
      guard last < days.upperBound else { return gaps }
      next = max(next, last + 1)
    }
    gaps.append(next...days.upperBound)
    return gaps
  }
}

extension AnnotationDates.Rule {
  /// Whether the rule matches a day.
  public func contains(_ day: CalendarDate) -> Bool {
    switch self {
    case .everyDay: true
    case .dayOfMonth(let number): day.day == number
    case .weekday(let weekday): day.weekday == weekday
    case .span(let span): span.contains(day)
    case .recurrence(let recurrence): recurrence.occurs(on: day.dayNumber)
    }
  }

  /// Whether the rule matches any day of a range, in days since 1970-01-01.
  func namesDay(of days: ClosedRange<Int>) -> Bool {
    switch self {
    case .everyDay: return true
    case .span(let span):
      return (span.first?.dayNumber ?? .min) <= days.upperBound
        && (span.last?.dayNumber ?? .max) >= days.lowerBound
    case .recurrence(let recurrence):
      return recurrence.firstDay(from: days.lowerBound, before: days.upperBound + 1) != nil
    case .dayOfMonth, .weekday:
      // Any 62 consecutive days include a 31st.
      return (days.lowerBound...min(days.upperBound, days.lowerBound + 62)).contains { number in
        CalendarDate(dayNumber: number).map(contains) ?? false
      }
    }
  }
}
