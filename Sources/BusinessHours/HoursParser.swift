/// Reads a value once, from first to last character, backtracking by at most one selector.
struct HoursParser {
  var scanner: HoursScanner
  /// The rule being read.
  var rule = HoursRule(state: .open)
  /// The part of the rule that was read last, to warn of an unusual order.
  var stage = HoursRule.Part.start
  /// Whether the rule says `24/7`.
  var isAlways = false
  /// Whether the rule has a word for its state.
  private var hasState = false
  /// Whether the rule's comment is a label.
  private var hasLabel = false
  /// The years of the rule that may be times without colons: where they begin, the part behind which they stand, and
  /// whether they are a span.
  private var doubtfulYears: (place: Int, behind: HoursRule.Part, areSpan: Bool)?
  /// Where the rules begin.
  private var starts: [Int] = []
  /// The number of parts read so far, which limits the length of lists.
  var parts = 0

  /// The maximum of selectors and times in a whole value.
  static let maximumParts = 1024

  init(_ text: String) { scanner = HoursScanner(text) }

  mutating func rules() throws(HoursError) -> [HoursRule] {
    var rules: [HoursRule] = []
    var nextOperator = HoursRule.Operator.normal
    scanner.skipSpaces()
    guard !scanner.isAtEnd else { throw HoursError(reason: .empty, column: 1) }
    while true {
      scanner.skipSpaces()
      let start = scanner.index
      if scanner.isAtEnd || scanner.peek() == UInt8(ascii: ";") {
        // Nothing between two semicolons, or after the last one.
        guard nextOperator == .normal, !(scanner.isAtEnd && rules.isEmpty) else {
          throw scanner.expected("a rule", at: start)
        }
        scanner.warn(.emptyRule, at: start)
        if scanner.isAtEnd { break }
        scanner.index += 1
        continue
      }
      guard rules.count < OpeningHours.maximumRules else {
        throw HoursError(
          reason: .tooManyParts(limit: OpeningHours.maximumRules), column: scanner.column(start))
      }
      starts.append(start)
      rules.append(try readRule(nextOperator))
      scanner.skipSpaces()
      if scanner.isAtEnd { break }
      if scanner.take(";") {
        nextOperator = .normal
      } else if scanner.peek() == UInt8(ascii: "|"), scanner.peek(1) == UInt8(ascii: "|") {
        scanner.index += 2
        nextOperator = .fallback
      } else if scanner.peek() == UInt8(ascii: ","), stage >= .times {
        scanner.index += 1
        nextOperator = .additional
      } else {
        throw scanner.expected("\"; \" between two rules", at: scanner.index)
      }
    }
    return rules
  }

  /// Warns at the beginning of a rule.
  mutating func warn(_ kind: HoursWarning.Kind, ofRule rule: Int) {
    scanner.warn(kind, at: starts[rule])
  }

  private mutating func readRule(
    _ ruleOperator: HoursRule.Operator
  ) throws(HoursError) -> HoursRule {
    let isBehindTimes = !rule.times.isEmpty
    // `17:00-19:00,2000-2200` goes on as a list does.
    let mayContinueTimes =
      ruleOperator == .additional && stage == .times
      && scanner.bytes[scanner.index - 1] == UInt8(ascii: ",")
    rule = HoursRule(operator: ruleOperator, state: .open)
    stage = .start
    (isAlways, hasState, hasLabel) = (false, false, false)
    doubtfulYears = nil
    scanner.skipSpaces()
    let start = scanner.index
    while !scanner.isAtEnd, !";,|".utf8.contains(scanner.peek()) {
      try readPart()
      scanner.skipSpaces()
    }
    guard stage != .start else { throw scanner.expected("a rule", at: scanner.index) }
    try checkYears(isBehindTimes: isBehindTimes, mayContinueTimes: mayContinueTimes)
    if isAlways, rule.state == .closed, !rule.days.isEmpty {
      throw scanner.expected("\"; \" between 24/7 and the days that are closed", at: start)
    }
    if !hasState && !hasLabel && rule.comment != nil { rule.state = .unknown }
    rule.orderDays()
    return rule
  }

  /// Notes years that have the digits of times: `2000-2200`, `2000-2600`, `2200+`.
  mutating func note(_ years: DaySelector, at place: Int, behind part: HoursRule.Part) {
    guard case .years(let first, let last, let step) = years, first <= 2400, first % 100 < 60,
      last == 9999 ? step == 1 : last <= 4800 && last % 100 < 60
    else { return }
    let areSpan = first != last
    if doubtfulYears == nil || areSpan { doubtfulYears = (place, part, areSpan) }
  }

  /// Refuses years that stand where times do, and warns of others that may be times.
  ///
  /// `Mo 2000-2200` would otherwise be open on all Mondays of two hundred years. Times behind them make it certain that
  /// they are years.
  ///
  /// - Parameters:
  ///   - isBehindTimes: Whether the rule before has times.
  ///   - mayContinueTimes: Whether the rule begins as a list of times goes on.
  private mutating func checkYears(
    isBehindTimes: Bool, mayContinueTimes: Bool
  ) throws(HoursError) {
    guard let (place, part, areSpan) = doubtfulYears, part >= .times || rule.times.isEmpty else {
      return
    }
    let areWhereTimesAre = part >= .weekdays || part == .start && mayContinueTimes
    if areSpan, areWhereTimesAre {
      throw scanner.ambiguous(
        "years or times", remedy: "times as 20:00-22:00, or the years first behind \"; \"",
        at: place)
    }
    let saysState = hasState || rule.comment != nil
    if areWhereTimesAre || areSpan && !saysState && (part > .start || isBehindTimes) {
      scanner.warn(.yearOrTime, at: place)
    }
  }

