import BusinessHours

extension Annotation {
  /// The days and sessions of the annotation.
  ///
  /// Days come from a property `dates`, `enabled_dates`, `valid_dates` or `rrule`, or from columns
  /// of a first and a last day (`행사시작일자`, `축제시작일자`, `start_date`, …), of which one without the other leaves
  /// that end open; sessions from `sessions` or `showings`, or from an event's days with its time of day
  /// (`행사시작시각`, `start_time`), which with a first day alone is one session on that day. So is a first day with a time
  /// in it (`2026-11-22T19:00`, `2026-11-22 10:00-12:00`), if the event ends less than a day later. Beside other days or
  /// sessions, a first and a last day limit these, but a last day that is the first one, too, does not limit a rule that
  /// begins on it. A text or list of days that is empty names none; an empty column of sessions means that nothing is on,
  /// unless there are `dates`, too. ``Annotation/validDates`` limits all of these. A first or last day in any of these
  /// columns that is not a day leaves undecided the days that the other does not exclude; one in UTC, those that it may
  /// be on.
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
    let columns = DateColumns(of: properties)
    guard !columns.isEmpty else { return }
    doubt(limitsOf: ValidDates(from: columns.text(.validFrom), until: columns.text(.validUntil)))
    let (first, last) = (columns.text(.firstDay), columns.text(.lastDay))
    let (from, until) = (first.flatMap { WrittenDay($0) }, last.flatMap { WrittenDay(last: $0) })
    let start = from.flatMap { $0.isExact ? $0.first : nil }
    dates = columns.dates(start: start)
    timetable = columns.timetable
    // Tables of deals and showings have columns for both.
    if dates != nil, let sessions = timetable, sessions.isEmpty, sessions.unread.isEmpty {
      timetable = nil
    }
    guard first != nil || last != nil else { return }
    let isFirstOccurrence = dates?.recur(from: from, until: until) ?? false
    let run = ValidDates(from: first, until: isFirstOccurrence ? nil : last)
    limit(to: run)
    guard dates == nil, timetable == nil else { return }
    guard let time = columns.text(.starts) ?? columns.text(.startTime) else {
      if let from, last == nil || until != nil {
        timetable = SessionTimetable(eventFrom: from, until: until, text: first ?? "")
      }
      return
    }
    let end = columns.text(.ends) ?? columns.text(.endTime)
    // Midnight stands for the day, as in the exports of many databases.
    if let end, [time, end].allSatisfy({ SessionTimetable.minute($0[...]) == 0 }) { return }
    // From 22:00 on one day to 02:00 on the next is one event: each day's would end behind the last.
    if columns.text(.starts) == nil, let first, let last, let end,
      let span = run.spans.first, span.first != span.last,
      let starts = SessionTimetable.minute(time[...]), let ends = SessionTimetable.minute(end[...]),
      ends < starts, let from = WrittenDay("\(first) \(time)"),
      let until = WrittenDay(last: "\(last) \(end)")
    {
      timetable = SessionTimetable(eventFrom: from, until: until, text: first)
      return
    }
    // A day and a time of day are one event, not one every day from then on.
    let days =
      last == nil ? from.map { DateSpan(first: $0.first, last: $0.last) } : run.spans.first
    timetable = SessionTimetable(
      eventOn: days, isCertain: run.unread.isEmpty && (last != nil || start != nil),
      times: end.map { "\(time)-\($0)" } ?? time, text: "\(first ?? "")~\(last ?? "")")
  }
}

/// The columns of days and sessions that a record has.
private struct DateColumns {
  private let columns: [(column: DateColumn, value: PropertyValue)]

  init(of properties: Properties) {
    columns = properties.entries.compactMap { entry in
      DateColumn(entry.name).map { (column: $0, value: entry.value) }
    }
  }

  var isEmpty: Bool { columns.isEmpty }

  private func values(_ column: DateColumn) -> [PropertyValue] {
    columns.filter { $0.column == column }.map(\.value)
  }

  /// The first text of a column that does not mean "no value"; nil if there is none.
  func text(_ column: DateColumn) -> String? {
    values(column).lazy.compactMap(\.text).first { !NullText.isNull($0) }
  }

