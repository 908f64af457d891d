/// The days of the columns `valid_from` and `valid_until`.
package struct ValidDates {
  /// One span, or none if neither column has a usable value.
  package let spans: [DateSpan]
  /// A text that is not a date, or the two dates if they are in the wrong order.
  package let problem: String?

  package init(from first: String?, until last: String?) {
    // A month begins with its first day and ends with its last.
    let start = first.map { CalendarDate($0) ?? WrittenDay($0)?.first }
    let end = last.map { CalendarDate($0) ?? WrittenDay($0)?.last }
    if let first, case .some(.none) = start {
      problem = first
    } else if let last, case .some(.none) = end {
      problem = last
    } else if let start = start ?? nil, let end = end ?? nil, start > end {
      problem = "\(start) to \(end)"
      spans = []
      return
    } else {
      problem = nil
    }
    let opening = start ?? nil
    let closing = end ?? nil
    spans = opening == nil && closing == nil ? [] : [DateSpan(first: opening, last: closing)]
  }
}
