// One date or span of dates: `Dec 24-Jan 06`, `easter -2 days`, `2026 Sep 01+`.

extension HoursParser {
  /// Reads `[year] month day`, `month weekday[n]` or `easter`, with an offset.
  mutating func readPoint(
    year: Int?, isEnd: Bool = false
  ) throws(HoursError) -> DatePoint {
    var year = year
    if scanner.digits(from: scanner.index) == 4 {
      year = scanner.takeNumber(digits: 4)
      scanner.skipSpaces()
    }
    switch nextWord() {
    case (.easter, let length)?:
      takeWord(.easter, length: length)
      return readShifted(.easter, year)
    case (.month(let month), let length)?:
      takeWord(.month(month), length: length)
      scanner.skipSpaces()
      if let nth = readNthOfMonth() {
        return readShifted(.nthWeekday(month: month, weekday: nth.weekday, nth: nth.nth), year)
      }
      let day = try readDay(month: month, year: year, isEnd: isEnd)
      return readShifted(.day(month: month, day: day), year)
    default: throw scanner.expected("a date", at: scanner.index)
    }
  }

  /// Reads the end of a span that begins with a date.
  mutating func readSpan(
    from first: DatePoint, at place: Int
  ) throws(HoursError) -> DateRange {
    var span = DateRange(start: first)
    if scanner.peek() == UInt8(ascii: "+") {
      // `Dec 25+PH` is neither a span nor a date.
      guard !HoursScanner.isLetter(scanner.peek(1)) else {
        throw scanner.expected("a last date", at: scanner.index)
      }
      scanner.index += 1
      span.end = .never
      return span
    }
    guard scanner.takeSpaced(UInt8(ascii: "-")) else { return span }
    let start = scanner.index
    let digits = scanner.digits(from: start)
    if digits == 1 || digits == 2, let month = first.month {
      span.end = .date(try readEndDay(of: first, month: month, digits: digits))
    } else {
      let last = try readPoint(year: nil, isEnd: true)
      if let from = first.year, let to = last.year, to < from {
        throw scanner.outOfRange("a last year from \(from)", "\(to)", at: start)
      }
      span.end = .date(last)
    }
    if scanner.peek() == UInt8(ascii: "/") { span.step = try readStep(of: 1...366) }
    return span
  }

  /// Reads the last day of a span in one month: `19-23`.
  private mutating func readEndDay(
    of first: DatePoint, month: Int, digits: Int
  ) throws(HoursError) -> DatePoint {
    let start = scanner.index
    let last = scanner.takeNumber(digits: digits)
    var endMonth = month
    var year = first.year
    guard (1...31).contains(last) else {
      throw scanner.outOfRange("a day of 1 to 31", "\(last)", at: start)
    }
    if case .day(_, let day) = first.day, !first.isShifted, last <= day {
      guard last < day else {
        throw scanner.outOfRange("a last day after \(day)", "\(last)", at: start)
      }
      scanner.warn(.pastMonthEnd, at: start)
      endMonth = month % 12 + 1
      if endMonth == 1, let known = year { year = known + 1 }
    }
    let length = CivilDay.daysInMonth(year ?? 2000, endMonth)
    if last > length { scanner.warn(.dayBeyondMonth, at: start) }
    return readShifted(.day(month: endMonth, day: min(last, length)), year)
  }

  /// Reads `Su[-1]` after a month: one weekday with one number.
  mutating func readNthOfMonth() -> (weekday: Int, nth: Int)? {
    let start = scanner.index
    guard case (.weekday(let weekday), let length)? = nextWord(),
      scanner.peek(length) == UInt8(ascii: "[")
    else { return nil }
    takeWord(.weekday(weekday), length: length)
    scanner.index += 1
    let isNegative = scanner.take(UInt8(ascii: "-"))
    let digit = scanner.peek()
    guard digit >= UInt8(ascii: "1"), digit <= UInt8(ascii: "5"),
      scanner.peek(1) == UInt8(ascii: "]")
    else {
      scanner.index = start
      return nil
    }
    scanner.index += 2
    return (weekday, isNegative ? -Int(digit & 15) : Int(digit & 15))
  }

  /// Reads the weekday and offset that may follow a date: `Dec 25 -Su -21 days`.
  mutating func readShifted(_ day: DatePoint.Day, _ year: Int?) -> DatePoint {
    let weekday = readWeekdayStep()
    return DatePoint(year: year, day: day, weekday: weekday, offset: readOffset() ?? 0)
  }

  /// Reads ` -Su` if next, with the sign next to the weekday: `Dec 25+ Su` is every Sunday from then on.
  private mutating func readWeekdayStep() -> WeekdayStep? {
    let start = scanner.index
    scanner.skipSpaces()
    guard let sign = scanner.takeSign(),
      case (.weekday(let weekday), let length)? = nextWord(),
      scanner.peek(length) != UInt8(ascii: "[")
    else {
      scanner.index = start
      return nil
    }
    takeWord(.weekday(weekday), length: length)
    return WeekdayStep(weekday: weekday, isAfter: sign > 0)
  }

  /// Reads ` +2 days` if next.
  mutating func readOffset() -> Int? {
    let start = scanner.index
    scanner.skipSpaces()
    if let sign = scanner.takeSign() {
      scanner.skipSpaces()
      let digits = scanner.digits(from: scanner.index)
      if (1...3).contains(digits) {
        let days = scanner.takeNumber(digits: digits)
        scanner.skipSpaces()
        if case (.day, let length)? = nextWord(), days <= 366 {
          takeWord(.day, length: length)
          return sign * days
        }
      }
    }
    scanner.index = start
    return nil
  }
}

extension DatePoint {
  /// The month, for a day of a month or an nth weekday of a month.
  var month: Int? {
    switch day {
    case .day(let month, _), .nthWeekday(let month, _, _): month
    case .easter: nil
    }
  }
}

extension DateRange {
  /// The month that further days belong to: `Dec 24,31`.
  var lastMonth: Int? {
    let point: DatePoint
    switch end {
    case .single: point = start
    case .date(let last): point = last
    case .never: return nil
    }
    guard case .day(let month, _) = point.day else { return nil }
    return month
  }

  /// The year that further days belong to: `2026 Dec 28-Jan 03,06` ends in 2027.
  var lastYear: Int? {
    guard case .date(let last) = end else { return start.year }
    return last.year ?? start.year.map { $0 + yearsToEnd(last) }
  }

  /// Whether a year before the span can apply to the whole list: the span has no other year.
  var isWithinYear: Bool {
    switch end {
    case .single: true
    case .date(let last): last.year == nil || last.year == start.year
    case .never: false
    }
  }
}
