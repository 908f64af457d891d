// Dates and the weekdays next to them, which only check the dates: `12/13(일)`, `2026년 12월 13일(일), 27일(일)`.

/// A date as written in a text.
struct NamedDate {
  /// The year; nil if none is written.
  var year: Int?
  var month: Int
  var day: Int
  /// The weekday next to the date, as its bit; 0 if there is none.
  var weekday: UInt8 = 0
  /// Whether the weekday is not in brackets and may be a closing day of its own.
  var mayBeList = false
  /// Whether the weekday may be the unit "day": `12/13일`.
  var mayBeUnit = false

  var point: DatePoint { DatePoint(year: year, day: .day(month: month, day: day)) }

  /// The day number in the date's own year, or in `year` if it has none.
  func number(in year: Int) -> Int { CivilDay.number(self.year ?? year, month, day) }

  /// The date with month and day swapped, if an English text leaves their order open.
  func exchanged(in text: WrittenText, _ place: Range<Int>) -> NamedDate? {
    guard text.isEnglish, year == nil, day <= 12, day != month, text.scalars[place].contains("/")
    else { return nil }
    var other = self
    (other.month, other.day) = (day, month)
    return other
  }

  /// Whether the date is before another in the same year.
  func isBefore(_ other: NamedDate) -> Bool { (month, day) < (other.month, other.day) }
}

extension NamedDate {
  /// Makes a date from the numbers of a token.
  init(_ year: Int16, _ month: Int8, _ day: Int8) {
    self.init(year: year == 0 ? nil : Int(year), month: Int(month), day: Int(day))
  }
}

extension WrittenReader {
  /// How a date relates to the one before it.
  enum Link {
    case none
    /// In the same list: `12월 13일, 27일`.
    case list
    /// Perhaps in the same list: `12월 13일+27일`.
    case loose
  }

  /// Words that join days to one group.
  static let conjunctions: Set<String> = [
    "및", "그리고", "&", "＆", "과", "와", "と", "及び", "および", "and",
  ]
  /// What may stand between the days of one list.
  static let listSigns = conjunctions.union(["", ",", "，", "、", "､", "·", "・", "･", "ㆍ"])

  func link(to place: Int) -> Link {
    guard let end = lastDate?.end, end <= place, place - end <= 3 else { return .none }
    var link = Link.list
    for between in end..<place {
      switch tokens[between].word {
      case .separator where !Self.listSigns.contains(written(between)): link = .loose
      case .separator: break
      case .filler where isFiller(between, "과", "와"): break
      // `12월 13일 휴무, 27일 휴무`: perhaps every 27th.
      case .closed, .asUsual: link = .loose
      default: return .none
      }
    }
    return link
  }

  // MARK: One date

  /// The longest range of days whose last day may be in the next month without saying so.
  private static let longestPastMonthEnd = 14

  /// Reads a date, or a day in the month of another date, with the weekday next to it.
  ///
  /// - Parameter endsRange: Whether the other date is the first of a range and this one the last: `12월 30일~3일` ends in
  ///   January. A long range like that is rather a mistake, such as `8월 20일~10일`.
  private func namedDate(
    _ place: inout Int, after other: NamedDate?, endsRange: Bool = false
  ) -> NamedDate? {
    var named: NamedDate
    // `Thu Apr 16 - Sat Apr 18`.
    var weekday: UInt8 = 0
    if other != nil, let before = word(place)?.singleWeekday, text.isEnglish {
      weekday = before
      place += 1
    }
    switch word(place) {
    case .date(let year, let month, let day)?:
      place += 1
      named = NamedDate(year, month, day)
      // `Aug 20-Aug 10` is rather a mistake than nearly a year.
      if endsRange, let other, (named.year ?? other.year) == other.year,
        named.month == other.month, named.day < other.day
      {
        return nil
      }
    case .dayOfMonth(let day)?:
      guard let other else { return nil }
      let length = CivilDay.daysInMonth(other.year ?? 2000, other.month)
      guard day <= length else { return nil }
      place += 1
      named = NamedDate(year: other.year, month: other.month, day: day)
      if endsRange, day < other.day {
        guard length - other.day + day <= WrittenReader.longestPastMonthEnd else { return nil }
        named.month = other.month % 12 + 1
        if named.month == 1 { named.year = other.year.map { $0 + 1 } }
      }
    default: return nil
    }
    if weekday != 0 {
      named.weekday = weekday
    } else if let beside = weekdayBeside(&place) {
      named.weekday = beside.weekday
      named.mayBeList = beside.mayBeList
      named.mayBeUnit = beside.mayBeUnit
      // `1월 1일 일요일`, `12/31 日曜`: on these dates nearly every place closes, Sunday or not.
      if beside.isBare, named.year == nil,
        (named.month, named.day) == (1, 1) || (named.month, named.day) == (12, 31)
      {
        named.mayBeList = true
      }
    }
    return named
  }

