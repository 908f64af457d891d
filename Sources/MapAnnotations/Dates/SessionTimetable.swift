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

/// A showing of a film or a performance: an event at a place and a time.
public struct Session: Hashable, Sendable {
  /// The business day; a late show at `25:10` belongs to the day before its date.
  public var day: CalendarDate
  /// The start, in local time.
  public var start: LocalTime
  /// The end; nil when unknown.
  public var end: LocalTime?
  /// The title; nil when unknown.
  public var title: String?

  /// Makes a session from its parts.
  public init(day: CalendarDate, start: LocalTime, end: LocalTime? = nil, title: String? = nil) {
    self.day = day
    self.start = start
    self.end = end
    self.title = title
  }

  /// Groups elements by the title of their session, as on a page of showings.
  ///
  /// - Returns: Titles by their first start, equal starts by title; the elements of a title in
  ///   order of their sessions.
  /// - Complexity: O(*n* log *n*).
  public static func byTitle<Element>(
    _ elements: some Sequence<Element>, session: (Element) -> Session
  ) -> [(title: String?, elements: [Element])] {
    var titles: [(title: String?, elements: [Element])] = []
    var place: [String?: Int] = [:]
    let sorted = elements.enumerated().sorted {
      let (one, other) = (session($0.element), session($1.element))
      return one == other ? $0.offset < $1.offset : one < other
    }
    for (_, element) in sorted {
      let title = session(element).title
      if let known = place[title] {
        titles[known].elements.append(element)
      } else {
        place[title] = titles.count
        titles.append((title, [element]))
      }
    }
    return titles.sorted {
      let (one, other) = (session($0.elements[0]).start, session($1.elements[0]).start)
      return one == other ? ($0.title ?? "") < ($1.title ?? "") : one < other
    }
  }
}

extension Session: Comparable {
  /// Orders sessions by start, then end, title and business day; a missing end or title comes
  /// first.
  public static func < (one: Session, other: Session) -> Bool {
    if one.start != other.start { return one.start < other.start }
    if one.end != other.end {
      guard let end = one.end, let otherEnd = other.end else { return one.end == nil }
      return end < otherEnd
    }
    if one.title != other.title {
      guard let title = one.title, let otherTitle = other.title else { return one.title == nil }
      return title < otherTitle
    }
    return one.day < other.day
  }
}

extension Session: CustomStringConvertible {
  /// The session as `10:30–12:40 Title`; hours of the business day continue past 24.
  public var description: String {
    var text = clockText(start)
    if let end { text += "–" + clockText(end) }
    if let title { text += " " + title }
    return text
  }

  private func clockText(_ time: LocalTime) -> String {
    ClockText.clock(minutes: (time.day - day.dayNumber) * 1440 + time.secondOfDay / 60)
  }
}
