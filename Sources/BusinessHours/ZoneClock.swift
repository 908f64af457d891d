import Geodesy

/// The clock of a place, which converts instants to local times and back across clock changes.
///
/// <doc:OpeningHoursLanguage> says which local times count then. So intervals of instants never overlap.
extension HoursSetting {
  private func offset(at second: Int64) -> Int { utcOffset(Instant(seconds: second)) }

  /// The longest backward change of clocks, in seconds, and the time after it in which a local time
  /// may be repeated.
  private static let window: Int64 = 3 * 3600

  /// The latest local time shown up to an instant.
  func reading(at instant: Instant) -> LocalTime {
    let second = instant.seconds
    let offset = offset(at: second)
    let before = self.offset(at: second - Self.window)
    guard before > offset else { return LocalTime(seconds: second + Int64(offset)) }
    let jump = transition(from: second - Self.window, to: second, before)
    return LocalTime(seconds: max(second + Int64(offset), jump + Int64(before) - 1))
  }

  /// The first instant at which the place's clock shows a time, or jumps past it when clocks go
  /// forward.
  public func instant(of time: LocalTime) -> Instant {
    let seconds = time.seconds
    let before = offset(at: seconds - 86_400)
    let after = offset(at: seconds + 86_400)
    guard before != after else { return Instant(seconds: seconds - Int64(before)) }
    let jump = transition(from: seconds - 86_400, to: seconds + 86_400, before)
    if seconds - Int64(before) < jump { return Instant(seconds: seconds - Int64(before)) }
    return Instant(seconds: max(jump, seconds - Int64(after)))
  }

  /// The first second with an offset other than `before`, by bisection.
  private func transition(from: Int64, to: Int64, _ before: Int) -> Int64 {
    var (low, high) = (from, to)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(at: middle) == before { low = middle } else { high = middle }
    }
    return high
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
    // One second more, so that an interval that begins at the very end is cut off there.
    let last = LocalTime(seconds: setting.reading(at: end.advanced(by: .seconds(-1))).seconds + 1)
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
      if candidate > instant,
        change.separates(current.state, there.state)
          || (change == .stateOrComment && there.comment != current.comment)
      {
        return candidate
      }
      reading = max(next, setting.reading(at: candidate))
    }
    return nil
  }
}
