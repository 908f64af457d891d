import BusinessHours

/// The sessions at a place, day by day.
///
///     let cinema = SessionTimetable("2026-11-22 10:30-12:40,14:00 어쩔수가없다; 2026-11-23 19:00 하얼빈")
///     cinema.sessions(on: CalendarDate("2026-11-22")!).count  // 2
///     cinema.firstDay(onOrAfter: CalendarDate("2026-11-01")!) // 2026-11-22, the first business day
public struct SessionTimetable: Hashable, Sendable {
  /// A session time on some days.
  struct Entry: Hashable, Sendable {
    var dates: AnnotationDates
    /// Minutes since the midnight that begins the business day.
    var start: Int
    var end: Int?
    var title: String?
  }

  var entries: [Entry] = []
  /// Texts of the source that are not sessions.
  public private(set) var unread: [String] = []
  /// The days that these texts may be about, which are any if a text names none.
  private var unreadDates: [AnnotationDates] = []

  /// Whether there are no sessions.
  public var isEmpty: Bool { entries.isEmpty }

  /// Keeps a text that is not a session.
  ///
  /// - Parameter dates: The days that it can be about; nil for any.
  mutating func keep(unread text: String, on dates: AnnotationDates? = nil) {
    unread.append(text)
    unreadDates.append(dates ?? AnnotationDates(rules: [], unread: [text]))
  }

  /// Adds what another timetable has.
  mutating func add(_ other: SessionTimetable) {
    entries += other.entries
    unread += other.unread
    unreadDates += other.unreadDates
  }

  /// Whether a day of a range has a session; nil if a text that is not one might say so.
  func hasSession(onAnyOf days: ClosedRange<CalendarDate>) -> Bool? {
    if entries.contains(where: { $0.dates.contains(anyOf: days) == true }) { return true }
    return unreadDates.contains { $0.contains(anyOf: days) != false } ? nil : false
  }

  /// Whether a text that is not a session may be about a day from a day on.
  func isUndecided(onOrAfter day: CalendarDate) -> Bool {
    unreadDates.contains { $0.isUndecided(onOrAfter: day) || $0.next(onOrAfter: day) != nil }
  }

  /// The sessions of a business day, in order, without duplicates.
  public func sessions(on day: CalendarDate) -> [Session] {
    var found = Set<Session>()
    for entry in entries where entry.dates.contains(day) == true {
      found.insert(
        Session(
          day: day, start: LocalTime(day: day.dayNumber, secondOfDay: entry.start * 60),
          end: entry.end.map { LocalTime(day: day.dayNumber, secondOfDay: $0 * 60) },
          title: entry.title))
    }
    return found.sorted()
  }

  /// The first business day with a session, from a day on; nil if there is none within
  /// ``AnnotationDates/searchedDays`` days.
  public func firstDay(onOrAfter day: CalendarDate) -> CalendarDate? {
    entries.compactMap { $0.dates.next(onOrAfter: day) }.min()
  }

  /// The first session that starts after a local time.
  public func next(after time: LocalTime) -> Session? {
    // A session of an earlier business day may start after midnight.
    guard var day = CalendarDate(dayNumber: time.day - 1) else { return nil }
    var best: Session?
    for _ in 0..<Self.searchedBusinessDays {
      guard let candidate = firstDay(onOrAfter: day) else { return best }
      if let best, candidate.dayNumber > best.start.day { return best }
      for session in sessions(on: candidate) where session.start > time {
        if best.map({ session < $0 }) ?? true { best = session }
        break
      }
      guard let next = candidate.adding(days: 1) else { return best }
      day = next
    }
    return best
  }

  /// Sessions start within two days of their business day, so few days need to be examined.
  private static let searchedBusinessDays = 16
}
