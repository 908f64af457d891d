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

/// One film with its showings of a day.
public struct TitledSessions: Hashable, Sendable {
  /// What is on; nil for those whose title is unknown.
  public var title: String?
  /// When it is on, in order; at least one.
  public var sessions: [Session]

  /// A film with its showings.
  public init(title: String?, sessions: [Session]) {
    self.title = title
    self.sessions = sessions
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