  /// A weekday directly after a date, as its bit, and what is uncertain of it, as in ``NamedDate``.
  private struct WeekdayBeside {
    let weekday: UInt8
    /// Whether the weekday is not in brackets.
    var isBare = true
    var mayBeList = false
    var mayBeUnit = false
  }

  /// Reads the weekday directly after a date: `(일)`, `（日・祝）`, `[일]`, `일요일`.
  private func weekdayBeside(_ place: inout Int) -> WeekdayBeside? {
    if word(place) == .openBracket || word(place) == .colon,
      let weekday = word(place + 1)?.singleWeekday
    {
      var end = place + 2
      if word(end) == .separator, word(end + 1)?.isPublicHolidays == true { end += 2 }
      if word(end)?.isPublicHolidays == true { end += 1 }
      guard word(end) == (word(place) == .openBracket ? .closeBracket : .colon) else { return nil }
      place = end + 1
      return WeekdayBeside(weekday: weekday, isBare: false)
    }
    guard let weekday = word(place)?.singleWeekday else { return nil }
    let isUnit = touches(place) && ["일", "日"].contains(written(place))
    // `12/13 일~화`, `12/13 일, 월`: a list of weekdays begins here.
    var next = place + 1
    if word(next) == .dash, word(next + 1)?.isWeekdays == true { return nil }
    if word(next) == .separator { next += 1 }
    let isListGoingOn =
      switch word(next) {
      case .weekdays?, .publicHolidays?, .nths?, .everyWeek?: true
      // `12/13 木曜定休`: every Thursday.
      case .closed?: ["定", "정기"].contains { written(next).contains($0) }
      default: false
      }
    place += 1
    return WeekdayBeside(weekday: weekday, mayBeList: isListGoingOn, mayBeUnit: isUnit)
  }

  /// Reads a date, perhaps the first of a range, and the last of the range; nil if either is not understood.
  private func dates(
    _ place: inout Int, after other: NamedDate?
  ) -> (first: NamedDate, last: NamedDate?)? {
    guard let first = namedDate(&place, after: other) else { return nil }
    guard isDash(place) else { return (first, nil) }
    place += 1
    guard let last = namedDate(&place, after: first, endsRange: true) else { return nil }
    if word(place) == .until { place += 1 }
    return (first, last)
  }

  // MARK: Dates of an item

  /// Reads a date or a range of dates.
  mutating func readDates() {
    let start = index
    let before = lastDate?.date
    let link = link(to: start)
    let isDayAlone = if case .dayOfMonth? = word(start) { true } else { false }
    guard case (var first, let last)? = dates(&index, after: before) else {
      index = max(index, start + 1)
      return giveUp(start..<index)
    }
    defer { lastDate = (last ?? first, index) }
    if let other = first.exchanged(in: text, tokens[start].place) {
      // `closed 12/11`: 11 December or 12 November.
      doubt(start..<index, .ambiguous)
      guard last == nil else { return giveUp(start..<index) }
      for date in [first, other] {
        add(
          .init(
            days: .dates([range(date, nil)]), place: place(start), onWeekday: date.weekday,
            isUncertain: true))
      }
      return
    }
    if isDayAlone, let before, link == .loose || !before.isBefore(first) {
      // `12월 13일+27일`: perhaps every 27th.
      addDoubtful(.daysOfMonth([first.day]), from: start, .ambiguous, onWeekday: first.weekday)
      guard last == nil else { return }
    } else if !isDayAlone, link != .none, let before, let year = before.year, first.year == nil,
      first.weekday == 0, last?.year == nil, last?.weekday ?? 0 == 0
    {
      // `2026-12-13, 12/27`: certainly in that year, perhaps in every year.
      addDoubtful(.dates([range(first, last)]), from: start, .ambiguous)
      guard before.isBefore(first) else { return }
      first.year = year
    }
    if let last { add(first, through: last, from: start) } else { add(first, from: start) }
    // `근로자의 날(5월 1일)`: the bracket repeats the same day.
    if last == nil, let dates = bracketedDates(index), dates.ranges == [range(first, nil)] {
      index = dates.end
    }
  }

