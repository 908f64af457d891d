// Breaks, and days that the times do not include: `브레이크타임 15:00~17:00`, `12~13시 점심시간`, `（月曜を除く）`.

extension WrittenReader {
  /// A break within the hours, which are read before it or behind it.
  struct Break {
    var opens: WrittenTime
    var closes: WrittenTime
    /// The place in the text.
    var place: Range<Int>
    /// The only hours that it can be in, if it stands in a bracket behind them.
    var hours: Int?

    /// The times that may be meant, from the midnight before the hours begin.
    ///
    /// `1시~2시` is in the afternoon where the place is not open at night.
    fileprivate var spans: [Range<Int>] {
      func minutes(_ time: WrittenTime) -> [Int] {
        guard let minute = time.start else { return [] }
        return time.mayBeOfTwelve && time.part == nil && minute < 720
          ? [minute, minute + 720] : [minute]
      }
      return minutes(opens).flatMap { start in
        minutes(closes).compactMap { end in
          start < end && end - start <= Self.longest ? start..<end : nil
        }
      }
    }

    /// The longest break, in minutes.
    private static let longest = 300
  }

  // MARK: Breaks

  /// The longest break for lunch, in minutes, if it is not called a break.
  private static let longestLunch = 90

  /// Reads a word for a break and the times behind it.
  mutating func readBreak() {
    let start = index
    let place = skipping(.filler, .colon, from: start + 1)
    let isOfHours = !isOfClosingDays && mode == .hours && pending.isEmpty && !hasWordBefore(start)
    // `브레이크타임 없음`.
    if isOfHours, word(place) == .noClosingDays, ["없음", "なし"].contains(written(place)) {
      index = place + 1
      return
    }
    let isBracket = word(place) == .openBracket
    guard isOfHours, let found = span(isBracket ? place + 1 : place) else { return giveUpOnWord() }
    index = found.end
    take(found.pause, from: start)
    if isBracket, word(index) == .closeBracket { index += 1 }
    endBreak(from: start, found.pause, word: start)
  }

  /// Reads times with a word for a break behind them; false if there is none.
  mutating func readBreakBefore() -> Bool {
    let start = index
    guard let found = span(start) else { return false }
    let word = skippingFillers(found.end)
    guard self.word(word) == .pause, self.word(word + 1) != .noClosingDays else { return false }
    let next = skipping(.filler, .colon, from: word + 1)
    // `11:00~15:00 브레이크타임 15:00~17:00`: the break has its own times.
    guard span(self.word(next) == .openBracket ? next + 1 : next) == nil, mode == .hours,
      pending.isEmpty
    else { return false }
    index = word + 1
    take(found.pause, from: start)
    endBreak(from: start, found.pause, word: word)
    return true
  }

  private mutating func take(_ pause: Break, from start: Int) {
    var pause = pause
    pause.place = place(start)
    if word(start - 1) == .openBracket, current != nil, !hasDaysBehindTimes,
      let before = word(start - 2), before.isClock || before == .until
    {
      pause.hours = facts.hours.count
    }
    if !breaks.contains(where: { $0.spans == pause.spans }) { breaks.append(pause) }
  }

  /// Passes what only repeats that the place is closed then; gives up on words that may say the opposite, or on which
  /// days the break is.
  ///
  /// - Parameter word: The index of the word for the break.
  private mutating func endBreak(from start: Int, _ pause: Break, word place: Int) {
    let isExcepted = take(.except)
    let isClosed =
      word(index) == .closed && [nil, .separator, .closeBracket].contains(word(index + 1))
    if isClosed { index += 1 }
    var next = index
    // `점심 11:30~14:30` may be what a restaurant serves.
    var isOpen =
      !isExcepted && !isClosed && written(place) == "점심"
      && pause.spans.contains { $0.count > Self.longestLunch }
    while let word = word(next), [.filler, .closeBracket].contains(word) {
      // `점심시간에도 진료`.
      isOpen = isOpen || written(next) == "도"
      next += 1
    }
    switch word(next) {
    case .unknown?: isOpen = isOpen || next == index
    case .asUsual?, .openHours?, .openDays?, .notClosed?, .including?, .half?:
      isOpen = true
    default:
      // `브레이크타임 15:00~17:00 토, 일 휴무`: on which days is the break?
      let days = tokens[next..<max(next, endOfDays(next))].map(\.word)
      let count = days.count { $0.isWeekdays || $0.isPublicHolidays }
      isOpen = isOpen || count > 1 && next == index && days.first != .separator
    }
    if isOpen { giveUp(start..<min(next + 1, tokens.count)) }
  }

