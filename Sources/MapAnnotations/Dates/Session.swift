import BusinessHours

/// One showing of a film, one performance: something that happens at a place at a time.
public struct Session: Hashable, Sendable {
  /// The business day that it belongs to; a late show of `25:10` belongs to the day before its date.
  public var day: CalendarDate
  /// When it starts, by the place's clock.
  public var start: LocalTime
  /// When it ends; nil when unknown.
  public var end: LocalTime?
  /// What is on; nil when unknown.
  public var title: String?

  /// A session of its parts.
  public init(day: CalendarDate, start: LocalTime, end: LocalTime? = nil, title: String? = nil) {
    self.day = day
    self.start = start
    self.end = end
    self.title = title
  }
}

extension Session {
  /// Groups what has a session by its title, as a page of showings does.
  ///
  /// - Returns: The title that starts first comes first, those of equal starts in the order of their titles; what has
  ///   one title is in order of its sessions.
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
  /// By start, then end, then title.
  public static func < (one: Session, other: Session) -> Bool {
    if one.start != other.start { return one.start < other.start }
    if one.end != other.end {
      guard let end = one.end, let otherEnd = other.end else { return one.end == nil }
      return end < otherEnd
    }
    return (one.title ?? "") < (other.title ?? "")
  }
}

extension Session: CustomStringConvertible {
  /// `10:30–12:40 Title`, the hours of the business day going on past 24.
  public var description: String {
    var text = clockText(start)
    if let end { text += "–" + clockText(end) }
    if let title { text += " " + title }
    return text
  }

  private func clockText(_ time: LocalTime) -> String {
    let minutes = (time.day - day.dayNumber) * 1440 + time.secondOfDay / 60
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minutes / 60)):\(two(minutes % 60))"
  }
}
