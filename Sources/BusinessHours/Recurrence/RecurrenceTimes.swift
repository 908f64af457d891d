/// The times of day of a rule, without listing every combination of hour, minute and second.
struct RecurrenceTimes {
  /// Numbers of 0 to 59 in order.
  struct Numbers {
    let numbers: [Int]
    private let mask: UInt64

    init(_ numbers: some Sequence<Int>) {
      self.numbers = Set(numbers).sorted()
      mask = self.numbers.reduce(0) { $0 | 1 << UInt64($1) }
    }

    var count: Int { numbers.count }
    func contains(_ number: Int) -> Bool { mask >> UInt64(number) & 1 == 1 }
    func count(below number: Int) -> Int { (mask & (1 << UInt64(number) - 1)).nonzeroBitCount }
  }

  let hours: Numbers
  let minutes: Numbers
  let seconds: Numbers
  /// The number of times in a day; 0 if none can ever occur.
  let count: Int

  init(_ rule: RecurrenceRule, startingAt start: LocalTime) {
    let clock = start.clock
    // An omitted part finer than the period is taken from the start; an omitted coarser part allows any value.
    func numbers(
      _ list: [Int], _ own: Int, _ all: Range<Int>, finer: RecurrenceRule.Frequency
    ) -> Numbers {
      if !list.isEmpty { return Numbers(list.lazy.filter { $0 < all.upperBound }) }
      return rule.frequency.rawValue > finer.rawValue ? Numbers([own]) : Numbers(all)
    }
    hours = numbers(rule.hours, clock.hour, 0..<24, finer: .hourly)
    minutes = numbers(rule.minutes, clock.minute, 0..<60, finer: .minutely)
    seconds = numbers(rule.seconds, clock.second, 0..<60, finer: .secondly)
    let count = hours.count * minutes.count * seconds.count
    self.count = Self.areReached(hours, minutes, seconds, rule, start) ? count : 0
  }

  /// The second of the nth time of a day.
  func second(at place: Int) -> Int {
    hours.numbers[place / (minutes.count * seconds.count)] * 3600
      + minutes.numbers[place / seconds.count % minutes.count] * 60
      + seconds.numbers[place % seconds.count]
  }

  /// The number of times before a second of the day.
  func count(before second: Int) -> Int {
    let (hour, minute) = (second / 3600, second / 60 % 60)
    var count = hours.count(below: hour) * minutes.count * seconds.count
    guard hours.contains(hour) else { return count }
    count += minutes.count(below: minute) * seconds.count
    return minutes.contains(minute) ? count + seconds.count(below: second % 60) : count
  }

  /// Whether periods of hours, minutes or seconds ever reach one of the times: they reach exactly the times of day that
  /// differ from the start by a multiple of the gcd of their length and a day.
  private static func areReached(
    _ hours: Numbers, _ minutes: Numbers, _ seconds: Numbers, _ rule: RecurrenceRule,
    _ start: LocalTime
  ) -> Bool {
    guard let unit = rule.frequency.unit else { return true }
    var (common, rest) = (86_400, unit * rule.interval)
    while rest != 0 { (common, rest) = (rest, common % rest) }
    let origin = start.secondOfDay - start.secondOfDay % unit
    let rests = Set((unit == 1 ? seconds.numbers : [0]).map { $0 % common })
    return hours.numbers.contains { hour in
      (unit < 3600 ? minutes.numbers : [0]).contains { minute in
        let wanted = (origin - hour * 3600 - minute * 60) % common
        return rests.contains((wanted + common) % common)
      }
    }
  }
}
