// Times: `10:00~23:00`, `오전 9시 30분부터 오후 6시까지`, `18:00〜翌3:00`, `昼11:30〜14:00 夜17:00〜21:00`.

extension WrittenReader {
  /// The index of a time of day, perhaps behind words for a part of the day.
  func timeAhead(_ start: Int) -> Int? {
    var place = start
    while let word = word(place) {
      switch word {
      case .clock: return place
      case .half, .partOfDay, .filler, .colon, .nextDay: place += 1
      default: return nil
      }
    }
    return nil
  }

  func isTimeAhead(_ start: Int) -> Bool { timeAhead(start) != nil }

  /// Whether times follow, perhaps without numbers.
  func isTimesAhead(_ place: Int) -> Bool {
    isTimeAhead(place) || word(place) == .allDay || word(place) == .daylight
  }

  mutating func readTimes() {
    let start = index
    if mode == .closings || mode == .asUsual, !pending.isEmpty {
      // `休業日 水曜 平日9:00-17:00`: it is unclear which days are closed.
      giveUp(start..<start + 1)
      pending = []
    }
    if isOfClosingDays { return giveUpOnWord() }
    if readBreakBefore() { return }
    let hasPartBefore = partBefore != nil
    let part = readPart()
    if word(index) == .allDay || word(index) == .daylight {
      let time: TimeSpan = word(index) == .allDay ? .wholeDay : .daylight
      index += 1
      return add(time, from: start)
    }
    guard case .clock(let minute)? = word(index) else {
      // `昼　平日：11:30`: the days come between.
      if index > start, isPartOfDay, isDay(word(index)) {
        partBefore = part
        return
      }
      if index == start { index += 1 }
      return giveUp(start..<index)
    }
    if readTimeOfLastOrders(index) { return }
    if !pending.isEmpty {
      hasDaysOfPart = hasPartBefore
    } else if hasDaysOfPart, tokens[start].word.isPartOfDay {
      // `ランチ（平日）11:30〜14:00 ディナー 17:00〜22:00`: on which days is the dinner?
      giveUp(start..<index)
    }
    let opens = WrittenTime(minute, part, in: text, at: tokens[index].place)
    index += 1
    readEnd(after: opens, from: start)
  }

  /// Reads the labels of times, of which the last says in which part of the day they are.
  private mutating func readPart() -> DayPart? {
    let start = index
    var part = partBefore
    partBefore = nil
    while let word = word(index) {
      switch word {
      case .half, .partOfDay:
        part = word.dayPart
        isPartOfDay = isPartOfDay || word.isPartOfDay
      case .filler, .colon: break
      case .closeBracket, .openBracket:
        // `（昼）11:30〜14:00`.
        guard isPartOfDay, index > start else { return part }
      default: return part
      }
      index += 1
    }
    return part
  }

  /// Reads the dash behind a time and the time of closing, or an open end.
  ///
  /// - Parameter start: The first token of the times and their labels.
  private mutating func readEnd(after opens: WrittenTime, from start: Int) {
    guard !isDoubtfulTwelve(index - 1), var first = opens.start, first < 1440 else {
      return giveUp(start..<index)
    }
    var opens = opens
    let hasMinutes = written(index - 1).contains(":")
    index = skippingFillers(index)
    guard isDash(index) else { return giveUp(start..<index) }
    let isLongDash = written(index) == "–"
    index = skipping(.dash, .from, .filler, from: index)
    let (part, isNextDay) = readEndLabels()
    guard case .clock(let minute)? = word(index) else {
      if opens.part == nil, opens.isOfOneDigit, first < 420 { return giveUp(start..<index) }
      return add(TimeSpan(start: .clock(first), end: .open), from: start)
    }
    let closes = WrittenTime(minute, part, in: text, at: tokens[index].place)
    // As Google writes times of one half; `9-5pm` may begin in the other.
    if hasMinutes, isLongDash, written(index).contains(":"), let other = opens.inHalf(of: closes) {
      opens = other
      first = other.minute
    }
    index += 1
    let isTwelve = isDoubtfulTwelve(index - 1)
    var end = closes.end(after: opens, start: first, isNextDay: isNextDay)
    if isTwelve {
      // `午前0時〜午後12時` is the whole day.
      end = first == 0 && part == .afternoon && minute == 720 ? 1440 : nil
    }
    guard let last = end, !isDoubtfulHalf(opens, closes, labels: start) else {
      let mayBeOfTwelve = opens.mayBeOfTwelve || closes.mayBeOfTwelve
      return giveUp(start..<index, mayBeOfTwelve && !isTwelve ? .halfOfDay : .notUnderstood)
    }
    index = skipping(.until, .filler, from: index)
    if word(index) == .lastOrders, !isTimeOfLastOrders(index + 1) {
      // `13時30分LO`: this end is not the closing time.
      index += 1
      return giveUp(start..<index)
    }
    add(TimeSpan(start: .clock(first), end: .time(.clock(last))), from: start)
  }

