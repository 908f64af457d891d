// Days: `둘째·넷째 일요일`, `日曜～水曜`, `설·추석 당일`, `12월 31일`, `일요일을 제외한 법정공휴일`.

extension WrittenReader {
  mutating func readItem() {
    let start = index
    switch tokens[index].word {
    case .nths(let more):
      nths |= more
      index += 1
      if isFiller(index, "날") { readNthDay(from: start) }
    case .weekdays(let days, let excludesHolidays):
      readWeekdays(days, excludesHolidays: excludesHolidays)
    case .everyOtherWeek:
      index += 1
      guard case .weekdays(let days, false)? = word(index) else { return giveUp(start..<index) }
      index += 1
      addDoubtful(.weekdays(days), from: start, .notDated)
    case .publicHolidays(let isOfDecree): readHolidays(isOfDecree: isOfDecree)
    case .substitutes:
      index += 1
      // Those of Japan, which only its holidays include.
      let isJapanese = text.text(place(start)) == "振替休日"
      add(.init(days: .substitutes, place: place(start), isUncertain: isJapanese))
    case .nationalDays:
      index += 1
      add(.init(days: .nationalDays, place: place(start)))
    case .feast(let feast): readFeast(feast)
    case .date: readDates()
    case .dayOfMonth:
      if link(to: index) == .none { readDaysOfMonth() } else { readDates() }
    case .newYear(let isYearEnd):
      if !takesDates(behind: start) {
        add(.init(days: .newYear(isYearEnd: isYearEnd), place: place(start)))
      }
    case .bon:
      index += 1
      doubt(start..<index, .notDated)
      add(.init(days: .bon, place: place(start)))
    case .occasion:
      if !takesDates(behind: start) { facts.mayCloseMore = true }
    default: break
    }
  }

  /// Takes the name of a day and the dates in brackets after it; without dates it is doubtful.
  private mutating func takesDates(behind start: Int) -> Bool {
    index += 1
    // `年末年始12/29〜1/3`, `年末年始休業（12/29〜1/3）`.
    if case .date? = word(index) { return true }
    if word(index) == .closed, let dates = bracketedDates(index + 1) {
      index = dates.end
      openLabel = nil
      facts.closings.append(.init(days: .dates(dates.ranges), place: place(start)))
      return true
    }
    guard let dates = bracketedDates(index) else {
      doubt(start..<index, .notDated)
      return false
    }
    index = dates.end
    add(.init(days: .dates(dates.ranges), place: place(start)))
    return true
  }

  /// The place in the text of the tokens that were just read.
  func place(_ start: Int) -> Range<Int> {
    tokens[start].place.lowerBound..<tokens[max(start, index - 1)].place.upperBound
  }

  mutating func add(_ item: WrittenFacts.Item) {
    if nths != 0 {
      // `둘째 공휴일` has no meaning.
      if !item.isOfWeekdays { giveUp(max(0, index - 1)..<index) }
      nths = 0
    }
    saysEveryWeek = false
    openLabel = nil
    if !item.isOfWeekdays { recentNths = 0 }
    var item = item
    if let limit {
      item.isUncertain = true
      item.place = limit.lowerBound..<item.place.upperBound
    }
    pending.append(item)
  }

  /// Adds days of which it is uncertain whether they are meant.
  mutating func addDoubtful(
    _ days: WrittenFacts.Item.Days, from start: Int, _ kind: WrittenDoubt.Kind,
    onWeekday: UInt8 = 0
  ) {
    doubt(start..<index, kind)
    add(.init(days: days, place: place(start), onWeekday: onWeekday, isUncertain: true))
  }

  /// Passes `마지막 날`, a day of the month that has no number.
  private mutating func readNthDay(from start: Int) {
    index += 1
    nths = 0
    recentNths = 0
    openLabel = nil
    doubt(start..<index)
    if mode == .closings || isClosedList(index) {
      facts.mayCloseMore = true
    } else {
      facts.mayBeOtherwise = true
    }
  }

  /// Reads `休日` where it means holidays, as in `土・日・休日 10:00〜18:00`, and not closed; false if it may be a label.
  mutating func readHolidayWord() -> Bool {
    let start = index
    guard !isDay(word(skipping(.colon, .filler, from: index + 1))) else { return false }
    if !pending.isEmpty, word(start - 1) == .separator,
      Self.listSigns.contains(written(start - 1))
    {
      index += 1
      add(.init(days: .publicHolidays, place: place(start)))
      return true
    }
    guard pending.isEmpty, isTimeAhead(start + 1) else { return false }
    // `平日 9:00〜18:00 休日 10:00〜17:00`: are weekends meant, too?
    giveUpOnWord()
    return true
  }

  // MARK: Weekdays

  private mutating func readWeekdays(_ first: UInt8, excludesHolidays: Bool) {
    let start = index
    if readFalseWeekdays(first) || readExceptedWeekdays(first) { return }
    index += 1
    let days = excludesHolidays ? first : readEndOfRange(from: first)
    if readDoubtfulWeekdays(days, from: start) { return }
    if nths == 0, !excludesHolidays, readDate(behind: days, from: start) { return }
    var item = WrittenFacts.Item(
      days: .weekdays(days, nths: nths), place: place(start), excludesHolidays: excludesHolidays)
    if nths == 0, recentNths != 0, !saysEveryWeek {
      item.days = .weekdays(days, nths: recentNths)
      item.hasDoubtfulNths = true
      doubt(start..<index, .ambiguous)
    }
    if isFiller(index, "の", "의"), word(index + 1)?.isPublicHolidays == true {
      // `月曜の祝日`: holidays on Mondays.
      index += 2
      return addHolidays(on: days, from: start)
    }
    if nths != 0 { recentNths = nths }
    nths = 0
    add(item)
  }

