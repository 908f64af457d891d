// Years, months, dates and weeks: `2024-2026/2`, `Nov-Feb`, `Dec 24-26`, `week 01-53/2`.

extension HoursParser {
  mutating func readYears() throws(HoursError) {
    let start = scanner.index
    // A year before a date belongs to the date.
    let afterYear = start + 4
    scanner.index = afterYear
    scanner.skipSpaces()
    switch nextWord()?.word {
    case .month?, .easter?:
      let year = scanner.number(from: start, digits: 4)
      try readDates(year: year, from: start)
      return
    default: scanner.index = start
    }
    try enter(.years, at: start)
    var list: [DaySelector] = []
    repeat {
      try count(at: scanner.index)
      list.append(try readYearRange())
    } while takeComma { $0.scanner.digits(from: $0.scanner.index) == 4 }
    rule.days.append(list)
  }

  private mutating func readYearRange() throws(HoursError) -> DaySelector {
    let start = scanner.index
    let first = scanner.number(from: start, digits: 4)
    guard first >= 1900 else { throw scanner.outOfRange("a year from 1900", "\(first)", at: start) }
    scanner.index += 4
    if scanner.take(UInt8(ascii: "+")) { return .years(first: first, last: 9999, step: 1) }
    var last = first
    var step = 1
    let afterYear = scanner.index
    scanner.skipSpaces()
    if scanner.take(UInt8(ascii: "-")) {
      scanner.skipSpaces()
      guard scanner.digits(from: scanner.index) == 4 else {
        throw scanner.expected("a year", at: scanner.index)
      }
      last = scanner.number(from: scanner.index, digits: 4)
      guard last > first else {
        throw scanner.outOfRange("a last year after \(first)", "\(last)", at: scanner.index)
      }
      scanner.index += 4
    } else {
      scanner.index = afterYear
    }
    if scanner.peek() == UInt8(ascii: "/") {
      step = try readStep(of: 1...999)
      if last == first { last = 9999 }
    }
    return .years(first: first, last: last, step: step)
  }

  /// `/n`.
  private mutating func readStep(of range: ClosedRange<Int>) throws(HoursError) -> Int {
    let start = scanner.index + 1
    let digits = scanner.digits(from: start)
    guard (1...3).contains(digits) else { throw scanner.expected("a step", at: start) }
    let step = scanner.number(from: start, digits: digits)
    guard range.contains(step) else {
      throw scanner.outOfRange(
        "a step of \(range.lowerBound) to \(range.upperBound)", "\(step)", at: start)
    }
    if step == 1 { scanner.warn(.stepOfOne, at: start) }
    scanner.index = start + digits
    return step
  }

  /// Takes a comma after which a list goes on; otherwise leaves it.
  mutating func takeComma(_ goesOn: (HoursParser) -> Bool) -> Bool {
    let start = scanner.index
    scanner.skipSpaces()
    if scanner.take(UInt8(ascii: ",")) {
      scanner.skipSpaces()
      if goesOn(self) { return true }
    }
    scanner.index = start
    return false
  }

  mutating func readWeeks() throws(HoursError) {
    let start = scanner.index
    try enter(.weeks, at: start)
    var list: [DaySelector] = []
    takeWord(.week, length: 4)
    scanner.skipSpaces()
    repeat {
      try count(at: scanner.index)
      if case (.week, let length)? = nextWord() {
        guard !list.isEmpty else { throw scanner.expected("a week", at: scanner.index) }
        takeWord(.week, length: length)
        scanner.skipSpaces()
      }
      let first = try readWeek()
      var last = first
      var step = 1
      let afterWeek = scanner.index
      scanner.skipSpaces()
      if scanner.take(UInt8(ascii: "-")) {
        scanner.skipSpaces()
        last = try readWeek()
      } else {
        scanner.index = afterWeek
      }
      if scanner.peek() == UInt8(ascii: "/") { step = try readStep(of: 1...26) }
      list.append(.weeks(first: first, last: last, step: step))
    } while takeComma {
      if case (.week, _)? = $0.nextWord() { return true }
      let digits = $0.scanner.digits(from: $0.scanner.index)
      return (digits == 1 || digits == 2) && !$0.isTime(digits: digits)
    }
    rule.days.append(list)
  }

  private mutating func readWeek() throws(HoursError) -> Int {
    let digits = scanner.digits(from: scanner.index)
    guard digits == 1 || digits == 2 else { throw scanner.expected("a week", at: scanner.index) }
    let week = scanner.number(from: scanner.index, digits: digits)
    guard (1...53).contains(week) else {
      throw scanner.outOfRange("a week of 01 to 53", "\(week)", at: scanner.index)
    }
    scanner.index += digits
    return week
  }

  /// Whether the digits that are next are the hours of a time: `10:00`, but not the day of
  /// `Jun01:10:00`.
  func isTime(digits: Int) -> Bool {
    let after = scanner.index + digits
    func byte(_ place: Int) -> UInt8 { place < scanner.bytes.count ? scanner.bytes[place] : 0 }
    switch byte(after) {
    case UInt8(ascii: ":"):
      return scanner.digits(from: after + 1) == 2 && byte(after + 3) != UInt8(ascii: ":")
    case UInt8(ascii: "."): return HoursScanner.isDigit(byte(after + 1))
    case let letter: return HoursScanner.isLetter(letter)
    }
  }

