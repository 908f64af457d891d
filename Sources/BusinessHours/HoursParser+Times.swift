// Times of a day: `10:00-12:00,14:00+`, `sunrise-(sunset-01:00)`.

extension HoursParser {
  mutating func readTimes() throws(HoursError) {
    let start = scanner.index
    guard !isAlways else { throw scanner.expected("\"; \"", at: start) }
    guard rule.times.isEmpty else { throw scanner.expected("\"; \" or \",\"", at: start) }
    guard stage != .state || rule.days.isEmpty else {
      // `Su off 11:30-14:00` is ambiguous: closed only then, or open only then?
      throw scanner.expected("times before the state", at: start)
    }
    if stage == .comment { stage = .weekdays }
    try enter(.times, at: start)
    try readSpan()
    while true {
      let end = scanner.index
      scanner.skipSpaces()
      let next = scanner.index
      guard scanner.take(",") else {
        guard next > end, isTimeAhead(), try readSpanBehindBlank() else { return }
        continue
      }
      // A comma continues the times or begins another rule.
      scanner.skipSpaces()
      guard isTimeAhead() else {
        scanner.index = next
        return
      }
      try count(at: scanner.index)
      try readSpan()
    }
  }

  /// Reads a span after a space alone (`12:00-14:00 16:00-18:00`); false if something else follows
  /// that needs a separator.
  private mutating func readSpanBehindBlank() throws(HoursError) -> Bool {
    let start = scanner
    guard let before = rule.times.last, (try? readSpan()) != nil, let span = rule.times.last else {
      scanner = start
      return false
    }
    // `10:00-18:00 12:00-13:00` is ambiguous: open then, or closed in between?
    guard span.start.nominal >= before.nominalEnd else {
      throw scanner.ambiguous(
        "a span behind a blank that begins before the last one ends",
        remedy: "\",\" before it, or \"; \" and \"off\" behind it", at: start.index)
    }
    try count(at: start.index)
    scanner.warn(.blankBetweenSpans, at: start.index)
    return true
  }

  private func isTimeAhead() -> Bool {
    let byte = scanner.peek()
    if byte == UInt8(ascii: "(") { return true }
    if byte.isASCIIDigit { return scanner.digits(from: scanner.index) < 4 }
    if case .sun = nextWord()?.word { return true }
    return false
  }

  /// How a time was written, to decide whether its hour is certain.
  private struct Written {
    var point: TimePoint
    var hasMinutes = true
    var isHourOfOneDigit = false
    var isOfTwelveHours = false
    var place: Int
  }

  private mutating func readSpan() throws(HoursError) {
    let first = try readTime(isStart: true)
    scanner.skipSpaces()
    if scanner.peek() == UInt8(ascii: "+") {
      guard first.hasMinutes else { throw scanner.expected("hours and minutes", at: first.place) }
      scanner.index += 1
      rule.times.append(TimeSpan(start: first.point, end: .open))
      return
    }
    if let next = nextWord(), next.word == .to {
      takeWord(.to, length: next.length)
    } else {
      guard scanner.take("-") else {
        throw scanner.expected("\"-\" and when it ends", at: scanner.index)
      }
    }
    scanner.skipSpaces()
    let last = try readTime(isStart: false)
    try check(first, last)
    var span = TimeSpan(start: first.point, end: .time(last.point))
    let afterLast = scanner.index
    scanner.skipSpaces()
    if scanner.take("+") {
      if last.point.nominal >= 2 * 1440 { scanner.warn(.openEndAfterTwoDays, at: last.place) }
      span.end = .openAfter(last.point)
    } else {
      scanner.index = afterLast
      if scanner.take("/") {
        scanner.warn(.singleTimes, at: first.place)
        span.end = .times(until: last.point, every: try readTimeStep())
      }
    }
    rule.times.append(span)
  }

