// Rules that are hardly meant as they are read, found without looking at any day.

extension CompiledHours {
  /// Calls `warn` for each rule that replaces all of an earlier one, closes times that are probably meant as open, or
  /// has no day.
  ///
  /// Only what is certain in every year and with any holidays counts: in `Mo-Fr 08:00-12:00; Mo 13:00-17:00` the first
  /// rule has other days, too, and `PH` may be any day.
  ///
  /// - Parameter source: The rules that were compiled.
  func findDoubtfulRules(
    of source: [HoursRule], _ warn: (_ kind: HoursWarning.Kind, _ rule: Int) -> Void
  ) {
    let neverOpens = rules.allSatisfy { $0.state == .closed }
    for place in rules.indices {
      let rule = rules[place]
      if rule.conditions.count > 1, hasNoDay(rule) { warn(.noDay, place) }
      let times = source[place].times
      if rule.state == .closed, times.count > 1, neverOpens || source[place].hasTimesWithinOthers {
        warn(.closedTimes, place)
      }
      // Hours that are closed with a comment stay written for later: `10:00-20:00; off "until spring"`.
      if place > 0, rule.clears || rule.isDayOff && source[place].comment == nil,
        rules.indices[..<place].contains(where: {
          source[place].wouldLose(source[$0]) && isWithin(rules[$0], rule)
        })
      {
        warn(.replacement, place)
      }
    }
  }

  /// Whether no day is in the months of all groups.
  private func hasNoDay(_ rule: Rule) -> Bool {
    groups(of: rule).reduce(Condition.allMonths) { months, group in
      months & group.reduce(0) { $0 | $1.months }
    } == 0
  }

  /// Whether all days of a rule are certain to be days of another.
  private func isWithin(_ rule: Rule, _ other: Rule) -> Bool {
    groups(of: other).allSatisfy { wide in
      groups(of: rule).contains { group in
        group.allSatisfy { one in wide.contains { isWithin(one, $0) } }
      }
    }
  }

  /// Whether a condition is certain to hold only when another does.
  private func isWithin(_ condition: Condition, _ other: Condition) -> Bool {
    func isPart(_ mask: Int32, _ whole: Int32) -> Bool { mask & ~whole == 0 }
    switch (condition.kind, other.kind) {
    case (.weekdays, .weekdays): return isPart(condition.a, other.a)
    case (.nthWeekdays, .weekdays):
      return condition.c == 0 && other.a >> condition.a & 1 == 1
    case (_, .months): return isPart(condition.months, other.a)
    case (.years, .years) where other.c == 1:
      return other.a <= condition.a && condition.b <= other.b
    case (.nthWeekdays, .nthWeekdays), (.daysOfMonth, .daysOfMonth):
      return condition.a == other.a && condition.c == other.c && isPart(condition.b, other.b)
    case (.dates, .dates): return dates[Int(condition.a)] == dates[Int(other.a)]
    default:
      return condition.kind == other.kind && condition.a == other.a && condition.b == other.b
        && condition.c == other.c
    }
  }

  /// The conditions of a rule, one of each group of which must hold.
  private func groups(of rule: Rule) -> some Sequence<ArraySlice<Condition>> {
    sequence(state: Int(rule.conditions.lowerBound)) { place -> ArraySlice<Condition>? in
      let start = place
      let end = Int(rule.conditions.upperBound)
      guard start < end else { return nil }
      repeat { place += 1 } while place < end && !conditions[place].startsGroup
      return conditions[start..<place]
    }
  }
}

extension CompiledHours.Condition {
  fileprivate static let allMonths: Int32 = 0x1FFE

  /// The months, as a mask, in which the condition may hold.
  fileprivate var months: Int32 {
    switch kind {
    case .months: a
    case .daysOfMonth: 1 << a
    // Others go past the end of the year.
    case .monthDays where a <= b:
      Int32(CompiledHours.mask(Int(a) / 32, Int(b) / 32, of: 1...12))
    default: Self.allMonths
    }
  }
}

extension HoursRule {
  /// Whether something is lost when the rule replaces another: hours, or the days on which it is closed.
  fileprivate func wouldLose(_ other: HoursRule) -> Bool {
    if state == .closed && other.state == .closed { return false }
    return state != other.state || times != other.times || comment != other.comment
  }
}