  mutating func readDates(year: Int?, from place: Int? = nil) throws(HoursError) {
    let start = place ?? scanner.index
    try enter(.dates, at: start)
    var list: [DaySelector] = []
    var sharedYear: Int?
    repeat {
      try count(at: scanner.index)
      let first = list.isEmpty
      let digits = scanner.digits(from: scanner.index)
      if digits == 1 || digits == 2 {
        // Another day of the month before: `Dec 24,31`.
        guard case .dates(let span)? = list.last, let month = span.lastMonth else {
          throw scanner.expected("a month", at: scanner.index)
        }
        list.append(.dates(try readDaySpan(month: month, year: sharedYear)))
        continue
      }
      var ownYear = first ? year : nil
      if digits == 4 {
        ownYear = scanner.number(from: scanner.index, digits: 4)
        scanner.index += 4
        scanner.skipSpaces()
      }
      let selector = try readDate(year: ownYear ?? sharedYear)
      if first, let year {
        if case .months = selector {
          // `2020 Aug`: a year and a month, two conditions.
          rule.days.append([.years(first: year, last: year, step: 1)])
        } else if case .dates(let span) = selector, span.isWithinYear {
          sharedYear = year
        }
      }
      list.append(selector)
    } while takeComma { $0.isDateAhead(after: list.last) }
    if let year, sharedYear != nil, list.contains(where: { $0.isMonths }) {
      // `2026 Dec 25,Aug`: the year is for the months, too.
      list = list.map { $0.withYear(nil) }
      rule.days.append([.years(first: year, last: year, step: 1)])
    }
    rule.days.append(list)
  }

  private func isDateAhead(after last: DaySelector?) -> Bool {
    switch nextWord()?.word {
    case .month?, .easter?: return true
    default: break
    }
    let digits = scanner.digits(from: scanner.index)
    if digits == 4 {
      var ahead = self.scanner
      ahead.index += 4
      ahead.skipSpaces()
      let key = ahead.word(from: ahead.index)
      switch HoursWord(key: key.key, length: key.length) {
      case .month?, .easter?: return true
      default: return false
      }
    }
    guard digits == 1 || digits == 2, case .dates(let span)? = last, span.lastMonth != nil else {
      return false
    }
    return !isTime(digits: digits)
  }

  /// A month, a range of months, a date or a range of dates, from its first word on.
  private mutating func readDate(year: Int?) throws(HoursError) -> DaySelector {
    let start = scanner.index
    if case (.month(let month), let length)? = nextWord() {
      takeWord(.month(month), length: length)
      let afterMonth = scanner.index
      scanner.skipSpaces()
      let digits = scanner.digits(from: scanner.index)
      if digits == 1 || digits == 2, !isTime(digits: digits) {
        return .dates(try readDaySpan(month: month, year: year))
      }
      if let nth = readNthOfMonth() {
        let point = DatePoint(
          year: year, day: .nthWeekday(month: month, weekday: nth.weekday, nth: nth.nth),
          offset: readOffset() ?? 0)
        if !isListAhead() { return .dates(try readSpan(from: point, at: start)) }
      }
      scanner.index = afterMonth
      scanner.skipSpaces()
      if scanner.peek() == UInt8(ascii: "-") {
        scanner.index += 1
        scanner.skipSpaces()
        guard case (.month(let last), let length)? = nextWord() else {
          throw scanner.expected("a month", at: scanner.index)
        }
        takeWord(.month(last), length: length)
        return .months(first: month, last: last)
      }
      scanner.index = afterMonth
      return .months(first: month, last: month)
    }
    return .dates(try readSpan(from: try readPoint(year: year), at: start))
  }

  /// Whether a weekday list goes on, so that `Feb Mo[1],Tu-Fr` is a month and weekdays.
  private func isListAhead() -> Bool {
    var ahead = scanner
    ahead.skipSpaces()
    guard ahead.take(UInt8(ascii: ",")) else { return false }
    ahead.skipSpaces()
    let key = ahead.word(from: ahead.index)
    switch HoursWord(key: key.key, length: key.length) {
    case .weekday?, .publicHoliday?, .schoolHoliday?: return true
    default: return false
    }
  }

  /// A day of a month, with its digits next, and what ends it.
  private mutating func readDaySpan(month: Int, year: Int?) throws(HoursError) -> DateSpan {
    let start = scanner.index
    let day = try readDay(month: month, year: year)
    let offset = readOffset() ?? 0
    return try readSpan(
      from: DatePoint(year: year, day: .day(month: month, day: day), offset: offset), at: start)
  }

