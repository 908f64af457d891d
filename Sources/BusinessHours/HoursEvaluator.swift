import Geodesy

/// Answers for single minutes, over the flat tables.
///
/// A minute is answered in two steps: which rules hold on its day and on the days before (``DayFacts``), and what they
/// say of the minute. The first depends on the day alone.
struct HoursEvaluator {
  let rules: UnsafeBufferPointer<CompiledHours.Rule>
  let conditions: UnsafeBufferPointer<CompiledHours.Condition>
  let spans: UnsafeBufferPointer<CompiledHours.Span>
  let dates: UnsafeBufferPointer<DateRange>
  /// How many days after its own a span of any rule may end.
  let spill: Int
  /// Whether any condition asks for more than weekdays and holidays.
  let asksForDates: Bool
  /// Whether the last rule that speaks of a minute decides it.
  let hasLastWord: Bool
  /// By its place, so that handing the evaluator on counts no references.
  let setting: UnsafePointer<HoursSetting>

  /// What is known of a minute: its state and the rule that says so, or −1.
  struct Finding: Equatable {
    var state: OpenState
    var rule: Int
  }

  /// Gives the facts of a day to a body, without allocating for values of a few rules.
  func withFacts<Result>(of day: Int, _ body: (DayFacts) -> Result) -> Result {
    withUnsafeTemporaryAllocation(
      of: UInt64.self, capacity: DayFacts.capacity(rules: rules.count)
    ) { body(facts(of: day, in: $0)) }
  }

  /// The state of a minute of a day.
  func finding(day: Int, minute: Int) -> Finding {
    if hasLastWord, let finding = lastWord(day, minute) { return finding }
    return withFacts(of: day) { finding(minute, $0) }
  }