  /// Reads the words before a time of closing.
  private mutating func readEndLabels() -> (part: DayPart?, isNextDay: Bool) {
    var part: DayPart?
    var isNextDay = false
    while let word = word(index), isTimeAhead(index) {
      switch word {
      case .half: part = word.dayPart
      case .partOfDay where !isSpanAhead(index + 1): part = word.dayPart
      case .nextDay: isNextDay = true
      default: return (part, isNextDay)
      }
      index += 1
    }
    return (part, isNextDay)
  }

  /// Whether a time is an hour of twelve with `午前` or `午後`: by 午後12時 most people mean noon, and the decree of 1872
  /// that is still in force means midnight.
  private func isDoubtfulTwelve(_ place: Int) -> Bool {
    guard case .clock(let minute)? = word(place), minute / 60 == 12 else { return false }
    let before = skippingBack(.filler, .colon, from: place - 1)
    return before >= 0 && ["午前", "午後"].contains(written(before))
  }

  /// Whether another span begins with the words for a part of the day before an index, as in `17:00〜 夜：18:00〜`.
  private func isSpanAhead(_ start: Int) -> Bool {
    var place = start
    while let word = word(place), word != .colon {
      if word.isClock { return isDash(place + 1) }
      place += 1
    }
    return true
  }

  /// Whether both times may be on a clock of twelve hours, without saying in which half of the day.
  ///
  /// - Parameter start: The first token of the times and their labels.
  private func isDoubtfulHalf(
    _ opens: WrittenTime, _ closes: WrittenTime, labels start: Int
  ) -> Bool {
    guard opens.part == nil, opens.mayBeOfTwelve else { return false }
    // `1시~5시`, `6時〜翌2時`: hardly anybody opens then, and `6시~22시` says it in 24 hours.
    if opens.isOfOneDigit, opens.minute < 420 { return closes.part != nil || closes.minute < 780 }
    guard closes.part == nil, (1...720).contains(closes.minute) else { return false }
    // `오후 6시~11시, 주말 7시~11시`: only times in the evening came before.
    let starts = (facts.hours + (current.map { [$0] } ?? [])).flatMap(\.times).map(\.start)
    if !starts.isEmpty, starts.allSatisfy({ $0.nominal >= 720 }), !isOnClockOf24 { return true }
    guard opens.isOfOneDigit else { return false }
    // `9:00~12:00 1:00~6:00`.
    if pending.isEmpty, case .clock(let before)? = current?.times.last?.start,
      before > opens.minute
    {
      return true
    }
    // `宵 6:00〜11:00`: an unknown word may be a part of the day, if no other time is on the clock of 24 hours.
    let before = skippingBack(.filler, .colon, .openBracket, .closeBracket, from: start - 1)
    return word(before) == .unknown && !isOnClockOf24
  }

  /// Whether a time of the text is on the clock of 24 hours.
  private var isOnClockOf24: Bool {
    tokens.contains {
      if case .clock(let minute) = $0.word { minute >= 780 } else { false }
    }
  }

  /// Gives a time, written from the token `start` on, to the pending days, or to all days.
  private mutating func add(_ time: TimeSpan, from start: Int) {
    facts.saysSomething = true
    hasLabel = false
    if mode != .openDays {
      mode = .hours
    } else if !pending.isEmpty {
      facts.openDays += pending
      pending = []
    }
    if !pending.isEmpty {
      if hasDaysBehindTimes { giveUp(start..<index) }
      flushHours()
    }
    if current == nil { current = WrittenFacts.Hours(months: season, isPartOfDay: isPartOfDay) }
    if !pending.isEmpty { takePendingDays() }
    if current?.times.haveOther(overlapping: time) == true {
      // `10:00~22:00 (15:00~17:00)`: the second may be a break.
      return giveUp(start..<index)
    }
    current?.times.append(time)
    if mode == .hours { readDaysBehind() }
  }

  /// Makes the pending days those of the current hours.
  mutating func takePendingDays() {
    var days: UInt8 = 0
    var nths: UInt16?
    recentNths = 0
    for item in pending {
      switch item.days {
      // `月曜（祝日の場合は翌日） 10:00〜18:00`: only closing days move.
      // `둘째 토요일, 일요일 10:00~17:00`: a Sunday, or every one?
      case .weekdays(let more, let own)
      where !item.isUncertain && !item.hasDoubtfulNths && item.onHoliday == nil
        && own == nths ?? own:
        nths = own
        days |= more
        if item.excludesHolidays { current?.excludesHolidays = true }
      case .publicHolidays where item.sundays == .notSaid && !item.isOfDecree:
        current?.includesHolidays = true
      default:
        giveUp(at: item.place)
      }
    }
    if let nths, nths != 0, pending.contains(where: { !$0.isOfWeekdays }) {
      giveUp(at: pending[0].place)
    }
    current?.nths = nths ?? 0
    current?.weekdays = days
    current?.namesDays = true
    pending = []
  }

