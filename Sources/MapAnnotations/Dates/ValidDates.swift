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
    let (from, until) = (first.flatMap(Self.day), last.flatMap(Self.day))
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
    CalendarDate(text).map { WrittenDay($0) } ?? WrittenDay(text)
  }
}