  /// Whether a word that is not known stands directly before another: `직원 점심시간`.
  private func hasWordBefore(_ place: Int) -> Bool {
    let before = skippingBack(.filler, from: place - 1)
    return word(before) == .unknown
      && text.scalars[tokens[before].place].contains(where: \.properties.isAlphabetic)
  }

  /// Two times with a dash between them.
  private func span(_ start: Int) -> (pause: Break, end: Int)? {
    var place = start
    guard let opens = time(&place) else { return nil }
    place = skippingFillers(place)
    guard isDash(place) else { return nil }
    place = skipping(.dash, .from, .filler, from: place)
    guard let closes = time(&place) else { return nil }
    if word(place) == .until { place += 1 }
    return (Break(opens: opens, closes: closes, place: start..<place), place)
  }

  private func time(_ place: inout Int) -> WrittenTime? {
    var part: DayPart?
    while let word = word(place) {
      defer { place += 1 }
      if case .clock(let minute) = word {
        return WrittenTime(minute, part, in: text, at: tokens[place].place)
      }
      guard let named = word.dayPart else { return nil }
      part = named
    }
    return nil
  }

  /// Takes the breaks out of the hours, each of which must lie within one of them and meet no other.
  mutating func takeBreaks() {
    for pause in breaks {
      let places = pause.spans.compactMap { within($0, of: pause.hours) }
      guard places.count == 1, let found = places.first, !facts.mayBeOtherwise else {
        return giveUp(at: pause.place)
      }
      let time = facts.hours[found.hours].times[found.time]
      facts.hours[found.hours].times.replaceSubrange(
        found.time...found.time,
        with: [
          TimeSpan(start: time.start, end: .time(.clock(found.span.lowerBound))),
          TimeSpan(start: .clock(found.span.upperBound), end: time.end),
        ])
    }
  }

  /// The only time that a break meets, if it lies within it.
  private func within(
    _ span: Range<Int>, of own: Int?
  ) -> (hours: Int, time: Int, span: Range<Int>)? {
    let pause = TimeSpan(start: .clock(span.lowerBound), end: .time(.clock(span.upperBound)))
    var found: (hours: Int, time: Int, span: Range<Int>)?
    for (hours, group) in facts.hours.enumerated() where own == nil || own == hours {
      for (time, open) in group.times.enumerated() where open.overlaps(pause) {
        guard found == nil, case .clock(let start) = open.start,
          case .time(.clock(let end)) = open.end, start < span.lowerBound,
          span.upperBound < (end <= start ? end + 1440 : end)
        else { return nil }
        found = (hours, time, span)
      }
    }
    return found
  }

  // MARK: Days that the times do not include

  /// Reads `월요일을 제외한`, `月曜を除く`, `공휴일 제외`, which belong to the only times of a text.
  ///
  /// - Parameters:
  ///   - start: The index of the days.
  ///   - except: The index of the word for "except".
  mutating func readException(_ days: WrittenFacts.Item.Days, from start: Int, except: Int) {
    index = except + 1
    var items = [WrittenFacts.Item(days: days, place: place(start))]
    let isInBracket = word(start - 1) == .openBracket
    var isUnderstood =
      mode == .hours && !isOfClosingDays && nths == 0 && recentNths == 0 && limit == nil
      && isEndOfException(index) && !isListOfUnknown(start)
    switch (pending.count, pending.first?.days, days) {
    case (0, _, _): isUnderstood = isUnderstood && isBehindHours(start)
    case (1, .weekdays(let all, nths: 0), .weekdays(let own, _)) where all & own == own: break
    case (_, .weekdays, .publicHolidays) where isInBracket: break
    default:
      // `월·화 제외`: both of them.
      let isList = placesJoinedToLast(of: pending + items).count == pending.count
      isUnderstood =
        isUnderstood && isList && !isInBracket && items[0].days != .publicHolidays
        && isBehindHours(firstOfPending)
      items += pending
      pending = []
    }
    guard isUnderstood else { return giveUp(start..<except + 1) }
    exceptions += items
    openLabel = nil
  }

