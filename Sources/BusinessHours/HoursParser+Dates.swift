// Months and dates, in lists: `Nov-Feb`, `Dec 24-26,31`.

extension HoursParser {
  /// Whether the next digits are the hours of a time: `10:00`, but not the day of `Jun01:10:00`.
  func isTime(digits: Int) -> Bool {
    switch scanner.peek(digits) {
    case UInt8(ascii: ":"):
      scanner.digits(from: scanner.index + digits + 1) == 2
        && scanner.peek(digits + 3) != UInt8(ascii: ":")
    case UInt8(ascii: "."): scanner.peek(digits + 1).isASCIIDigit
    case let letter: letter.isASCIILetter
    }
  }

  mutating func readDates(year: Int?, from place: Int? = nil) throws(HoursError) {
    let start = place ?? scanner.index
    try enter(.dates, at: start, hasYear: year != nil)
    var list: [DaySelector] = []
    // The years of the list: unlike dates, months have no place for a year, and dates have nil here.
    var monthYears: [Int?] = []
    // The year of the last date or months with one, which also applies to those that follow without one.
    var sharedYear: Int?
    repeat {
      try count(at: scanner.index)
      var known = list.isEmpty ? year : sharedYear
      let digits = scanner.digits(from: scanner.index)
      if digits == 1 || digits == 2 {
        list.append(try readFurtherDay(after: list.last))
      } else {
        if digits == 4 {
          known = scanner.takeNumber(digits: 4)
          scanner.skipSpaces()
        }
        let isBehindMonths = !list.isEmpty && list.allSatisfy(\.isMonths)
        list.append(try readDateSelector(year: known, isBehindMonths: isBehindMonths))
      }
      if case .dates(let span)? = list.last {
        monthYears.append(nil)
        // A span with a second year has none that could apply to what follows.
        if span.isWithinYear { sharedYear = span.start.year ?? sharedYear }
      } else {
        monthYears.append(known)
        sharedYear = known
      }
    } while takeComma { $0.isDateAhead(after: list.last) }
    if let year = monthYears[0], monthYears.allSatisfy({ $0 == year }) {
      // `2020 Aug,Sep`: a year and months, two conditions.
      rule.days.append([.years(first: year, last: year, step: 1)])
    } else {
      list = zip(list, monthYears).flatMap { selector, year in
        year.map { selector.inYear($0) } ?? [selector]
      }
    }
    // `Jul Aug`, `Dec 25 Jan 01`: no day is of both. Dates within months are left: `Jan-Feb Jan 09-15`.
    let areMonths = list.allSatisfy(\.isMonths)
    if rule.days.contains(where: { $0.part == .dates && $0.allSatisfy(\.isMonths) == areMonths }) {
      throw scanner.expected("\"; \" or \",\" before other days", at: start)
    }
    rule.days.append(list)
  }

  /// Reads another day of the month of the dates before it: `Dec 24,31`.
  private mutating func readFurtherDay(after last: DaySelector?) throws(HoursError) -> DaySelector {
    guard case .dates(let span)? = last, let month = span.lastMonth else {
      throw scanner.expected("a month", at: scanner.index)
    }
    return .dates(try readDaySpan(month: month, year: span.lastYear))
  }

  private func isDateAhead(after last: DaySelector?) -> Bool {
    let digits = scanner.digits(from: scanner.index)
    var ahead = self
    if digits == 4 {
      ahead.scanner.index += 4
      ahead.scanner.skipSpaces()
    }
    switch ahead.nextWord()?.word {
    case .month?, .easter?: return true
    default: break
    }
    guard digits == 1 || digits == 2, case .dates(let span)? = last, span.lastMonth != nil else {
      return false
    }
    return !isTime(digits: digits)
  }

  /// Reads a month, a range of months, a date or a range of dates, starting at its first word.
  private mutating func readDateSelector(
    year: Int?, isBehindMonths: Bool
  ) throws(HoursError) -> DaySelector {
    let start = scanner.index
    if case (.month(let month), let length)? = nextWord() {
      takeWord(.month(month), length: length)
      let afterMonth = scanner.index
      scanner.skipSpaces()
      let digits = scanner.digits(from: scanner.index)
      if digits == 1 || digits == 2, !isTime(digits: digits) {
        return .dates(try readDaySpan(month: month, year: year))
      }
      if let nth = readNth(of: month) {
        let point = readShifted(nth, year)
        if !isListAhead() {
          let span = try readSpan(from: point, at: start)
          // `Oct,Mar Mo[2]` is a Monday of both months.
          if span.end != .single || !isBehindMonths { return .dates(span) }
        }
      }
      scanner.index = afterMonth
      if scanner.takeSpaced("-") {
        guard case (.month(let last), let length)? = nextWord() else {
          throw scanner.expected("a month", at: scanner.index)
        }
        takeWord(.month(last), length: length)
        return .months(first: month, last: last)
      }
      return .months(first: month, last: month)
    }
    return .dates(try readSpan(from: try readPoint(year: year), at: start))
  }