  private func range(_ first: NamedDate, _ last: NamedDate?) -> DateRange {
    DateRange(start: first.point, end: last.map { .date($0.point) } ?? .single)
  }

  /// Adds one date, unless its weekday is wrong.
  private mutating func add(_ date: NamedDate, from start: Int) {
    let place = place(start)
    func item(_ days: WrittenFacts.Item.Days, isUncertain: Bool = false) -> WrittenFacts.Item {
      WrittenFacts.Item(days: days, place: place, isUncertain: isUncertain)
    }
    let dates = WrittenFacts.Item.Days.dates([range(date, nil)])
    let weekdays = WrittenFacts.Item.Days.weekdays(date.weekday)
    if let year = date.year, date.weekday != 0, !date.mayBeUnit {
      let number = date.number(in: year)
      let weekday = CivilDay.weekday(number)
      guard date.weekday == 1 << UInt8(weekday) else {
        // The date or the weekday is wrong, so the other possible days are uncertain, too.
        let ahead = (date.weekday.trailingZeroBitCount - weekday + 7) % 7
        let numbers = [number, number + ahead, number + ahead - 7]
        addDoubtful(.dates(numbers.map { DateRange(day: $0) }), from: start, .otherWeekday)
        if date.mayBeList { addDoubtful(weekdays, from: start, .ambiguous) }
        return
      }
    }
    if date.mayBeList { addDoubtful(weekdays, from: start, .ambiguous) }
    guard date.year == nil else { return add(item(dates)) }
    if date.mayBeList || date.mayBeUnit {
      // Applies to every year, unless the weekday belongs to the date.
      if !date.mayBeList { doubt(start..<index, .ambiguous) }
      add(item(dates, isUncertain: true))
    }
    var own = item(dates)
    own.onWeekday = date.weekday
    add(own)
  }

  /// Adds the dates of a range, both ends included.
  private mutating func add(_ from: NamedDate, through to: NamedDate, from start: Int) {
    var (first, last) = (from, to)
    if let year = first.year {
      last.year = last.year ?? (last.isBefore(first) ? year + 1 : year)
    } else if let year = last.year {
      first.year = last.isBefore(first) ? year - 1 : year
    }
    var item = WrittenFacts.Item(days: .dates([range(first, last)]), place: place(start))
    guard let year = first.year, let lastYear = last.year else {
      return addYearless(first, through: last, item, from: start)
    }
    guard first.number(in: year) < last.number(in: lastYear) else { return giveUp(start..<index) }
    for date in [first, last] where date.weekday != 0 && !item.isUncertain {
      let weekday = CivilDay.weekday(date.number(in: year))
      if date.weekday != 1 << UInt8(weekday) {
        doubt(start..<index, .otherWeekday)
        item.isUncertain = true
      }
    }
    if first.mayBeList || last.mayBeList {
      addDoubtful(.weekdays(first.weekday | last.weekday), from: start, .ambiguous)
    }
    add(item)
  }

  /// Adds a range without years; if a weekday stands next to an end, only for years in which it fits.
  private mutating func addYearless(
    _ first: NamedDate, through last: NamedDate, _ item: WrittenFacts.Item, from start: Int
  ) {
    guard first.weekday | last.weekday != 0 else { return add(item) }
    var item = item
    let wrap = last.isBefore(first) ? 1 : 0
    let lengths = (1999...2002).map { last.number(in: $0 + wrap) - first.number(in: $0) }
    let length = lengths[2]
    var weekday = Int(first.weekday.trailingZeroBitCount)
    if first.weekday == 0 { weekday = (last.weekday.trailingZeroBitCount + 70 - length) % 7 }
    let fits =
      last.weekday == 0 || (weekday + length) % 7 == Int(last.weekday.trailingZeroBitCount)
    // The end of February differs between years, and a long range is too uncertain.
    guard fits, !first.mayBeList, !last.mayBeList, length <= 62,
      lengths.allSatisfy({ $0 == length })
    else {
      doubt(start..<index, fits ? .ambiguous : .otherWeekday)
      if first.mayBeList || last.mayBeList {
        let weekdays = first.weekday | last.weekday
        add(.init(days: .weekdays(weekdays), place: item.place, isUncertain: true))
      }
      item.isUncertain = true
      return add(item)
    }
    for ahead in 0...min(6, length) {
      let days = stride(from: ahead, through: length, by: 7).map { day in
        let parts = CivilDay.parts(first.number(in: 2001) + day)
        return DateRange(month: parts.month, day: parts.day)
      }
      item.days = .dates(days)
      item.onWeekday = 1 << UInt8((weekday + ahead) % 7)
      add(item)
    }
  }

