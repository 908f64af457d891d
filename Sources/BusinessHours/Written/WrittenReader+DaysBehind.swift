// Days behind their times: `10:00~18:00(월~토)`, `10:00~18:00 평일, 10:00~15:00 토, 일 휴무`.

extension WrittenReader {
  /// Gives the times that were just read the days behind them.
  ///
  /// A bracket holds them, or a sign parts them from the next times. If one time of a text has its days behind it, all do.
  mutating func readDaysBehind() {
    guard current?.namesDays == false else { return doubtDaysBetweenTimes() }
    let start = index
    if word(start) == .openBracket { return readBracketBehind() }
    // `10am-6pm, Tuesday to Sunday`: the only times, and the only days.
    let first = word(start) == .separator ? start + 1 : start
    let last = endOfDays(first)
    if isDay(word(first)), word(last) == nil, facts.hours.isEmpty, facts.closings.isEmpty,
      openLabel == nil, current?.times.count == 1, weekdays(first..<last).nonzeroBitCount > 2
    {
      index = first
      return takeDays(until: last)
    }
    guard isDay(word(start)) else { return }
    let end = endOfDays(start)
    switch word(end) {
    case nil: if hasDaysBehindTimes { takeDays(until: end) }
    case .closed?: readPartedDays(start..<end)
    case let word? where word.beginsTimes:
      if hasDaysBehindTimes || isParting(end - 1) {
        takeDays(until: end)
      } else {
        readPartedDays(start..<end)
      }
    default: if end > start, isEndOfPlainDays(end) { readPartedDays(start..<end) }
    }
  }

  /// Gives up on `10:00~20:00 월~금 11:00~18:00 토 공휴일 휴무`: the days may be those of the times before them or behind them.
  ///
  /// `10:00~20:00 토 11:00~18:00 일 공휴일 휴무` is clear, as most days have the first times.
  private mutating func doubtDaysBetweenTimes() {
    guard let current, facts.hours.first?.namesDays == false, isDay(word(index)),
      let closed = tokens[index...].firstIndex(where: { $0.word == .closed }),
      tokens[index..<closed].count(where: { isDay($0.word) }) > 1
    else { return }
    let named = facts.hours.reduce(current.weekdays) { $0 | $1.namedWeekdays }
    let own = weekdays(index..<endOfDays(index))
    guard max(named.nonzeroBitCount, own.nonzeroBitCount) > 2, !isSignBeforeDays else { return }
    giveUp(index..<closed + 1)
  }

  /// Whether anything stands between the days of the times that were just read and the times before them.
  private var isSignBeforeDays: Bool {
    guard let last = tokens[..<index].lastIndex(where: { isDay($0.word) }) else { return true }
    var first = last
    while first > 0, endOfDays(first - 1) > last { first -= 1 }
    guard word(first) != .separator, let before = word(first - 1) else { return true }
    return !before.isClock && before != .until
  }

  /// Whether a list of weekdays ends before days of another kind, or a bracket with times or closing days of its own:
  /// `명절 휴무`, `1/1 휴무`, `第3月曜休み`, `(일요일 휴무)`, `(L.O. 17:30)`.
  private func isEndOfPlainDays(_ place: Int) -> Bool {
    switch word(place) {
    case .substitutes?, .occasion?, .but?, .lastOrders?: true
    case .openBracket?:
      (place..<closing(of: place)).contains { word($0) == .closed || isTimeAhead($0) }
    default: isDay(word(place))
    }
  }

  private mutating func readBracketBehind() {
    let days = index + 1..<closing(of: index)
    guard isDay(word(days.lowerBound)) else { return }
    let last = endOfDays(days.lowerBound)
    if word(last) == .closed || isTimeAhead(last) { readPartedDays(days.lowerBound..<last) }
    guard last == days.upperBound else { return }
    // In `10:00~18:00 (일)(공휴일) 휴무` they are closed, unless the word is a label: `10:00~18:00 (월~토) 휴무: 일`.
    var next = last + 1
    while word(next) == .openBracket, isDay(word(next + 1)) { next = closing(of: next) + 1 }
    next = skippingFillers(next)
    if word(next) == .closed {
      next = skippingFillers(next + 1)
      guard word(next) == .colon || isDay(word(next)) else { return }
    }
    // In `10:00~18:00 (토), 일 휴무` both may be closed.
    let end = endOfDays(last + 1)
    if !hasDaysBehindTimes, word(end) == .closed, weekdays(days).nonzeroBitCount < 3,
      (last..<end).contains(where: { isDay(word($0)) })
    {
      return giveUp(index..<end)
    }
    index += 1
    takeDays(until: last)
  }

