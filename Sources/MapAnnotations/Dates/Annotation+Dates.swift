import BusinessHours

/// The properties in which sources write days and sessions.
private enum DateColumns {
  static let dates = ["dates", "enabled_dates", "valid_dates", "rrule"]
  static let sessions = ["sessions", "showings"]
  static let firstDay = ["행사시작일자", "축제시작일자", "공연시작일자", "start_date"]
  static let lastDay = ["행사종료일자", "축제종료일자", "공연종료일자", "end_date"]
  static let starts = ["행사시작시각", "start_time"]
  static let ends = ["행사종료시각", "end_time"]
  /// Those of `Annotation.validDates`.
  static let validFrom = ["valid_from"]
  static let validUntil = ["valid_until"]
  static let all = Set(
    dates + sessions + firstDay + lastDay + starts + ends + validFrom + validUntil)
}

extension Annotation {
  /// The days and sessions of the annotation.
  ///
  /// Days come from a property `dates`, `enabled_dates`, `valid_dates` or `rrule`, or from columns
  /// of a first and a last day (`행사시작일자`, `축제시작일자`, `start_date`, …), of which one without the other leaves
  /// that end open; sessions from `sessions` or `showings`, or from an event's days with its time of day
  /// (`행사시작시각`, `start_time`), which with a first day alone is one session on that day. So is a first day with a time
  /// in it (`2026-11-22T19:00`, `2026-11-22 10:00-12:00`), if the event ends less than a day later. A text or list of
  /// days that is empty names none; an empty column of sessions means that nothing is on. ``Annotation/validDates``
  /// limits both, and a text in `valid_from` or `valid_until` that is not a day leaves them undecided.
  ///
  /// - Complexity: O(its properties), read on each call.
  public var calendar: AnnotationCalendar {
    AnnotationCalendar(reading: properties, validDates: validDates)
  }

  /// Whether the annotation is valid on a day; see ``AnnotationCalendar/holds(on:)``.
  public func holds(on day: CalendarDate) -> Bool? { calendar.holds(on: day) }

  /// Whether the annotation is valid on any day of a segment; see ``AnnotationCalendar/holds(on:)``.
  public func holds(in segment: DateSegment, today: CalendarDate) -> Bool? {
    calendar.holds(in: segment, today: today)
  }
}

extension AnnotationCalendar {
  /// Reads days and sessions from a source's properties; see ``Annotation/calendar``.
  package init(reading properties: Properties, validDates: [DateSpan]) {
    self.init(validDates: validDates)
    let names = Set(properties.entries.lazy.map(\.name))
    guard !names.isDisjoint(with: DateColumns.all) else { return }
    func text(_ columns: [String]) -> String? {
      columns.lazy.filter(names.contains).compactMap { properties[$0]?.text }
        .first { !NullText.isNull($0) }
    }
    let limits = ValidDates(from: text(DateColumns.validFrom), until: text(DateColumns.validUntil))
    unreadLimits = limits.problem.map { [$0] } ?? []
    for name in DateColumns.sessions where names.contains(name) {
      timetable = properties[name].map { SessionTimetable($0) }
    }
    for name in DateColumns.dates where names.contains(name) && dates == nil {
      if case .array(let values)? = properties[name] {
        // Other values become "?", so that the list does not look complete; a list of nothing is like an empty text.
        let items = values.filter { $0 != .null }.map { $0.text ?? "?" }
          .filter { !NullText.isNull($0) }
        if !items.isEmpty { dates = AnnotationDates(items: items) }
      }
    }
    if dates == nil, let days = text(DateColumns.dates) { dates = AnnotationDates(days) }
    let (first, last) = (text(DateColumns.firstDay), text(DateColumns.lastDay))
    guard dates == nil, first != nil || last != nil else { return }
    // A month or a year begins with its first day and ends with its last.
    let (from, until) = (first.flatMap { WrittenDay($0) }, last.flatMap { WrittenDay($0) })
    var days = "\(from?.first.description ?? first ?? "")~\(until?.last.description ?? last ?? "")"
    var named = AnnotationDates(days)
    let isInUTC = from?.isInUTC == true || until?.isInUTC == true
    if isInUTC, named.unread.isEmpty {
      // The clocks of the place decide which of two days an instant is on.
      let words = "\(first ?? "")~\(last ?? "")"
      named.doubts = named.rules.map { AnnotationDates.Doubt(rule: $0, text: words) }
      let begins = from.map { $0.isInUTC ? $0.last : $0.first }
      let ends = until.map { $0.isInUTC ? $0.first : $0.last }
      let isEmpty = begins.map { begins in ends.map { $0 < begins } ?? false } ?? false
      named.rules = isEmpty ? [] : [.span(DateSpan(first: begins, last: ends))]
    }
    dates = named
    guard timetable == nil else { return }
    guard let start = text(DateColumns.starts) else {
      if let from, last == nil || until != nil {
        timetable = SessionTimetable(eventFrom: from, until: until, text: first ?? "")
      }
      return
    }
    let times = text(DateColumns.ends).map { "\(start)-\($0)" } ?? start
    var sessions = SessionTimetable("")
    if isInUTC {
      sessions.keep(unread: "\(days) \(times)", on: named)
    } else {
      // A day and a time of day are one event, not one every day from then on.
      if last == nil { days = from.flatMap { $0.isExact ? "\($0.first)" : nil } ?? first ?? days }
      sessions = SessionTimetable("\(days) \(times)")
      let own = AnnotationDates(days)
      sessions.limitUnread(to: own.unread.isEmpty ? own : named)
    }
    timetable = sessions
  }

  /// Whether a column with this name is read.
  package static func isColumn(_ name: String) -> Bool { DateColumns.all.contains(name) }
}

extension SessionTimetable {
  /// An event that begins at a time of its first day and ends less than a day later, or at an unknown time; nil for
  /// others, which are days.
  ///
  /// Midnight stands for the day itself, as in the exports of many databases.
  ///
  /// - Parameter text: The first day as written.
  fileprivate init?(eventFrom first: WrittenDay, until last: WrittenDay?, text: String) {
    guard let start = first.minute, (1..<1440).contains(start), last?.isInUTC != true else {
      return nil
    }
    let days = AnnotationDates(rules: [.span(DateSpan(first: first.first, last: first.last))])
    self.init("")
    if first.isInUTC {
      // The clocks of the place decide the day.
      guard last == nil else { return nil }
      keep(unread: text, on: days)
      return
    }
    var end = first.endMinute
    if let last {
      let minute = last.endMinute ?? last.minute ?? start
      let minutes = (last.last.dayNumber - first.first.dayNumber) * 1440 + minute
      guard (start..<start + 1440).contains(minutes) else { return nil }
      if minutes > start { end = minutes }
    }
    entries = [Entry(dates: days, start: start, end: end)]
  }
}
