// Words whose meaning depends on those around them: `OPEN 11:00 CLOSE 21:00`, `점심 11:30~14:30 저녁 17:30~21:30`, `24시`.

extension WrittenReader {
  /// Words whose meaning is certain if they are all that a text says, without spaces.
  ///
  /// `閉店` and `영업종료` alone are none of them: they may be labels whose time is missing.
  private static let alone = WrittenLexer.byName(
    [
      (.allDay, "24시 상시 상시개방 상시운영 항시 항시개방 終日 終日開放 終日営業 常時開放"),
      (
        .shut,
        """
        폐업 폐업함 폐업했습니다 폐업하였습니다 閉店しました 閉店いたしました 閉業 閉業しました 廃業 廃業しました permanentlyclosed \
        closedpermanently
        """
      ),
      // Nobody knows how long, as with `休業中`.
      (.irregular, "temporarilyclosed closedtemporarily"),
    ])

  /// The tokens, with such words settled.
  static func settled(
    _ tokens: [WrittenLexer.Token], _ text: WrittenText, _ isOfClosingDays: Bool
  ) -> [WrittenLexer.Token] {
    var tokens = tokens
    settleAlone(&tokens, text, isOfClosingDays)
    if !isOfClosingDays { settleLunch(&tokens, text) }
    var result: [WrittenLexer.Token] = []
    var place = 0
    while place < tokens.count {
      if !isOfClosingDays, let span = openToClose(tokens, &place) {
        result += span
        continue
      }
      var token = tokens[place]
      switch token.word {
      case .opens:
        token.word =
          !text.isForeign || isOfClosingDays
          ? .unknown : isBetweenDaysAndTimes(tokens, place) ? .filler : .openHours
      // In a column of closing days, where every word counts, these are not known.
      case .closes, .months, .aside: if isOfClosingDays { token.word = .unknown }
      default: break
      }
      result.add(token)
      place += 1
    }
    return isOfClosingDays ? withAnnounced(result, text) : result
  }

  /// Whether days precede a word and times follow, as in `Monday: Open 24 hours`.
  private static func isBetweenDaysAndTimes(_ tokens: [WrittenLexer.Token], _ place: Int) -> Bool {
    let before = tokens[..<place].last { $0.word != .colon }?.word
    guard case .weekdays? = before, place + 1 < tokens.count else { return false }
    return tokens[place + 1].word.beginsTimes
  }

  private static func settleAlone(
    _ tokens: inout [WrittenLexer.Token], _ text: WrittenText, _ isOfClosingDays: Bool
  ) {
    let places = tokens.indices.filter {
      switch tokens[$0].word {
      case .openHours, .noClosingDays, .separator, .colon, .weekdays(0x7F, _): false
      default: true
      }
    }
    guard let first = places.first, let last = places.last, last - first + 1 == places.count
    else { return }
    let place = tokens[first].place.lowerBound..<tokens[last].place.upperBound
    let words = String.UnicodeScalarView(text.scalars[place].filter { $0 != " " })
    guard let word = alone[String(words)], word != .allDay || !isOfClosingDays else { return }
    tokens.replaceSubrange(first...last, with: [WrittenLexer.Token(word: word, place: place)])
  }

  /// Makes `점심` a meal if no hours come before it and an evening follows; otherwise it is a break.
  private static func settleLunch(_ tokens: inout [WrittenLexer.Token], _ text: WrittenText) {
    guard let lunch = tokens.firstIndex(where: { $0.word == .pause }),
      text.text(tokens[lunch].place) == "점심", !tokens[..<lunch].contains(where: \.word.isClock),
      let evening = tokens.firstIndex(where: { $0.word == .partOfDay(.evening) }), lunch < evening,
      tokens[lunch..<evening].count(where: \.word.isClock) == 2
    else { return }
    tokens[lunch].word = .partOfDay(.midday)
  }

  // MARK: Opening and closing

  /// Makes a span of two times that words for opening and closing follow or precede: `11:00 오픈 ~ 21:00 마감`.
  ///
  /// - Parameter start: The index of the first token, then that behind the last; unchanged if there is no such span.
  private static func openToClose(
    _ tokens: [WrittenLexer.Token], _ start: inout Int
  ) -> [WrittenLexer.Token]? {
    var place = start
    func skip(_ words: WrittenWord...) {
      while place < tokens.count, words.contains(tokens[place].word) { place += 1 }
    }
    func take(_ word: WrittenWord) -> WrittenLexer.Token? {
      guard place < tokens.count, tokens[place].word == word else { return nil }
      place += 1
      return tokens[place - 1]
    }
    func time() -> ArraySlice<WrittenLexer.Token>? {
      let first = place
      while place < tokens.count {
        place += 1
        switch tokens[place - 1].word {
        case .half, .partOfDay, .nextDay: continue
        case .clock: return tokens[first..<place]
        default: return nil
        }
      }
      return nil
    }
    let isBefore = tokens[start].word == .opens
    var sign = isBefore ? take(.opens) : nil
    if isBefore { skip(.colon, .filler) }
    guard let opens = time() else { return nil }
    if !isBefore {
      skip(.filler)
      guard let word = take(.opens) else { return nil }
      sign = word
    }
    skip(.separator, .dash, .from, .filler, .colon)
    // `오픈 09:00 ~ 22:00 마감`.
    let isAround = isBefore && place < tokens.count && tokens[place].word != .closes
    if isBefore, !isAround {
      sign = take(.closes)
      skip(.colon, .filler)
    }
    guard let closes = time() else { return nil }
    if !isBefore || isAround {
      skip(.filler)
      guard take(.closes) != nil else { return nil }
    }
    guard let sign else { return nil }
    start = place
    return opens + [WrittenLexer.Token(word: .dash, place: sign.place)] + closes
  }

  // MARK: Days to be announced

  private static let markers = spelled("필요하다고인정하는 필요하다고지정한 지정하여공고하는날 관장이지정한날 관장이지정하는날 장이정한날")
  private static let dayWords = spelled("요일 공휴일")

  /// The tokens, with each part of a list that is only about such days merged into one: `+특별한 사유로 관장이 지정한 날`.
  private static func withAnnounced(
    _ tokens: [WrittenLexer.Token], _ text: WrittenText
  ) -> [WrittenLexer.Token] {
    var result: [WrittenLexer.Token] = []
    var part: [WrittenLexer.Token] = []
    var depth = 0
    func flush() {
      guard let first = part.first, let last = part.last else { return }
      let place = first.place.lowerBound..<last.place.upperBound
      let words = text.scalars[place].filter { $0 != " " }
      if contains(words[...], anyOf: markers), !contains(words[...], anyOf: dayWords) {
        result.append(WrittenLexer.Token(word: .announced, place: place))
      } else {
        result += part
      }
      part = []
    }
    for token in tokens {
      if token.word == .openBracket { depth += 1 }
      if token.word == .closeBracket { depth -= 1 }
      // Only signs that separate the parts of a list.
      if depth == 0, token.word == .separator,
        ["+", ",", ";", "2", "3"].contains(text.scalars[token.place.lowerBound])
      {
        flush()
        result.append(token)
      } else {
        part.append(token)
      }
    }
    flush()
    return result
  }
}
