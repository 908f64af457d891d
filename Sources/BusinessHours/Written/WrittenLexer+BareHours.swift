// Hours without minutes: `9-18`, `10~22시`, `9:30-18`, `오전 9-오후 6`.

extension WrittenLexer {
  /// Takes two times with a dash between them, if one is a bare number.
  ///
  /// A bare number is a time only if nothing else can be meant: it is part of such a pair, has only
  /// days, labels and signs next to it, and the two numbers determine the half of the day. `9-13`
  /// and `9-12` do, as in the `opening_hours` language; `9-6` and `1-5` do not, and stay unknown.
  mutating func readBareRange() -> Bool {
    guard let first = time(index), mayBeginHere else { return false }
    let sign = skippingSpaces(first.end)
    guard scalar(sign) == "-" else { return false }
    var place = skippingSpaces(sign + 1)
    var lastHalf: Token?
    if let found = word(at: place), found.word.isAfternoon != nil {
      lastHalf = Token(word: found.word, place: place..<found.end)
      place = skippingSpaces(found.end)
    }
    guard let last = time(place), first.isBare || last.isBare else { return false }
    if last.isBare, !mayEnd(last.end) { return false }
    // `12-13(일)` may be 13 December.
    if first.isBare, last.isBare, isWeekdayInBrackets(last.end) { return false }
    guard
      Self.isCertain(
        first.minute, tokens.last?.word.isAfternoon, last.minute, lastHalf?.word.isAfternoon)
    else { return false }
    tokens.append(Token(word: .clock(first.minute), place: index..<first.end))
    tokens.append(Token(word: .dash, place: sign..<sign + 1))
    if let lastHalf { tokens.append(lastHalf) }
    tokens.append(Token(word: .clock(last.minute), place: place..<last.end))
    index = last.end
    return true
  }

  /// A time of day: hours and minutes, or an hour alone.
  private func time(_ place: Int) -> (minute: Int, end: Int, isBare: Bool)? {
    guard let number = number(place) else { return nil }
    if let clock = clock(number) { return (clock.minute, clock.end, false) }
    guard number.end - place <= 2, number.value <= 24 else { return nil }
    return (number.value * 60, number.end, true)
  }

  // MARK: Context

  /// Whether the words before allow a number to be a time.
  private var mayBeginHere: Bool {
    // `문의: 10-22`, `지하(1-12)`: an unknown word may give the numbers another meaning.
    let before = tokens.last { $0.word != .colon && $0.word != .openBracket }
    if before?.word == .unknown { return false }
    switch tokens.last?.word {
    case nil, .weekdays?, .publicHolidays?, .half?, .partOfDay?, .colon?, .openBracket?,
      .closeBracket?,
      .separator?, .openHours?, .opens?, .pause?, .everyWeek?, .noClosingDays?, .closed?:
      return true
    case .filler?, .clock?:
      // `No.9-13`: a point decides nothing; a particle follows its word directly, as in `영업시간은 9-18`.
      // `9-12 13-18`: another pair.
      return tokens[tokens.count - 1].place.upperBound < index
    default: return false
    }
  }

  /// Whether a bare number that ends here is not a count: a sign or a word about hours follows.
  private func mayEnd(_ end: Int) -> Bool {
    if self.end(ofAnyOf: ["까지", "まで"], from: end) != nil { return true }
    let signs: [Unicode.Scalar] = [",", ")", "(", "/", ";", "+", "·"]
    let next = skippingSpaces(end)
    guard let sign = scalar(next) else { return true }
    if signs.contains(sign) { return true }
    guard next > end else { return false }
    if sign.isASCIIDigit { return true }
    // `9-13 일` may be the 9th to the 13th, unless days before it show that these are hours.
    if isDayUnit(next) || isMonthUnit(next) { return followsDays }
    switch word(at: next)?.word {
    case nil, .nths?, .dash?, .dayOfMonth?, .filler?, .unknown?: return false
    default: return true
    }
  }

  /// Whether days come directly before the times.
  private var followsDays: Bool {
    for token in tokens.reversed() {
      switch token.word {
      case .weekdays, .publicHolidays: return true
      case .colon, .filler, .half, .closeBracket, .clock, .dash: continue
      default: return false
      }
    }
    return false
  }

  // MARK: Half of the day

  /// Whether two times, each with any written half of the day, have only one meaning.
  private static func isCertain(
    _ first: Int, _ firstHalf: Bool?, _ last: Int, _ lastHalf: Bool?
  ) -> Bool {
    let noon = 720
    switch (firstHalf, lastHalf) {
    case (nil, nil):
      // As in the `opening_hours` language, or an evening past midnight.
      if first < last, last > noon || last == noon && first >= 360 { return true }
      return first >= 17 * 60 && first < 1440 && last <= 5 * 60
    case (false?, nil): return first < noon && last > first
    case (true?, nil):
      guard first <= noon else { return false }
      let start = first == noon ? noon : first + noon
      return last > noon ? last > start : last < noon && (last + noon > start || last <= 180)
    case (nil, _?): return false
    case (_?, _?): return first <= noon && last <= noon
    }
  }
}
