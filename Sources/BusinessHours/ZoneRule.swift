/// The yearly clock changes of a zone, as in the POSIX `TZ` variable.
///
/// Source: IEEE Std 1003.1, chapter 8.3, with the hours of −167 to 167 that RFC 9636 allows.
struct ZoneRule: Hashable, Sendable {
  /// The standard UTC offset in seconds, positive east of Greenwich.
  private let standard: Int
  private let summer: Summer?

  /// Summer time: its offset, and its start and end in the local time before the change.
  private struct Summer: Hashable {
    let offset: Int
    let start: Change
    let end: Change
  }

  /// A day of the year and a time on it.
  private struct Change: Hashable {
    enum Day: Hashable {
      /// The nth day of the year, from 1; 29 February is never counted.
      case julian(Int)
      /// Days after 1 January.
      case ordinal(Int)
      /// The nth weekday (0 is Sunday) of a month; the fifth is the last.
      case weekday(month: Int, nth: Int, weekday: Int)
    }
    let day: Day
    let seconds: Int

    /// The instant in a year if the clocks showed UTC.
    func seconds(in year: Int) -> Int64 {
      let newYear = CivilDay.number(year, 1, 1)
      let number: Int
      switch day {
      case .julian(let day):
        number = newYear + day - 1 + (CivilDay.isLeap(year) && day >= 60 ? 1 : 0)
      case .ordinal(let days): number = newYear + days
      case .weekday(let month, let nth, let weekday):
        let monday = (weekday + 6) % 7
        number =
          CivilDay.nthWeekday(nth == 5 ? -1 : nth, monday, year, month) ?? newYear
      }
      return Int64(number) * 86_400 + Int64(seconds)
    }
  }

  /// Parses a rule; nil if it is invalid.
  init?(_ text: [UInt8]) {
    var reading = Reading(rest: text[...])
    guard reading.name(), let standard = reading.time(limit: 24) else { return nil }
    self.standard = -standard
    guard !reading.rest.isEmpty else {
      summer = nil
      return
    }
    guard reading.name() else { return nil }
    var offset = self.standard + 3600
    if reading.rest.first != UInt8(ascii: ","), !reading.rest.isEmpty {
      guard let time = reading.time(limit: 24) else { return nil }
      offset = -time
    }
    guard reading.rest.take(","), let start = reading.change(), reading.rest.take(","),
      let end = reading.change(), reading.rest.isEmpty
    else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  func utcOffset(at second: Int64) -> Int {
    guard let summer else { return standard }
    // Days and weekdays repeat after 400 years; the remainder keeps any `Int64` from overflowing.
    let instant = second % (146_097 * 86_400)
    let year = CivilDay.parts(LocalTime(seconds: instant + Int64(standard)).day).year
    let start = summer.start.seconds(in: year) - Int64(standard)
    let end = summer.end.seconds(in: year) - Int64(summer.offset)
    let isSummer =
      start < end ? instant >= start && instant < end : instant >= start || instant < end
    return isSummer ? summer.offset : standard
  }

  /// A parser that reads the text from left to right.
  private struct Reading {
    var rest: ArraySlice<UInt8>

    /// Reads letters, or anything in angle brackets.
    mutating func name() -> Bool {
      if rest.take("<") {
        rest = rest.drop { $0 != UInt8(ascii: ">") }
        return rest.take(">")
      }
      let letters = rest.prefix { (0x61...0x7A).contains($0 | 0x20) }
      rest = rest[letters.endIndex...]
      return letters.count >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      rest.takeNumber(1...4).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Reads `[+-]h[:m[:s]]`, in seconds.
    mutating func time(limit: Int) -> Int? {
      let isNegative = rest.take("-")
      if !isNegative { _ = rest.take("+") }
      guard let hours = number(0...limit) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where rest.take(":") {
        guard let value = number(0...59) else { return nil }
        seconds += value * unit
      }
      return isNegative ? -seconds : seconds
    }

    mutating func change() -> Change? {
      let day: Change.Day
      if rest.take("J") {
        guard let number = number(1...365) else { return nil }
        day = .julian(number)
      } else if rest.take("M") {
        guard let month = number(1...12), rest.take("."), let nth = number(1...5), rest.take("."),
          let weekday = number(0...6)
        else { return nil }
        day = .weekday(month: month, nth: nth, weekday: weekday)
      } else {
        guard let number = number(0...365) else { return nil }
        day = .ordinal(number)
      }
      guard rest.take("/") else { return Change(day: day, seconds: 7200) }
      guard let seconds = time(limit: 167) else { return nil }
      return Change(day: day, seconds: seconds)
    }
  }
}
