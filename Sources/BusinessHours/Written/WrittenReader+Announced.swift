// Days to be announced: `+특별한 사유로 관장이 지정한 날`, a separate part of a list.

extension WrittenReader {
  private static let markers = [
    "필요하다고인정하는", "필요하다고지정한", "지정하여공고하는날", "관장이지정한날", "관장이지정하는날", "장이정한날",
  ].map { Array($0.unicodeScalars) }
  private static let dayWords = ["요일", "공휴일"].map { Array($0.unicodeScalars) }

  /// The tokens, with each such part merged into one.
  static func joined(
    _ tokens: [WrittenLexer.Token], _ text: WrittenText, _ isOfClosingDays: Bool
  ) -> [WrittenLexer.Token] {
    guard isOfClosingDays else { return tokens }
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
      if token.word == .open { depth += 1 }
      if token.word == .close { depth -= 1 }
      // Only signs that separate the parts of a list.
      let sign = text.scalars[token.place.lowerBound]
      if depth == 0, token.word == .separator,
        sign == "+" || sign == "," || sign == ";" || sign == "2" || sign == "3"
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