  // MARK: Last orders and last entry, which say nothing about opening: `LO 14:30`, `21:30 라스트오더`, `(입장마감 1시간 전)`.

  mutating func readLastOrders() {
    let start = index
    index = skippingFillers(index + 1)
    if word(index) == .colon { index += 1 }
    if let end = endOfLead(skippingFillers(index)) {
      index = end
      return
    }
    var hasTime = false
    while let end = endOfSingleTime(hasTime && word(index) == .separator ? index + 1 : index) {
      index = end
      hasTime = true
    }
    if !hasTime {
      index = start
      giveUpOnWord()
    }
  }

  /// Whether the time of last orders follows these words.
  func isTimeOfLastOrders(_ place: Int) -> Bool {
    let place = skipping(.filler, .colon, from: place)
    return endOfSingleTime(place) != nil || endOfLead(place) != nil
  }

  /// Passes a time that stands before the words: `（14:30 LO）`; false if it does not.
  mutating func readTimeOfLastOrders(_ clock: Int) -> Bool {
    guard let end = endOfSingleTime(clock), word(end) == .lastOrders, pending.isEmpty,
      !isTimeOfLastOrders(end + 1)
    else { return false }
    index = end + 1
    return true
  }

  /// The index behind a time, if no other one ends a span that begins with it.
  private func endOfSingleTime(_ start: Int) -> Int? {
    guard let clock = timeAhead(start) else { return nil }
    let place = skipping(.until, .filler, from: clock + 1)
    return isDash(place) ? nil : place
  }

  /// The index behind a length of time before closing: `1시간 전`, `30分前`.
  private func endOfLead(_ start: Int) -> Int? {
    guard start < tokens.count else { return nil }
    let rest = text.scalars[tokens[start].place.lowerBound...]
    let words = rest.drop(while: \.isASCIIDigit).filter { $0 != " " }.prefix(4)
    guard rest.first?.isASCIIDigit == true,
      let lead = ["시간전", "분전", "時間前", "分前"].first(where: { words.starts(with: $0.unicodeScalars) })
    else { return nil }
    var place = start
    while place < tokens.count, written(place).last != lead.last { place += 1 }
    return skipping(.until, .filler, from: place + 1)
  }

  // MARK: Hours that differ by season: `3월~10월 09:00~18:00, 11월~2월 09:00~17:00`.

  /// Begins the hours of some months.
  mutating func readMonths(_ months: UInt16) {
    guard mode == .hours, pending.isEmpty, nths == 0, !hasDaysBehindTimes else {
      return giveUpOnWord()
    }
    flushHours()
    season = months
    index += 1
  }

  /// Gives up unless the seasons of a text share no month, and each has times that end on the same day.
  ///
  /// What a text does not say of the other months, nobody knows; a second time of a season may be theirs:
  /// `4〜10月 9:00〜12:00 その他 13:00〜17:00`. Closing days may be those of one season, unless they stand apart from all of them.
  mutating func checkMonths() {
    var start: Int?
    var seasons: [UInt16] = []
    for (place, token) in tokens.enumerated() {
      guard case .months(let months) = token.word else { continue }
      start = start ?? place
      if !seasons.contains(months) { seasons.append(months) }
    }
    guard let start else { return }
    let named = seasons.reduce(0, |)
    let left = WrittenRules.allMonths & ~named
    let areApart = named.nonzeroBitCount == seasons.reduce(0) { $0 + $1.nonzeroBitCount }
    let areCovered = seasons.allSatisfy { season in facts.hours.contains { $0.months == season } }
    let arePlain = facts.hours.allSatisfy { hours in
      hours.months != 0 && !hours.excludesHolidays && !hours.includesHolidays
        && hours.times.allSatisfy {
          if case .time(.clock(let end)) = $0.end { end <= 1440 } else { $0 == .daylight }
        } && (left == 0 || hours.times.count == 1)
    }
    let isClosedApart = tokens.indices.allSatisfy { place in
      tokens[place].word != .closed || place < start || isLineOfItsOwn(place)
    }
    guard areApart, areCovered, arePlain, isClosedApart, facts.openDays.isEmpty else {
      return giveUp(start..<start + 1)
    }
    facts.otherMonths = left
  }

  /// Whether a word for closed is in a line without times or months.
  private func isLineOfItsOwn(_ place: Int) -> Bool {
    for before in (0..<place).reversed() {
      switch tokens[before].word {
      case .separator where sign(before) == ";": return true
      case .clock, .allDay, .daylight, .months, .lastOrders, .pause, .unknown, .openBracket:
        return false
      default: continue
      }
    }
    return false
  }
}
