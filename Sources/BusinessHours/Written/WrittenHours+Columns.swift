/// Opening times in separate columns for weekdays, Saturdays and holidays, as in Korea's standard
/// data sets.
public struct WrittenTimes: Hashable, Sendable {
  /// The opening time, as `09:00`.
  public var opens: String
  /// The closing time, as `18:00`.
  public var closes: String

  /// Makes a pair from two cells as written.
  public init(_ opens: String, _ closes: String) {
    self.opens = opens
    self.closes = closes
  }
}

extension WrittenHours {
  /// Reads the columns of weekdays (평일), Saturdays (토요일) and holidays (공휴일, which include Sundays
  /// in these data), with the days of operation (운영요일) and the closing days (휴관일) if the source has
  /// them.
  ///
  /// `00:00`–`23:59` and `00:00`–`24:00` mean all day. `00:00`–`00:00` and two equal times may mean
  /// all day or not at all, and are *unknown* unless the closing days close these days. A cell without a
  /// time in it is *unknown*, too, and so is `09:00`–`08:00`, which may be a slip or a night.
  ///
  /// - Parameters:
  ///   - weekdays: The hours from Monday to Friday.
  ///   - saturdays: The hours on Saturdays.
  ///   - holidays: The hours on Sundays and public holidays.
  ///   - operatingDays: `평일+토요일+공휴일` or some of them; empty if the source has no such column.
  ///   - closingDays: As in ``init(_:closingDays:)``.
  public init(
    weekdays: WrittenTimes, saturdays: WrittenTimes, holidays: WrittenTimes,
    operatingDays: String = "", closingDays: String = ""
  ) {
    var facts = WrittenFacts()
    if !Self.isBlank(closingDays) {
      guard closingDays.utf8.count <= Self.maximumLength else {
        self.init("", closingDays: closingDays)
        return
      }
      facts = WrittenReader.facts(of: closingDays, isOfClosingDays: true)
    }
    let operated = Self.operated(operatingDays)
    var base: [HoursRule] = []
    var doubts: [WrittenDoubt] = []
    let classes: [(name: String, days: [DaySelector], times: WrittenTimes, isOperated: Bool?)] = [
      ("평일", [.weekdays(first: 0, last: 4)], weekdays, operated?.weekdays),
      ("토요일", [.weekday(5)], saturdays, operated?.saturdays),
      ("공휴일", [.weekday(6), .publicHolidays(offset: 0)], holidays, operated?.holidays),
    ]
    let unclear = operated == nil && !Self.isBlank(operatingDays) ? operatingDays : nil
    if let unclear {
      doubts.append(WrittenDoubt(text: HoursComment.cleaned(unclear), kind: .notUnderstood))
    }
    for (name, days, times, isOperated) in classes {
      var rule = HoursRule(days: [days], state: .open)
      if let doubt = Self.setHours(of: &rule, times, isOperated: isOperated) {
        let words = HoursComment.cleaned("\(name) \(times.opens)~\(times.closes)")
        let isClosed = Self.closes(facts.closings, days)
        if doubt == .contradiction || !isClosed {
          doubts.append(WrittenDoubt(text: words, kind: doubt))
        }
        if isClosed { continue }
        rule.state = .unknown
        rule.comment = words
      }
      Self.append(rule, to: &base)
    }
    if base.count == 1,
      base[0].days[0] == [.weekdays(first: 0, last: 6), .publicHolidays(offset: 0)],
      base[0].state == .open
    {
      base[0].days = []
    }
    if let unclear {
      self.init(hours: .unknown(HoursComment.cleaned(unclear)), doubts: doubts, extent: .none)
      return
    }
    facts.doubts += doubts
    facts.saysSomething = true
    self.init(facts, base: base)
  }

