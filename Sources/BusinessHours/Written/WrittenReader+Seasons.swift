// Hours that differ by season: `3월~10월 09:00~18:00, 11월~2월 09:00~17:00`.

extension WrittenReader {
  /// Begins the hours of some months.
  mutating func readMonths(_ first: Int, _ last: Int) {
    guard mode == .hours, pending.isEmpty, nths == 0, !hasDaysBehindTimes else {
      return giveUpOnWord()
    }
    flushHours()
    season = .months(first: first, last: last)
    index += 1
  }

  /// Gives up unless the seasons of a text are a whole year, each with times that end on the same day.
  ///
  /// What a text does not say of the other months, nobody knows. Closing days may be those of one season, unless they stand
  /// apart from all of them.
  mutating func checkMonths() {
    var places: [Int] = []
    var seasons: Set<DaySelector> = []
    var months: [Int] = []
    for (place, token) in tokens.enumerated() {
      guard case .months(let first, let last) = token.word else { continue }
      places.append(place)
      guard seasons.insert(.months(first: Int(first), last: Int(last))).inserted else { continue }
      let end = first <= last ? last : last + 12
      months += (first...end).map { (Int($0) - 1) % 12 }
    }
    guard let start = places.first else { return }
    let isYear = months.count == 12 && Set(months).count == 12
    let areCovered = seasons.allSatisfy { season in facts.hours.contains { $0.months == season } }
    let arePlain = facts.hours.allSatisfy { hours in
      hours.months != nil && !hours.excludesHolidays && !hours.includesHolidays
        && hours.times.allSatisfy {
          if case .time(.clock(let end)) = $0.end { end <= 1440 } else { $0 == .daylight }
        }
    }
    let isClosedApart = tokens.indices.allSatisfy { place in
      tokens[place].word != .closed || place < start || isLineOfItsOwn(place)
    }
    if !isYear || !areCovered || !arePlain || !isClosedApart || !facts.openDays.isEmpty {
      giveUp(start..<start + 1)
    }
  }

  /// Whether a word for closed is in a line without times or months.
  private func isLineOfItsOwn(_ place: Int) -> Bool {
    for before in (0..<place).reversed() {
      switch tokens[before].word {
      case .separator where sign(before) == ";": return true
      case .clock, .allDay, .daylight, .months, .lastOrders, .pause, .unknown, .open: return false
      default: continue
      }
    }
    return false
  }
}

extension TimeSpan {
  static let daylight = TimeSpan(
    start: .sun(.sunrise, offset: 0), end: .time(.sun(.sunset, offset: 0)))
}
