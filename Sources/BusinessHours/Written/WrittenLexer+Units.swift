// The last syllable of `휴무일` and `定休日` behind a space: `휴무 일` may mean closing days, or closed on Sundays.

extension WrittenLexer {
  /// What `일` or `日` is behind a space.
  enum Unit {
    /// The end of the word before it.
    case part
    /// A word of its own, or the beginning of one: Sunday.
    case weekday
    /// Nobody can say.
    case either
  }

  /// What the last character of a spelling is that ends at a place of the text.
  func unit(of spelling: [Unicode.Scalar], _ end: Int) -> Unit {
    let scalars = text.scalars
    guard spelling.count > 1, let last = spelling.last, last == "일" || last == "日",
      scalars[end - 2] == " "
    else { return .part }
    // `휴무 일요일`, `土 日曜`: it begins the next word.
    if let next = scalar(end), next == "曜" || next == "요" { return .weekday }
    let stem = spelling.dropLast()
    let known = WrittenWord.lexicon[spelling[0]]?.first { $0.spelling.elementsEqual(stem) }
    switch known?.word {
    case .closed?, .openHours?, .openDays?, .asUsual?, .announced?: break
    default: return .part
    }
    // `定  休  日` is spaced evenly.
    let stemEnd = (index..<end - 1).last { scalars[$0] != " " }! + 1
    if stem.count > 1, scalars[index..<stemEnd].count(where: { $0 == " " }) >= stem.count - 1 {
      return .part
    }
    // `휴무 일: 월요일`, `休業 日は月曜`: days follow the label.
    var start = skippingSpaces(end)
    guard let next = scalar(start), next != "." else { return .weekday }
    if isNthsAhead(start) { return .part }
    if WrittenText.isDigit(next) { return .either }
    // `휴관 일 (월요일)`, but not `휴관 일 (공휴일 제외)`.
    if next == "(" { start = skippingSpaces(start + 1) }
    guard let found = word(at: start, isAhead: true) else { return .weekday }
    switch found.word {
    case .colon, .nths, .everyWeek, .filler, .noClosingDays, .feast: return .part
    case .weekdays: return found.end - start > 1 && start > end ? .part : .weekday
    default: return .weekday
    }
  }

  /// Whether numbers such as `2,4째` or `第3` begin at a place.
  private func isNthsAhead(_ place: Int) -> Bool {
    var reading = self
    reading.index = place
    return reading.numeral()?.namedNths != nil
  }
}
