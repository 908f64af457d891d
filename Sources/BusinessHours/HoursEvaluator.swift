/// Answers for single minutes, over the flat tables.
struct HoursEvaluator {
  let rules: UnsafeBufferPointer<CompiledHours.Rule>
  let conditions: UnsafeBufferPointer<CompiledHours.Condition>
  let spans: UnsafeBufferPointer<CompiledHours.Span>
  let dates: UnsafeBufferPointer<DateRange>
  let setting: HoursSetting

  /// What is known of a minute: its state and the rule that says so, or −1.
  struct Finding: Equatable {
    var state: OpenState
    var rule: Int
  }

  /// Which holidays a pass takes for granted, and which it had to: a bit for each kind and day.
  struct Hypothesis {
    var isHoliday: UInt8 = 0
    var asked: UInt8 = 0
  }

  /// The state of a minute of a day.
  ///
  /// Where holidays are not known, every combination of them is tried, and what they disagree on is
  /// *unknown*.
  func finding(day: Int, minute: Int) -> Finding {
    var hypothesis = Hypothesis()
    let finding = pass(day, minute, &hypothesis)
    guard hypothesis.asked != 0 else { return finding }
    var asked = hypothesis.asked
    var tried: UInt8 = 0
    // Subsets of what was asked; a pass may ask for more.
    while tried < asked {
      tried += 1
      guard tried & ~asked == 0 else { continue }
      var other = Hypothesis(isHoliday: tried)
      let another = pass(day, minute, &other)
      asked |= other.asked
      if another.state != finding.state { return Finding(state: .unknown, rule: -1) }
    }
    return finding
  }

  private func pass(_ day: Int, _ minute: Int, _ hypothesis: inout Hypothesis) -> Finding {
    let parts = CivilDay.parts(day)
    // What the rules of the day itself say, and what is left of the nights before; the later wins.
    var own = Finding(state: .closed, rule: -1)
    var night = Finding(state: .closed, rule: -1)
    var isNightLater = false
    for index in 0..<rules.count {
      let rule = rules[index]
      let holds = self.holds(rule, day, parts, 0, &hypothesis)
      if holds, rule.clears {
        own = Finding(state: .closed, rule: -1)
        night = own
        isNightLater = false
      }
      if rule.isFallback, (isNightLater ? night : own).state != .closed { continue }
      if rule.isWholeDay {
        guard holds else { continue }
        own = Finding(state: rule.state, rule: index)
        if !rule.isDayOff {
          isNightLater = false
        } else {
          isNightLater = night.rule >= 0
        }
        if rule.isFallback, !clearing(after: index, day, parts, &hypothesis) { return own }
        continue
      }
      var covered = false
      if rule.spill > 0 {
        // The older night first, so that the newer has the last word.
        for back in (1...Int(rule.spill)).reversed() {
          let before = day - back
          guard self.holds(rule, before, CivilDay.parts(before), back, &hypothesis) else {
            continue
          }
          let state = self.state(of: rule, before, minute + 1440 * back)
          guard let state, !isTakenAway(index, before, back, &hypothesis) else { continue }
          night = Finding(state: state, rule: index)
          isNightLater = true
          covered = true
        }
      }
      if holds, let state = self.state(of: rule, day, minute) {
        own = Finding(state: state, rule: index)
        isNightLater = false
        covered = true
      }
      // The first fallback that speaks is the last to be heard, unless a later rule clears the day.
      if covered, rule.isFallback {
        guard clearing(after: index, day, parts, &hypothesis) else {
          return isNightLater ? night : own
        }
      }
    }
    return isNightLater ? night : own
  }

  private func clearing(
    after index: Int, _ day: Int, _ parts: CivilDay.Parts, _ hypothesis: inout Hypothesis
  ) -> Bool {
    for later in (index + 1)..<rules.count where rules[later].clears {
      if holds(rules[later], day, parts, 0, &hypothesis) { return true }
    }
    return false
  }

  /// Whether a later rule closes the day that a night belongs to.
  private func isTakenAway(
    _ index: Int, _ day: Int, _ back: Int, _ hypothesis: inout Hypothesis
  ) -> Bool {
    for later in (index + 1)..<rules.count where rules[later].isDayOff {
      if holds(rules[later], day, CivilDay.parts(day), back, &hypothesis) { return true }
    }
    return false
  }

  /// The state that a rule gives a minute of a day on which it holds; minutes of later days go on
  /// after 1440; nil where it says nothing.
  private func state(of rule: CompiledHours.Rule, _ day: Int, _ minute: Int) -> OpenState? {
    var result: OpenState?
    for index in rule.spans {
      guard let times = self.times(Int(index), day) else {
        // An event that is not known, or does not happen.
        if minute < 1440 { result = .unknown }
        continue
      }
      if minute >= times.start, minute < times.end {
        result = rule.state
      } else if minute >= times.end, minute < times.unknownEnd {
        result = rule.state == .closed ? .closed : .unknown
      }
    }
    return result
  }

