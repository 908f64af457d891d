import Geodesy

/// The answer of the opening hours for one moment.
public struct HoursAnswer: Hashable, Sendable {
  /// Open, closed or unknown.
  public var state: OpenState
  /// The matching rule's comment.
  public var comment: String?
  /// The index of the matching rule in ``OpeningHours/rules``; nil if none matches or missing
  /// holidays leave the answer undecided.
  public var rule: Int?

  /// An answer made by hand, for previews and tests.
  public init(state: OpenState, comment: String? = nil, rule: Int? = nil) {
    (self.state, self.comment, self.rule) = (state, comment, rule)
  }

  /// Whether state and comment are the same, whichever rules give them.
  package func isSame(as other: HoursAnswer) -> Bool {
    state == other.state && comment == other.comment
  }
}

/// A time span with one answer; its end is excluded.
public struct HoursInterval: Hashable, Sendable {
  /// The start of the span.
  public var start: LocalTime
  /// The end of the span.
  public var end: LocalTime
  /// The answer throughout the span.
  public var answer: HoursAnswer

  /// Makes an interval.
  public init(start: LocalTime, end: LocalTime, answer: HoursAnswer) {
    self.start = start
    self.end = end
    self.answer = answer
  }
}

/// The kind of change to search for.
public enum HoursChange: Sendable {
  /// A change of state.
  case state
  /// A change of state or comment.
  case stateOrComment
  /// From open to another state, or back: *closed* and *unknown* count as one state.
  case openOrNot
  /// From closed to another state, or back: *open* and *unknown* count as one state.
  case closedOrNot

  /// Whether the step between two states is a change of this kind.
  func separates(_ one: OpenState, _ other: OpenState) -> Bool {
    switch self {
    case .state, .stateOrComment: one != other
    case .openOrNot: (one == .open) != (other == .open)
    case .closedOrNot: (one == .closed) != (other == .closed)
    }
  }

  /// Whether the step between two answers is a change of this kind.
  func separates(_ one: HoursAnswer, _ other: HoursAnswer) -> Bool {
    separates(one.state, other.state) || self == .stateOrComment && one.comment != other.comment
  }
}

extension OpeningHours {
  /// The answer at a local time of the place.
  ///
  /// - Complexity: O(rules); allocates nothing itself, though a closure of the setting may.
  public func answer(at time: LocalTime, setting: HoursSetting = HoursSetting()) -> HoursAnswer {
    answer(evaluating(setting) { $0.finding(day: time.day, minute: time.secondOfDay / 60) })
  }

  /// The state alone, which is faster to compute.
  public func state(at time: LocalTime, setting: HoursSetting = HoursSetting()) -> OpenState {
    evaluating(setting) { $0.finding(day: time.day, minute: time.secondOfDay / 60).state }
  }

  /// The intervals of equal state and comment between two local times, in order.
  ///
  /// They cover the whole span without gaps, closed intervals included.
  ///
  /// - Returns: Empty when `end` is not after `start`.
  /// - Complexity: O(days × spans × rules).
  public func intervals(
    from start: LocalTime, to end: LocalTime, setting: HoursSetting = HoursSetting()
  ) -> [HoursInterval] {
    var result: [HoursInterval] = []
    guard start < end else { return result }
    evaluating(setting) { evaluator in
      for day in start.day...end.day {
        for piece in evaluator.withFacts(of: day, { evaluator.pieces($0) }) {
          let from = max(LocalTime(minutes: day * 1440 + piece.start), start)
          let to = min(LocalTime(minutes: day * 1440 + piece.end), end)
          guard from < to else { continue }
          let answer = self.answer(piece.finding)
          if result.last?.answer.isSame(as: answer) == true {
            result[result.count - 1].end = to
          } else {
            result.append(HoursInterval(start: from, end: to, answer: answer))
          }
        }
      }
    }
    return result
  }

  /// The first local time after `time` at which the state (or comment) changes.
  ///
  /// - Returns: Nil when there is none, or none within the next ``searchedDays`` days on which any rule could change
  ///   it. Years in which nothing can change are skipped and not counted, up to 9999.
  public func nextChange(
    after time: LocalTime, of change: HoursChange = .state, setting: HoursSetting = HoursSetting()
  ) -> LocalTime? {
    evaluating(setting) { evaluator in
      let current = evaluator.finding(day: time.day, minute: time.secondOfDay / 60)
      var day = time.day
      var searched = 0
      var quiet = Set<[UInt64]>()
      while searched < Self.searchedDays {
        let (year, month, dayOfMonth) = CivilDay.parts(day)
        guard year <= 9999 else { return nil }
        if month == 1, dayOfMonth == 1, evaluator.isConstant(year) {
          guard isChange(current, evaluator.finding(day: day, minute: 0), change) else {
            day = CivilDay.number(evaluator.nextYear(after: year), 1, 1)
            continue
          }
          if day > time.day { return LocalTime(minutes: day * 1440) }
        }
        let found = evaluator.withFacts(of: day) { facts -> LocalTime? in
          // Days with equal facts have equal answers, so a long search tests each kind of day once.
          let isLong = searched > 31
          let kind = isLong ? evaluator.signature(of: facts, usesSun: usesSun) : []
          if isLong, quiet.contains(kind) { return nil }
          for piece in evaluator.pieces(facts) {
            let start = LocalTime(minutes: day * 1440 + piece.start)
            if start > time, isChange(current, piece.finding, change) { return start }
          }
          if isLong, quiet.count < Self.rememberedKinds { quiet.insert(kind) }
          return nil
        }
        if let found { return found }
        day += 1
        searched += 1
      }
      return nil
    }
  }

