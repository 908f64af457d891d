// Brackets after days: `(일요일 제외)`, `（祝日の場合は翌日休）`, `(둘째 주+넷째 주)`.

extension WrittenReader {
  mutating func readBracket() {
    let end = closing(of: index)
    if tokens[index..<end].contains(where: { $0.word == .asUsual }) {
      // `둘째 일요일 휴무(12/13 정상영업)` starts a new group; `12/13(정상영업)` refers to the date before it.
      if word(skippingFillers(index + 1)) != .asUsual { setOff = tokens[index].place.lowerBound }
      index += 1
      return
    }
    // After pending days or after closed days.
    let isBehindPending = !pending.isEmpty
    let isBehindClosings =
      !isBehindPending && mode != .openDays && (current == nil || word(index - 1) == .closed)
    let items = isBehindPending ? pending : isBehindClosings ? facts.closings : []
    if let last = items.last, let item = modified(last, by: index + 1..<end) {
      let modified = replacingLast(of: items, by: item)
      if isBehindPending { pending = modified } else { facts.closings = modified }
      index = end + 1
      return
    }
    if word(index + 1) == .lastOrders {
      // `(L.O14:30)`, `(ラストオーダー16時)`.
      index += 1
      return
    }
    if isOfClosingDays { return readClosingBracket(end) }
    let isOfDate =
      lastDate?.end == index && tokens[index..<end].contains { isDay($0.word) }
    if mode == .closings && isBehindPending || isOfDate {
      // A remark about these days that is not understood.
      let start = index
      index = min(end + 1, tokens.count)
      return giveUp(start..<index)
    }
    // Otherwise read the words as if the bracket were not there.
    index += 1
  }

  /// The index where a bracket closes, or the end of the text.
  func closing(of start: Int) -> Int {
    var depth = 0
    for place in start..<tokens.count {
      if tokens[place].word == .openBracket { depth += 1 }
      if tokens[place].word == .closeBracket {
        depth -= 1
        if depth == 0 { return place }
      }
    }
    return tokens.count
  }

  private mutating func readClosingBracket(_ end: Int) {
    let places = index..<min(end + 1, tokens.count)
    let start = index
    index = places.upperBound
    if !pending.isEmpty {
      let words = tokens[places].map(\.word)
      if case .weekdays(let days, false)? = words.dropFirst().first, words.count == 4,
        words[2] == .irregular
      {
        doubt(places, .notDated)
        pending.append(.init(days: .weekdays(days), place: place(start), isUncertain: true))
        return
      }
      // Only these days are uncertain.
      doubt(places)
      pending[pending.count - 1].isUncertain = true
      let isFreeOfOtherDays = !words.contains { isDay($0) }
      // `월+공휴일(열람실은 연중무휴)`: a part that never closes also opens on the days before.
      if !isFreeOfOtherDays || words.contains(.noClosingDays) { facts.mayBeOtherwise = true }
      return
    }
    giveUp(places)
  }

  /// The items with the last one as a bracket modifies it.
  ///
  /// What the bracket says about holidays is about the weekdays joined to the last one, too: `月・火（祝日の場合は営業）`. Nths may
  /// be those of all of them: `火・水（第2・4）`.
  private mutating func replacingLast(
    of items: [WrittenFacts.Item], by item: WrittenFacts.Item
  ) -> [WrittenFacts.Item] {
    var items = items
    let last = items.count - 1
    let isUnchanged = items[last].days == item.days
    items[last] = item
    guard case .weekdays(let days, let nths) = item.days else { return items }
    let words = tokens[index...].map(\.word).prefix { $0 != .closeBracket }
    if isUnchanged {
      // `火が祝日の場合` names one of them.
      guard let onHoliday = item.onHoliday,
        !words.contains(.weekdays(days, excludesHolidays: false))
      else { return items }
      for place in placesJoinedToLast(of: items) where !items[place].excludesHolidays {
        items[place].onHoliday = onHoliday
      }
      return items
    }
    guard !words.contains(.except) else { return items }
    for place in placesJoinedToLast(of: items) {
      guard case .weekdays(let days, nths: 0) = items[place].days else { break }
      items[place].days = .weekdays(days, nths: nths)
      items[place].hasDoubtfulNths = true
      doubt(at: items[place].place, .ambiguous)
    }
    return items
  }

  /// The places of the weekdays in one list with the last item, from the last to the first.
  func placesJoinedToLast(of items: [WrittenFacts.Item]) -> [Int] {
    var places: [Int] = []
    for place in items.indices.dropLast().reversed() {
      let (end, next) = (items[place].place.upperBound, items[place + 1].place.lowerBound)
      guard case .weekdays = items[place].days, end <= next else { break }
      // The nths of the next weekday stand before it: `月・第3火`.
      let nths = tokens.first { $0.word.namedNths != nil && end..<next ~= $0.place.lowerBound }
      let sign = text.text(end..<(nths?.place.lowerBound ?? next))
      guard Self.listSigns.contains(sign) else { break }
      places.append(place)
    }
    return places
  }

