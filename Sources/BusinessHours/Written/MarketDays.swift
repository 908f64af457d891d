/// Korean markets held every five days, by the last digit of the day of the month: `2일+7일`.
///
/// The text names a digit and that digit plus five. Whether markets of digit 1 are held on the 31st
/// differs from market to market, so that day is *unknown*.
struct MarketDays {
  let rules: [HoursRule]
  let doubts: [WrittenDoubt]

  /// nil if the text is something else.
  init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let written = WrittenText(text)
    var digits = Digits()
    for token in WrittenLexer(written).tokens {
      switch token.word {
      case .dayOfMonth(let day) where (1...10).contains(day): digits.insert(day % 10)
      case .separator, .filler: continue
      default: return nil
      }
    }
    // Every digit needs its partner; a single date does not count.
    guard digits.count > 0, digits.count < 10,
      (0..<10).allSatisfy({ !digits.contains($0) || digits.contains(($0 + 5) % 10) })
    else { return nil }
    let words = HoursComment.cleaned(text)
    var days: [DaySelector] = []
    days.reserveCapacity(12 * 3 * digits.count)
    for month in 1...12 {
      for day in 1...min(30, CivilDay.daysInMonth(2000, month)) where digits.contains(day % 10) {
        days.append(.dates(WrittenRules.range(month, day, month, day)))
      }
    }
    var rules = [
      HoursRule(
        operator: .normal, days: [days], times: [], state: .unknown,
        comment: WrittenRules.notStated)
    ]
    var doubts: [WrittenDoubt] = []
    if digits.contains(1) {
      rules.append(
        HoursRule(
          operator: .normal, days: [WrittenRules.everyMonth(31)], times: [], state: .unknown,
          comment: "31일"))
      doubts.append(WrittenDoubt(text: words, column: 1, kind: .ambiguous))
    }
    self.rules = rules
    self.doubts = doubts
  }
}

/// A bit set of the digits 0 to 9; it is tested for every day of a year.
private struct Digits {
  private var bits: UInt16 = 0

  var count: Int { bits.nonzeroBitCount }

  mutating func insert(_ digit: Int) { bits |= 1 << UInt16(digit) }

  func contains(_ digit: Int) -> Bool { bits >> UInt16(digit) & 1 != 0 }
}