  /// What the last rule says that speaks of a minute, without asking those before it; nil where holidays are not
  /// known that it may depend on.
  private func lastWord(_ day: Int, _ minute: Int) -> Finding? {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: DayFacts.capacity(rules: 0)) { words in
      // No words for the rules, but for the sun.
      var facts = DayFacts(day: day, words: words, rules: 0)
      let parts = date(of: day)
      for index in rules.indices.reversed() {
        let rule = rules[index]
        let holds = cases(of: rule, day, parts, &facts)
        guard facts.unknownCount == 0 else { return nil }
        guard holds != 0 else { continue }
        if rule.isWholeDay { return Finding(state: rule.state, rule: index) }
        if let state = state(of: index, 0, minute, facts, 0) {
          return Finding(state: state, rule: index)
        }
        if rule.clears { break }
      }
      return Finding(state: .closed, rule: -1)
    }
  }

  /// The state of a minute of a day whose facts are known.
  ///
  /// Where holidays are not known, every combination of them is tried, and what they disagree on is
  /// *unknown*.
  func finding(_ minute: Int, _ facts: DayFacts) -> Finding {
    guard !facts.isOverfull else { return Finding(state: .unknown, rule: -1) }
    let finding = self.finding(minute, facts, 0)
    guard facts.unknownCount > 0 else { return finding }
    for number in 1..<(1 << facts.unknownCount)
    where self.finding(minute, facts, number).state != finding.state {
      return Finding(state: .unknown, rule: -1)
    }
    return finding
  }

  /// The state in one case of unknown holidays.
  private func finding(_ minute: Int, _ facts: DayFacts, _ number: Int) -> Finding {
    // What the rules of the day itself say, and what is left of the nights before; the later wins.
    let nothing = Finding(state: .closed, rule: -1)
    var own = nothing
    var night = nothing
    var isNightLater = false
    // What begins on a closed day is not there, neither for the rules between.
    let lastDayOff = self.lastDayOff(facts, number)
    for index in 0..<rules.count {
      let rule = rules[index]
      let holds = facts.holds(index, 0, number)
      if holds, rule.clears {
        own = nothing
        night = nothing
        isNightLater = false
      }
      if rule.isFallback {
        // It speaks where the place is closed, unless a fallback before it says so.
        let current = isNightLater ? night : own
        guard current.state == .closed, current.rule < 0 || !rules[current.rule].isFallback else {
          continue
        }
      }
      let begins = holds && index >= lastDayOff
      if rule.isWholeDay {
        guard begins else { continue }
        own = Finding(state: rule.state, rule: index)
        isNightLater = rule.isDayOff && night.rule >= 0
        continue
      }
      // The older night first, so that the newer has the last word.
      for back in stride(from: Int(rule.spill), through: 1, by: -1)
      where facts.holds(index, back, number) {
        guard let state = self.state(of: index, back, minute, facts, number) else { continue }
        night = Finding(state: state, rule: index)
        isNightLater = true
      }
      if begins, let state = self.state(of: index, 0, minute, facts, number) {
        own = Finding(state: state, rule: index)
        isNightLater = false
      }
    }
    return isNightLater ? night : own
  }

  /// The state that a rule of a day gives a minute, of that day or, `back` days on, of another; nil where it says
  /// nothing.
  private func state(
    of index: Int, _ back: Int, _ minute: Int, _ facts: DayFacts, _ number: Int
  ) -> OpenState? {
    let rule = rules[index]
    var result: OpenState?
    for span in rule.spans {
      guard let times = self.times(Int(span), back, facts) else {
        // An event that is not known, or does not happen.
        if back == 0 { result = .unknown }
        continue
      }
      if minute >= times.start, minute < times.end {
        result = rule.state
      } else if minute >= times.end, minute < times.unknownEnd,
        !hasBegun(index, after: times.end, back, minute, facts, number)
      {
        result = rule.state == .closed ? .closed : .unknown
      }
    }
    return result
  }

  /// Whether a later day's span of the rule has begun, which ends an open end of `back` days before.
  private func hasBegun(
    _ index: Int, after first: Int, _ back: Int, _ minute: Int, _ facts: DayFacts, _ number: Int
  ) -> Bool {
    for later in 0..<back where facts.holds(index, later, number) {
      if later == 0, index < lastDayOff(facts, number) { continue }
      for span in rules[index].spans {
        if let start = times(Int(span), later, facts)?.start, start >= first, start <= minute {
          return true
        }
      }
    }
    return false
  }

  /// The last rule that closes the day, or −1; of the days before, the facts know it.
  private func lastDayOff(_ facts: DayFacts, _ number: Int) -> Int {
    rules.indices.last { rules[$0].isDayOff && facts.holds($0, 0, number) } ?? -1
  }

  /// A span's minutes: open from `start` to `end`, unknown until `unknownEnd`.
  struct Times {
    var start: Int
    var end: Int
    var unknownEnd: Int
  }

  /// The times of the span that began `back` days before, in minutes of the day asked about.
  func times(_ index: Int, _ back: Int, _ facts: DayFacts) -> Times? {
    if let times = facts.times { return times[index * DayFacts.days + back] }
    let span = spans[index]
    guard let start = minute(Int(span.start), span.startEvent, back, facts),
      var end = minute(Int(span.end), span.endEvent, back, facts)
    else { return nil }
    if span.wraps { end += 1440 }
    var limit = max(end, Int(span.guess))
    if span.cut >= 0 {
      let next = spans[Int(span.cut)]
      if let start = minute(Int(next.start), next.startEvent, back, facts) {
        limit = max(end, min(limit, start))
      }
    }
    let first = max(0, start)
    let shift = 1440 * back
    func times(_ end: Int, _ unknownEnd: Int) -> Times {
      Times(start: first - shift, end: end - shift, unknownEnd: unknownEnd - shift)
    }
    switch span.ending {
    case .time: return times(end, end)
    case .open: return times(first, limit)
    case .openAfter: return times(max(first, end), limit)
    case .times: return times(first, end)
    }
  }

  /// What days have in common that have the same answers.
  func signature(of facts: DayFacts, usesSun: Bool) -> [UInt64] {
    for back in 0...spill where usesSun {
      for event in SunEvent.allCases { _ = minute(of: event, back, facts) }
    }
    return facts.signature
  }

  private func minute(
    _ minutes: Int, _ event: SunEvent?, _ back: Int, _ facts: DayFacts
  ) -> Int? {
    guard let event else { return minutes }
    return minute(of: event, back, facts).map { $0 + minutes }
  }

  private func minute(of event: SunEvent, _ back: Int, _ facts: DayFacts) -> Int? {
    guard let sun = setting.pointee.sun else { return nil }
    let day = facts.day - back
    return facts.sunMinute(event, back) {
      let offset = setting.pointee.utcOffset(Instant(seconds: Int64(day) * 86_400 + 43_200))
      return sun.minute(of: event, on: day, utcOffset: offset)
    }
  }
}

extension OpeningHours {
  /// Gives the flat tables to a body.
  func evaluating<Result>(
    _ setting: HoursSetting, _ body: (HoursEvaluator) -> Result
  ) -> Result {
    compiled.rules.withUnsafeBufferPointer { rules in
      compiled.conditions.withUnsafeBufferPointer { conditions in
        compiled.spans.withUnsafeBufferPointer { spans in
          compiled.dates.withUnsafeBufferPointer { dates in
            withUnsafePointer(to: setting) { setting in
              body(
                HoursEvaluator(
                  rules: rules, conditions: conditions, spans: spans, dates: dates,
                  spill: compiled.spill, asksForDates: compiled.uses.contains(.dates),
                  hasLastWord: compiled.hasLastWord, setting: setting))
            }
          }
        }
      }
    }
  }
}