  /// The days that are named; nil for none.
  ///
  /// - Parameter start: The start of a recurrence whose text has none.
  func dates(start: CalendarDate?) -> AnnotationDates? {
    for case .array(let list) in values(.dates) {
      // A list of nothing is like an empty text.
      let items = list.listedTexts.filter { !NullText.isNull($0) }
      if !items.isEmpty { return AnnotationDates(items: items, start: start) }
    }
    let named = text(.dates) ?? text(.remark).flatMap { DateColumns.mayNameDays($0) ? $0 : nil }
    return named.map { AnnotationDates(items: [$0], start: start) }
  }

  /// Whether a remark on an event may say on which days of its run it is: `毎週火曜日`, but not `荒天中止`.
  private static func mayNameDays(_ remark: String) -> Bool {
    ["曜", "毎", "隔週", "土日", "平日"].contains { remark.contains($0) }
  }

  /// The sessions of the first column that has any; nil if there is no such column.
  var timetable: SessionTimetable? {
    let timetables = values(.sessions).map { SessionTimetable($0) }
    return timetables.first { !$0.isEmpty || !$0.unread.isEmpty } ?? timetables.first
  }
}

extension AnnotationDates {
  /// Whether a first and a last day are one day, and that of a recurrence's first occurrence, as in the exports of many
  /// calendars; such a last day says nothing of later occurrences.
  ///
  /// One of a recurrence that begins earlier is a limit: the day that is left of it.
  fileprivate func recur(from first: WrittenDay?, until last: WrittenDay?) -> Bool {
    guard let first, let last, first.first <= last.last, last.first <= first.last,
      [first, last].allSatisfy({ $0.isExact || $0.isInUTC })
    else { return false }
    return rules.contains { rule in
      guard case .recurrence(let recurrence) = rule else { return false }
      return first.isInUTC || recurrence.start.day >= first.first.dayNumber
    } || unread.contains { $0.uppercased().contains("FREQ=") }
  }
}

extension SessionTimetable {
  /// An event at times that have columns of their own, on all of some days or, unless that is certain, on any of them.
  ///
  /// - Parameter text: The days as written.
  fileprivate init(eventOn days: DateSpan?, isCertain: Bool, times: String, text: String) {
    self.init("")
    let days = days.map { AnnotationDates(rules: [.span($0)]) }
    if isCertain, let days, add(on: days, times: times[...], title: nil) { return }
    keep(unread: "\(text) \(times)", on: days)
  }

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

/// A run of days between two texts, either of which may be missing: those of `valid_from` and `valid_until`, or the first
/// and the last day of an event.
package struct ValidDates {
  /// One span of the days that may be in the run, or none if neither text has a usable day.
  package let spans: [DateSpan]
  /// The days that are certainly in the run; nil for none.
  let certain: DateSpan?
  /// A text that is not a date, or the two dates if they are in the wrong order.
  package let problem: String?
  /// The texts that leave days uncertain: that of `problem`, and those in UTC.
  let unread: [String]

  package init(from first: String?, until last: String?) {
    // Most records of most sources have neither.
    if first == nil, last == nil {
      (spans, certain, problem, unread) = ([], DateSpan(first: nil, last: nil), nil, [])
      return
    }
    // A month begins with its first day and ends with its last.
    let (from, until) = (
      first.flatMap { Self.day($0) ?? WrittenDay($0) },
      last.flatMap { Self.day($0) ?? WrittenDay(last: $0) }
    )
    if let start = from?.first, let end = until?.last, start > end {
      let words = "\(start) to \(end)"
      (spans, certain, problem, unread) = ([], nil, words, [words])
      return
    }
    let problem = (from == nil ? first : nil) ?? (until == nil ? last : nil)
    self.problem = problem
    spans = from == nil && until == nil ? [] : [DateSpan(first: from?.first, last: until?.last)]
    // The clocks of the place decide which of two days an instant is on.
    let instants = [(first, from), (last, until)].filter { $1?.isInUTC == true }.compactMap(\.0)
    unread = (problem.map { [$0] } ?? []) + instants
    let begins = from.map { $0.isInUTC ? $0.last : $0.first }
    let ends = until.map { $0.isInUTC ? $0.first : $0.last }
    let isEmpty = begins.map { begins in ends.map { $0 < begins } ?? false } ?? false
    certain = problem != nil || isEmpty ? nil : DateSpan(first: begins, last: ends)
  }

  private static func day(_ text: String) -> WrittenDay? {
    CalendarDate(text).map { WrittenDay($0) }
  }
}