  private mutating func readDay(month: Int, year: Int?) throws(HoursError) -> Int {
    let start = scanner.index
    let digits = scanner.digits(from: start)
    guard digits == 1 || digits == 2 else { throw scanner.expected("a day", at: start) }
    let day = scanner.number(from: start, digits: digits)
    let length = CivilDay.daysInMonth(year ?? 2000, month)
    guard (1...length).contains(day) else {
      throw scanner.outOfRange("a day of 1 to \(length)", "\(day)", at: start)
    }
    scanner.index += digits
    return day
  }

  /// `[year] month day`, `month weekday[n]` or `easter`, with an offset.
  private mutating func readPoint(
    year: Int?, isEnd: Bool = false
  ) throws(HoursError) -> DatePoint {
    var year = year
    if scanner.digits(from: scanner.index) == 4 {
      year = scanner.number(from: scanner.index, digits: 4)
      scanner.index += 4
      scanner.skipSpaces()
    }
    switch nextWord() {
    case (.easter, let length)?:
      takeWord(.easter, length: length)
      return DatePoint(year: year, day: .easter, offset: readOffset() ?? 0)
    case (.month(let month), let length)?:
      takeWord(.month(month), length: length)
      scanner.skipSpaces()
      let start = scanner.index
      if let nth = readNthOfMonth() {
        return DatePoint(
          year: year, day: .nthWeekday(month: month, weekday: nth.weekday, nth: nth.nth),
          offset: readOffset() ?? 0)
      }
      let digits = scanner.digits(from: start)
      guard digits == 1 || digits == 2, !isTime(digits: digits) else {
        throw scanner.expected("a day", at: start)
      }
      let day = scanner.number(from: start, digits: digits)
      let last = CivilDay.daysInMonth(year ?? 2000, month)
      guard day >= 1, day <= (isEnd ? 31 : last) else {
        throw scanner.outOfRange("a day of 1 to \(last)", "\(day)", at: start)
      }
      if day > last { scanner.warn(.dayBeyondMonth, at: start) }
      scanner.index += digits
      return DatePoint(
        year: year, day: .day(month: month, day: min(day, last)), offset: readOffset() ?? 0)
    default: throw scanner.expected("a date", at: scanner.index)
    }
  }

  /// What ends a span that begins with a date.
  private mutating func readSpan(
    from first: DatePoint, at place: Int
  ) throws(HoursError) -> DateSpan {
    var span = DateSpan(start: first, end: .single, step: 1)
    if scanner.peek() == UInt8(ascii: "+") {
      guard first.year != nil else { throw scanner.expected("a last date", at: scanner.index) }
      scanner.index += 1
      span.end = .never
      return span
    }
    let afterFirst = scanner.index
    scanner.skipSpaces()
    guard scanner.take(UInt8(ascii: "-")) else {
      scanner.index = afterFirst
      return span
    }
    scanner.skipSpaces()
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

  /// The last day of a span in one month: `19-23`.
  private mutating func readEndDay(
    of first: DatePoint, month: Int, digits: Int
  ) throws(HoursError) -> DatePoint {
    let start = scanner.index
    let last = scanner.number(from: start, digits: digits)
    var endMonth = month
    var year = first.year
    guard (1...31).contains(last) else {
      throw scanner.outOfRange("a day of 1 to 31", "\(last)", at: start)
    }
    if case .day(_, let day) = first.day, first.offset == 0, last <= day {
      guard last < day else {
        throw scanner.outOfRange("a last day after \(day)", "\(last)", at: start)
      }
      scanner.warn(.pastMonthEnd, at: start)
      endMonth = month % 12 + 1
      if endMonth == 1, let known = year { year = known + 1 }
    }
    let length = CivilDay.daysInMonth(year ?? 2000, endMonth)
    if last > length { scanner.warn(.dayBeyondMonth, at: start) }
    scanner.index += digits
    return DatePoint(
      year: year, day: .day(month: endMonth, day: min(last, length)), offset: readOffset() ?? 0)
  }

  /// `Su[-1]` after a month: one weekday with one number.
  private mutating func readNthOfMonth() -> (weekday: Int, nth: Int)? {
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

  /// ` +2 days` if next.
  mutating func readOffset() -> Int? {
    let start = scanner.index
    scanner.skipSpaces()
    let sign = scanner.peek()
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      scanner.index += 1
      scanner.skipSpaces()
      let digits = scanner.digits(from: scanner.index)
      if (1...3).contains(digits) {
        let days = scanner.number(from: scanner.index, digits: digits)
        scanner.index += digits
        scanner.skipSpaces()
        if case (.day, let length)? = nextWord(), days <= 366 {
          takeWord(.day, length: length)
          return sign == UInt8(ascii: "-") ? -days : days
        }
      }
    }
    scanner.index = start
    return nil
  }
}

extension DatePoint {
  /// The month of a day of a month, or of its weekday.
  var month: Int? {
    switch day {
    case .day(let month, _), .nthWeekday(let month, _, _): month
    case .easter: nil
    }
  }
}

extension DateSpan {
  /// The month in which days may go on: `Dec 24,31`.
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

  /// Whether a year before the span can stand for the whole list: no other year is in it.
  var isWithinYear: Bool {
    switch end {
    case .single: true
    case .date(let last): last.year == nil || last.year == start.year
    case .never: false
    }
  }
}
