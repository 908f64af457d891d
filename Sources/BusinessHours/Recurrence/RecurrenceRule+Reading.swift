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
    var written = Substring(text.uppercased())
    if written.hasPrefix("RRULE:") { written = written.dropFirst(6) }
    var values: [Substring: Substring] = [:]
    for part in written.split(separator: ";") where !Self.isIgnored(part) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, Self.names.contains(sides[0]),
        values.updateValue(sides[1], forKey: sides[0]) == nil
      else { throw RecurrenceError(reason: .unexpected(String(part.prefix(40)))) }
    }
    guard let name = values["FREQ"] else { throw RecurrenceError(reason: .missing("FREQ")) }
    guard let frequency = Frequency.allCases.first(where: { "\($0)".uppercased() == name }) else {
      throw .outOfRange(
        "FREQ", name, "SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY")
    }
    self.init(frequency: frequency)
    func list(_ part: String, _ range: ClosedRange<Int>, signed: Bool) throws(RecurrenceError)
      -> [Int]
    {
      guard let value = values[part[...]] else { return [] }
      var numbers: [Int] = []
      for item in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let number = Self.number(item), range.contains(abs(number)), signed || number >= 0
        else {
          throw .outOfRange(
            part, item,
            "\(range.lowerBound) to \(range.upperBound)\(signed ? ", or less than 0 from the end" : "")"
          )
        }
        if !numbers.contains(number) { numbers.append(number) }
      }
      return numbers
    }
    func single(_ part: String, _ range: ClosedRange<Int>) throws(RecurrenceError) -> Int? {
      guard let value = values[part[...]] else { return nil }
      guard let number = Self.number(value), range.contains(number) else {
        throw .outOfRange(part, value, "a number of \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    interval = try single("INTERVAL", 1...1_000_000) ?? 1
    count = try single("COUNT", 1...1_000_000_000)
    if let text = values["UNTIL"] {
      guard let (time, isDate, isUTC) = RecurrenceText.time(text) else {
        throw .outOfRange("UNTIL", text, "a date as 20261231 or 20261231T235959")
      }
      until = isDate ? LocalTime(day: time.day, secondOfDay: 86_399) : time
      isUntilUTC = isUTC
      if count != nil { throw RecurrenceError(reason: .excluded("COUNT", with: "UNTIL")) }
    }
    months = try list("BYMONTH", 1...12, signed: false)
    weeks = try list("BYWEEKNO", 1...53, signed: true)
    yearDays = try list("BYYEARDAY", 1...366, signed: true)
    monthDays = try list("BYMONTHDAY", 1...31, signed: true)
    hours = try list("BYHOUR", 0...23, signed: false)
    minutes = try list("BYMINUTE", 0...59, signed: false)
    seconds = try list("BYSECOND", 0...60, signed: false)
    positions = try list("BYSETPOS", 1...366, signed: true)
    if let text = values["BYDAY"] { weekdays = try Self.weekdays(text, frequency) }
    if let text = values["WKST"] {
      guard let weekday = RecurrenceText.weekdayNames.firstIndex(of: String(text)) else {
        throw .outOfRange("WKST", text, "a weekday as MO")
      }
      weekStart = weekday
    }
    if weekdays.contains(where: { $0.nth != nil }), !weeks.isEmpty, frequency == .yearly {
      throw RecurrenceError(reason: .excluded("BYWEEKNO", with: "a numbered BYDAY"))
    }
  }

  private init(frequency: Frequency) { self.frequency = frequency }

  private static let names: Set<Substring> = [
    "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
    "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST",
  ]

  /// Whether a part changes nothing: another program's own, or what holds without it (RFC 7529).
  private static func isIgnored(_ part: Substring) -> Bool {
    part.hasPrefix("X-") || part == "RSCALE=GREGORIAN" || part == "SKIP=OMIT"
  }

  /// A whole number of at most ten digits, with or without a sign.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.count <= 11 ? Int(text) : nil
  }

  private static func weekdays(
    _ text: Substring, _ frequency: Frequency
  ) throws(RecurrenceError) -> [Weekday] {
    var days: [Weekday] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      let digits = item.dropLast(2)
      let nth = number(digits)
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
