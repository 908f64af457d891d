// Dates: `2026-12-13`, `20261213`, `2026년 12월 13일`, `12월 13·27일`, `12/13`, `12.13(일)`, `16日`.

extension WrittenLexer {
  /// Takes one date, or several dates that share a month.
  mutating func readDates() -> Bool {
    // Not in the middle of a number.
    guard let first = scalar(index),
      index == 0 || !first.isASCIIDigit || !text.scalars[index - 1].isASCIIDigit
    else { return false }
    guard first.isASCIIDigit else { return Self.isLatin(first) && readEnglishMonth(nil) }
    guard let number = number(index) else { return readCompactDate() }
    if number.end == index + 4, Self.years.contains(number.value) {
      return readYearAndMore(number.value, number.end)
    }
    // Usually a time.
    if scalar(number.end) == ":" || isHourUnit(number.end) { return false }
    return readMonthAndDays(nil, from: index) || readSignedDate(number) || readEnglishDays()
      || readListedDay(number)
  }

  /// A day of a month, and its position in the text.
  struct Day {
    var day: Int
    var place: Range<Int>
    /// Whether a dash stands between this day and the previous one.
    var endsRange = false
  }

  /// The years allowed in a date; other four-digit numbers are something else.
  static let years = 1900...2199

  /// Makes words of days, unless the month lacks one of them.
  mutating func take(_ days: [Day], _ year: Int?, _ month: Int) -> Bool {
    guard let last = days.last,
      days.allSatisfy({ CivilDay.exists(year ?? 2000, month, $0.day) })
    else { return false }
    var isPastMonthEnd = false
    for (number, day) in days.enumerated() {
      if number > 0, let sign = tokens.last?.place.upperBound {
        tokens.append(
          Token(word: day.endsRange ? .dash : .separator, place: sign..<day.place.lowerBound))
        if day.endsRange, year == nil, day.day < days[number - 1].day { isPastMonthEnd = true }
      }
      // `12월 30~3일`: the month of the last day is not written.
      let word =
        isPastMonthEnd
        ? WrittenWord.dayOfMonth(day.day)
        : .date(year: Int16(year ?? 0), month: Int8(month), day: Int8(day.day))
      tokens.append(Token(word: word, place: day.place))
    }
    index = last.place.upperBound
    return true
  }

  // MARK: With a year

  /// `20261213`.
  private mutating func readCompactDate() -> Bool {
    guard let (value, end) = number(index, maximumDigits: 8), end == index + 8,
      Self.years.contains(value / 10_000)
    else { return false }
    return take([Day(day: value % 100, place: index..<end)], value / 10_000, value / 100 % 100)
  }

  /// Reads the text after a year: `-12-13`, `. 12. 13.`, `/12/13`, `년 12월 13일`, ` Dec 13`.
  private mutating func readYearAndMore(_ year: Int, _ end: Int) -> Bool {
    let next = skippingSpaces(end)
    if let sign = scalar(next), sign == "년" || sign == "年" {
      return readMonthAndDays(year, from: skippingSpaces(next + 1))
    }
    if let sign = scalar(end), sign == "-" || sign == "." || sign == "/" {
      func following(_ place: Int) -> Int { sign == "." ? skippingSpaces(place + 1) : place + 1 }
      guard let month = number(following(end)), scalar(month.end) == sign,
        let day = number(following(month.end)), day.end - following(month.end) <= 2
      else { return false }
      let isDotted = sign == "." && scalar(day.end) == "."
      let place = index..<day.end + (isDotted ? 1 : 0)
      return take([Day(day: day.value, place: place)], year, month.value)
    }
    return next > end && readEnglishMonth(year, from: next)
  }

  // MARK: With words

  /// `12월 13일`, `12月13・27日`, `12월 13~15일`, `12월 휴무일: 13, 27일`.
  private mutating func readMonthAndDays(_ year: Int?, from start: Int) -> Bool {
    guard let month = number(start) else { return false }
    let unit = skippingSpaces(month.end)
    guard isMonthUnit(unit) else { return false }
    var days: [Day] = []
    var place = skippingSpaces(unit + 1)
    let label = closedLabel(&place)
    var endsRange = false
    while let number = number(place), number.end - place <= 2 {
      let start = days.isEmpty && label == nil ? index : place
      var day = Day(day: number.value, place: start..<number.end, endsRange: endsRange)
      let after = skippingSpaces(number.end)
      if isDayUnit(after) {
        day.place = day.place.lowerBound..<after + 1
        let before = tokens
        tokens += label.map { [$0] } ?? []
        if take(days + [day], year, month.value) { return true }
        tokens = before
        return false
      }
      days.append(day)
      guard let sign = scalar(after), [",", "·", "-"].contains(sign) else { return false }
      endsRange = sign == "-"
      place = skippingSpaces(after + 1)
    }
    return false
  }

  /// A word for closed between a month and its days, which it labels.
  private func closedLabel(_ place: inout Int) -> Token? {
    guard let label = word(at: place), label.word == .closed else { return nil }
    let token = Token(word: .closed, place: place..<label.end)
    place = skippingSpaces(label.end)
    if let sign = scalar(place), [":", "은", "는", "は"].contains(sign) {
      place = skippingSpaces(place + 1)
    }
    return token
  }

  /// `27(일)` behind a date with its weekday: `12/13(일), 27(일)`.
  private mutating func readListedDay(_ number: (value: Int, end: Int)) -> Bool {
    let before = tokens.suffix(5).map(\.word)
    guard before.count == 5, case .date = before[0], before[1] == .openBracket,
      before[2].singleWeekday != nil, before[3] == .closeBracket, before[4] == .separator,
      (1...31).contains(number.value), isWeekdayInBrackets(number.end)
    else { return false }
    take(.dayOfMonth(number.value), until: number.end)
    return true
  }

  /// `16日`.
  mutating func dayOfMonth(_ number: (value: Int, end: Int)) -> WrittenWord? {
    let after = skippingSpaces(number.end)
    guard isDayUnit(after), (1...31).contains(number.value), scalar(after + 1) != "요",
      scalar(after + 1) != "曜"
    else { return nil }
    index = after + 1
    return .dayOfMonth(number.value)
  }

  // MARK: With signs

  /// Reads `8/14` and `12.30.`; also `12.13(일)`, which is a date only because of its weekday.
  private mutating func readSignedDate(_ month: (value: Int, end: Int)) -> Bool {
    guard let sign = scalar(month.end), sign == "/" || sign == ".",
      let day = number(month.end + 1), day.end - month.end <= 3
    else { return false }
    var end = day.end
    // `2/4주`: the second and fourth.
    if sign == "/", let unit = scalar(end), ["주", "째", "번"].contains(unit) { return false }
    if sign == ".", scalar(end) == "." {
      end += 1
    } else if sign == "." {
      guard isWeekdayInBrackets(end) else { return false }
    }
    return take([Day(day: day.value, place: index..<end)], nil, month.value)
  }

  /// Whether brackets at an index contain only a weekday.
  func isWeekdayInBrackets(_ place: Int) -> Bool {
    let start = skippingSpaces(place)
    guard scalar(start) == "(" else { return false }
    var reading = self
    reading.index = skippingSpaces(start + 1)
    guard reading.index < text.scalars.count,
      (reading.englishWord() ?? reading.lexeme())?.singleWeekday != nil
    else { return false }
    return scalar(skippingSpaces(reading.index)) == ")"
  }
}
