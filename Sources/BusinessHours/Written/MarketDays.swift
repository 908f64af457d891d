/// Korean markets that are held by the last digit of the day of the month: `2일+7일`, every five days.
///
/// The words name a digit with the one five after it. What is held on the 31st where the digit is 1 differs from
/// market to market, and that day is *unknown*.
struct MarketDays {
  let rules: [HoursRule]
  let doubts: [WrittenDoubt]

  /// nil when the text is something else.
  init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let written = WrittenText(text)
    var digits = Set<Int>()
    for token in WrittenLexer(written).tokens {
      switch token.word {
      case .dayOfMonth(let day) where (1...10).contains(day): digits.insert(day % 10)
      case .separator, .filler: continue
      default: return nil
      }
    }
    // Every digit with its partner, and not one date alone.
    guard !digits.isEmpty, digits.count < 10,
      digits.allSatisfy({ digits.contains(($0 + 5) % 10) })
    else { return nil }
    let words = HoursComment.cleaned(text)
    var rules = [
      HoursRule(
        operator: .normal,
        days: [
          (1...12).flatMap { month in
            (1...min(30, CivilDay.daysInMonth(2000, month)))
              .filter { digits.contains($0 % 10) }
              .map { .dates(WrittenRules.range(month, $0, month, $0)) }
          }
        ],
        times: [], state: .unknown, comment: WrittenRules.notStated)
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
