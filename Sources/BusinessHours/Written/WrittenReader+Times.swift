// Times: `10:00~23:00`, `오전 9시 30분부터 오후 6시까지`, `18:00〜翌3:00`, `昼11:30〜14:00 夜17:00〜21:00`.

extension WrittenReader {
  /// Whether a time of day follows words for a half of the day.
  func isTimeAhead(_ start: Int) -> Bool {
    var place = start
    while let word = word(place) {
      switch word {
      case .clock: return true
      case .half, .partOfDay, .filler, .colon, .nextDay: place += 1
      default: return false
      }
    }
    return false
  }

  mutating func readTimes() {
    let start = index
    if mode == .closings || mode == .asUsual, !pending.isEmpty {
      // `休業日 水曜 平日9:00-17:00`: it is unclear which days are closed.
      giveUp(start..<start + 1)
      pending = []
    }
    if isOfClosingDays {
      giveUpOnWord()
      return
    }
    var half: Bool?
    labels: while let word = word(index) {
      switch word {
      case .half(let isAfternoon): half = isAfternoon
      case .partOfDay(let isEvening):
        isPartOfDay = true
        if isEvening, isTimeAhead(index + 1), self.word(index + 1) != .colon { half = true }
      case .filler, .colon: break
      case .close, .open:
        // `（昼）11:30〜14:00`.
        guard isPartOfDay, index > start else { break labels }
      default: break labels
      }
      index += 1
    }
    if word(index) == .allDay {
      index += 1
      add(.wholeDay, from: start)
      return
    }
    guard case .clock(let written)? = word(index) else {
      // `昼　平日：11:30`: the days come between.
      if index > start, isPartOfDay, isDay(word(index)) { return }
      if index == start { index += 1 }
      giveUp(start..<index)
      return
    }
    index += 1
    guard !isDoubtfulTwelve(index - 1), let first = WrittenReader.minute(written, half),
      first < 1440
    else {
      return giveUp(start..<index)
    }
    while word(index) == .filler { index += 1 }
    guard word(index) == .dash || word(index) == .from else { return giveUp(start..<index) }
    while word(index) == .dash || word(index) == .from || word(index) == .filler { index += 1 }
    var isNextDay = false
    var endHalf: Bool?
    ending: while let word = word(index), isTimeAhead(index) {
      switch word {
      case .half(let isAfternoon): endHalf = isAfternoon
      // In `17:00〜 夜：…` another time begins at the colon.
      case .partOfDay(isEvening: true) where self.word(index + 1) != .colon: endHalf = true
      case .nextDay: isNextDay = true
      default: break ending
      }
      index += 1
    }
    guard case .clock(let writtenEnd)? = word(index) else {
      add(TimeSpan(start: .clock(first), end: .open), from: start)
      return
    }
    index += 1
    var end = WrittenReader.end(
      writtenEnd, endHalf, after: first, startHalf: half, isNextDay: isNextDay)
    if isDoubtfulTwelve(index - 1) {
      // `午前0時〜午後12時` is the whole day.
      end = first == 0 && endHalf == true && writtenEnd == 720 ? 1440 : nil
    }
    guard let last = end else { return giveUp(start..<index) }
    while word(index) == .until || (word(index) == .filler) { index += 1 }
    if word(index) == .lastOrders, !isTimeAfterLastOrders() {
      // `13時30分LO`: this end is not the closing time.
      giveUp(start..<index + 1)
      index += 1
      return
    }
    add(TimeSpan(start: .clock(first), end: .time(.clock(last))), from: start)
  }

  /// Whether a time is an hour of twelve with `午前` or `午後`: by 午後12時 most people mean noon, and the decree of 1872
  /// that is still in force means midnight.
  private func isDoubtfulTwelve(_ place: Int) -> Bool {
    guard case .clock(let minute)? = word(place), minute / 60 == 12 else { return false }
    var before = place - 1
    while before >= 0, [.filler, .colon].contains(tokens[before].word) { before -= 1 }
    return before >= 0 && ["午前", "午後"].contains(text.text(tokens[before].place))
  }

  private func isTimeAfterLastOrders() -> Bool {
    var place = index + 1
    while word(place) == .filler || word(place) == .colon { place += 1 }
    if case .clock? = word(place) { return true }
    return false
  }

  /// The minute of a time and its half of the day; nil if they do not fit.
  private static func minute(_ written: Int, _ half: Bool?) -> Int? {
    switch half {
    case nil: return written
    case true?: return written >= 12 * 60 ? written : written + 720
    case false? where written >= 13 * 60: return nil
    case false?: return written >= 12 * 60 ? written - 720 : written
    }
  }

  /// The end of a span, in minutes from the midnight before its start; nil if it is uncertain.
  static func end(
    _ written: Int, _ half: Bool?, after start: Int, startHalf: Bool?, isNextDay: Bool
  ) -> Int? {
    if isNextDay { return written < 1440 && half == nil ? (written < start ? written : nil) : nil }
    guard let end = minute(written, half) else { return nil }
    if end > start { return end }
    if end == start { return nil }
    // `오후 6시~12시` ends at midnight.
    if half == nil, startHalf == true, end + 720 > start, end <= 720 { return end + 720 }
    // Midnight, or a night that continues into the next day.
    if end <= 180 { return end == 0 ? 1440 : end }
    // In `9:00-6:00` the end may be in the morning or the evening.
    return start >= 720 && half == nil ? end : nil
  }

  /// Gives a time, written from the token `start` on, to the pending days, or to all days.
  private mutating func add(_ time: TimeSpan, from start: Int) {
    facts.saysSomething = true
    mode = mode == .openDays ? mode : .hours
    hasLabel = false
    if !pending.isEmpty, mode != .openDays {
      flushHours()
      var hours = WrittenFacts.Hours(weekdays: 0, namesDays: true, isPartOfDay: isPartOfDay)
      for item in pending {
        switch item.days {
        // `月曜（祝日の場合は翌日） 10:00〜18:00`: only closing days move.
        case .weekdays(let days, nths: 0)
        where !item.isUncertain && !item.hasDoubtfulNths && item.onHoliday == nil:
          hours.weekdays |= days
          if item.excludesHolidays { hours.excludesHolidays = true }
        case .publicHolidays where item.sundays == .notSaid && !item.isOfDecree:
          hours.includesHolidays = true
        default: giveUp(max(0, index - 1)..<index)
        }
      }
      pending = []
      current = hours
    } else if mode == .openDays, !pending.isEmpty {
      facts.openDays += pending
      pending = []
    }
    if current == nil { current = WrittenFacts.Hours(isPartOfDay: isPartOfDay) }
    if let times = current?.times, times.contains(where: { $0 != time && $0.overlaps(time) }) {
      // `10:00~22:00 (15:00~17:00)`: the second may be a break.
      return giveUp(start..<index)
    }
    current?.times.append(time)
  }
}