  /// Reads the step of single times: `/01:30`, or the minutes alone, `/90`.
  private mutating func readTimeStep() throws(HoursError) -> Int {
    let start = scanner.index
    let digits = scanner.digits(from: start)
    var step = 0
    if !":.".utf8.contains(scanner.peek(digits)) {
      step = scanner.takeNumber(digits: digits)
    } else if case .clock(let minutes) = try readClock(isStart: false).point {
      step = minutes
    }
    guard (1...2880).contains(step) else {
      throw scanner.expected("a step as 00:30, or in minutes", at: start)
    }
    return step
  }

  /// Refuses ambiguous times.
  private mutating func check(_ first: Written, _ last: Written) throws(HoursError) {
    if first.isOfTwelveHours != last.isOfTwelveHours {
      guard case .sun = first.isOfTwelveHours ? last.point : first.point else {
        throw scanner.ambiguous(
          "one time has am or pm", remedy: "times of 24 hours", at: first.place)
      }
    }
    if !first.hasMinutes || !last.hasMinutes, !first.isOfTwelveHours, !last.isOfTwelveHours {
      guard last.point.nominal > first.point.nominal, last.point.nominal >= 12 * 60 else {
        throw scanner.ambiguous(
          "hours without minutes", remedy: "times as 09:00-17:00", at: first.place)
      }
    }
    if first.isHourOfOneDigit, last.isHourOfOneDigit, last.point.nominal < first.point.nominal,
      last.point.nominal > 3 * 60
    {
      throw scanner.ambiguous(
        "morning or evening", remedy: "hours of two digits, of 24 hours", at: last.place)
    }
  }

  private mutating func readTime(isStart: Bool) throws(HoursError) -> Written {
    let start = scanner.index
    if scanner.take("(") {
      guard let (word, length) = nextWord(), case .sun(let event) = word else {
        throw scanner.expected("sunrise, sunset, dawn or dusk", at: scanner.index)
      }
      takeWord(word, length: length)
      scanner.skipSpaces()
      guard let sign = scanner.takeSign() else {
        throw scanner.expected("\"+\" or \"-\" and an offset", at: scanner.index)
      }
      scanner.skipSpaces()
      let place = scanner.index
      let offset = try readClock(isStart: false)
      guard offset.hasMinutes, case .clock(let minutes) = offset.point, minutes <= 1440 else {
        throw scanner.expected("an offset as hours and minutes", at: place)
      }
      scanner.skipSpaces()
      guard scanner.take(")") else { throw scanner.expected("\")\"", at: scanner.index) }
      return Written(point: .sun(event, offset: sign * minutes), place: start)
    }
    if let (word, length) = nextWord(), case .sun(let event) = word {
      takeWord(word, length: length)
      return Written(point: .sun(event, offset: 0), place: start)
    }
    return try readClock(isStart: isStart)
  }

  private mutating func readClock(isStart: Bool) throws(HoursError) -> Written {
    let start = scanner.index
    let digits = scanner.digits(from: start)
    guard digits == 1 || digits == 2 else { throw scanner.expected("a time as 09:30", at: start) }
    var hour = scanner.takeNumber(digits: digits)
    let written = try readMinutes()
    let minute = written ?? 0
    if written == nil {
      guard hour <= 24 else { throw scanner.outOfRange("an hour of 0 to 24", "\(hour)", at: start) }
      scanner.warn(.minuteForm, at: start)
    }
    let afterDigits = scanner.index
    scanner.skipSpaces()
    let half = halfDay()
    if let half {
      guard (1...12).contains(hour) else {
        throw scanner.outOfRange("an hour of 1 to 12 with am or pm", "\(hour)", at: start)
      }
      hour = hour % 12 + (half.isAfternoon ? 12 : 0)
      // Midnight as an end is the end of the day.
      if !isStart && hour == 0 && minute == 0 { hour = 24 }
      scanner.warn(.twelveHours, at: scanner.index)
      scanner.index += half.length
    } else {
      scanner.index = afterDigits
      if digits == 1 { scanner.warn(.hourOfOneDigit, at: start) }
    }
    let total = hour * 60 + minute
    guard minute < 60 else { throw scanner.outOfRange("minutes below 60", "\(minute)", at: start) }
    guard total < (isStart ? 1440 : 2881) else {
      throw scanner.outOfRange(
        isStart ? "a start before 24:00" : "an end of at most 48:00", "\(hour) hours", at: start)
    }
    return Written(
      point: .clock(total), hasMinutes: written != nil,
      isHourOfOneDigit: half == nil && digits == 1, isOfTwelveHours: half != nil, place: start)
  }