  /// Gives up on what only looks like weekdays; false if these are some.
  private mutating func readFalseWeekdays(_ days: UInt8) -> Bool {
    let start = index
    if !isOfClosingDays, isGlued(start) {
      // `周二至周日`: the end of an unknown word.
      index += 1
      giveUp(start - 1..<index)
    } else if pending.isEmpty, days == 1 << 4,
      word(start + 2) == .closed || isTimeAhead(start + 2),
      text.scalars[tokens[start].place.lowerBound...].starts(with: "금일".unicodeScalars)
    {
      // `금일 휴무`, `금일 10:00~15:00`: today, or Fridays and Sundays.
      index += 2
      giveUp(start..<index + 1)
    } else if days == 1, case .dayOfMonth? = word(start + 1), touches(start + 1) {
      // `月1日休み`: one day a month.
      index += 2
      giveUp(start..<index)
    } else {
      return false
    }
    return true
  }

  /// Reads `일요일을 제외한 공휴일`, `일요일이 아닌 공휴일` and `월요일 제외`; false if nothing is excepted.
  private mutating func readExceptedWeekdays(_ days: UInt8) -> Bool {
    let next = skippingFillers(index + 1)
    guard word(next) == .except, !text.isEnglish else { return false }
    let after = skippingFillers(next + 1)
    if days == 1 << 6, word(after)?.isPublicHolidays == true {
      index = after
      readHolidays(isOfDecree: false, isButSundays: true)
    } else {
      readException(.weekdays(days), from: index, except: next)
    }
    return true
  }

  /// Reads the end of a range that begins with a weekday, if there is one, and returns the days.
  private mutating func readEndOfRange(from first: UInt8) -> UInt8 {
    guard isDash(index), first.nonzeroBitCount == 1, let last = word(index + 1)?.singleWeekday
    else { return first }
    var (day, days) = (first, first)
    while day != last {
      day = Self.after(day)
      days |= day
    }
    index += 2
    if word(index) == .until { index += 1 }
    return days
  }

  /// Reads words behind weekdays by which only some of them are meant, or a part; false if there are none.
  private mutating func readDoubtfulWeekdays(_ days: UInt8, from start: Int) -> Bool {
    if case .half? = word(index), !isTimeAhead(index) {
      // `土曜午後`: only a part of the day, and in `木・土午後` of both.
      index += 1
      addDoubtful(.weekdays(days), from: start, .partOfDay)
      if let first = placesJoinedToLast(of: pending).last { doubtPending(from: first, .partOfDay) }
      return true
    }
    let remark = skippingFillers(index)
    guard
      word(remark) == .irregular || word(remark) == .everyOtherWeek && !isDay(word(remark + 1))
    else { return false }
    // `일요일 격주 휴무`.
    index = remark + 1
    addDoubtful(.weekdays(days), from: start, .notDated)
    return true
  }

  /// Adds holidays on weekdays; in `月・火の祝日` they may be those of both days.
  private mutating func addHolidays(on days: UInt8, from start: Int) {
    let next = word(index) == .separator ? index + 1 : index
    if !pending.isEmpty || isDay(word(next)) { giveUp(start..<index) }
    add(.init(days: .holidaysOn(days), place: place(start)))
  }

  // MARK: Holidays

  private mutating func readHolidays(isOfDecree: Bool, isButSundays: Bool = false) {
    let start = index
    index += 1
    var item = WrittenFacts.Item(days: .publicHolidays, place: place(start))
    if isButSundays { item.sundays = .excepted }
    // `공휴일과 겹치는 일요일`.
    let next = skippingFillers(index)
    let after = skippingFillers(next + 1)
    if word(next) == .coinciding, case .weekdays(let days, false)? = word(after) {
      index = after + 1
      item.days = .holidaysOn(days)
      return add(item)
    }
    if word(next) == .except, !text.isEnglish {
      return readException(.publicHolidays, from: start, except: next)
    }
    if isFiller(index, "の", "의"), case .weekdays(let days, _)? = word(index + 1) {
      // `祝日の月曜`.
      index += 2
      return addHolidays(on: days, from: start)
    }
    if let last = pending.last, last.excludesHolidays,
      text.text(last.place.upperBound..<tokens[start].place.lowerBound).isEmpty
    {
      // `평일 공휴일 휴무`: workdays, and holidays on workdays, or both?
      giveUp(start..<index)
    }
    item.isOfDecree = isOfDecree
    add(item)
  }

  // MARK: Feasts

  private mutating func readFeast(_ first: KoreanFeast) {
    let start = index
    var feast = first
    index += 1
    // `설·추석 당일`, `설,추석연휴`.
    let ahead = skipping(.separator, .filler, from: index)
    if case .feast(let other)? = word(ahead), other != first, ahead - index <= 1,
      written(max(index, ahead - 1)) != "+"
    {
      feast = .both
      index = ahead + 1
    }
    // `명절` alone means the holidays around a feast.
    var extent = first == .both ? WrittenFacts.Item.FeastDays.all : .notSaid
    if take(.feastDays) {
      extent = .all
    } else if take(.theDay) || take(.openBracket, .theDay, .closeBracket) {
      extent = .dayAlone
    }
    let includesSubstitutes = take(.openBracket, .substitutes, .including, .closeBracket)
    add(
      .init(
        days: .feast(feast, extent, includesSubstitutes: includesSubstitutes), place: place(start)))
  }
}
