// Joins the rules of days whose hours pass midnight.

extension WrittenRules {
  /// The last minute of the next day that the times may cover; nil if none passes midnight.
  var night: Int? { Self.lastMinuteOfNight(base.filter { $0.state != .closed }) }

  /// The last minute of the next day that some rules may cover; nil if none passes midnight.
  static func lastMinuteOfNight(_ rules: [HoursRule]) -> Int? {
    guard CompiledHours(rules).spill > 0 else { return nil }
    var last = 1
    for span in rules.flatMap(\.times) {
      if case .clock(let start) = span.start, case .time(.clock(let end)) = span.end {
        last = max(last, end > 1440 ? end - 1440 : end <= start ? end : 0)
      } else {
        // An open end counts for eight hours; the sun's time is not known here.
        last = max(last, 720)
      }
    }
    return min(last, 1440)
  }

  /// A rule for whole days with unknown hours, extended to the nights after them.
  ///
  /// Without this, the hours of other days would decide when those nights end. Other rules are returned unchanged.
  static func withNight(_ rule: HoursRule, until minute: Int?) -> HoursRule {
    guard let minute, rule.state == .unknown, rule.times.isEmpty else { return rule }
    var rule = rule
    rule.times = [TimeSpan(start: .clock(0), end: .time(.clock(1440 + minute)))]
    return rule
  }

  /// The rules, joined so that a night goes on into a day that has times of its own.
  ///
  /// <doc:WrittenTexts> says what that means. Rules of different weekdays add to each other, and a
  /// weekday that is named later is taken out of the rules before. Holidays cannot be taken out:
  /// `off` removes what begins on them and leaves the night before.
  func keepingNights(_ rules: [HoursRule]) -> [HoursRule] {
    guard rules.count > 1, let night else { return rules }
    var joined: [HoursRule] = []
    for (place, source) in rules.enumerated() {
      guard source.state != .closed, !source.isUnknownDay else {
        joined.append(Self.withNight(source, until: night))
        continue
      }
      var rule = source
      let own = source.weekdayMask
      let later = rules[(place + 1)...].reduce(0 as UInt8) { days, other in
        other.state == .closed || other.isUnknownDay ? days : days | other.weekdayMask
      }
      if own & later != 0 {
        let others = (rule.days.first ?? []).filter { $0.weekdayMask == 0 }
        let left = Self.selectors(own & ~later) + others
        guard !left.isEmpty else { continue }
        rule.days = [left]
      }
      let isApart = joined.allSatisfy { $0.state == .closed || $0.isApart(from: rule) }
      if !isApart { joined.append(self.rule(rule.days, .closed)) }
      if !joined.isEmpty { rule.operator = .additional }
      joined.append(rule)
    }
    return joined
  }
}

extension HoursRule {
  /// Whether nothing is known of the hours on the rule's days.
  fileprivate var isUnknownDay: Bool { state == .unknown && times.isEmpty }

  /// The weekdays on which the rule always applies; bit 0 is Monday.
  var weekdayMask: UInt8 {
    guard days.count < 2 else { return 0 }
    return days.first?.reduce(0) { $0 | $1.weekdayMask } ?? 0x7F
  }

  /// Whether the rule applies to weekdays only.
  private var isOfWeekdays: Bool {
    days.isEmpty || days.count == 1 && days[0].allSatisfy { $0.weekdayMask != 0 }
  }

  /// Whether both rules are of weekdays, and share none.
  fileprivate func isApart(from other: HoursRule) -> Bool {
    isOfWeekdays && other.isOfWeekdays && weekdayMask & other.weekdayMask == 0
  }
}

extension DaySelector {
  /// The weekdays of a range, which may pass Sunday, as bits; 0 for other days.
  var weekdayMask: UInt8 {
    guard case .weekdays(let first, let last) = self else { return 0 }
    return UInt8(CompiledHours.mask(first, last, of: 0...6))
  }
}