  /// An item as the words of a bracket modify it; nil if these are not understood.
  private func modified(_ item: WrittenFacts.Item, by range: Range<Int>) -> WrittenFacts.Item? {
    var item = item
    var words: [WrittenWord] = tokens[range].map(\.word).filter { $0 != .filler && $0 != .but }
    while words.last == .separator { words.removeLast() }
    guard !words.isEmpty else { return nil }
    switch item.days {
    case .weekdays(let days, let nths):
      // `월(둘째 주 + 넷째 주)`, `월(단, 둘째, 넷째 월요일 제외)`.
      let named = words.reduce(0) { $0 | ($1.namedNths ?? 0) }
      let rest = words.filter { $0.namedNths == nil && $0 != .separator }
      if named != 0, nths == 0, rest.isEmpty {
        item.days = .weekdays(days, nths: named)
        return item
      }
      if named != 0, named & ~0x1F == 0, nths == 0, rest.count == 2,
        rest[0] == .weekdays(days, excludesHolidays: false), rest[1] == .except
      {
        item.days = .weekdays(days, nths: ~named & 0x1F)
        return item
      }
      if let onHoliday = onHoliday(words, days, in: range) {
        item.onHoliday = onHoliday
        return item
      }
      return nil
    case .publicHolidays: return holidays(item, modifiedBy: words)
    default: return nil
    }
  }

  /// `祝日の場合は翌日休`, `月曜が祝日の場合、翌火曜日`, `祝日は営業`.
  private func onHoliday(
    _ words: [WrittenWord], _ days: UInt8, in range: Range<Int>
  ) -> WrittenFacts.Item.OnHoliday? {
    var words = words.filter { $0 != .separator }[...]
    if words.first == .weekdays(days, excludesHolidays: false) { words.removeFirst() }
    guard words.popFirst() == .publicHolidays(isOfDecree: false) else { return nil }
    if words.first == .substitutes { words.removeFirst() }
    if words.first == .inCase { words.removeFirst() }
    var said = words.popFirst()
    if said == .openHours {
      // `祝日の場合は開館し、翌日休館`.
      guard let more = words.popFirst() else { return .open }
      said = more
    }
    guard said == .nextDay || said == .nextWorkday else { return nil }
    let dayAfter = WrittenWord.weekdays(WrittenReader.after(days), excludesHolidays: false)
    if said == .nextDay, words.first == dayAfter { words.removeFirst() }
    if words.first == .closed { words.removeFirst() }
    guard words.isEmpty else { return nil }
    guard let first = range.first(where: { word($0) == said }) else { return nil }
    let last = word(first + 1) == dayAfter ? first + 1 : first
    let place = tokens[first].place.lowerBound..<tokens[last].place.upperBound
    return .next(isWorkday: said == .nextWorkday, words: HoursComment.cleaned(text.text(place)))
  }

  /// Each weekday moved to the day after.
  static func after(_ days: UInt8) -> UInt8 { (days << 1 | days >> 6) & 0x7F }

  /// `일요일 제외`, `단 일요일이 다른 법정공휴일과 겹치는 경우에는 휴관함`, `대체공휴일 포함`.
  private func holidays(
    _ item: WrittenFacts.Item, modifiedBy words: [WrittenWord]
  ) -> WrittenFacts.Item? {
    var item = item
    let sunday = WrittenWord.weekdays(1 << 6, excludesHolidays: false)
    var excepts = item.sundays == .excepted
    var closesTogether = false
    var includes = false
    var rest = words[...]
    while let first = rest.first {
      switch (first, rest.dropFirst().first) {
      case (.separator, _), (.other, _): rest = rest.dropFirst()
      case (.substitutes, .including?): rest = rest.dropFirst(2)
      case (sunday, .except?):
        excepts = true
        rest = rest.dropFirst(2)
      case (sunday, .including?):
        includes = true
        rest = rest.dropFirst(2)
      case (.publicHolidays, .closed?) where rest.count == 2: return item
      default:
        guard let behind = wordsBehindCoincidence(rest) else { return nil }
        closesTogether = true
        rest = behind
      }
    }
    item.sundays =
      closesTogether ? .exceptedAlone : excepts ? .excepted : includes ? .included : item.sundays
    return item
  }

  /// The words behind Sundays, perhaps with Saturdays, that coincide with a holiday; nil if something else is said.
  private func wordsBehindCoincidence(_ words: ArraySlice<WrittenWord>) -> ArraySlice<WrittenWord>?
  {
    var rest = words
    var days: UInt8 = 0
    var namesHolidays = false
    scan: while let word = rest.first {
      switch word {
      case .weekdays(let more, false): days |= more
      case .publicHolidays: namesHolidays = true
      case .separator, .other, .but: break
      default: break scan
      }
      rest.removeFirst()
    }
    guard days & ~0b1100000 == 0, days >> 6 == 1 else { return nil }
    var isTogether = false
    if rest.first == .coinciding {
      isTogether = true
      rest.removeFirst()
    }
    if rest.first == .inCase {
      // `일요일이 공휴일인 경우`.
      isTogether = isTogether || namesHolidays
      rest.removeFirst()
    }
    guard isTogether else { return nil }
    return rest.first == .closed ? rest.dropFirst() : rest
  }
}
