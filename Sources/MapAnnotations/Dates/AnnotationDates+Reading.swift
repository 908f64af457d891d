import BusinessHours
import Geodesy

extension AnnotationDates {
  /// The maximum length of a text, in bytes.
  public static let maximumLength = 65_536

  /// Parses a list of days; items that are not days are kept in ``unread``.
  ///
  /// An item is a day (`2026-11-22`, `20261122`), a range of days (`2026-11-01~2026-11-30`, either end may be
  /// omitted), a day of the month (`15`, `15日`), a weekday or several (`月曜日`, `월요일`, `Monday`, `Mo`, `월~금`, `주말`) or
  /// `daily`; `!` before a day or range excludes it. Items are separated by `,`, `;`, `|`, `、`, `・`, spaces or line
  /// breaks. A text that contains `FREQ=` is read as iCalendar, whose lines may also be separated by spaces. A later
  /// day of the month right after a day with hyphens is one of that month: `2026-12-05, 06`.
  ///
  /// Between two signs or line breaks, either all words are understood or none is: `둘째 토요일` is not every Saturday,
  /// and `12월 5일, 6일` not the 6th of every month. Words that may exclude days (`daily, except Monday`) leave all days
  /// unknown; words that may limit them (`Sunday, until 2026-12-10`) leave all but dates so. A weekday beside a day that
  /// falls on it says no more than that: `2026-11-22, Sunday`.
  public init(_ text: String) {
    self.init(items: [text])
  }

  /// Parses several texts as one list: a JSON array of days.
  public init(items: [String]) {
    self.init(items: items, start: nil)
  }

  /// - Parameter start: The start of a recurrence whose text has none.
  init(items: [String], start: CalendarDate?) {
    self.init(rules: [])
    var length = 0
    var mayExclude = false
    for item in items {
      length += item.utf8.count
      guard length <= Self.maximumLength else {
        unread.append("\(item.prefix(40))…")
        continue
      }
      do throws(RecurrenceError) {
        if let recurrence = try Self.recurrence(item, start: start) {
          add(recurrence, item)
        } else {
          readList(item, &mayExclude)
        }
      } catch {
        unread.append(item)
      }
    }
    // Any of the days that were read may be excluded.
    if mayExclude { rules = [] }
  }

  /// A part of a list, between two signs.
  private struct Part {
    let text: Substring
    private let words: [String]
    /// What the words name, and whether one before it says that it recurs: `every`.
    var named: [(rule: Rule, recurs: Bool)] = []
    var exceptions: [DateSpan] = []
    /// Times of day, which name no days and exclude none.
    var times: [String] = []
    /// Whether all words were understood.
    var isRead = true
    /// Whether days are named that limit each other.
    private var hasConflict = false

    /// - Parameter date: The day with hyphens that a day of the month may follow, of this part or those before it.
    init(_ text: Substring, after date: inout CalendarDate?) {
      self.text = text
      words = Self.joined(text.split { $0.isWhitespace })
      let lower = words.map { $0.lowercased() }
      if lower == ["every"] || lower == ["every", "day"] {
        named = [(.everyDay, true)]
        return
      }
      var isBehindNumber = false
      for (place, word) in words.enumerated() {
        let next = place + 1 < words.count ? AnnotationDates.rules(words[place + 1])?.first : nil
        if word.first == "!", let span = AnnotationDates.span(word.dropFirst()) {
          exceptions.append(span)
          date = nil
        } else if Self.isFiller(lower[place], before: next) {
          if Self.everyMonth.contains(lower[place]) { date = nil }
        } else if let rules = AnnotationDates.rules(word) {
          if let day = Self.day(rules[0], after: date) {
            named.append((.span(DateSpan(first: day, last: day)), false))
            date = day
          } else {
            // The words of the original apps, `05 月曜日 20261122`, are a list.
            let isNumber = word.allSatisfy(\.isNumber)
            if !isNumber, !isBehindNumber, conflicts(with: rules[0]) {
              (isRead, hasConflict) = (false, true)
            }
            isBehindNumber = isNumber
            let recurs =
              place > 0 && Self.recurrences.contains(lower[place - 1])
              || Self.recurrences.contains(where: lower[place].hasPrefix)
            named += rules.map { ($0, recurs) }
            date = Self.day(word, rules[0])
          }
        } else if Self.isTime(word) {
          times.append(word)
        } else {
          isRead = false
          date = nil
        }
      }
    }

