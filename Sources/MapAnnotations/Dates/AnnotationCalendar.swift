import BusinessHours

/// The days on which an annotation is valid and its sessions, read once from its source.
///
///     let calendar = deal.calendar
///     calendar.holds(on: CalendarDate("2026-11-22")!)
///     calendar.firstDay(onOrAfter: today)
public struct AnnotationCalendar: Hashable, Sendable {
  /// The ranges of days that limit the rest; empty for no limit.
  public var validDates: [DateSpan]
  /// The days on which the annotation is valid; nil if the source names none.
  public var dates: AnnotationDates?
  /// The sessions; nil if the source has no timetable.
  ///
  /// An empty timetable means that nothing is on.
  public var timetable: SessionTimetable?
  /// Texts of a first or last day that leave days uncertain: those in UTC, and those that were not understood.
  private var unreadLimits: [String] = []
  /// The days that these texts leave certain; nil for none.
  private var certainDates: DateSpan? = DateSpan(first: nil, last: nil)

  /// Makes a calendar from its parts.
  public init(
    validDates: [DateSpan] = [], dates: AnnotationDates? = nil, timetable: SessionTimetable? = nil
  ) {
    self.validDates = validDates
    self.dates = dates
    self.timetable = timetable
  }

  /// The parts of the source that were not understood.
  public var unread: [String] { unreadLimits + unreadParts }

  /// The parts of days and sessions that were not understood.
  private var unreadParts: [String] {
    (dates?.unread ?? []) + (dates?.doubts.map(\.text) ?? []) + (timetable?.unread ?? [])
  }

  /// Whether everything was understood that decides the days of a range and their sessions; nil for all days.
  package func isRead(for days: ClosedRange<CalendarDate>?) -> Bool {
    guard unreadParts.isEmpty else { return false }
    guard !unreadLimits.isEmpty else { return true }
    guard let days else { return false }
    return allowed.compactMap { $0.days(of: days) }
      .allSatisfy { certainDates?.days(of: $0) == $0 }
  }

  /// The ranges of days that ``validDates`` allow: all days if it is empty.
  private var allowed: [DateSpan] {
    validDates.isEmpty ? [DateSpan(first: nil, last: nil)] : validDates
  }

  /// Whether the annotation is valid on a day; nil if words that were not understood might decide it.
  ///
  /// With sessions, it is valid on the days that have one; otherwise on the days that it names, or always if it names
  /// none.
  public func holds(on day: CalendarDate) -> Bool? { holds(in: .on(day), today: day) }

  /// Whether the annotation is valid on any day of a segment; see ``holds(on:)``.
  public func holds(in segment: DateSegment, today: CalendarDate) -> Bool? {
    guard let days = segment.days(today: today) else { return true }
    var isUnknown = false
    for span in allowed {
      switch span.days(of: days).map(holds(anyOf:)) {
      case true??: return true
      case .some(nil): isUnknown = true
      case false??, nil: continue
      }
    }
    return isUnknown ? nil : false
  }

  /// Whether the annotation is valid on any day of a range inside `validDates`; nil if a limit that was not understood
  /// may exclude the day.
  private func holds(anyOf days: ClosedRange<CalendarDate>) -> Bool? {
    let holds = named(anyOf: days)
    guard holds == true, !unreadLimits.isEmpty else { return holds }
    return certainDates?.days(of: days).map { named(anyOf: $0) == true } == true ? true : nil
  }

  /// What days and sessions say of a range.
  private func named(anyOf days: ClosedRange<CalendarDate>) -> Bool? {
    if let timetable { return timetable.hasSession(onAnyOf: days) }
    return dates.map { $0.contains(anyOf: days) } ?? true
  }

  /// Whether the annotation is valid on any day from a day on; nil if words that were not understood might say so.
  public func holds(onOrAfter day: CalendarDate) -> Bool? {
    if firstDay(onOrAfter: day) != nil { return true }
    if !unreadLimits.isEmpty, firstNamedDay(onOrAfter: day) != nil { return nil }
    let isUndecided =
      timetable.map { $0.isUndecided(onOrAfter: day) }
      ?? dates.map { $0.isUndecided(onOrAfter: day) } ?? false
    return isUndecided ? nil : false
  }

  /// The days of a range on which the annotation is valid, in order, for a calendar page.
  ///
  ///     for day in deal.calendar.days(in: today.wholeMonth) { mark(day) }
  ///
  /// If words were not understood, ``unread`` is not empty and there may be more days.
  ///
  /// - Complexity: O(days × rules).
  public func days(in days: ClosedRange<CalendarDate>) -> [CalendarDate] {
    (days.lowerBound.dayNumber...days.upperBound.dayNumber).compactMap {
      CalendarDate(dayNumber: $0)
    }
    .filter { holds(on: $0) == true }
  }

  /// The sessions of a business day, in order.
  public func sessions(on day: CalendarDate) -> [Session] { timetable?.sessions(on: day) ?? [] }

  /// The first business day from a day on.
  ///
  /// It is the first day with a session, or the first that the dates name, or the day itself if the annotation is
  /// always valid.
  ///
  /// - Returns: Nil if there is none within ``AnnotationDates/searchedDays`` days.
  public func firstDay(onOrAfter day: CalendarDate) -> CalendarDate? {
    guard !unreadLimits.isEmpty else { return firstNamedDay(onOrAfter: day) }
    guard let certainDates else { return nil }
    let first = max(day, certainDates.first ?? day)
    return firstNamedDay(onOrAfter: first).flatMap { certainDates.contains($0) ? $0 : nil }
  }

  private func firstNamedDay(onOrAfter day: CalendarDate) -> CalendarDate? {
    var candidate = day
    // Days that the dates name may be outside `validDates`.
    for _ in 0..<AnnotationDates.searchedDays {
      let next =
        timetable.map { $0.firstDay(onOrAfter: candidate) }
        ?? dates.map { $0.next(onOrAfter: candidate) } ?? candidate
      guard let next, next.dayNumber < day.dayNumber + AnnotationDates.searchedDays else {
        return nil
      }
      if allowed.contains(where: { $0.contains(next) }) { return next }
      guard let later = validDates.compactMap(\.first).filter({ $0 > next }).min() else {
        return nil
      }
      candidate = later
    }
    return nil
  }

  /// Notes which days a run leaves uncertain.
  mutating func doubt(limitsOf run: ValidDates) {
    unreadLimits += run.unread
    certainDates = certainDates.flatMap { days in run.certain.flatMap(days.overlap(with:)) }
  }

  /// Limits days and sessions to a run.
  mutating func limit(to run: ValidDates) {
    doubt(limitsOf: run)
    guard let span = run.spans.first else { return }
    validDates = allowed.compactMap { $0.overlap(with: span) }
    // No range of days would be no limit.
    if validDates.isEmpty { (dates, timetable) = (AnnotationDates(rules: []), nil) }
  }
}