  /// How many days a search for the next change covers: 40 years, in which 29 February falls on
  /// every weekday.
  public static let searchedDays = 14_610

  /// How many kinds of days a search remembers, at most a few kilobytes each.
  private static let rememberedKinds = 4096

  private func isChange(
    _ one: HoursEvaluator.Finding, _ other: HoursEvaluator.Finding, _ change: HoursChange
  ) -> Bool {
    change.separates(one.state, other.state)
      || change == .stateOrComment && one.rule != other.rule && comment(one) != comment(other)
  }

  private func comment(_ finding: HoursEvaluator.Finding) -> String? {
    finding.rule < 0 ? nil : rules[finding.rule].comment
  }

  private func answer(_ finding: HoursEvaluator.Finding) -> HoursAnswer {
    HoursAnswer(
      state: finding.state, comment: comment(finding),
      rule: finding.rule < 0 ? nil : finding.rule)
  }
}

extension HoursEvaluator {
  /// A part of a day, in minutes.
  struct Piece {
    var start: Int
    var end: Int
    var finding: Finding
  }

  /// The parts of a day between the minutes at which something may change.
  func pieces(_ facts: DayFacts) -> [Piece] {
    var cuts: [Int] = [0]
    var times = [Times?](repeating: nil, count: spans.count * DayFacts.days)
    for (index, rule) in rules.enumerated() where !rule.isWholeDay {
      for back in -Int(rule.lead)...Int(rule.spill)
      where facts[index, back] != 0 || facts.isOverfull {
        for span in rule.spans {
          guard let found = self.times(Int(span), back, facts) else { continue }
          times[DayFacts.place(Int(span), back)] = found
          for cut in [found.start, found.end, found.unknownEnd] where cut > 0 && cut < 1440 {
            cuts.append(cut)
          }
        }
      }
    }
    cuts.sort()
    return times.withUnsafeBufferPointer { times in
      var facts = facts
      facts.times = times.baseAddress
      var pieces: [Piece] = []
      for (index, start) in cuts.enumerated() where index == 0 || cuts[index - 1] < start {
        let finding = self.finding(start, facts)
        guard pieces.last?.finding != finding else { continue }
        if !pieces.isEmpty { pieces[pieces.count - 1].end = start }
        pieces.append(Piece(start: start, end: 1440, finding: finding))
      }
      return pieces
    }
  }

  /// Whether nothing can change within a year: no rule of that year, or of one from which a span reaches into it, has
  /// times, or days other than years.
  func isConstant(_ year: Int) -> Bool {
    for (index, rule) in rules.enumerated() {
      let years = rule.lead > 0 ? [year, year - 1, year + 1] : [year, year - 1]
      for candidate in years where rule.years.contains(Int32(candidate)) {
        if rule.isOfYearsOnly {
          guard withFacts(of: CivilDay.number(candidate, 1, 1), { $0[index, 0] != 0 }) else {
            continue
          }
          if rule.isWholeDay { continue }
        }
        return false
      }
    }
    return true
  }

  /// The first year that may differ from a constant one before it, 10,000 at most: one beside the first or the last year
  /// that a rule names.
  func nextYear(after year: Int) -> Int {
    var next = 10_000
    func stop(besides first: Int32, _ last: Int32) {
      // The answers of a year are also those of the years beside it, whose spans reach into it.
      for named in [Int(first), Int(last) + 1] {
        for candidate in named - 1...named + 1 where candidate > year {
          next = min(next, candidate)
        }
      }
    }
    for rule in rules { stop(besides: rule.years.lowerBound, rule.years.upperBound) }
    for condition in conditions where condition.kind == .years {
      stop(besides: condition.a, condition.b)
      // `2026-2040/2`.
      let reach = Int(condition.a) - 1...Int(condition.b) + 1
      if condition.c > 1, reach.contains(year) { return year + 1 }
    }
    return next
  }
}

