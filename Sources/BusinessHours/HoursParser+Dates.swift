// Months and dates, in lists: `Nov-Feb`, `Dec 24-26,31`.

extension HoursParser {
  /// Whether the next digits are the hours of a time: `10:00`, but not the day of `Jun01:10:00`.
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
    // The years of the months in the list, by their index: unlike dates, months have no place for a year.
    var monthYears: [Int: Int] = [:]
    // The year of the last date or months with one, which also applies to those that follow without one.
    var sharedYear: Int?
    repeat {
      try count(at: scanner.index)
      let digits = scanner.digits(from: scanner.index)
      if digits == 1 || digits == 2 {
        // Another day of the previous month: `Dec 24,31`.
        guard case .dates(let span)? = list.last, let month = span.lastMonth else {
          throw scanner.expected("a month", at: scanner.index)
        }
        list.append(.dates(try readDaySpan(month: month, year: span.lastYear)))
      } else {
        var ownYear = list.isEmpty ? year : nil
        if digits == 4 {
          ownYear = scanner.takeNumber(digits: 4)
          scanner.skipSpaces()
        }
        let isBehindMonths = !list.isEmpty && list.allSatisfy(\.isMonths)
        let selector = try readDateSelector(
          year: ownYear ?? sharedYear, isBehindMonths: isBehindMonths)
        if selector.isMonths, let known = ownYear ?? sharedYear {
          monthYears[list.count] = known
          sharedYear = known
        }
        list.append(selector)
      }
      // A span with a second year has none that could apply to what follows.
      if case .dates(let span)? = list.last, span.isWithinYear, let known = span.start.year {
        sharedYear = known
      }
    } while takeComma { $0.isDateAhead(after: list.last) }
    if let year = monthYears[0], list.indices.allSatisfy({ monthYears[$0] == year }) {
      // `2020 Aug,Sep`: a year and months, two conditions.
      rule.days.append([.years(first: year, last: year, step: 1)])
    } else {
      list = list.indices.flatMap { index in
        monthYears[index].map { list[index].inYear($0) } ?? [list[index]]
      }
    }
    rule.days.append(list)
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
      if let nth = readNthOfMonth() {
        let point = readShifted(
          .nthWeekday(month: month, weekday: nth.weekday, nth: nth.nth), year)
        if !isListAhead() {
          let span = try readSpan(from: point, at: start)
          // `Oct,Mar Mo[2]` is a Monday of both months.
          if span.end != .single || !isBehindMonths { return .dates(span) }
        }
      }
      scanner.index = afterMonth
      if scanner.takeSpaced(UInt8(ascii: "-")) {
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
    guard ahead.scanner.takeSpaced(UInt8(ascii: ",")) else { return false }
    switch ahead.nextWord()?.word {
    case .weekday?, .publicHoliday?, .schoolHoliday?: return true
    default: return false
    }
  }

  /// Reads a day of a month, whose digits are next, and the end of its span.
  private mutating func readDaySpan(month: Int, year: Int?) throws(HoursError) -> DateRange {
    let start = scanner.index
    let day = try readDay(month: month, year: year)
    return try readSpan(from: readShifted(.day(month: month, day: day), year), at: start)
  }

  /// Reads a day of a month; as the end of a span, a day beyond the month is its last.
  mutating func readDay(
    month: Int, year: Int?, isEnd: Bool = false
  ) throws(HoursError) -> Int {
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
}
