// Words that say that days are not closed: `土曜休みなし`, `일요일 휴무 해제`, `공휴일 무휴`.

extension WrittenReader {
  /// Words behind a word for closed that say the opposite, without spaces.
  private static let denials = spelled(
    """
    なし なく ない 無し 無く まない しない じゃない ません しません 致しません いたしません ありません ございません 없 아님 아니 아닙 않 안함 안하 안합 안해 하지않 \
    하지아니 취소 해제
    """)
  /// Single characters that do the same at the end of a word.
  private static let denyingMarks: Set<Unicode.Scalar> = ["x", "X", "×", "無"]
  /// Particles that may stand before them: `休みではない`, `휴무일이 아님`.
  private static let particles = Set("はがもをでにと은는이가을를도".unicodeScalars)

  /// Whether the words behind a word for closed deny it.
  func isDenied(_ place: Int) -> Bool {
    let rest = text.scalars[tokens[place].place.upperBound...].prefix(24).filter { $0 != " " }
      .drop { Self.particles.contains($0) }
    guard let first = rest.first else { return false }
    if Self.denyingMarks.contains(first) {
      // Not the first letter of a word: `無料`.
      guard let second = rest.dropFirst().first else { return true }
      return first == "無" ? !second.properties.isIdeographic : !WrittenLexer.isLatin(second)
    }
    return Self.denials.contains { rest.starts(with: $0) }
  }

  /// Reads `없음`, `年中無休` and the like, which say nothing about days.
  ///
  /// Directly behind days they deny that these are closed, and do not say what applies instead.
  mutating func readNoClosingDays() {
    // `연중무휴 아님`.
    if isDenied(index) { return giveUpOnWord() }
    let isBehindDays =
      !pending.isEmpty && ![.separator, .but].contains(tokens[max(0, index - 1)].word)
    // `월~일 연중무휴 10:00~22:00` only says that no day is left out.
    let isOfAllDays = mode != .closings && weekdaysPending == 0x7F
    if isBehindDays, !isOfAllDays {
      giveUpOnWord()
      return
    }
    facts.saysSomething = true
    openLabel = nil
    index += 1
  }

  /// The pending weekdays, every one of each.
  private var weekdaysPending: UInt8 {
    pending.reduce(0) { days, item in
      if case .weekdays(let more, nths: 0) = item.days { days | more } else { days }
    }
  }
}