extension OpeningHours {
  /// Whether a place does not open on a day; nil if the hours leave it undecided.
  ///
  /// A night that began the day before and ends by noon does not count as opening.
  ///
  /// - Parameters:
  ///   - day: Days since 1970-01-01, in local time.
  ///   - setting: The place's time zone, holidays and times of the sun.
  /// - Complexity: O(spans × rules).
  public func isClosed(on day: Int, setting: HoursSetting = HoursSetting()) -> Bool? {
    let start = LocalTime(day: day, secondOfDay: 0)
    let noon = LocalTime(seconds: start.seconds + 43_200)
    var stretches = intervals(
      from: start, to: LocalTime(seconds: start.seconds + 86_400), setting: setting)[...]
    if let first = stretches.first, first.answer.state != .closed, first.end <= noon,
      state(at: LocalTime(seconds: start.seconds - 60), setting: setting) != .closed
    {
      stretches = stretches.dropFirst()
    }
    if stretches.contains(where: { $0.answer.state == .open }) { return false }
    return stretches.contains { $0.answer.state == .unknown } ? nil : true
  }

  /// The first day in a range on which a place does not open, and the first undecided day before it.
  ///
  /// - Parameters:
  ///   - day: The first day of the range, in days since 1970-01-01.
  ///   - days: The number of days in the range, which ends with the year 9999 at the latest.
  ///   - setting: The place's time zone, holidays and times of the sun.
  /// - Returns: `closed` is nil if no day is certain to be closed; `unsaid` is the first undecided day before `closed`,
  ///   or nil.
  /// - Complexity: O(days × spans × rules) up to the closed day.
  public func nextClosing(
    from day: Int, days: Int, setting: HoursSetting = HoursSetting()
  ) -> (closed: Int?, unsaid: Int?) {
    var unsaid: Int?
    let (sum, isBeyond) = day.addingReportingOverflow(max(0, days))
    let end = isBeyond ? OpeningHours.dayAfterAll : min(sum, OpeningHours.dayAfterAll)
    for day in day..<max(day, end) {
      switch isClosed(on: day, setting: setting) {
      case true?: return (day, unsaid)
      case nil: unsaid = unsaid ?? day
      case false?: continue
      }
    }
    return (nil, unsaid)
  }
}

/// A span of instants with one answer; its end is excluded.
public struct HoursSpan: Hashable, Sendable {
  /// The start of the span.
  public var start: Instant
  /// The end of the span.
  public var end: Instant
  /// The answer throughout the span.
  public var answer: HoursAnswer

  /// Makes a span.
  public init(start: Instant, end: Instant, answer: HoursAnswer) {
    (self.start, self.end, self.answer) = (start, end, answer)
  }
}

extension OpeningHours {
  /// The answer at an instant, in the setting's time zone.
  public func answer(at instant: Instant, setting: HoursSetting) -> HoursAnswer {
    answer(at: setting.reading(at: instant), setting: setting)
  }

  /// The state alone at an instant.
  public func state(at instant: Instant, setting: HoursSetting) -> OpenState {
    state(at: setting.reading(at: instant), setting: setting)
  }

  /// The intervals of equal state and comment between two instants; they cover the whole span.
  public func intervals(
    from start: Instant, to end: Instant, setting: HoursSetting
  ) -> [HoursSpan] {
    guard start < end else { return [] }
    var result: [HoursSpan] = []
    // The first whole second from the end on, so that an interval that begins at the very end is cut off there.
    let before = setting.reading(at: end.advanced(by: .milliseconds(-1)))
    let last = LocalTime(seconds: before.seconds + 1)
    for interval in intervals(from: setting.reading(at: start), to: last, setting: setting) {
      let from = max(start, result.last?.end ?? start)
      let to = interval.end == last ? end : min(end, setting.instant(of: interval.end))
      guard from < to else { continue }
      if result.last?.answer.isSame(as: interval.answer) == true {
        result[result.count - 1].end = to
      } else {
        result.append(HoursSpan(start: from, end: to, answer: interval.answer))
      }
    }
    return result
  }

  /// The first instant after `instant` at which the state (or comment) changes; see
  /// ``nextChange(after:of:setting:)``.
  public func nextChange(
    after instant: Instant, of change: HoursChange = .state, setting: HoursSetting
  ) -> Instant? {
    let current = answer(at: instant, setting: setting)
    var reading = setting.reading(at: instant)
    // An interval within skipped local times never happens.
    while let next = nextChange(after: reading, of: change, setting: setting) {
      let candidate = setting.instant(of: next)
      let there = answer(at: candidate, setting: setting)
      if candidate > instant, change.separates(current, there) { return candidate }
      reading = max(next, setting.reading(at: candidate))
    }
    return nil
  }
}
