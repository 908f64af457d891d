/// Korean markets held every five days, by the last digit of the day of the month: `2일+7일` names a digit and that
/// digit plus five.
struct MarketDays {
  let rules: [HoursRule]
  let doubts: [WrittenDoubt]

  /// nil if the text is something else.
  init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let written = WrittenText(text)
    // Bit n is the digit n.
    var digits: UInt16 = 0
    for token in WrittenLexer(written).tokens {
      switch token.word {
      case .dayOfMonth(let day) where (1...10).contains(day): digits |= 1 << (day % 10)
      case .separator, .filler: continue
      default: return nil
      }
    }
    // Every digit needs its partner; a single date does not count.
    guard digits != 0, digits != 0b11111_11111, digits >> 5 == digits & 0b11111 else { return nil }
    let words = HoursComment.cleaned(text)
    var days: [DaySelector] = []
    days.reserveCapacity(12 * 3 * digits.nonzeroBitCount)
    for month in 1...12 {
      for day in 1...min(30, CivilDay.daysInMonth(2000, month))
      where digits >> (day % 10) & 1 == 1 {
        days.append(.dates(DateRange(month: month, day: day)))
      }
    }
    var rules = [HoursRule(days: [days], state: .unknown, comment: WrittenRules.notStated)]
    var doubts: [WrittenDoubt] = []
    if digits >> 1 & 1 == 1 {
      rules.append(
        HoursRule(days: [WrittenRules.everyMonth(31)], state: .unknown, comment: "31일"))
      doubts.append(WrittenDoubt(text: words, kind: .ambiguous))
    }
    self.rules = rules
    self.doubts = doubts
  }
}
