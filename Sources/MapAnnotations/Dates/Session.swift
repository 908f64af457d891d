import BusinessHours

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
}

extension Session {
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