  /// Whether a list of days that ends in dates stands before a word, behind times: `9:00~17:00\n祝日、12/29～1/3を除く`.
  var isBehindList: Bool {
    guard mode == .hours, !isOfClosingDays, current != nil, limit == nil, nths == 0,
      let first = pending.first, pending.allSatisfy({ !$0.isUncertain }),
      !isListOfUnknown(firstOfPending), isBehindHours(firstOfPending)
    else { return false }
    return tokens[..<index].reversed().prefix { $0.place.lowerBound >= first.place.lowerBound }
      .allSatisfy { ![.openBracket, .closeBracket].contains($0.word) }
  }

  mutating func readListException() {
    index += 1
    guard isEndOfException(index) else { return giveUp(index - 1..<index) }
    exceptions += pending
    pending = []
  }

  /// The index of the first of the pending days.
  private var firstOfPending: Int {
    let first = pending.first?.place.lowerBound ?? 0
    return tokens.firstIndex { $0.place.lowerBound >= first } ?? index
  }

  /// Whether days that are left out follow hours, or nothing: not a closing day, which does not apply on them, nor what
  /// only takes place on other days: `월요일 휴관 (공휴일 제외)`, `ランチ（日曜を除く）`, `LO 21:00（日曜を除く）`.
  private func isBehindHours(_ start: Int) -> Bool {
    var before = start - 1
    func skip(_ isSkipped: (WrittenWord) -> Bool) {
      while let word = word(before), isSkipped(word) { before -= 1 }
    }
    skip {
      switch $0 {
      case .openBracket, .closeBracket, .filler, .but, .separator, .colon, .everyWeek, .nths: true
      default: false
      }
    }
    switch word(before) {
    case nil, .openHours?, .openDays?, .noClosingDays?, .allDay?, .daylight?, .dash?, .from?,
      .weekdays?, .publicHolidays?:
      return true
    case .clock?, .until?:
      // A time alone is that of last orders.
      skip {
        switch $0 {
        case .clock, .until, .half, .partOfDay, .nextDay, .filler: true
        default: false
        }
      }
      return isDash(before)
    default: return false
    }
  }

  /// Whether a word that is not known begins the list in which days stand: `友引、1/1を除く`.
  private func isListOfUnknown(_ place: Int) -> Bool {
    let isListed = word(place - 1) == .separator && sign(place - 1) != ";"
    return hasWordBefore(isListed ? place - 1 : place)
  }

  /// Whether nothing follows that the days before may be about: `공휴일 제외 일요일 휴무`, `수요일 제외 5% 할인`.
  private func isEndOfException(_ place: Int) -> Bool {
    let place = skipping(.filler, .closeBracket, from: place)
    switch word(place) {
    case nil, .lastOrders?, .noClosingDays?, .colon?, .openHours?: return true
    case .weekdays(0x7F, false)?: return !isClosedList(place)
    case .separator?:
      return !isClosedList(place + 1) && word(place + 1) != .except
    default: return isTimesAhead(place)
    }
  }

  /// Reads the days behind `except`, which end a text: `10am-6pm except Mondays`; or between days and their times.
  mutating func readEnglishException() {
    let start = index
    var place = index + 1
    var items: [WrittenFacts.Item] = []
    let isOfHours = !pending.isEmpty || isBehindHours(start)
    scan: while let word = word(place) {
      switch word {
      case .filler, .everyWeek, .separator: break
      case .weekdays(let days, false):
        items.append(.init(days: .weekdays(days), place: tokens[place].place))
      case .publicHolidays(false):
        items.append(.init(days: .publicHolidays, place: tokens[place].place))
      default: break scan
      }
      place += 1
    }
    index = place
    let isDaily = pending.allSatisfy { $0.days == .weekdays(0x7F, nths: 0) }
    let isEnd = word(place) == nil || word(place) == .closeBracket && word(place + 1) == nil
    guard !items.isEmpty, nths == 0, isDaily, isOfHours,
      isEnd || !pending.isEmpty && isTimesAhead(place)
    else { return giveUp(start..<place) }
    exceptions += items
  }

  /// Closes the days that the only times of a text do not include.
  mutating func takeExceptions() {
    guard let first = exceptions.first else { return }
    guard facts.hours.count == 1, facts.hours[0].times.count == 1, breaks.isEmpty,
      facts.hours[0].months == 0
    else { return giveUp(at: first.place) }
    facts.closings += exceptions
  }
}
