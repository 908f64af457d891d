// Rules for dates on which a place opens although they may be closing days.

extension WrittenRules {
  /// Dates that share the rules for their hours.
  private struct Dates {
    /// The weekday of the dates; nil if they differ.
    let weekday: Int?
    /// Whether the weekday is a condition: `12/13(일)` applies to years in which the date is a Sunday.
    let isCondition: Bool
    var days: [DaySelector]

    var groups: [[DaySelector]] {
      guard isCondition, let weekday else { return [days] }
      return [days, [.weekday(weekday)]]
    }
  }

  /// The comment where a place is open at unstated times.
  private static let timesNotStated = "open as usual"

  /// Rules that give some dates the hours that the place would have without closing days.
  ///
  /// If the date's weekday has no hours, the place is open at unstated times: *unknown*.
  ///
  /// - Parameter times: The rules of times, before anything closes.
  func asUsual(_ times: [HoursRule]) -> [HoursRule] {
    let open = times.filter { $0.state != .closed || !$0.times.isEmpty }
    let night = Self.lastMinuteOfNight(open)
    var rules: [HoursRule] = []
    var dates: [Dates] = []
    for item in facts.asUsual {
      if item.isUncertain {
        rules.append(unknown(days(item), doubtWords(of: item), night))
        continue
      }
      for selector in days(item).first ?? [] {
        let weekday = item.onWeekday == 0 ? selector.weekday : item.onWeekday.trailingZeroBitCount
        let isCondition = item.onWeekday != 0
        if let place = dates.firstIndex(where: {
          $0.weekday == weekday && $0.isCondition == isCondition
        }) {
          if !dates[place].days.contains(selector) { dates[place].days.append(selector) }
        } else {
          dates.append(Dates(weekday: weekday, isCondition: isCondition, days: [selector]))
        }
      }
    }
    for dates in dates { rules += replayed(open, on: dates, night) }
    return rules
  }

  /// Rules for days with unknown hours, and for the night after them if other days have one.
  private func unknown(_ days: [[DaySelector]], _ words: String?, _ night: Int?) -> HoursRule {
    Self.withNight(rule(days, .unknown, words ?? Self.timesNotStated), until: night)
  }

  /// The rules for some dates, replacing all others.
  private func replayed(_ open: [HoursRule], on dates: Dates, _ night: Int?) -> [HoursRule] {
    let unknown = unknown(dates.groups, nil, night)
    var rules: [HoursRule] = []
    for source in open {
      switch Self.validity(of: source, on: dates.weekday) {
      case .never: continue
      case .unclear: return [unknown]
      case .under(let conditions):
        var copy = source
        copy.days = dates.groups + conditions
        // An unconditional rule replaces those before it.
        if conditions.isEmpty, source.operator == .normal, source.state != .closed { rules = [] }
        rules.append(copy)
      }
    }
    let isCovered = rules.first.map {
      $0.days.count == dates.groups.count && $0.operator == .normal && $0.state != .closed
    }
    if isCovered == true, rules.count == 1 {
      // Added to the existing rules, so that the previous night continues past midnight.
      if night != nil { rules[0].operator = .additional }
      return rules
    }
    if isCovered != true { rules.insert(unknown, at: 0) }
    if let night {
      // The rule also replaces the previous night, which is unknown here.
      var early = unknown
      early.times = [TimeSpan(start: .clock(0), end: .time(.clock(night)))]
      early.operator = .additional
      rules.append(early)
    }
    return rules
  }

  /// Whether a rule applies to the dates of a weekday.
  private enum Validity {
    case never
    /// Under conditions beside the weekday; always if there are none.
    case under([[DaySelector]])
    /// The rule names days other than weekdays and public holidays.
    case unclear
  }

  private static func validity(of rule: HoursRule, on weekday: Int?) -> Validity {
    var conditions: [[DaySelector]] = []
    for group in rule.days {
      var holds = false
      for selector in group {
        switch selector {
        case .weekdays(let first, let last) where first <= last:
          if let weekday { holds = holds || (first...last).contains(weekday) }
        case .publicHolidays(0): continue
        default: return .unclear
        }
      }
      if holds { continue }
      let left = weekday == nil ? group : group.filter { $0 == .publicHolidays(offset: 0) }
      if left.isEmpty { return .never }
      conditions.append(left)
    }
    return .under(conditions)
  }
}

extension DaySelector {
  /// The weekday of a single date of one year, 0 for Monday; nil for any other days.
  fileprivate var weekday: Int? {
    guard case .dates(let range) = self, range.end == .single, range.start.offset == 0,
      let year = range.start.year, case .day(let month, let day) = range.start.day
    else { return nil }
    return CivilDay.weekday(CivilDay.number(year, month, day))
  }
}
