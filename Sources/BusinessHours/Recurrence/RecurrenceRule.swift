/// A recurrence rule: `FREQ=MONTHLY;BYDAY=2SU,4SU`, the `RRULE` of iCalendar.
///
///     let rule = try RecurrenceRule("FREQ=MONTHLY;BYDAY=2SU,4SU;COUNT=4")
///     let start = LocalTime(year: 2026, month: 11, day: 1, hour: 10)
///     for time in rule.occurrences(startingAt: start) { print(time.date.month, time.date.day) }
///     // 11 8, 11 22, 12 13 and 12 27
///
/// Reading a text checks every part. A part that code sets out of its range may stop the program in
/// a search.
///
/// Times are local to the place, without a zone. <doc:Recurrences> says why this is the package's
/// own code, and which meaning it uses where libraries differ.
///
/// Source: RFC 5545, section 3.3.10.
public struct RecurrenceRule: Hashable, Sendable {
  /// The period within which the parts of a rule select occurrences.
  public enum Frequency: Int, Hashable, Sendable, CaseIterable {
    /// One second.
    case secondly
    /// One minute.
    case minutely
    /// One hour.
    case hourly
    /// One day.
    case daily
    /// One week, which begins on ``RecurrenceRule/weekStart``.
    case weekly
    /// One month.
    case monthly
    /// One year.
    case yearly

    /// The length of a period in seconds; nil from days on.
    var unit: Int? {
      switch self {
      case .secondly: 1
      case .minutely: 60
      case .hourly: 3600
      case .daily, .weekly, .monthly, .yearly: nil
      }
    }
  }

  /// A weekday, or the nth such weekday of its month or year.
  public struct Weekday: Hashable, Sendable {
    /// 0 for Monday to 6 for Sunday.
    public var weekday: Int
    /// 1 for the first, −1 for the last; nil for every one.
    public var nth: Int?
  }

  /// The period.
  public var frequency: Frequency
  /// The step between periods: 1 is every period; at least 1.
  public var interval = 1
  /// The number of occurrences; nil for no limit.
  public var count: Int?
  /// The last local time at which the rule may occur; nil for no limit.
  public var until: LocalTime?
  /// Whether ``until`` was written in UTC, and the zone is not known.
  package var isUntilUTC = false
  /// Months, 1 to 12.
  public var months: [Int] = []
  /// Weeks of the year, 1 to 53 or −53 to −1.
  public var weeks: [Int] = []
  /// Days of the year, 1 to 366 or −366 to −1.
  public var yearDays: [Int] = []
  /// Days of the month, 1 to 31 or −31 to −1.
  public var monthDays: [Int] = []
  /// Weekdays.
  public var weekdays: [Weekday] = []
  /// Hours, 0 to 23.
  public var hours: [Int] = []
  /// Minutes, 0 to 59.
  public var minutes: [Int] = []
  /// Seconds, 0 to 60; a local time never has a leap second.
  public var seconds: [Int] = []
  /// Positions of the occurrences to keep within a period: 1 is the first, −1 the last.
  public var positions: [Int] = []
  /// The weekday on which weeks begin, 0 for Monday.
  public var weekStart = 0

  /// The maximum length of a text, in bytes.
  public static let maximumLength = 4096

  /// The rule with an end in UTC as clocks read it that are some seconds ahead.
  func withLocalEnd(clocksAhead seconds: Int) -> RecurrenceRule {
    guard isUntilUTC, let until else { return self }
    return ending(at: LocalTime(seconds: until.seconds + Int64(seconds)))
  }

  /// The rule for an event of whole days: an `UNTIL` at midnight in UTC, as Outlook writes it, stands for that
  /// whole day.
  func endingWithDay() -> RecurrenceRule {
    guard isUntilUTC, let until, until.secondOfDay == 0 else { return self }
    return ending(at: LocalTime(day: until.day, secondOfDay: 86_399))
  }

  private func ending(at until: LocalTime) -> RecurrenceRule {
    var rule = self
    rule.until = until
    rule.isUntilUTC = false
    return rule
  }
}

extension RecurrenceRule: CustomStringConvertible {
  /// The rule in iCalendar form, with its parts in the order of RFC 5545.
  public var description: String {
    var parts = ["FREQ=\(frequency)".uppercased()]
    if let until { parts.append("UNTIL=\(ClockText.basic(until))\(isUntilUTC ? "Z" : "")") }
    if let count { parts.append("COUNT=\(count)") }
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    func add(_ name: String, _ numbers: [Int]) {
      if !numbers.isEmpty {
        parts.append("\(name)=" + numbers.map { String($0) }.joined(separator: ","))
      }
    }
    add("BYSECOND", seconds)
    add("BYMINUTE", minutes)
    add("BYHOUR", hours)
    if !weekdays.isEmpty {
      let list = weekdays.map { day in
        (day.nth.map { String($0) } ?? "") + RecurrenceText.weekdayNames[day.weekday]
      }
      parts.append("BYDAY=" + list.joined(separator: ","))
    }
    add("BYMONTHDAY", monthDays)
    add("BYYEARDAY", yearDays)
    add("BYWEEKNO", weeks)
    add("BYMONTH", months)
    add("BYSETPOS", positions)
    if weekStart != 0 { parts.append("WKST=\(RecurrenceText.weekdayNames[weekStart])") }
    return parts.joined(separator: ";")
  }
}

