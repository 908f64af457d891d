import Geodesy

/// The text forms of iCalendar.
enum RecurrenceText {
  /// `MO` to `SU`.
  static let weekdayNames = HoursWord.weekdayNames.map { $0.uppercased() }

  /// The UTC offset in seconds of the zone of a line, `DTSTART;TZID=Asia/Seoul:20261122T090000`; nil if this program does
  /// not know it without the time zone database.
  static func utcOffset(ofLine upper: String) -> Int? {
    let parameters = upper[..<(colon(ofLine: upper) ?? upper.endIndex)].split(separator: ";")
    guard let zone = parameters.first(where: { $0.hasPrefix("TZID=") }) else { return nil }
    return offsets[String(zone.dropFirst(5).filter { $0 != "\"" })]
  }

  /// Zones whose clocks have not changed since 1988, the last two by the names of Windows.
  private static let offsets = [
    "ASIA/SEOUL": 9 * 3600, "ASIA/TOKYO": 9 * 3600, "KOREA STANDARD TIME": 9 * 3600,
    "TOKYO STANDARD TIME": 9 * 3600,
  ]

  /// The colon before the value of a line: the first outside quotation marks, which the name of a zone may have.
  static func colon(ofLine line: String) -> String.Index? {
    var isQuoted = false
    return line.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ":" && !isQuoted
    }
  }

  /// The seconds of `PT2H30M`, `P3D` or `P1W`; nil for any other text.
  ///
  /// Source: RFC 5545, section 3.3.6.
  static func duration(_ text: Substring) -> Int? {
    var rest = Array(text.utf8)[...]
    guard rest.take("P") else { return nil }
    var seconds: Int?
    var isTime = false
    while !rest.isEmpty {
      if !isTime, rest.take("T") {
        isTime = true
        continue
      }
      let units: [Unicode.Scalar: Int] =
        isTime ? ["H": 3600, "M": 60, "S": 1] : ["W": 604_800, "D": 86_400]
      guard let number = rest.takeNumber(1...9), let letter = rest.popFirst(),
        let unit = units[Unicode.Scalar(letter)]
      else { return nil }
      seconds = (seconds ?? 0) + number * unit
    }
    return seconds
  }

  /// Reads `19970902`, `19970902T090000` or either with `Z`, by which a time is in UTC; nil for any other text or an
  /// invalid date.
  static func time(_ text: some StringProtocol) -> (time: LocalTime, isDate: Bool, isUTC: Bool)? {
    var rest = Array(text.utf8)[...]
    let isUTC = rest.last == UInt8(ascii: "Z")
    if isUTC { rest.removeLast() }
    guard let year = rest.takeNumber(4...4), let month = rest.takeNumber(2...2),
      let day = rest.takeNumber(2...2), year >= 1, CivilDay.exists(year, month, day)
    else { return nil }
    guard !rest.isEmpty else { return (LocalTime(year: year, month: month, day: day), true, false) }
    guard rest.take("T"), let hour = rest.takeNumber(2...2), let minute = rest.takeNumber(2...2),
      let second = rest.takeNumber(2...2), rest.isEmpty, hour < 24, minute < 60, second <= 60
    else { return nil }
    return (
      LocalTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59)),
      false, isUTC
    )
  }
}

/// What the lines of a recurrence say.
struct RecurrenceLines {
  private var start: LocalTime?
  private var startsWithDay = false
  private var end: LocalTime?
  /// The length of an occurrence in seconds, where it is written instead of an end.
  private var duration: Int?
  private var rules: [RecurrenceRule] = []
  private var additions: [LocalTime] = []
  private var exceptions: [LocalTime] = []
  private var exceptedDays = Set<Int>()
  private let hasStartLine: Bool
  /// The UTC offset of the start's zone in seconds; nil if it is not known.
  private let offset: Int?

  init(_ text: String, start: LocalTime?) throws(RecurrenceError) {
    self.start = start
    let lines = text.split(whereSeparator: { $0.isNewline }).map { $0.uppercased() }
    let startLine = lines.last { $0.hasPrefix("DTSTART") }
    hasStartLine = startLine != nil
    offset = startLine.flatMap { RecurrenceText.utcOffset(ofLine: $0) }
    for line in lines { try read(line) }
  }

