// Words that are not known, and what is no word of hours: `★`, `포인트 적립`, `5,000원`.

extension WrittenReader {
  /// Passes a telephone number, or a price beside which there is nothing that it may limit.
  mutating func readAside() {
    // `토 5000원`, `5000원 11:00~14:00`.
    // `02-123-4567 10:00~22:00` begins with the number of the place.
    let isFirst = index == 0 && word(1) != .openBracket
    guard pending.isEmpty,
      isPhone(tokens[index])
        ? isFirst || !isTimesOfPhoneAhead(index + 1) : !isTimeAhead(index + 1)
    else {
      return giveUpOnWord()
    }
    index += 1
  }

  func isPhone(_ token: WrittenLexer.Token) -> Bool { text.scalars[token.place].contains("-") }

  /// Whether times, with or without days, or a break follow a telephone number, or days in a bracket: then somebody may answer
  /// it, and nobody says when the place is open.
  func isTimesOfPhoneAhead(_ start: Int) -> Bool {
    var place = skipping(.filler, .colon, from: start)
    if word(place) == .openBracket {
      if isDay(word(place + 1)) { return true }
      place += 1
    }
    // After `/` and a line break comes something else.
    let end = max(place, endOfDays(place))
    return !(place..<end).contains { ["/", ";"].contains(sign($0)) }
      && (word(end) == .pause || isTimesAhead(end))
  }

  /// Whether a bracket is only about prices and the like: `(성인 5,000원)`.
  private func isNote(_ start: Int) -> Bool {
    let words = tokens[start..<closing(of: start - 1)].map(\.word)
    return words.contains(.aside)
      && words.allSatisfy { [.unknown, .aside, .filler, .separator, .colon].contains($0) }
  }

  mutating func readUnknown() {
    let start = index
    while let word = word(index), [.unknown, .filler, .aside].contains(word) || isEndOfWord(index) {
      index += 1
    }
    let place = place(start)
    let isInBrackets = word(start - 1) == .openBracket
    // In another language, any word may concern days: `lundi`, `weather permitting`.
    let words = tokens[start..<index].filter { $0.word != .aside }.map { text.scalars[$0.place] }
    let isForeign = words.contains(where: text.mayBeOfOtherLanguage)
    if !isForeign, !isInBrackets, closesUnknownDays(start) { return }
    if words.contains(where: { $0.contains(where: WrittenReader.isOfTime) }) || !pending.isEmpty
      || isInBrackets && !isNote(start) || isForeign
      || isUse(text.scalars[place], behind: start) || labelsOther(start)
    {
      giveUp(start..<index)
    } else {
      limitDays(behind: start)
    }
  }

  /// Whether the times are for using something, not for opening: `9:00〜17:00 利用可`.
  private func isUse(_ words: ArraySlice<Unicode.Scalar>, behind start: Int) -> Bool {
    guard words.contains("用"), let before = word(start - 1) else { return false }
    return before.isClock || before == .until || before == .filler
  }

  /// Reads an unknown part of a list of closing days: it may close more days, or open some if its words allow that.
  mutating func readUnknownClosing() {
    let start = index
    let isBehindItem = start > 0 && word(start - 1) != .separator
    var depth = 0
    var mayOpen = false
    while let word = word(index) {
      if depth == 0, word == .separator { break }
      switch word {
      case .openBracket: depth += 1
      case .closeBracket: depth -= 1
      case .except, .including, .inCase, .coinciding, .but, .openHours, .openDays, .closed,
        .asUsual, .notClosed:
        mayOpen = true
      case .weekdays(1 << 6, excludesHolidays: false) where index > start && isGlued(index):
        // The last syllable of a named day such as `정기청소일`.
        break
      case let word where isDay(word):
        // `짝수주 토`, `11～4月は土曜`: a condition on days, perhaps also on the days after it.
        mayOpen = true
      case .occasion:
        // The name of a day, with its date in brackets.
        if let date = bracketedDates(index + 1) {
          facts.closings.append(
            WrittenFacts.Item(days: .dates(date.ranges), place: tokens[start].place))
          index = date.end
          return
        }
      default: break
      }
      index += 1
      if depth < 0 { break }
    }
    let place = place(start)
    let words = text.text(place)
    for room in ["실", "방", "만", "층", "관 "] where words.contains(room) { mayOpen = true }
    if text.scalars[place].contains(where: \.isASCIIDigit) { mayOpen = true }
    if isBehindItem || mayOpen {
      giveUp(start..<index)
    } else {
      doubt(start..<index)
      facts.mayCloseMore = true
    }
  }

  /// Whether a character directly follows an unknown word.
  func isGlued(_ place: Int) -> Bool {
    tokens[place].place.count == 1 && word(place - 1) == .unknown && touches(place)
  }

  /// Whether a weekday is only a syllable within an unknown word: `전화문의`, `周二至周日`.
  func isEndOfWord(_ place: Int) -> Bool {
    word(place)?.singleWeekday != nil && (isGlued(place) || isDayOfName(place))
  }

  /// Whether `日` belongs to the name of a day: `敬老の日`, `三が日`.
  private func isDayOfName(_ place: Int) -> Bool {
    written(place) == "日" && isFiller(place - 1, "の", "が") && word(place - 2) == .unknown
      && touches(place - 1) && touches(place)
  }

  /// Whether a character may belong to words about times, days or seasons; an unknown word without
  /// such a character says nothing about hours.
  static func isOfTime(_ scalar: Unicode.Scalar) -> Bool {
    timeScalars.contains(scalar) || scalar.isASCIIDigit
  }

  private static let timeScalars = Set<Unicode.Scalar>(
    """
    日月火水木金土曜祝祭休営業時分年週毎前後朝昼夜夕開閉終始予約受付限季期冬夏春秋変定平臨完切通内以外他頃迄から\
    周礼拜节假关闭息每ランチディナモグオープラスカフェ휴업영운개폐시분요주월화수목금토일공매당연전후야간계절동하변경예약접수마감
    """.unicodeScalars)
}