    /// The words with those together that are one: `2026년 12월 1일`, `2026-12-01 to 2026-12-24`.
    private static func joined(_ words: [Substring]) -> [String] {
      var joined: [String] = []
      var isBehindSign = false
      for word in words {
        let isSign = ["to", "-"].contains(word.lowercased())
        let before = joined.last?.suffix(2) ?? ""
        let isBehindUnit =
          before.first?.isNumber ?? false && "년월年月".contains(before.last ?? " ")
          && word.first?.isNumber ?? false
        if !joined.isEmpty, isSign || isBehindSign || isBehindUnit {
          joined[joined.count - 1] += isSign ? "~" : word
        } else {
          joined.append(String(word))
        }
        isBehindSign = isSign
      }
      return joined
    }

    /// Whether a weekday is not that of the day before it, or of days before it that have others, too; and the reverse.
    ///
    /// `2026-12-01~2026-12-31 Sunday` are the Sundays of that month, and not all Sundays.
    private func conflicts(with next: Rule) -> Bool {
      guard let last = named.last?.rule else { return false }
      func isOther(_ span: DateSpan, than rule: Rule) -> Bool {
        switch rule {
        case .weekday(let weekday):
          span.first == nil || span.first != span.last || span.first?.weekday != weekday
        case .dayOfMonth: span.first == nil || span.first != span.last
        default: false
        }
      }
      return switch (last, next) {
      case (.span(let span), let rule), (let rule, .span(let span)): isOther(span, than: rule)
      default: false
      }
    }

    /// The later day in the month of a date that a day of the month stands for; nil for any other rule.
    private static func day(_ rule: Rule, after date: CalendarDate?) -> CalendarDate? {
      guard let date, case .dayOfMonth(let number) = rule, number > date.day else { return nil }
      return CalendarDate(year: date.year, month: date.month, day: number)
    }

    /// The last day that a word names, unless it is the one of the original apps, `20261122`, or names no date.
    private static func day(_ word: String, _ rule: Rule) -> CalendarDate? {
      guard case .span(let span) = rule, word.contains(where: { !$0.isNumber }) else { return nil }
      return span.last
    }

    private static let everyMonth = ["매월", "매달", "毎月"]
    private static let recurrences = ["every", "each", "매주", "毎週"]

    /// Whether a word changes nothing about what is named after it.
    private static func isFiller(_ word: String, before next: Rule?) -> Bool {
      switch next {
      case .weekday?: (recurrences + ["and", "&", "및", "と"]).contains(word)
      case .dayOfMonth?: (everyMonth + ["and", "&", "및", "と"]).contains(word)
      case .some: ["and", "&", "및", "と"].contains(word)
      case nil: false
      }
    }

    private static func isTime(_ word: String) -> Bool {
      word.contains(":") && word.allSatisfy { "0123456789:~-".contains($0) }
    }

    /// Whether the 15th of every month, or another day, is among the days.
    var namesDayOfMonth: Bool {
      named.contains { if case .dayOfMonth = $0.rule { true } else { false } }
    }

    /// Whether it names only dates.
    var namesDates: Bool {
      named.allSatisfy { if case .span = $0.rule { true } else { false } }
    }

    /// Whether words that were not understood may say which of the days beside them are meant.
    var mayLimit: Bool {
      hasConflict
        || !isRead
          && !words.allSatisfy { word in
            Self.additions.contains(word.lowercased()) || AnnotationDates.rules(word) != nil
          }
    }

    /// Words that add days, or say nothing of them.
    private static let additions = [
      "holiday", "holidays", "public", "bank", "free", "공휴일", "국경일", "명절", "무료", "선착순", "祝", "祝日",
      "無料",
    ]

    /// Whether words that were not understood may exclude days.
    var mayExclude: Bool {
      !isRead
        && words.contains { word in
          let lower = word.lowercased()
          return word.first == "!" && AnnotationDates.span(word.dropFirst()) == nil
            || ["not", "no", "without", "closed"].contains(lower)
            || Self.exclusions.contains { lower.contains($0) }
        }
    }

