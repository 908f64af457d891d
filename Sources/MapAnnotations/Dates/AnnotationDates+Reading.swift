import BusinessHours

extension AnnotationDates {
  /// The maximum length of a text, in bytes.
  public static let maximumLength = 65_536

  /// Parses a list of days; items that are not days are kept in ``unread``.
  ///
  /// An item is a day (`2026-11-22`, `20261122`), a range of days (`2026-11-01~2026-11-30`, either end may be omitted),
  /// a day of the month (`15`, `15日`), a weekday (`月曜日`, `월요일`, `Monday`, `Mo`) or `daily`; `!` before a day or range
  /// excludes it. Items are separated by `,`, `;`, `|`, `、`, spaces or line breaks. A text that contains `FREQ=` is
  /// read as iCalendar, whose lines may also be separated by spaces.
  public init(_ text: String) {
    self.init(items: [text])
  }

  /// Parses several texts as one list: a JSON array of days.
  public init(items: [String]) {
    self.init(rules: [])
    var length = 0
    for item in items {
      length += item.utf8.count
      guard length <= Self.maximumLength else {
        unread.append("\(item.prefix(40))…")
        continue
      }
      if item.contains("FREQ=") || item.contains("DTSTART") {
        readRecurrence(item)
      } else {
        readList(item)
      }
    }
  }

  private static let separators: Set<Character> = [
    ",", ";", "|", "、", "，", " ", "\n", "\r", "\r\n", "\t", "　",
  ]

  private mutating func readList(_ text: String) {
    let plain = Self.withJoinedRuns(text)
    for item in plain.split(whereSeparator: { Self.separators.contains($0) }) {
      if item.first == "!", let span = Self.span(item.dropFirst()) {
        exceptions.append(span)
      } else if let rule = Self.rule(item) {
        rules.append(rule)
      } else {
        unread.append(String(item.prefix(80)))
      }
    }
  }

  /// The text with every range sign replaced by `~`, without spaces around it, which would separate items.
  private static func withJoinedRuns(_ text: String) -> String {
    var plain = ""
    var isBehindSign = false
    var dots = 0
    for character in text {
      if character == "." {
        dots += 1
        if dots < 2 { continue }
      } else if dots == 1 {
        plain.append(".")
      }
      let isSign = "~～〜–".contains(character) || (character == "." && dots == 2)
      if character != "." { dots = 0 }
      if isSign {
        while plain.last == " " { plain.removeLast() }
        plain.append("~")
        isBehindSign = true
      } else if character == "." || (character == " " && isBehindSign) {
        continue
      } else {
        plain.append(character)
        isBehindSign = false
      }
    }
    if dots == 1 { plain.append(".") }
    return plain
  }

  private static func rule(_ item: Substring) -> Rule? {
    if let span = span(item) { return .span(span) }
    var digits = item
    if let last = digits.last, last == "日" || last == "일" { digits.removeLast() }
    if (1...2).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let number = Int(digits), (1...31).contains(number)
    {
      return .dayOfMonth(number)
    }
    if let weekday = weekdays[item.lowercased()] { return .weekday(weekday) }
    return ["daily", "every", "everyday", "매일", "毎日"].contains(item.lowercased()) ? .everyDay : nil
  }

  /// A day or a range of days; nil for anything else, for days that do not exist, and for a range
  /// that ends before it begins.
  private static func span(_ item: Substring) -> DateSpan? {
    if let day = CalendarDate(String(item)) { return DateSpan(first: day, last: day) }
    let ends = item.split(
      separator: item.contains("~") ? "~" : "/", omittingEmptySubsequences: false)
    let days = ends.map { CalendarDate(String($0)) }
    // An empty end is open; any other is a day.
    guard ends.count == 2, days.contains(where: { $0 != nil }),
      zip(ends, days).allSatisfy({ $0.isEmpty || $1 != nil })
    else { return nil }
    if let first = days[0], let last = days[1], last < first { return nil }
    return DateSpan(first: days[0], last: days[1])
  }

  private static let weekdays: [String: Int] = {
    var names: [String: Int] = [:]
    let english = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    for (number, (name, (korean, japanese))) in zip(english, zip("월화수목금토일", "月火水木金土日")).enumerated()
    {
      for spelling in [
        name, String(name.prefix(3)), String(name.prefix(2)), "\(korean)", "\(korean)요일",
        "\(japanese)",
        "\(japanese)曜", "\(japanese)曜日",
      ] { names[spelling] = number }
    }
    return names
  }()

  /// Parses lines of iCalendar, which may be joined in one line.
  private mutating func readRecurrence(_ text: String) {
    let lines = text.split(whereSeparator: { $0.isWhitespace || $0 == "|" }).joined(separator: "\n")
    do throws(RecurrenceError) {
      if lines.uppercased().contains("DTSTART") {
        rules.append(.recurrence(try Recurrence(lines)))
        return
      }
      // Without a start, a rule must itself determine its days.
      let recurrence = try Recurrence(lines, start: LocalTime(year: 1900, month: 1, day: 1))
      let needsStart = recurrence.rules.contains { rule in
        rule.interval > 1 || rule.count != nil
          || rule.frequency != .daily && rule.weekdays.isEmpty && rule.monthDays.isEmpty
            && rule.yearDays.isEmpty && rule.weeks.isEmpty
      }
      if needsStart {
        unread.append(String(text.prefix(80)))
      } else {
        rules.append(.recurrence(recurrence))
      }
    } catch {
      unread.append(String(text.prefix(80)))
    }
  }
}