  /// Whether a weekday list continues: `Feb Mo[1],Tu-Fr` is a month and weekdays.
  private func isListAhead() -> Bool {
    var ahead = self
    return ahead.takeComma(\.isWeekdayAhead)
  }

  /// Reads a day of a month, whose digits are next, and the end of its span.
  private mutating func readDaySpan(month: Int, year: Int?) throws(HoursError) -> DateRange {
    let start = scanner.index
    let day = try readDay(month: month, year: year)
    return try readSpan(from: readShifted(.day(month: month, day: day), year), at: start)
  }

  /// Reads a day of a month; as the end of a span, a day beyond the month is its last.
  mutating func readDay(month: Int, year: Int?, isEnd: Bool = false) throws(HoursError) -> Int {
    let start = scanner.index
    let digits = scanner.digits(from: start)
    guard digits == 1 || digits == 2, !isTime(digits: digits) else {
      throw scanner.expected("a day", at: start)
    }
    let day = scanner.takeNumber(digits: digits)
    let length = CivilDay.daysInMonth(year ?? 2000, month)
    guard day >= 1, day <= (isEnd ? 31 : length) else {
      throw scanner.outOfRange("a day of 1 to \(length)", "\(day)", at: start)
    }
    if day > length { scanner.warn(.dayBeyondMonth, at: start) }
    return min(day, length)
  }

  // MARK: One date or span of dates: `Dec 24-Jan 06`, `easter -2 days`, `2026 Sep 01+`.

  /// Reads `[year] month day`, `month weekday[n]` or `easter`, with an offset.
  mutating func readPoint(year: Int?, isEnd: Bool = false) throws(HoursError) -> DatePoint {
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
      if let nth = readNth(of: month) { return readShifted(nth, year) }
      let day = try readDay(month: month, year: year, isEnd: isEnd)
      return readShifted(.day(month: month, day: day), year)
    default: throw scanner.expected("a date", at: scanner.index)
    }
  }

  /// Reads the end of a span that begins with a date.
  mutating func readSpan(from first: DatePoint, at place: Int) throws(HoursError) -> DateRange {
    var span = DateRange(start: first)
    if scanner.peek() == UInt8(ascii: "+") {
      // `Dec 25+PH` is neither a span nor a date.
      guard !scanner.peek(1).isASCIILetter else {
        throw scanner.expected("a last date", at: scanner.index)
      }
      scanner.index += 1
      span.end = .never
      return span
    }
    guard scanner.takeSpaced("-") else { return span }
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
      scanner.warn(last == day ? .spanOfOne : .pastMonthEnd, at: start)
      if last < day {
        endMonth = month % 12 + 1
        if endMonth == 1, let known = year { year = known + 1 }
      }
    }
    let length = CivilDay.daysInMonth(year ?? 2000, endMonth)
    if last > length { scanner.warn(.dayBeyondMonth, at: start) }
    return readShifted(.day(month: endMonth, day: min(last, length)), year)
  }

  /// Reads `Su[-1]` after a month: one weekday with one number.
  private mutating func readNth(of month: Int) -> DatePoint.Day? {
    let start = scanner.index
    guard case (.weekday(let weekday), let length)? = nextWord(),
      scanner.peek(length) == UInt8(ascii: "[")
    else { return nil }
    takeWord(.weekday(weekday), length: length)
    scanner.index += 1
    let isNegative = scanner.take("-")
    let digit = scanner.peek()
    guard digit >= UInt8(ascii: "1"), digit <= UInt8(ascii: "5"),
      scanner.peek(1) == UInt8(ascii: "]")
    else {
      scanner.index = start
      return nil
    }
    scanner.index += 2
    let nth = Int(digit & 15)
    return .nthWeekday(month: month, weekday: weekday, nth: isNegative ? -nth : nth)
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
