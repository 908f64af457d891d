/// The place's clock as it runs on: instants to readings and back, where clocks are put forward and
/// back.
///
/// A reading that is skipped takes effect at the jump, and one that comes twice takes effect the
/// first time and is not undone when the clock goes back: what counts is the latest reading that the
/// clock has shown so far. So nothing opens twice for one line of the rules, and intervals of
/// instants never overlap.
struct ZoneClock {
  let utcOffset: @Sendable (Int64) -> Int

  /// The longest that clocks are taken to be put back by, in seconds, and the time after it in which
  /// a reading may be a repeated one.
  private static let window: Int64 = 3 * 3600

  /// The latest reading of the clock so far, at an instant.
  func reading(at instant: Int64) -> LocalTime {
    let offset = utcOffset(instant)
    let before = utcOffset(instant - Self.window)
    guard before > offset else { return LocalTime(seconds: instant + Int64(offset)) }
    let jump = transition(from: instant - Self.window, to: instant, before)
    return LocalTime(seconds: max(instant + Int64(offset), jump + Int64(before) - 1))
  }

  /// The first instant at which the clock has shown a reading.
  func instant(of reading: LocalTime) -> Int64 {
    let seconds = reading.seconds
    let before = utcOffset(seconds - 86_400)
    let after = utcOffset(seconds + 86_400)
    guard before != after else { return seconds - Int64(before) }
    let jump = transition(from: seconds - 86_400, to: seconds + 86_400, before)
    if seconds - Int64(before) < jump { return seconds - Int64(before) }
    return max(jump, seconds - Int64(after))
  }

  /// The first instant with another offset than `before`, by halving.
  private func transition(from: Int64, to: Int64, _ before: Int) -> Int64 {
    var (low, high) = (from, to)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if utcOffset(middle) == before { low = middle } else { high = middle }
    }
    return high
  }
}

/// A stretch of instants with one answer, its end not in it.
public struct HoursSpan: Hashable, Sendable {
  /// When it starts, in seconds since 1970-01-01T00:00Z.
  public var start: Int64
  /// When it ends.
  public var end: Int64
  /// What holds throughout.
  public var answer: HoursAnswer
}

extension OpeningHours {
  /// What holds at an instant, in seconds since 1970-01-01T00:00Z, by the zone of the setting.
  public func answer(atInstant instant: Int64, setting: HoursSetting) -> HoursAnswer {
    answer(at: ZoneClock(utcOffset: setting.utcOffset).reading(at: instant), setting: setting)
  }

  /// The state alone at an instant.
  public func state(atInstant instant: Int64, setting: HoursSetting) -> OpenState {
    state(at: ZoneClock(utcOffset: setting.utcOffset).reading(at: instant), setting: setting)
  }

  /// The stretches of equal state and comment between two instants; they cover all of it.
  public func intervals(
    fromInstant start: Int64, toInstant end: Int64, setting: HoursSetting
  ) -> [HoursSpan] {
    guard start < end else { return [] }
    let clock = ZoneClock(utcOffset: setting.utcOffset)
    var result: [HoursSpan] = []
    // A second more, so that what opens at the very end is cut there and not before.
    let last = LocalTime(seconds: clock.reading(at: end - 1).seconds + 1)
    for interval in intervals(from: clock.reading(at: start), to: last, setting: setting) {
      let from = max(start, result.last?.end ?? start)
      let to = interval.end == last ? end : min(end, clock.instant(of: interval.end))
      guard from < to else { continue }
      if let previous = result.last, previous.answer.state == interval.answer.state,
        previous.answer.comment == interval.answer.comment
      {
        result[result.count - 1].end = to
      } else {
        result.append(HoursSpan(start: from, end: to, answer: interval.answer))
      }
    }
    return result
  }

  /// The first instant after one at which the state (or the comment) is another; see
  /// ``nextChange(after:of:setting:)``.
  public func nextChange(
    afterInstant instant: Int64, of change: HoursChange = .state, setting: HoursSetting
  ) -> Int64? {
    let clock = ZoneClock(utcOffset: setting.utcOffset)
    let current = answer(atInstant: instant, setting: setting)
    var reading = clock.reading(at: instant)
    // A stretch that lies in skipped readings never comes.
    while let next = nextChange(after: reading, of: change, setting: setting) {
      let candidate = clock.instant(of: next)
      let there = answer(atInstant: candidate, setting: setting)
      if candidate > instant,
        change.separates(current.state, there.state)
          || (change == .stateOrComment && there.comment != current.comment)
      {
        return candidate
      }
      reading = max(next, clock.reading(at: candidate))
    }
    return nil
  }
}
