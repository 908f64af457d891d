// Dates on which a place opens although they may be closing days: `12/13(일) 정상영업`, `normal hours on Dec 25`.

extension WrittenReader {
  /// Reads words for "open as usual", which follow or precede their dates, or label times.
  mutating func readAsUsual() {
    let start = index
    var next = skippingFillers(start + 1)
    let hasColon = word(next) == .colon
    if hasColon { next = skippingFillers(next + 1) }
    if isDateAhead(next), start == 0 || isSetOff(start) { return beginAsUsual() }
    // The date directly before these words.
    var before = start
    while [.filler, .openBracket, .colon].contains(word(before - 1)), !isFullStop(before - 1) {
      before -= 1
    }
    if let last = lastDate, last.end == before, !pending.isEmpty {
      index += 1
      // `12/13 정상영업 12/25`, `12/13 정상영업 10:00~20:00`: it is unclear to which dates the words and
      // times belong. An unknown word may also negate everything: `12/13 정상영업 안 함`.
      if hasColon || isDay(word(next)) || word(next) == .unknown || isTimesAhead(behind: start) {
        return giveUp(start..<index)
      }
      facts.saysSomething = true
      return takeAsUsual(mode == .closings ? setOff : 0)
    }
    let isBehindList = word(start - 1) == .separator
    guard !isOfClosingDays, pending.isEmpty || mode == .closings && isBehindList else {
      // `매주 일요일 정상영업`.
      return giveUpOnWord()
    }
    // `정상영업 10:00~23:00` labels the hours; `12/25 휴무, 정상영업` means the other days.
    readOpen()
  }

  /// Marks the pending dates from a text position on as open.
  ///
  /// Where dates may also be closing days, as in `2026-12-06, 2026-12-13 정상영업` in a column of
  /// closing days, the last is open and the others stay undecided.
  mutating func takeAsUsual(_ place: Int) {
    guard !pending.isEmpty else { return }
    let last = firstOfLast()
    let first = (pending.lastIndex { !($0.isOfDates || $0.place.lowerBound >= last) } ?? -1) + 1
    let mayBeClosed = mode == .closings
    var rest: [WrittenFacts.Item] = []
    for (number, item) in pending.enumerated() {
      guard number >= first, item.place.lowerBound >= place else {
        rest.append(item)
        continue
      }
      var item = item
      if mayBeClosed, item.place.lowerBound < last {
        item.isUncertain = true
        doubt(at: item.place, .ambiguous)
      }
      facts.asUsual.append(item)
    }
    if mayBeClosed, isOfClosingDays {
      pending = rest
      return
    }
    pending = []
    if mayBeClosed {
      facts.closings += rest
    } else if !rest.isEmpty {
      // `매주 일요일, 12/13 정상영업`.
      giveUp(0..<min(index + 1, tokens.count))
    }
    mode = .hours
    hasLabel = false
    recentNths = 0
  }

  /// Treats the words as a label: dates follow.
  private mutating func beginAsUsual() {
    facts.saysSomething = true
    if mode == .asUsual { endAsUsual() }
    flushPendingClosings()
    if !pending.isEmpty || mode == .openDays {
      giveUp(index..<index + 1)
      pending = []
    }
    flushHours()
    mode = .asUsual
    hasLabel = false
    recentNths = 0
    index += 1
  }

  /// Finishes the dates after the label.
  mutating func endAsUsual() {
    takeAsUsual(0)
    mode = isOfClosingDays ? .closings : .hours
  }

  /// Starts a new group of dates after a `;`; after a `/` anything but a date says something else.
  mutating func setOffDates(_ sign: Unicode.Scalar) {
    if sign == "/" {
      if !isDateAhead(index + 1) { endAsUsual() }
      return
    }
    guard sign == ";" else { return }
    setOff = tokens[index].place.lowerBound
    guard mode == .asUsual else { return }
    endAsUsual()
    // `정상영업: 12/13; 12/20`: is the second date open or closed?
    if isOfClosingDays, index + 1 < tokens.count { giveUp(index..<index + 1) }
  }

  /// The index of the first date that the words refer to; `및` joins dates to the last one.
  private func firstOfLast() -> Int {
    var first = pending.count - 1
    while first > 0 {
      let (before, own) = (pending[first - 1].place, pending[first].place)
      // One date may produce several items.
      guard
        before.lowerBound == own.lowerBound
          || before.upperBound < own.lowerBound
            && Self.conjunctions.contains(text.text(before.upperBound..<own.lowerBound))
      else { break }
      first -= 1
    }
    return pending[first].place.lowerBound
  }

  /// Whether a sign separates a token from those before it.
  func isSetOff(_ place: Int) -> Bool {
    switch word(place - 1) {
    case .separator?, .openBracket?, .closeBracket?, .but?: true
    default: isFullStop(place - 1)
    }
  }

  /// Whether a date follows, perhaps after a weekday.
  private func isDateAhead(_ place: Int) -> Bool {
    var place = place
    if word(place)?.singleWeekday != nil {
      place += 1
      if word(place) == .separator { place += 1 }
    }
    return if case .date? = word(place) { true } else { false }
  }

  /// Whether times follow that may apply only to these dates; after `;` and `/` they do not.
  private func isTimesAhead(behind start: Int) -> Bool {
    var place = index
    while let word = word(place) {
      switch word {
      case let word where word.beginsTimes: return true
      case .filler, .colon, .openBracket: place += 1
      case .closeBracket:
        // `12/13(정상영업) 10:00~20:00`; a bracket around the date also separates it.
        guard self.word(start - 1) == .openBracket else { return false }
        place += 1
      case .separator:
        if ["/", ";"].contains(sign(place)) { return false }
        place += 1
      default: return false
      }
    }
    return false
  }
}

extension WrittenFacts.Item {
  fileprivate var isOfDates: Bool {
    switch days {
    case .dates: true
    // `12월 13일 휴무, 27일 정상영업`.
    case .daysOfMonth: isUncertain
    default: false
    }
  }
}