    private static let exclusions = [
      "except", "exclud", "제외", "빼고", "휴관", "휴무", "휴업", "휴연", "쉬는", "쉽니다", "없음",
      "除", "休み", "休館", "休業", "休演", "定休", "なし",
    ]
  }

  private static let separators: Set<Character> = [
    ",", ";", "|", "、", "，", "・", "·", "ㆍ", "\n", "\r", "\r\n",
  ]

  private mutating func readList(_ text: String, _ mayExclude: inout Bool) {
    var date: CalendarDate?
    let parts = Self.withJoinedRuns(text).split(whereSeparator: { Self.separators.contains($0) })
      .map { Part($0, after: &date) }
    let isWhole = parts.allSatisfy(\.isRead)
    let mayBeLimited = parts.contains(where: \.mayLimit)
    var named: [(rule: Rule, recurs: Bool)] = []
    for part in parts {
      exceptions += part.exceptions
      unread += part.times.map { String($0.prefix(80)) }
      // `12월 5일, 6일`: the 6th of that month; `Sunday, until 2026-12-10`: not every Sunday.
      let recursSurely = isWhole || !mayBeLimited && !part.namesDayOfMonth
      if part.isRead, recursSurely || part.namesDates {
        named += part.named
      } else {
        unread.append(trimmed(part.text.prefix(80)))
      }
      mayExclude = mayExclude || part.mayExclude
    }
    rules += Self.withoutRestatements(named)
  }

  /// Rules without the weekdays that only say on which one the day beside them falls: `2026-11-22, Sunday`.
  private static func withoutRestatements(_ named: [(rule: Rule, recurs: Bool)]) -> [Rule] {
    named.indices.compactMap { place in
      let (rule, recurs) = named[place]
      guard !recurs, case .weekday(let weekday) = rule else { return rule }
      let isRestated = [place - 1, place + 1].contains { neighbor in
        guard named.indices.contains(neighbor), case .span(let span) = named[neighbor].rule,
          let day = span.first
        else { return false }
        return day == span.last && day.weekday == weekday
      }
      return isRestated ? nil : rule
    }
  }