  /// Reads the minutes after an hour, `:30` or `.30`; nil if there are none.
  private mutating func readMinutes() throws(HoursError) -> Int? {
    let start = scanner.index
    let separator = scanner.peek()
    guard separator == UInt8(ascii: ":") || separator == UInt8(ascii: ".") else { return nil }
    guard scanner.digits(from: start + 1) == 2 else {
      if separator == UInt8(ascii: "."), !scanner.peek(1).isASCIIDigit { return nil }
      throw scanner.expected("minutes of two digits", at: start + 1)
    }
    if separator == UInt8(ascii: ".") { scanner.warn(.minuteForm, at: start) }
    scanner.index += 1
    return scanner.takeNumber(digits: 2)
  }

  /// Recognizes `am`, `pm`, `a.m.` or `p.m.` if next.
  private func halfDay() -> (isAfternoon: Bool, length: Int)? {
    let first = scanner.peek() | 0x20
    guard first == UInt8(ascii: "a") || first == UInt8(ascii: "p") else { return nil }
    var ahead = 1
    if scanner.peek(ahead) == UInt8(ascii: ".") { ahead += 1 }
    guard scanner.peek(ahead) | 0x20 == UInt8(ascii: "m") else { return nil }
    ahead += 1
    if scanner.peek(ahead) == UInt8(ascii: ".") { ahead += 1 }
    guard !scanner.peek(ahead).isASCIILetter else { return nil }
    return (first == UInt8(ascii: "p"), ahead)
  }
}

extension TimeSpan {
  /// The minute at which the span certainly ends, with the sun's times of an equinox; minutes of the next day continue
  /// after 1440.
  var nominalEnd: Int {
    guard let last = lastPoint?.nominal else { return start.nominal }
    return last <= start.nominal ? last + 1440 : last
  }

  /// The written end; nil for an open one.
  var lastPoint: TimePoint? {
    switch end {
    case .open: nil
    case .time(let point), .openAfter(let point), .times(let point, _): point
    }
  }

  /// Whether two spans of the same days share a minute that one of them may open for certain; an open end reaches
  /// midnight, and nights go on into the next day.
  func overlaps(_ other: TimeSpan) -> Bool {
    if end == .open, other.end == .open { return false }
    func minutes(_ span: TimeSpan, later shift: Int = 0) -> Range<Int> {
      let first = span.start.nominal
      let last = span.end == .open ? max(1440, first + 1) : span.nominalEnd
      return first + shift..<last + shift
    }
    let own = minutes(self)
    return [-1440, 0, 1440].contains { own.overlaps(minutes(other, later: $0)) }
  }
}

extension [TimeSpan] {
  /// Whether another span than the given one overlaps it.
  func haveOther(overlapping span: TimeSpan) -> Bool {
    contains { $0 != span && $0.overlaps(span) }
  }
}

extension TimePoint {
  /// The minute of the point at an equinox, which decides the order of the sun's times.
  var nominal: Int {
    switch self {
    case .clock(let minute): minute
    case .sun(let event, let offset): Self.equinox[Int(event.rawValue)] + offset
    }
  }

  /// The minutes of dawn, sunrise, sunset and dusk at an equinox.
  private static let equinox = [330, 360, 1080, 1110]
}