extension RecurrenceRule {
  /// Parses a rule, with or without `RRULE:` before it, ignoring case and parts `X-…`.
  ///
  /// - Throws: ``RecurrenceError`` for a text that RFC 5545 does not allow, and for `COUNT=0`.
  /// - Complexity: O(length); a text longer than ``maximumLength`` is refused unread.
  public init(_ text: String) throws(RecurrenceError) {
    let length = text.utf8.count
    guard length <= Self.maximumLength else {
      throw RecurrenceError(reason: .tooLong(bytes: length))
    }
    let parts = try RecurrenceParts(text)
    guard let name = parts["FREQ"] else { throw RecurrenceError(reason: .missing("FREQ")) }
    guard let frequency = Frequency.allCases.first(where: { "\($0)".uppercased() == name }) else {
      throw .outOfRange(
        "FREQ", name, "SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY")
    }
    self.init(frequency: frequency)
    interval = try parts.number("INTERVAL", 1...1_000_000) ?? 1
    count = try parts.number("COUNT", 1...1_000_000_000)
    if let text = parts["UNTIL"] {
      guard let (time, isDate, isUTC) = RecurrenceText.time(text) else {
        throw .outOfRange("UNTIL", text, "a date as 20261231 or 20261231T235959")
      }
      until = isDate ? LocalTime(day: time.day, secondOfDay: 86_399) : time
      isUntilUTC = isUTC
      if count != nil { throw RecurrenceError(reason: .excluded("COUNT", with: "UNTIL")) }
    }
    months = try parts.numbers("BYMONTH", 1...12)
    weeks = try parts.numbers("BYWEEKNO", 1...53, orFromEnd: true)
    yearDays = try parts.numbers("BYYEARDAY", 1...366, orFromEnd: true)
    monthDays = try parts.numbers("BYMONTHDAY", 1...31, orFromEnd: true)
    hours = try parts.numbers("BYHOUR", 0...23)
    minutes = try parts.numbers("BYMINUTE", 0...59)
    seconds = try parts.numbers("BYSECOND", 0...60)
    positions = try parts.numbers("BYSETPOS", 1...366, orFromEnd: true)
    if let text = parts["BYDAY"] { weekdays = try Self.weekdays(text, frequency) }
    if let text = parts["WKST"] {
      guard let weekday = RecurrenceText.weekdayNames.firstIndex(of: String(text)) else {
        throw .outOfRange("WKST", text, "a weekday as MO")
      }
      weekStart = weekday
    }
    if weekdays.contains(where: { $0.nth != nil }), !weeks.isEmpty, frequency == .yearly {
      throw RecurrenceError(reason: .excluded("BYWEEKNO", with: "a numbered BYDAY"))
    }
  }

  private static func weekdays(
    _ text: Substring, _ frequency: Frequency
  ) throws(RecurrenceError) -> [Weekday] {
    var days: [Weekday] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      let digits = item.dropLast(2)
      let nth = RecurrenceParts.number(digits)
      guard let weekday = RecurrenceText.weekdayNames.firstIndex(of: String(item.suffix(2))),
        digits.isEmpty || nth.map({ (1...53).contains(abs($0)) }) == true
      else { throw .outOfRange("BYDAY", item, "a weekday as MO, 2SU or -1FR") }
      guard nth == nil || frequency == .monthly || frequency == .yearly else {
        throw RecurrenceError(
          reason: .excluded("a numbered BYDAY", with: "FREQ=\(frequency)".uppercased()))
      }
      let day = Weekday(weekday: weekday, nth: nth)
      if !days.contains(day) { days.append(day) }
    }
    return days
  }
}

/// The parts of a rule's text by their names.
private struct RecurrenceParts {
  private var values: [Substring: Substring] = [:]

  private static let names: Set<Substring> = [
    "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
    "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST",
  ]

  init(_ text: String) throws(RecurrenceError) {
    var written = Substring(text.uppercased())
    if written.hasPrefix("RRULE:") { written = written.dropFirst(6) }
    // Another program's own parts change nothing, nor do those that say what holds without them (RFC 7529).
    for part in written.split(separator: ";")
    where !part.hasPrefix("X-") && part != "RSCALE=GREGORIAN" && part != "SKIP=OMIT" {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, Self.names.contains(sides[0]),
        values.updateValue(sides[1], forKey: sides[0]) == nil
      else { throw RecurrenceError(reason: .unexpected(String(part.prefix(40)))) }
    }
  }

  /// The value of a part; nil if the rule does not have it.
  subscript(name: Substring) -> Substring? { values[name] }

  func number(_ name: Substring, _ range: ClosedRange<Int>) throws(RecurrenceError) -> Int? {
    guard let value = values[name] else { return nil }
    guard let number = Self.number(value), range.contains(number) else {
      throw .outOfRange(
        String(name), value, "a number of \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The numbers of a list, each once.
  ///
  /// - Parameter orFromEnd: Whether numbers may be negative and count from the end.
  func numbers(
    _ name: Substring, _ range: ClosedRange<Int>, orFromEnd: Bool = false
  ) throws(RecurrenceError) -> [Int] {
    guard let value = values[name] else { return [] }
    var numbers: [Int] = []
    for item in value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Self.number(item), range.contains(abs(number)), orFromEnd || number >= 0
      else {
        let remedy = "\(range.lowerBound) to \(range.upperBound)"
        throw .outOfRange(
          String(name), item, remedy + (orFromEnd ? ", or less than 0 from the end" : ""))
      }
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }

  /// A whole number of at most ten digits, with or without a sign.
  static func number(_ text: Substring) -> Int? { text.utf8.count <= 11 ? Int(text) : nil }
}
