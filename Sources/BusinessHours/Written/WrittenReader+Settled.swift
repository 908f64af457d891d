// Words whose meaning depends on those around them: `OPEN 11:00 CLOSE 21:00`, `점심 11:30~14:30 저녁 17:30~21:30`, `24시`.

extension WrittenReader {
  /// Words that mean the whole day if they are all that a text says.
  private static let allDay: Set<String> = [
    "24시", "상시", "상시개방", "상시운영", "항시", "항시개방", "終日", "終日開放", "終日営業", "常時開放",
  ]

  /// The tokens, with such words settled.
  static func settled(
    _ tokens: [WrittenLexer.Token], _ text: WrittenText, _ isOfClosingDays: Bool
  ) -> [WrittenLexer.Token] {
    guard !isOfClosingDays else { return ofClosingDays(tokens) }
    var tokens = tokens
    settleWholeDay(&tokens, text)
    settleLunch(&tokens, text)
    var result: [WrittenLexer.Token] = []
    var place = 0
    while place < tokens.count {
      if let span = openToClose(tokens, &place) {
        result += span
        continue
      }
      var token = tokens[place]
      if token.word == .opens { token.word = text.isForeign ? .openHours : .unknown }
      append(token, to: &result)
      place += 1
    }
    return result
  }

  /// In a column of closing days, where every word counts, such words are not known.
  private static func ofClosingDays(_ tokens: [WrittenLexer.Token]) -> [WrittenLexer.Token] {
    var result: [WrittenLexer.Token] = []
    for var token in tokens {
      switch token.word {
      case .opens, .closes, .months, .aside: token.word = .unknown
      default: break
      }
      append(token, to: &result)
    }
    return result
  }

  /// Appends a token; unknown words that touch are one.
  private static func append(
    _ token: WrittenLexer.Token, to tokens: inout [WrittenLexer.Token]
  ) {
    if token.word == .unknown, let last = tokens.last, last.word == .unknown,
      last.place.upperBound == token.place.lowerBound
    {
      tokens[tokens.count - 1].place = last.place.lowerBound..<token.place.upperBound
    } else {
      tokens.append(token)
    }
  }

  private static func settleWholeDay(_ tokens: inout [WrittenLexer.Token], _ text: WrittenText) {
    let places = tokens.indices.filter {
      switch tokens[$0].word {
      case .openHours, .noClosingDays, .separator, .colon, .weekdays(0x7F, _): false
      default: true
      }
    }
    guard let first = places.first, let last = places.last, last - first + 1 == places.count
    else { return }
    let place = tokens[first].place.lowerBound..<tokens[last].place.upperBound
    let words = text.scalars[place].filter { $0 != " " }
    guard allDay.contains(where: { $0.unicodeScalars.elementsEqual(words) }) else { return }
    tokens.replaceSubrange(first...last, with: [WrittenLexer.Token(word: .allDay, place: place)])
  }

  /// Makes `점심` a meal if no hours come before it and an evening follows; otherwise it is a break.
  private static func settleLunch(_ tokens: inout [WrittenLexer.Token], _ text: WrittenText) {
    let isTime = { (token: WrittenLexer.Token) in
      if case .clock = token.word { true } else { false }
    }
    guard let lunch = tokens.firstIndex(where: { $0.word == .pause }),
      text.text(tokens[lunch].place) == "점심", !tokens[..<lunch].contains(where: isTime),
      let evening = tokens.firstIndex(where: { $0.word == .partOfDay(.evening) }), lunch < evening,
      tokens[lunch..<evening].count(where: isTime) == 2
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
    func skip(_ words: Set<WrittenWord>) {
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
    let signs: Set<WrittenWord> = [.separator, .dash, .from, .filler, .colon]
    let isBefore = tokens[start].word == .opens
    var sign = isBefore ? take(.opens) : nil
    skip(isBefore ? [.colon, .filler] : [])
    guard let opens = time() else { return nil }
    if !isBefore {
      skip([.filler])
      guard let word = take(.opens) else { return nil }
      sign = word
    }
    skip(signs)
    // `오픈 09:00 ~ 22:00 마감`.
    let isAround = isBefore && place < tokens.count && tokens[place].word != .closes
    if isBefore, !isAround {
      sign = take(.closes)
      skip([.colon, .filler])
    }
    guard let closes = time() else { return nil }
    if !isBefore || isAround {
      skip([.filler])
      guard take(.closes) != nil else { return nil }
    }
    guard let sign else { return nil }
    start = place
    return opens + [WrittenLexer.Token(word: .dash, place: sign.place)] + closes
  }
}
