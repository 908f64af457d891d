// Years, weeks and weekdays: `2024-2026/2`, `week 01-53/2`, `Mo-Fr,PH`.

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
      return try readDates(year: year, from: start)
    default: scanner.index = start
    }
    let before = stage
    try enter(.years, at: start, hasYear: true)
    var list: [DaySelector] = []
    repeat {
      let place = scanner.index
      try count(at: place)
      let years = try readYearRange()
      note(years, at: place, behind: before)
      list.append(years)
    } while takeComma { $0.scanner.digits(from: $0.scanner.index) == 4 }
    rule.days.append(list)
  }

  private mutating func readYearRange() throws(HoursError) -> DaySelector {
    let start = scanner.index
    let first = scanner.takeNumber(digits: 4)
    guard first >= 1900 else { throw scanner.outOfRange("a year from 1900", "\(first)", at: start) }
    if scanner.take("+") { return .years(first: first, last: 9999, step: 1) }
    var last: Int?
    if scanner.takeSpaced("-") {
      let place = scanner.index
      guard scanner.digits(from: place) == 4 else { throw scanner.expected("a year", at: place) }
      let year = scanner.takeNumber(digits: 4)
      guard year >= first else {
        throw scanner.outOfRange(
          "a last year from \(first), or times as 20:00-02:00", "\(year)", at: place)
      }
      if year == first { scanner.warn(.spanOfOne, at: place) }
      last = year
    }
    guard scanner.peek() == UInt8(ascii: "/") else {
      return .years(first: first, last: last ?? first, step: 1)
    }
    let step = try readStep(of: 1...999)
    // The first of the steps is all there is in `2026-2026/2`.
    return .years(first: first, last: last ?? 9999, step: last == first ? 1 : step)
  }

  /// Reads a step: `/n`.
  mutating func readStep(of range: ClosedRange<Int>) throws(HoursError) -> Int {
    scanner.index += 1
    let start = scanner.index
    let step = try readNumber(
      "a step", digits: 1...3, range, "a step of \(range.lowerBound) to \(range.upperBound)")
    if step == 1 { scanner.warn(.stepOfOne, at: start) }
    return step
  }

  private mutating func readNumber(
    _ what: String, digits counts: ClosedRange<Int>, _ range: ClosedRange<Int>, _ remedy: String
  ) throws(HoursError) -> Int {
    let start = scanner.index
    let digits = scanner.digits(from: start)
    guard counts.contains(digits) else { throw scanner.expected(what, at: start) }
    let number = scanner.takeNumber(digits: digits)
    guard range.contains(number) else { throw scanner.outOfRange(remedy, "\(number)", at: start) }
    return number
  }

  /// Takes a comma if the list continues after it.
  mutating func takeComma(_ goesOn: (HoursParser) -> Bool) -> Bool {
    let start = scanner.index
    if scanner.takeSpaced(","), goesOn(self) { return true }
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
      let last: Int? = try scanner.takeSpaced("-") ? readWeek() : nil
      var step = 1
      if scanner.peek() == UInt8(ascii: "/") {
        guard let last else {
          throw scanner.expected("a last week before the step, as 01-53/2", at: scanner.index)
        }
        step = try readStep(of: 1...26)
        if last == first { step = 1 }
      }
      list.append(.weeks(first: first, last: last ?? first, step: step))
    } while takeComma {
      if case (.week, _)? = $0.nextWord() { return true }
      let digits = $0.scanner.digits(from: $0.scanner.index)
      return (digits == 1 || digits == 2) && !$0.isTime(digits: digits)
    }
    rule.days.append(list)
  }

  private mutating func readWeek() throws(HoursError) -> Int {
    try readNumber("a week", digits: 1...2, 1...53, "a week of 01 to 53")
  }

  // MARK: Weekdays and holidays: `Mo-Fr,PH`, `Su[2,4]`, `PH -1 day`.

  mutating func readWeekdays() throws(HoursError) {
    let start = scanner.index
    try enter(.weekdays, at: start)
    var list: [DaySelector] = []
    repeat {
      try count(at: scanner.index)
      list.append(try readWeekdaySelector())
    } while takeComma(\.isWeekdayAhead)
    // Two weekday conditions would match no day: a separator is missing.
    if !list.isOfHolidays, rule.days.contains(where: { $0.part == .weekdays && !$0.isOfHolidays }) {
      throw scanner.expected("\"; \" or \",\" before other weekdays", at: start)
    }
    rule.days.append(list)
  }

  /// Whether a weekday or a word for holidays is next.
  var isWeekdayAhead: Bool {
    switch nextWord()?.word {
    case .weekday?, .publicHoliday?, .schoolHoliday?: true
    default: false
    }
  }

  private mutating func readWeekdaySelector() throws(HoursError) -> DaySelector {
    let start = scanner.index
    guard let (word, length) = nextWord() else { throw scanner.expected("a weekday", at: start) }
    switch word {
    case .publicHoliday:
      takeWord(word, length: length)
      return .publicHolidays(offset: try readHolidayOffset())
    case .schoolHoliday:
      takeWord(word, length: length)
      return .schoolHolidays(offset: try readHolidayOffset())
    case .weekday(let first):
      takeWord(word, length: length)
      if scanner.peek() == UInt8(ascii: "[") { return try readNths(of: first) }
      guard scanner.takeSpaced("-") else { return .weekday(first) }
      guard case (.weekday(let last), let length)? = nextWord() else {
        throw scanner.expected("a weekday", at: scanner.index)
      }
      takeWord(.weekday(last), length: length)
      guard scanner.peek() != UInt8(ascii: "[") else {
        throw scanner.expected("a plain weekday", at: scanner.index)
      }
      return .weekdays(first: first, last: last)
    default: throw scanner.expected("a weekday", at: start)
    }
  }

  /// Reads an offset of one day before or after; the language allows no more.
  private mutating func readHolidayOffset() throws(HoursError) -> Int {
    let start = scanner.index
    let offset = readOffset() ?? 0
    guard abs(offset) <= 1 else {
      throw scanner.outOfRange("an offset of one day", "\(offset) days", at: start)
    }
    return offset
  }

  /// Reads `[1,3-4,-1]` and an offset in days.
  private mutating func readNths(of weekday: Int) throws(HoursError) -> DaySelector {
    scanner.index += 1
    var nths: UInt16 = 0
    repeat {
      scanner.skipSpaces()
      let start = scanner.index
      if scanner.take("-") {
        nths |= 1 << (4 + UInt16(try readNth(at: start)))
      } else {
        let first = try readNth(at: start)
        var last = first
        if scanner.take("-") { last = try readNth(at: scanner.index) }
        guard first <= last else {
          throw scanner.outOfRange("a last number from \(first)", "\(last)", at: start)
        }
        for nth in first...last { nths |= 1 << UInt16(nth - 1) }
      }
      scanner.skipSpaces()
    } while scanner.take(",")
    guard scanner.take("]") else { throw scanner.expected("\"]\"", at: scanner.index) }
    return .nthWeekdays(weekday: weekday, nths: nths, offset: readOffset() ?? 0)
  }

  private mutating func readNth(at place: Int) throws(HoursError) -> Int {
    let digits = scanner.digits(from: scanner.index)
    guard digits > 0 else { throw scanner.expected("a number of 1 to 5 or -5 to -1", at: place) }
    let nth = scanner.number(from: scanner.index, digits: digits)
    guard digits == 1, (1...5).contains(nth) else {
      throw scanner.outOfRange("a number of 1 to 5 or -5 to -1", "\(nth)", at: place)
    }
    scanner.index += 1
    return nth
  }
}

extension [DaySelector] {
  /// Whether the first selector is a year or has one.
  var beginsWithYear: Bool {
    switch first {
    case .years?: true
    case .dates(let span)?: span.start.year != nil
    default: false
    }
  }

  /// Whether all selectors are holidays.
  var isOfHolidays: Bool {
    allSatisfy {
      switch $0 {
      case .publicHolidays, .schoolHolidays: true
      default: false
      }
    }
  }
}
