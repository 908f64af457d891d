/// The days of the columns `valid_from` and `valid_until`.
package struct ValidDates {
  /// One span, or none if neither column has a usable value.
  package let spans: [DateSpan]
  /// A text that is not a date, or the two dates if they are in the wrong order.
  package let problem: String?

  package init(from first: String?, until last: String?) {
    // A month begins with its first day and ends with its last.
    let start = first.flatMap { CalendarDate($0) ?? WrittenDay($0)?.first }
    let end = last.flatMap { CalendarDate($0) ?? WrittenDay($0)?.last }
    if let start, let end, start > end {
      problem = "\(start) to \(end)"
      spans = []
      return
    }
    problem = (start == nil ? first : nil) ?? (end == nil ? last : nil)
    spans = start == nil && end == nil ? [] : [DateSpan(first: start, last: end)]
  }
}