  /// A span's minutes on a day: open from `start` to `end`, unknown until `unknownEnd`.
  struct Times {
    var start: Int
    var end: Int
    var unknownEnd: Int
  }

  func times(_ index: Int, _ day: Int) -> Times? {
    let span = spans[index]
    guard let start = minute(Int(span.start), span.startEvent, day),
      var end = minute(Int(span.end), span.endEvent, day)
    else { return nil }
    if span.wraps { end += 1440 }
    var limit = max(end, Int(span.guess))
    if span.cut >= 0 {
      let next = spans[Int(span.cut)]
      if let start = minute(Int(next.start), next.startEvent, day) {
        limit = max(end, min(limit, start))
      }
    }
    let first = max(0, start)
    switch span.ending {
    case .time: return Times(start: first, end: end, unknownEnd: end)
    case .open: return Times(start: first, end: first, unknownEnd: limit)
    case .openAfter: return Times(start: first, end: max(first, end), unknownEnd: limit)
    case .times: return Times(start: first, end: first, unknownEnd: end)
    }
  }

  private func minute(_ minutes: Int, _ event: SunEvent?, _ day: Int) -> Int? {
    guard let event else { return minutes }
    guard let sun = setting.sun else { return nil }
    let offset = setting.utcOffset(Int64(day) * 86_400 + 43_200)
    return sun.minute(of: event, on: day, utcOffset: offset).map { $0 + minutes }
  }

  /// Whether a rule holds on a day, which is `back` days before the one asked about.
  func holds(
    _ rule: CompiledHours.Rule, _ day: Int, _ parts: CivilDay.Parts, _ back: Int,
    _ hypothesis: inout Hypothesis
  ) -> Bool {
    guard rule.years.contains(Int32(parts.year)) else { return false }
    var index = Int(rule.conditions.lowerBound)
    let end = Int(rule.conditions.upperBound)
    while index < end {
      var holds = false
      repeat {
        holds = holds || self.holds(conditions[index], day, parts, back, &hypothesis)
        index += 1
      } while index < end && !conditions[index].startsGroup
      guard holds else { return false }
    }
    return true
  }

  private func holds(
    _ condition: CompiledHours.Condition, _ day: Int, _ parts: CivilDay.Parts, _ back: Int,
    _ hypothesis: inout Hypothesis
  ) -> Bool {
    let (a, b, c) = (Int(condition.a), Int(condition.b), Int(condition.c))
    switch condition.kind {
    case .weekdays: return a >> CivilDay.weekday(day) & 1 == 1
    case .months: return a >> parts.month & 1 == 1
    case .monthDays:
      let key = parts.month * 32 + parts.day
      return a <= b ? key >= a && key <= b : key >= a || key <= b
    case .years: return parts.year >= a && parts.year <= b && (parts.year - a) % c == 0
    case .weeks:
      let week = CivilDay.isoWeek(day)
      if a <= b { return week >= a && week <= b && (week - a) % c == 0 }
      return (week >= a && (week - a) % c == 0) || (week <= b && (week + 53 - a) % c == 0)
    case .nthWeekdays:
      let base = day - c
      guard CivilDay.weekday(base) == a else { return false }
      let date = c == 0 ? parts : CivilDay.parts(base)
      let fromStart = (date.day - 1) / 7
      let fromEnd = (CivilDay.daysInMonth(date.year, date.month) - date.day) / 7
      return b >> fromStart & 1 == 1 || b >> (5 + fromEnd) & 1 == 1
    case .dates: return dates[a].contains(day, year: parts.year)
    case .publicHolidays: return isHoliday(setting.publicHolidays, day - a, back, &hypothesis)
    case .schoolHolidays: return isHoliday(setting.schoolHolidays, day - a, back + 3, &hypothesis)
    }
  }

  private func isHoliday(
    _ calendar: HolidayCalendar?, _ day: Int, _ bit: Int, _ hypothesis: inout Hypothesis
  ) -> Bool {
    if let calendar, calendar.knows(day: day) { return calendar.contains(day: day) }
    hypothesis.asked |= 1 << UInt8(bit)
    return hypothesis.isHoliday >> UInt8(bit) & 1 == 1
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
            body(
              HoursEvaluator(
                rules: rules, conditions: conditions, spans: spans, dates: dates, setting: setting))
          }
        }
      }
    }
  }
}