  private mutating func read(_ line: String) throws(RecurrenceError) {
    // Only a rule begins with FREQ.
    guard let colon = RecurrenceText.colon(ofLine: line), !line.hasPrefix("FREQ=") else {
      return try readRule(line)
    }
    let name = line[..<colon].prefix { $0 != ";" }
    let value = line[line.index(after: colon)...]
    switch name {
    case "RRULE": try readRule(String(value))
    case "DTSTART":
      let first = try times(value, of: name).first
      start = first?.time
      startsWithDay = first?.isDate ?? false
    case "DTEND": end = try times(value, of: name).first?.time
    case "DURATION":
      guard let seconds = RecurrenceText.duration(value) else {
        throw .outOfRange("DURATION", value, "a length such as PT2H or P3D")
      }
      duration = seconds
    case "RDATE": additions += try times(value, of: name).map(\.time)
    case "EXDATE":
      for (time, isDate) in try times(value, of: name) {
        if isDate { exceptedDays.insert(time.day) } else { exceptions.append(time) }
      }
    case _ where name.hasPrefix("X-"): break
    default: throw RecurrenceError(reason: .unexpected(String(name.prefix(40))))
    }
  }

  private mutating func readRule(_ text: String) throws(RecurrenceError) {
    guard rules.count < Recurrence.maximumRules else {
      throw RecurrenceError(reason: .tooManyRules)
    }
    rules.append(try RecurrenceRule(text))
  }

  /// The times in the value of a line, by the clocks of the place.
  private func times(
    _ value: Substring, of name: Substring
  ) throws(RecurrenceError) -> [(time: LocalTime, isDate: Bool)] {
    var list: [(time: LocalTime, isDate: Bool)] = []
    for item in value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let (written, isDate, isUTC) = RecurrenceText.time(item) else {
        throw .outOfRange(String(name), item, "a date that exists, as 20261122 or 20261122T090000")
      }
      var time = written
      if isUTC {
        guard let offset else {
          throw .outOfRange(String(name), item, "a time of the place, as 20261122T090000")
        }
        time = LocalTime(seconds: time.seconds + Int64(offset))
      }
      list.append((time: time, isDate: isDate))
    }
    return list
  }

  func recurrence() throws(RecurrenceError) -> Recurrence {
    guard let start else { throw RecurrenceError(reason: .missing("DTSTART")) }
    let end = end ?? duration.map { LocalTime(seconds: start.seconds + Int64($0)) }
    guard !rules.isEmpty || !additions.isEmpty || hasStartLine && end != nil else {
      throw RecurrenceError(reason: .missing("RRULE"))
    }
    var rules = rules
    if startsWithDay { rules = rules.map { $0.endingWithDay() } }
    if let offset { rules = rules.map { $0.withLocalEnd(clocksAhead: offset) } }
    // Without a rule, the start is an occurrence like the additional ones.
    let ownOccurrence = rules.isEmpty && hasStartLine ? [start] : []
    var recurrence = Recurrence(
      start: start, rules: rules, additions: additions + ownOccurrence, exceptions: exceptions,
      exceptedDays: exceptedDays)
    if let end { recurrence.days = try Self.days(from: start, to: end) }
    return recurrence
  }

  /// How many days an occurrence covers.
  private static func days(
    from start: LocalTime, to end: LocalTime
  ) throws(RecurrenceError) -> Int {
    // A date that ends a time of the same day includes the day.
    if end < start, end.day < start.day || end.secondOfDay > 0 {
      throw .outOfRange("DTEND", ClockText.basic(end), "a time that is not before DTSTART")
    }
    // A night is one of its first day.
    guard end.seconds > start.seconds + 86_400 else { return 1 }
    let days = LocalTime(seconds: end.seconds - 1).day - start.day + 1
    guard days <= Recurrence.maximumDays else {
      throw .outOfRange(
        "DTEND", ClockText.basic(end), "an end at most \(Recurrence.maximumDays) days later")
    }
    return days
  }
}
