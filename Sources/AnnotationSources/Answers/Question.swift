import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch
import TextMaps

/// What somebody asks: the query, and what is needed to show its answer.
package struct Question {
  package var query = NearbyQuery()
  /// The condition as it was typed.
  package var condition: WrittenCondition?
  /// The kinds as they were typed.
  package var kinds: [String] = []
  package var open: OpenPlan?
  /// By which clocks, and when, the days are asked about, where today's date is that of the source and not known yet;
  /// nil otherwise.
  private var undated: (clocks: PlaceClocks, now: Instant)?
  /// Properties that the source has, although perhaps nothing that was fetched does.
  package var fields: [String] = []
  /// Kinds that the source has, although perhaps nothing that was fetched is of them.
  package var knownKinds: [AnnotationKind] = []
  /// A radius as it was given without a unit: meters, which not everybody expects.
  package var bareWithin: String?

  package init() {}

  /// Asks for days, of which today is that of the query's origin, or else of the source.
  package mutating func ask(
    for days: String, named name: String, _ clocks: PlaceClocks, now: Instant
  ) throws(ReportedError) {
    let today = clocks.today(
      at: query.origin, orAmong: EmptyCollection<ImportedAnnotation>(), now: now)
    let dates = try QueryDates(days, named: name, today: today)
    if let origin = query.origin, dates.dependsOnToday { try clocks.check(at: origin) }
    query.dates = dates
    undated = query.origin == nil && dates.dependsOnToday ? (clocks: clocks, now: now) : nil
  }

  /// Whether it is the same wherever the annotations of the source are.
  var isSettled: Bool { undated == nil && open?.time == nil }

  /// The same question by the clock of the source that is asked, if it names a time or a day and no position.
  package func settled(
    in source: some RandomAccessCollection<ImportedAnnotation>
  ) throws(ReportedError) -> Question {
    try open?.clocks.check(hoursOf: source)
    guard !isSettled else { return self }
    var question = self
    if let (clocks, now) = undated {
      try clocks.check(among: source)
      question.query.dates?.today = clocks.today(at: nil, orAmong: source, now: now)
      question.undated = nil
    }
    question.open = try open?.settled(in: source)
    question.query.open = question.open?.condition
    return question
  }
}

/// A condition with its text, to show where it is mistaken.
package struct WrittenCondition {
  package let text: String
  package let condition: Condition

  package init(_ text: String) throws(ReportedError) {
    self.text = text
    do throws(ConditionError) {
      condition = try Condition(parsing: text)
    } catch {
      throw ReportedError(error, in: text)
    }
  }
}

extension ReportedError {
  /// A mistake in a condition, with a caret under its place.
  package init(_ error: ConditionError, in text: String) {
    self.init(
      error.code, "\(error.message)\n\(Caret.lines(under: error.column, of: text))", fault: .usage)
  }

  /// Why a query has no answer, with a caret where the condition is mistaken.
  ///
  /// - Parameter cursorName: The name of the option or parameter that takes the cursor of the next page.
  package init(_ error: QueryError, in condition: WrittenCondition?, cursorName: String = "after") {
    switch error {
    case .condition(let error): self.init(error, in: condition?.text ?? "")
    case .cursor(let cursor):
      self.init(error.code, "\(cursorName): \(cursor)", fault: .usage)
    default: self.init(error.code, error.description, fault: .usage)
    }
  }
}

extension QueryDates {
  /// Reads `today`, `tomorrow`, `this-month`, `all`, `next`, a date, a month as `2026-12`, or a run of days as
  /// `2026-12-01/2026-12-07`; all dates in the notations of columns, too.
  package init(_ text: String, named name: String, today: CalendarDate) throws(ReportedError) {
    let read =
      QueryDates(word: text.lowercased(), today: today)
      ?? Self.segment(text).map { QueryDates(.segment($0), today: today) }
    let isShortEnough =
      read?.days.map { $0.upperBound.dayNumber - $0.lowerBound.dayNumber < Self.mostDays } ?? true
    guard let dates = read, isShortEnough else {
      throw ReportedError(
        "bad-date",
        "\(name) \"\(text)\" \(Self.problem(of: text, isTooLong: !isShortEnough))", fault: .usage)
    }
    self = dates
  }

  /// Whether which days are chosen, or which sessions are shown, depends on the date of today.
  var dependsOnToday: Bool {
    switch choice {
    case .segment(.on), .segment(.during): false
    case .segment, .next: true
    }
  }

  /// The longest run of days that is asked at once: ten years.
  private static let mostDays = 3_653

  /// A day, a run of days, a month or a year.
  private static func segment(_ written: String) -> DateSegment? {
    let text = AnnotationDates.withJoinedRuns(written)
    // A day with a time would be more days than were asked for.
    let hasTime =
      text.contains { $0 == ":" || $0 == "T" }
      || zip(text, text.dropFirst()).contains { $0.isNumber && $1.isWhitespace }
    if hasTime { return nil }
    let span = AnnotationDates.span(text[...])
    let month = span == nil ? WrittenDay(text) : nil
    guard let first = span?.first ?? month?.first, let last = span?.last ?? month?.last else {
      return nil
    }
    return first == last ? .on(first) : .during(first...last)
  }

  /// What is wrong with a text, and what to write.
  private static func problem(of text: String, isTooLong: Bool) -> String {
    if isTooLong { return "has more than 3,653 days, ten years; write a shorter run" }
    let ends = text.split(separator: "/", omittingEmptySubsequences: false)
      .map { CalendarDate(String($0)) }
    if ends.count == 2, let first = ends[0], let last = ends[1], last < first {
      return "ends before it begins; write the earlier day first"
    }
    return "is not a day; write a date as 2026-11-22, a month as 2026-11, a run as "
      + "2026-11-22/2026-11-28, or today, tomorrow, this-month, next or all"
  }
}