  /// `(7월 2일)`, `(매년 9월 1일)`, `(12.30.~12.31.)`.
  func bracketedDates(_ start: Int) -> (ranges: [DateRange], end: Int)? {
    var place = start
    guard word(place) == .openBracket else { return nil }
    place = skippingFillers(place + 1)
    var ranges: [DateRange] = []
    var end = place
    while let (first, last) = dates(&end, after: nil) {
      guard first.weekday == 0, last?.weekday ?? 0 == 0 else { return nil }
      ranges.append(range(first, last))
      end = skipping(.separator, from: end)
      place = end
    }
    guard !ranges.isEmpty, word(place) == .closeBracket else { return nil }
    return (ranges, place + 1)
  }

  // MARK: Weekdays before dates

  /// Reads the date after a weekday, if there is one: `Sunday, Dec 13`, `일요일 12/13`.
  mutating func readDate(behind day: UInt8, from start: Int) -> Bool {
    guard day.nonzeroBitCount == 1, !saysEveryWeek else { return false }
    let isEnglish = WrittenLexer.isLatin(sign(start))
    var place = index
    let hasComma = isEnglish && word(place) == .separator && written(place) == ","
    if hasComma { place += 1 }
    guard case .date(let year, let month, let number)? = word(place) else { return false }
    var named = NamedDate(year, month, number)
    named.weekday = day
    guard named.exchanged(in: text, tokens[place].place) == nil else { return false }
    index = place + 1
    let isBehindWeekday =
      word(start - 1) == .separator && word(start - 2)?.singleWeekday != nil
    if let year = named.year {
      // If the weekday fits, both name one day; otherwise they are two days or a mistake.
      named.mayBeList = day != 1 << UInt8(CivilDay.weekday(named.number(in: year)))
    } else {
      named.mayBeList = !isEnglish || hasComma
    }
    if isBehindWeekday { named.mayBeList = true }
    var last: NamedDate?
    if word(index) == .dash {
      index += 1
      last = namedDate(&index, after: named, endsRange: true)
      guard last != nil else {
        giveUp(start..<index)
        return true
      }
    }
    if let last { add(named, through: last, from: start) } else { add(named, from: start) }
    lastDate = (last ?? named, index)
    return true
  }

  // MARK: Days of every month

  mutating func readDaysOfMonth() {
    let start = index
    var days: [Int] = []
    while case .dayOfMonth(let day)? = word(index) {
      days.append(day)
      index += 1
      let own = index - 1
      if let beside = weekdayBeside(&index) {
        // `27일(일)`: the months in which the weekday fits, or just one of them.
        days.removeLast()
        addDoubtful(
          .daysOfMonth([day]), from: own, .notDated,
          onWeekday: beside.isBare ? 0 : beside.weekday)
        if beside.isBare {
          add(.init(days: .weekdays(beside.weekday), place: place(own), isUncertain: true))
        }
      }
      if word(index) == .dash {
        giveUp(start..<index + 1)
        index += 1
        return
      }
      if word(index) == .separator, case .dayOfMonth? = word(index + 1) { index += 1 }
    }
    guard !days.isEmpty else { return }
    let isOfEveryMonth = (0..<start).contains { isFiller($0, "매월", "매달", "毎月") }
    if isOfEveryMonth || isOfClosingDays {
      add(.init(days: .daysOfMonth(days), place: place(start)))
    } else {
      // `3일 휴무`: of every month, of this one, or three days.
      addDoubtful(.daysOfMonth(days), from: start, .notDated)
    }
  }
}