  /// The weekdays at some places.
  private func weekdays(_ places: Range<Int>) -> UInt8 {
    var reading = self
    reading.index = places.lowerBound
    reading.takeDays(until: places.upperBound)
    return reading.facts.hours.last?.weekdays ?? 0
  }

  /// Decides which of the days behind times are theirs, if a word for closed, other days or other times follow:
  /// `10:00~15:00 토, 일 휴무`.
  private mutating func readPartedDays(_ places: Range<Int>) {
    let end = places.upperBound
    var all = places.filter { isParting($0) || isBehindBlank($0, in: places) || hasBlank($0) }
    // In `10:00~18:00 수+금+명절 휴무` a sign joins them.
    if isEndOfPlainDays(end), tokens[end - 1].word != .separator { all.append(end) }
    // A line break parts more than a comma or a blank.
    let breaks = all.filter { sign($0) == ";" }
    let cuts = breaks.isEmpty ? all : breaks
    guard let cut = cuts.first else { return }
    let own = weekdays(places.lowerBound..<cut)
    // `10:00~18:00 월, 화 휴무` closes both days, and nothing closes all seven.
    guard hasDaysBehindTimes || own.nonzeroBitCount > 2 else { return }
    if cuts.count == 1, !hasBlank(cut), hasDaysBehindTimes || own | weekdays(cut..<end) == 0x7F {
      index = places.lowerBound
      takeDays(until: cut)
    } else {
      giveUp(places)
    }
  }

  private func isBehindBlank(_ place: Int, in places: Range<Int>) -> Bool {
    place > places.lowerBound && isDay(word(place)) && isDay(word(place - 1)) && !touches(place)
  }

  /// Whether two weekdays that are one word have a blank within: `토 일`.
  private func hasBlank(_ place: Int) -> Bool {
    let token = tokens[place]
    return token.word.isWeekdays && token.word.singleWeekday == nil
      && text.scalars[token.place].contains(" ")
  }

  /// Whether a sign parts sentences, unlike those that only join days: `평일+토`.
  private func isParting(_ place: Int) -> Bool {
    tokens[place].word == .separator && [",", "/", ";"].contains(sign(place))
  }

  /// Whether times apply to no day: to none that is not closed, or to none that other times leave over.
  ///
  /// Then some days belong to other times: `10:00~18:00 월~금 10:00~15:00 토 일 휴무`. In `11:30~14:00(평일) 17:00~22:00` the
  /// second times have none.
  var hasTimesWithoutDays: Bool {
    if hasDaysBehindTimes, !facts.hours.allSatisfy(\.namesDays) { return true }
    let closed = facts.closings.reduce(0) { $0 | $1.certainWeekdays }
    let named = facts.hours.reduce(0) { $0 | $1.namedWeekdays }
    return facts.hours.contains { hours in
      let days = hours.namesDays ? hours.weekdays : ~named & 0x7F
      return !hours.includesHolidays && days & ~closed == 0
    }
  }

  /// Gives days the times of all groups that name them: `9:00〜12:00（月〜土） 15:00〜18:00（月〜金）`.
  mutating func joinShifts() {
    guard
      facts.hours.allSatisfy({ $0.namesDays && !$0.excludesHolidays && $0.nths == 0 })
    else { return }
    let holidays = 7
    var joined: [WrittenFacts.Hours] = []
    for day in 0...holidays {
      let groups = facts.hours.filter {
        day == holidays ? $0.includesHolidays : $0.weekdays >> UInt8(day) & 1 == 1
      }
      guard var hours = groups.first else { continue }
      hours.times = groups.flatMap(\.times)
      let place = joined.firstIndex { $0.times == hours.times } ?? joined.count
      if place == joined.count {
        (hours.weekdays, hours.includesHolidays) = (0, false)
        joined.append(hours)
      }
      if day == holidays {
        joined[place].includesHolidays = true
      } else {
        joined[place].weekdays |= 1 << UInt8(day)
      }
    }
    facts.hours = joined
  }

  /// The index behind a list of weekdays and holidays.
  func endOfDays(_ start: Int) -> Int {
    var place = start
    while let word = word(place),
      word.isWeekdays || word.isPublicHolidays
        || [.dash, .separator, .filler, .everyWeek].contains(word)
    { place += 1 }
    return place
  }

  /// Takes the days up to an index as those of the current hours.
  private mutating func takeDays(until end: Int) {
    hasDaysBehindTimes = true
    while index < end { step() }
    takePendingDays()
    flushHours()
  }
}
