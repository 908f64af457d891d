import Geodesy

/// Answers for single minutes, from the flat tables.
///
/// A minute is answered in two steps: which rules apply to its day and the days around it
/// (``DayFacts``), and what they say about the minute. The first step depends on the day alone.
struct HoursEvaluator {
  let rules: UnsafeBufferPointer<CompiledHours.Rule>
  let conditions: UnsafeBufferPointer<CompiledHours.Condition>
  let spans: UnsafeBufferPointer<CompiledHours.Span>
  let dates: UnsafeBufferPointer<DateRange>
  /// How many days after its own day a span of any rule may end.
  let spill: Int
  /// How many days before its own day a span of any rule may begin.
  let lead: Int
  /// Whether any condition needs more than weekdays and holidays.
  let asksForDates: Bool
  /// Whether the last rule that applies to a minute decides it.
  let hasLastWord: Bool
  /// A pointer, so that copying the evaluator counts no references.
  let setting: UnsafePointer<HoursSetting>

  /// The state of a minute and the rule that decides it, or −1.
  struct Finding: Equatable {
    var state: OpenState
    var rule: Int
  }

  /// Calls `body` with the facts of a day; allocates nothing for values with few rules.
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

  /// The answer of the last rule that applies to a minute, without reading the rules before it; nil
  /// if it may depend on unknown holidays.
  private func lastWord(_ day: Int, _ minute: Int) -> Finding? {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: DayFacts.capacity(rules: 0)) { words in
      // No words for the rules, only for the sun.
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
  /// With unknown holidays, every combination is tried; if the results differ, the state is
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
    // The answer of the day's own rules and that of spans from other days, mostly of the nights before; the later rule
    // wins.
    let nothing = Finding(state: .closed, rule: -1)
    var own = nothing
    var night = nothing
    var isNightLater = false
    // Spans that begin on a closed day do not count, even for rules in between.
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
        // A fallback applies where the place is closed, unless an earlier fallback says closed.
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
      // The older night first, so that the newer one decides.
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
      // Where the clocks are those of a zone far in the west, the sun of the next day rises before midnight.
      if rule.lead > 0, facts.holds(index, -1, number),
        let state = self.state(of: index, -1, minute, facts, number)
      {
        night = Finding(state: state, rule: index)
        isNightLater = true
      }
    }
    return isNightLater ? night : own
  }

  /// The state that a rule gives to a minute, through a span of the day `back` days before; nil if
  /// the rule says nothing about the minute.
  private func state(
    of index: Int, _ back: Int, _ minute: Int, _ facts: DayFacts, _ number: Int
  ) -> OpenState? {
    let rule = rules[index]
    var result: OpenState?
    for span in rule.spans {
      guard let times = self.times(Int(span), back, facts) else {
        // The sun event is unknown or does not happen.
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

  /// Whether a later day's span of the rule has begun, which ends an open end from `back` days before.
  private func hasBegun(
    _ index: Int, after first: Int, _ back: Int, _ minute: Int, _ facts: DayFacts, _ number: Int
  ) -> Bool {
    guard back > 0 else { return false }
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

  /// The last rule that closes the day, or −1; for the days before, the facts already include it.
  private func lastDayOff(_ facts: DayFacts, _ number: Int) -> Int {
    rules.indices.last { rules[$0].isDayOff && facts.holds($0, 0, number) } ?? -1
  }

  /// A span's minutes: open from `start` to `end`, unknown until `unknownEnd`.
  struct Times {
    var start: Int
    var end: Int
    var unknownEnd: Int
  }

  /// The times of a span of the day `back` days before, in minutes of this day.
  func times(_ index: Int, _ back: Int, _ facts: DayFacts) -> Times? {
    if let times = facts.times { return times[DayFacts.place(index, back)] }
    let span = spans[index]
    // `sunset-sunrise` ends with the sun of the next day.
    guard let start = minute(Int(span.start), span.startEvent, back, facts),
      var end = minute(Int(span.end), span.endEvent, span.wraps ? back - 1 : back, facts)
    else { return nil }
    if span.wraps { end += 1440 }
    var limit = max(end, Int(span.guess))
    if span.cut >= 0 {
      let next = spans[Int(span.cut)]
      if let start = minute(Int(next.start), next.startEvent, back, facts) {
        limit = max(end, min(limit, start))
      }
    }
    let shift = 1440 * back
    func times(_ end: Int, _ unknownEnd: Int) -> Times {
      Times(start: start - shift, end: end - shift, unknownEnd: unknownEnd - shift)
    }
    switch span.ending {
    case .time: return times(end, end)
    case .open: return times(start, limit)
    case .openAfter: return times(max(start, end), limit)
    case .times: return times(start, end)
    }
  }

  /// A key that is equal for days with the same answers.
  func signature(of facts: DayFacts, usesSun: Bool) -> [UInt64] {
    // A night ends with the sun of the day after.
    for back in (-lead - 1)...spill where usesSun {
      for event in SunEvent.allCases { _ = minute(of: event, back, facts) }
    }
    return facts.signature
  }

  private func minute(_ minutes: Int, _ event: SunEvent?, _ back: Int, _ facts: DayFacts) -> Int? {
    guard let event else { return minutes }
    return minute(of: event, back, facts).map { $0 + minutes }
  }

  @inline(never)  // Or the sun's formulas would be copied to every caller.
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
  /// Calls `body` with an evaluator over the flat tables.
  func evaluating<Result>(_ setting: HoursSetting, _ body: (HoursEvaluator) -> Result) -> Result {
    compiled.rules.withUnsafeBufferPointer { rules in
      compiled.conditions.withUnsafeBufferPointer { conditions in
        compiled.spans.withUnsafeBufferPointer { spans in
          compiled.dates.withUnsafeBufferPointer { dates in
            withUnsafePointer(to: setting) { setting in
              body(
                HoursEvaluator(
                  rules: rules, conditions: conditions, spans: spans, dates: dates,
                  spill: compiled.spill, lead: compiled.lead,
                  asksForDates: compiled.uses.contains(.dates),
                  hasLastWord: compiled.hasLastWord, setting: setting))
            }
          }
        }
      }
    }
  }
}
