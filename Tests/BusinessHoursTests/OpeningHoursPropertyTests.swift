import BusinessHours
import NearbyTestSupport
import Testing

/// Values made of the language's own parts, at random.
private struct ValueMaker {
  var generator: SeededGenerator

  mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: 0..<choices.count, using: &generator)]
  }

  mutating func rule() -> String {
    let days = pick([
      "", "Mo-Fr", "Sa,Su", "Su[2,4]", "Th[-1]", "Fr-Mo", "Su[1] +1 day", "Nov-Feb",
      "Dec 24-Jan 06",
      "week 01-53/2", "2024-2030/3", "easter -2 days", "Jan 20-Jan Su[-1]", "Dec 24,31", "Feb 29",
      "2026 Mar 28-Apr 16", "PH", "PH -1 day", "Jun-Aug Sa", "2027+", "Apr Su[1]-Oct Su[-1] Mo-Sa",
    ])
    let times = pick([
      "", "10:00-20:00", "22:00-04:00", "08:00-12:00,13:00-17:30", "17:00+", "09:00-17:00+",
      "20:00-28:00", "00:00-24:00", "sunrise-sunset", "(sunset-01:00)-02:00",
      "06:45-07:00+,13:00-16:00",
    ])
    let state = pick(["", "", "", "off", "open", "unknown", "open \"ring\"", "\"call\""])
    let words = [days, times, state].filter { !$0.isEmpty }
    return words.isEmpty ? "24/7" : words.joined(separator: " ")
  }

  mutating func value() -> String {
    var text = rule()
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      text += pick(["; ", "; ", " || "]) + rule()
    }
    return text
  }
}

@Suite struct OpeningHoursPropertyTests {
  private static let setting = HoursSetting(
    publicHolidays: .korea, sun: .fixed(dawn: 330, sunrise: 360, sunset: 1080, dusk: 1110))
  private static let start = LocalTime(year: 2025, month: 12, day: 20, hour: 7, minute: 13)
  private static let end = LocalTime(year: 2026, month: 4, day: 20, hour: 19, minute: 1)

  @Test(arguments: UInt64(0)..<40)
  func `intervals partition time, and each minute agrees with them`(seed: UInt64) throws {
    var maker = ValueMaker(generator: SeededGenerator(seed: seed))
    let text = maker.value()
    let hours = try OpeningHours(text)
    let intervals = hours.intervals(from: Self.start, to: Self.end, setting: Self.setting)
    #expect(intervals.first?.start == Self.start && intervals.last?.end == Self.end, "\(text)")
    for (one, next) in zip(intervals, intervals.dropFirst()) {
      #expect(one.end == next.start, "\(text)")
      #expect(!one.answer.isSame(as: next.answer), "\(text)")
    }
    // Every minute of the first week, and some of the rest.
    var place = 0
    var time = Self.start
    var step: Int64 = 60
    while time < Self.end {
      while intervals[place].end <= time { place += 1 }
      let answer = hours.answer(at: time, setting: Self.setting)
      if !answer.isSame(as: intervals[place].answer) {
        Issue.record("\(text) at \(ClockText.iso(time)): \(answer), not \(intervals[place].answer)")
        return
      }
      if time.day > Self.start.day + 6 { step = 2040 }
      time = LocalTime(seconds: time.seconds + step)
    }
  }

  @Test(arguments: UInt64(0)..<40)
  func `the next change is the first instant with another state`(seed: UInt64) throws {
    var maker = ValueMaker(generator: SeededGenerator(seed: seed))
    let text = maker.value()
    let hours = try OpeningHours(text)
    var time = Self.start
    for _ in 0..<15 {
      let state = hours.state(at: time, setting: Self.setting)
      let next = hours.nextChange(after: time, setting: Self.setting)
      // Minute by minute until then, for five days at most.
      let limit = LocalTime(seconds: time.seconds + 5 * 86_400)
      var minute = LocalTime(seconds: (time.seconds / 60 + 1) * 60)
      while minute < min(next ?? limit, limit) {
        guard hours.state(at: minute, setting: Self.setting) == state else {
          Issue.record(
            "\(text) changes at \(ClockText.iso(minute)), before \(ClockText.iso(next ?? limit))")
          return
        }
        minute = LocalTime(seconds: minute.seconds + 60)
      }
      guard let next, next < Self.end else { return }
      #expect(
        hours.state(at: next, setting: Self.setting) != state, "\(text) at \(ClockText.iso(next))")
      time = next
    }
  }

  @Test(arguments: UInt64(0)..<20)
  func `a rule that another replaces decides nothing, apart from the night before`(
    seed: UInt64
  ) throws {
    var maker = ValueMaker(generator: SeededGenerator(seed: seed))
    var count = 0
    while count < 8 {
      let text = "\(maker.rule()); \(maker.rule())"
      let hours = try OpeningHours(text)
      guard hours.warnings.contains(where: { $0.kind == .replacement }) else { continue }
      count += 1
      for day in Self.start.day..<Self.start.day + 400 {
        for hour in [7, 12, 19, 23] {
          let time = LocalTime(day: day, secondOfDay: hour * 3600)
          if hours.answer(at: time, setting: Self.setting).rule == 0 {
            Issue.record("\(text) at \(ClockText.iso(time))")
          }
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<200)
  func `the canonical text is the same value`(seed: UInt64) throws {
    var maker = ValueMaker(generator: SeededGenerator(seed: seed))
    let text = maker.value()
    let hours = try OpeningHours(text)
    let again = try OpeningHours(hours.description)
    #expect(again == hours, "\(text): \(hours)")
    #expect(again.description == hours.description)
    #expect(
      again.warnings.allSatisfy { !$0.kind.isOfSpelling }, "\(hours): \(again.warnings)")
    let (from, to) = (
      LocalTime(year: 2026, month: 1, day: 1), LocalTime(year: 2036, month: 1, day: 1)
    )
    if seed < 10 {
      #expect(
        hours.intervals(from: from, to: to, setting: Self.setting)
          == again.intervals(from: from, to: to, setting: Self.setting))
    }
  }
}