  /// Reads one part of the rule; its first character says which.
  private mutating func readPart() throws(HoursError) {
    let start = scanner.index
    switch scanner.peek() {
    case UInt8(ascii: "\""): try readComment()
    case UInt8(ascii: ":"): try readColon()
    case let byte where byte.isASCIILetter: try readWord()
    case let byte where byte.isASCIIDigit || byte == UInt8(ascii: "("):
      if isAlwaysAhead() {
        guard rule.times.isEmpty, !isAlways else { throw scanner.expected("\"; \"", at: start) }
        scanner.index += 4
        isAlways = true
        stage = .state
      } else if scanner.digits(from: start) == 4, scanner.number(from: start, digits: 4) >= 1900 {
        // Not the hours and minutes of a time.
        try readYears()
      } else {
        try readTimes()
      }
    default: throw scanner.expected("days, times or a state", at: start)
    }
  }

  /// Reads the colon of `Mo: 10:00-12:00`, or one after `24/7` or after a state before a comment.
  private mutating func readColon() throws(HoursError) {
    let start = scanner.index
    guard stage != .start, stage != .times, stage != .comment else {
      throw scanner.expected("days, times or a state", at: start)
    }
    scanner.index += 1
    scanner.skipSpaces()
    guard !scanner.isAtEnd, !";,|:".utf8.contains(scanner.peek()) else {
      throw scanner.expected("times or a state", at: scanner.index)
    }
    if stage == .weekdays || stage == .state { scanner.warn(.colon, at: start) }
  }

  /// Reads a word for the state, or the days or times that begin with a word.
  private mutating func readWord() throws(HoursError) {
    let start = scanner.index
    guard let (word, length) = nextWord() else {
      throw scanner.expected(
        "days, times or a state in the terms of the opening_hours language", at: start)
    }
    switch word {
    case .month, .easter: try readDates(year: nil)
    case .week: try readWeeks()
    case .weekday, .publicHoliday, .schoolHoliday: try readWeekdays()
    case .sun: try readTimes()
    case .open, .closed, .off, .unknown:
      guard !hasState, rule.comment == nil || hasLabel else {
        throw scanner.expected("\"; \"", at: start)
      }
      takeWord(word, length: length)
      hasState = true
      rule.state = word == .open ? .open : word == .unknown ? .unknown : .closed
      stage = .state
    case .day, .am, .pm, .to: throw scanner.expected("days, times or a state", at: start)
    }
  }

  /// Records that a part begins, warns of an unusual order, and limits the length of lists.
  ///
  /// Days after times are refused if days of that kind were read before: a separator is missing. So it is with two sets
  /// of years or weeks before the times, as in `2026 2027 Jul`: no day is of both.
  ///
  /// - Parameter hasYear: Whether the part begins with a year.
  mutating func enter(
    _ next: HoursRule.Part, at place: Int, hasYear: Bool = false
  ) throws(HoursError) {
    let mayRepeat = (next == .dates || next == .weekdays) && rule.times.isEmpty
    if rule.days.contains(where: {
      $0.part == next && !mayRepeat || hasYear && $0.beginsWithYear
    }) {
      throw scanner.expected("\"; \" or \",\" before other days", at: place)
    }
    if next < stage { scanner.warn(.order, at: place) }
    stage = max(stage, next)
    try count(at: place)
  }

  /// Counts one more part of the value.
  mutating func count(at place: Int) throws(HoursError) {
    parts += 1
    guard parts <= Self.maximumParts else {
      throw HoursError(
        reason: .tooManyParts(limit: Self.maximumParts), column: scanner.column(place))
    }
  }

  /// Takes a word that is known to be next, and warns unless it has the specified spelling.
  mutating func takeWord(_ word: HoursWord, length: Int) {
    let spelling = word.spelling
    if length != spelling.utf8.count && word != .day
      || !scanner.isSpelled(spelling, at: scanner.index)
    {
      scanner.warn(.wordForm, at: scanner.index)
    }
    scanner.index += length
  }

  /// The next word, if it belongs to the language.
  func nextWord() -> (word: HoursWord, length: Int)? {
    guard scanner.peek().isASCIILetter else { return nil }
    let key = scanner.word(from: scanner.index)
    return HoursWord(key: key.key, length: key.length).map { ($0, key.length) }
  }

  /// Reads a comment; before a colon, as in `"Kitchen": 10:00-12:00`, it is a label and says nothing of the state.
  private mutating func readComment() throws(HoursError) {
    let start = scanner.index
    guard rule.comment == nil else { throw scanner.expected("one comment in a rule", at: start) }
    var end = start + 1
    while end < scanner.bytes.count, scanner.bytes[end] != UInt8(ascii: "\"") { end += 1 }
    guard end < scanner.bytes.count else {
      throw scanner.expected("a closing quotation mark", at: end)
    }
    rule.comment = String(decoding: scanner.bytes[(start + 1)..<end], as: UTF8.self)
    scanner.index = end + 1
    hasLabel = stage == .start && scanner.takeSpaced(":")
    stage = hasLabel ? .start : .comment
    try count(at: start)
  }

  private func isAlwaysAhead() -> Bool {
    scanner.isSpelled("24/7", at: scanner.index)
      && !scanner.peek(4).isASCIIDigit && scanner.peek(4) != UInt8(ascii: "/")
  }
}