  /// Gives the rule of some days their state and times; returns what leaves these undecided.
  private static func setHours(
    of rule: inout HoursRule, _ times: WrittenTimes, isOperated: Bool?
  ) -> WrittenDoubt.Kind? {
    switch (span(times), isOperated) {
    // Not a day of operation, but with times.
    case (_?, false?): return .contradiction
    case (nil, false?): rule.state = .closed
    case (let span?, _): rule.times = span == .wholeDay ? [] : [span]
    case (nil, _) where areEmpty(times): return .emptyTimes
    case (nil, _):
      // What may be a night goes on into a day that has other times.
      if let opens = minute(times.opens), let closes = minute(times.closes), closes < opens,
        opens < 1440
      {
        rule.times = [TimeSpan(start: .clock(0), end: .time(.clock(1440 + closes)))]
      }
      return .notUnderstood
    }
    return nil
  }

  /// Adds a rule, or only its days if the last rule has the same times.
  private static func append(_ rule: HoursRule, to rules: inout [HoursRule]) {
    if let last = rules.last, last.times == rule.times, last.state == rule.state,
      last.comment == nil, rule.comment == nil
    {
      rules[rules.count - 1].days[0] = joined(last.days[0], rule.days[0])
    } else {
      rules.append(rule)
    }
  }

  /// Joins two runs of weekdays, as one range if they are consecutive.
  private static func joined(_ first: [DaySelector], _ next: [DaySelector]) -> [DaySelector] {
    var joined = first
    for selector in next {
      if case .weekdays(let start, let end)? = joined.last,
        case .weekdays(let from, let to) = selector,
        from == end + 1
      {
        joined[joined.count - 1] = .weekdays(first: start, last: to)
      } else {
        joined.append(selector)
      }
    }
    return joined
  }

  /// Whether closing days certainly close all of some days.
  private static func closes(_ closings: [WrittenFacts.Item], _ days: [DaySelector]) -> Bool {
    days.allSatisfy { selector in
      closings.contains { item in
        guard !item.isUncertain else { return false }
        switch (selector, item.days) {
        case (.publicHolidays, .publicHolidays): return true
        case (.weekdays(let first, let last), .weekdays(let closed, nths: 0)):
          return (first...last).allSatisfy { closed >> UInt8($0) & 1 == 1 }
        default: return false
        }
      }
    }
  }

  /// Whether both cells are blank or the same time.
  private static func areEmpty(_ times: WrittenTimes) -> Bool {
    guard let opens = minute(times.opens) else {
      return isBlank(times.opens) && isBlank(times.closes)
    }
    return opens == minute(times.closes)
  }

  /// The span of two cells; nil if it is uncertain.
  private static func span(_ times: WrittenTimes) -> TimeSpan? {
    guard let opens = minute(times.opens), let closes = minute(times.closes), opens < 1440 else {
      return nil
    }
    // 23:59, or the minute before opening again, means all day.
    if opens == 0, closes >= 1439 { return .wholeDay }
    if opens == closes { return nil }
    if opens > 0, closes == opens - 1 { return .wholeDay }
    if closes == 1439 { return TimeSpan(start: .clock(opens), end: .time(.clock(1440))) }
    guard
      let end = WrittenTime(closes).end(after: WrittenTime(opens), start: opens, isNextDay: false)
    else { return nil }
    return TimeSpan(start: .clock(opens), end: .time(.clock(end)))
  }

  private static func minute(_ text: String) -> Int? {
    // `9:00` and `09:00`, the form of nearly every cell.
    if text.utf8.count <= 5, let time = try? ISOTime(text), time.utcOffset == nil {
      return time.secondOfDay.map { $0 / 60 }
    }
    let tokens = WrittenLexer(WrittenText(text)).tokens
    guard tokens.count == 1, case .clock(let minute) = tokens[0].word else { return nil }
    return minute
  }

  /// Which of the three classes of days are operated; nil if the words say something else or nothing.
  private static func operated(
    _ text: String
  ) -> (weekdays: Bool, saturdays: Bool, holidays: Bool)? {
    var operated = (weekdays: false, saturdays: false, holidays: false)
    let tokens = WrittenLexer(WrittenText(text)).tokens
    guard !tokens.isEmpty else { return nil }
    for token in tokens {
      switch token.word {
      case .weekdays(0b0011111, true): operated.weekdays = true
      case .weekdays(1 << 5, false): operated.saturdays = true
      case .publicHolidays: operated.holidays = true
      case .separator: continue
      default: return nil
      }
    }
    return operated
  }
}