  /// The text with every range sign replaced by `~`, without spaces around it, behind `!` or before a bracket, which
  /// would separate items.
  package static func withJoinedRuns(_ text: String) -> String {
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
        if character == "(" || character == "（" {
          while plain.last == " " { plain.removeLast() }
        }
        plain.append(character)
        isBehindSign = character == "!"
      }
    }
    if dots == 1 { plain.append(".") }
    return plain
  }

  /// What a word names; nil for nothing.
  private static func rules(_ item: String) -> [Rule]? {
    if let span = span(item[...]) { return [.span(span)] }
    var digits = item[...]
    if let last = digits.last, last == "日" || last == "일" { digits.removeLast() }
    if (1...2).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIDigit),
      let number = Int(digits), (1...31).contains(number)
    {
      return [.dayOfMonth(number)]
    }
    var word = item.lowercased()
    if ["daily", "everyday", "매일", "毎日"].contains(word) { return [.everyDay] }
    if ["weekend", "weekends", "주말", "土日"].contains(word) { return [.weekday(5), .weekday(6)] }
    if let prefix = ["매주", "毎週"].first(where: word.hasPrefix) { word.removeFirst(prefix.count) }
    let ends = word.split(
      separator: word.contains("~") ? "~" : "-", omittingEmptySubsequences: false
    ).map { weekdays[String($0)] }
    guard ends.count <= 2, let first = ends[0], let last = ends.last ?? nil else { return nil }
    return (0...(last - first + 7) % 7).map { .weekday((first + $0) % 7) }
  }

  /// A day or a range of days; nil for anything else, for days that do not exist, and for a range
  /// that ends before it begins.
  ///
  /// In `2026-11-29~12-02` the year of the first day is also that of the last, in `2026년12월1일~24일` the month, too.
  package static func span(_ item: Substring) -> DateSpan? {
    if let day = day(item) { return DateSpan(first: day, last: day) }
    let sign: Character =
      item.contains("~") ? "~" : item.utf8.count { $0 == UInt8(ascii: "-") } == 1 ? "-" : "/"
    let ends = item.split(separator: sign, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.contains(where: { !$0.isEmpty }) else { return nil }
    let first = day(ends[0])
    let last = day(ends[1]) ?? first.flatMap { lastDay(ends[1], behind: $0) }
    // An empty end is open; any other is a day.
    guard zip(ends, [first, last]).allSatisfy({ $0.isEmpty == ($1 == nil) }) else { return nil }
    if let first, let last, last < first { return nil }
    return DateSpan(first: first, last: last)
  }

  /// The end of a run that leaves out what it has in common with the first day.
  private static func lastDay(_ end: Substring, behind first: CalendarDate) -> CalendarDate? {
    let (year, month) = (first.year, first.month)
    return switch end.last {
    case "일": day("\(year)년\(end)") ?? day("\(year)년\(month)월\(end)")
    case "日": day("\(year)年\(end)") ?? day("\(year)年\(month)月\(end)")
    default: day("\(year)-\(end)")
    }
  }

  /// One day in the notations of ``WrittenDay``; nil for anything else.
  private static func day(_ text: Substring) -> CalendarDate? {
    WrittenDay(String(text)).flatMap { $0.isExact ? $0.first : nil }
  }

  /// Weekdays from Monday, 0, by their names in lowercase.
  static let weekdays: [String: Int] = {
    var names: [String: Int] = [:]
    let english = CivilDay.weekdayNames.map { $0.lowercased() }
    for (number, (name, (korean, japanese))) in zip(english, zip("월화수목금토일", "月火水木金土日")).enumerated()
    {
      for spelling in [
        name, name + "s", String(name.prefix(3)), String(name.prefix(2)), "\(korean)",
        "\(korean)요일",
        "\(japanese)",
        "\(japanese)曜", "\(japanese)曜日",
      ] { names[spelling] = number }
    }
    return names
  }()

  /// Parses lines of iCalendar, which may be joined in one line; nil for a text that has none.
  ///
  /// - Parameter start: The day on which a rule without `DTSTART` starts.
  package static func recurrence(
    _ text: String, start: CalendarDate? = nil
  ) throws(RecurrenceError) -> Recurrence? {
    let upper = text.uppercased()
    let hasStart = upper.contains("DTSTART")
    guard hasStart || upper.contains("FREQ=") else { return nil }
    var lines = ""
    for line in text.split(whereSeparator: { $0.isNewline || $0 == "|" }) {
      for (place, word) in line.split(whereSeparator: \.isWhitespace).enumerated() {
        // The names of zones have blanks: `TZID=Korea Standard Time`.
        lines += place == 0 || beginsLine(word) ? "\n\(word)" : " \(word)"
      }
    }
    if hasStart { return try Recurrence(lines) }
    if let start {
      return try Recurrence(lines, start: LocalTime(day: start.dayNumber, secondOfDay: 0))
    }
    // Without a start, a rule must itself determine its days.
    let recurrence = try Recurrence(lines, start: LocalTime(year: 1900, month: 1, day: 1))
    let needsStart = recurrence.rules.contains { rule in
      rule.interval > 1 || rule.count != nil
        || rule.frequency != .daily && rule.weekdays.isEmpty && rule.monthDays.isEmpty
          && rule.yearDays.isEmpty && rule.weeks.isEmpty
    }
    return try needsStart ? Recurrence(lines) : recurrence
  }

  /// Whether a word behind a blank begins a line of iCalendar.
  private static func beginsLine(_ word: Substring) -> Bool {
    let name = word.prefix { $0 != ":" && $0 != ";" }.uppercased()
    return name.hasPrefix("X-") || name.hasPrefix("FREQ=")
      || ["DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "EXRULE"].contains(name)
  }

  /// Adds a recurrence; where its end depends on the place's clocks, only the days that it has with all clocks are certain.
  private mutating func add(_ recurrence: Recurrence, _ text: String) {
    guard recurrence.rules.contains(where: \.isUntilUTC) else {
      rules.append(.recurrence(recurrence))
      return
    }
    rules.append(.recurrence(recurrence.ending(withClocksAhead: -12 * 3600)))
    doubts.append(
      Doubt(
        rule: .recurrence(recurrence.ending(withClocksAhead: 14 * 3600)), text: text))
  }
}
