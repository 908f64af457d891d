// Last orders and last entry, which say nothing about opening: `LO 14:30`, `21:30 라스트오더`, `(입장마감 1시간 전)`.

extension WrittenReader {
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
    let words = rest.drop(while: WrittenText.isDigit).filter { $0 != " " }.prefix(4)
    guard rest.first.map(WrittenText.isDigit) == true,
      let lead = ["시간전", "분전", "時間前", "分前"].first(where: { words.starts(with: $0.unicodeScalars) })
    else { return nil }
    var place = start
    while place < tokens.count, written(place).last != lead.last { place += 1 }
    return skipping(.until, .filler, from: place + 1)
  }
}
