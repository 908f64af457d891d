import BusinessHours
import Geodesy

extension SessionTimetable {
  /// The maximum length of a text, in bytes.
  public static let maximumLength = 262_144

  /// Parses a list of sessions; items that are not sessions are kept in ``unread``.
  ///
  /// Items are separated by `;`, `|` or line breaks. An item has days, times and optionally a title:
  /// `2026-11-22 10:30-12:40,14:00 Title`. Days are written as for ``AnnotationDates/init(_:)``, joined by `,` without
  /// spaces; times by `,` with or without spaces; hours continue past 24 for shows after midnight (`25:10`). An item
  /// whose days are read and whose times are not, as `2026-11-22`, `2026-11-22 14:60` or `2026-11-22 10:30 PM Title`,
  /// leaves only these days undecided.
  public init(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else {
      keep(unread: "\(text.prefix(40))…")
      return
    }
    for item in text.split(whereSeparator: { $0 == ";" || $0 == "|" || $0.isNewline }) {
      let words = item.split(whereSeparator: { $0.isWhitespace })
      guard let days = words.first else { continue }
      let rest = trimmed(item[days.endIndex...], where: \.isWhitespace)
      let (times, title) = Self.timesAndTitle(rest[...])
      if let title, add(days: String(days), times: times, title: title.words) { continue }
      // `2026-11-22T10:30 Title` has day and time in one word.
      if let title = Title(rest[...]), add(instant: days, end: nil, title: title.words) { continue }
      keep(
        unread: String(trimmed(item, where: \.isWhitespace).prefix(80)),
        on: Self.daysAlone(of: words))
    }
  }

  /// Reads a property: a text, or an array of texts and objects with `date`, `start`, `end` and
  /// `title` (or `dates`, `times`, `name`); the start may include its date: `2026-11-22T10:30`.
  public init(_ value: PropertyValue) {
    switch value {
    case .string(let text): self.init(text)
    case .array(let values):
      self.init("")
      for value in values.prefix(Self.maximumSessions) {
        switch value {
        case .object(let object): add(object)
        case .string(let text): add(SessionTimetable(text))
        default: keep(unread: value.text ?? "null")
        }
      }
      if values.count > Self.maximumSessions { keep(unread: "\(values.count) sessions") }
    case .object(let object):
      self.init("")
      add(object)
    case .null, .bool, .number: self.init(value.text ?? "")
    }
  }

  /// The maximum number of sessions in an array.
  public static let maximumSessions = 10_000

  private mutating func add(_ object: Properties) {
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { object[$0]?.text }.first { !$0.isEmpty }
    }
    let title = text("title", "name", "film", "movie")
    let end = text("end")
    let days = text("date", "day", "dates") ?? object["dates"]?.joined
    if let start = text("start", "time", "times") ?? object["times"]?.joined {
      let times = end.map { "\(start)-\($0)" } ?? start
      if let days {
        if add(days: days, times: times[...], title: title) { return }
      } else if add(instant: start[...], end: end, title: title) {
        return
      }
    }
    keep(unread: Self.words(of: object), on: days.flatMap(Self.dates))
  }

  /// The times of an item behind its days, and its title: times end with the first word behind which no comma stands, and
  /// no dash with another time.
  private static func timesAndTitle(_ rest: Substring) -> (times: Substring, title: Title?) {
    var end = rest.startIndex
    for word in rest.split(whereSeparator: { $0.isWhitespace }) {
      end = word.endIndex
      if word.hasSuffix(",") { continue }
      // `10:30 - 12:40`
      let behind = rest[end...].drop { $0.isWhitespace }
      let hasDash = isDash(word.last) || isDash(behind.first)
      let next = behind.first { !isDash($0) && !$0.isWhitespace }
      guard hasDash, let next, isDigit(next) else { break }
    }
    return (rest[..<end], Title(rest[end...]))
  }

  /// The words behind the times of an item.
  private struct Title {
    /// nil if there are none.
    let words: String?

    /// Nil for words that begin like a part of the times that was not read: `PM Title`, `14:00 Title`.
    init?(_ text: Substring) {
      var text = text.drop { $0.isWhitespace }
      // `10:30 - Title`
      if SessionTimetable.isDash(text.first), text.dropFirst().first?.isWhitespace == true {
        text = text.dropFirst()
      }
      let words = trimmed(text, where: \.isWhitespace)
      guard let first = words.split(whereSeparator: { $0.isWhitespace }).first else {
        self.words = nil
        return
      }
      let halves = ["am", "pm", "a.m.", "p.m.", "오전", "오후", "午前", "午後"]
      if SessionTimetable.isDash(first.first) || SessionTimetable.isTime(first)
        || halves.contains(first.lowercased())
      {
        return nil
      }
      self.words = words
    }
  }

  private static func isDash(_ character: Character?) -> Bool {
    character.map { "-–~～〜".contains($0) } ?? false
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  /// Whether a word is a time of day, or several, though perhaps not as times are written.
  private static func isTime(_ word: Substring) -> Bool {
    let digits = word.prefix(while: isDigit)
    return (1...2).contains(digits.count) && word[digits.endIndex...].first == ":"
  }

  /// The days of an item if its other words can name no more days: there are none, or a time, though not as times are
  /// written, then words without digits or more times.
  private static func daysAlone(of words: [Substring]) -> AnnotationDates? {
    var rest = words[1...]
    var days = words[0]
    // `2026-11-22T10:30-12:40`; in UTC it may be another day.
    if let sign = days.firstIndex(of: "T"), !days.contains(where: { $0 == "Z" || $0 == "+" }) {
      days = days[..<sign]
    } else if let time = rest.popFirst(), !isTime(time) {
      return nil
    }
    let mayNameDays = rest.contains { word in
      let word = word.drop { isDash($0) }
      return word.contains(where: isDigit) && !(isTime(word) && word.allSatisfy { !$0.isLetter })
    }
    return mayNameDays ? nil : dates(String(days))
  }

  /// The days that a text names; nil if a part of it was not understood.
  private static func dates(_ text: String) -> AnnotationDates? {
    let dates = AnnotationDates(text)
    return dates.unread.isEmpty && dates.doubts.isEmpty && !dates.rules.isEmpty ? dates : nil
  }

  private static func words(of object: Properties) -> String {
    let words = object.entries.map { "\($0.name): \($0.value.text ?? "…")" }
    return String(words.joined(separator: ", ").prefix(80))
  }

  /// Adds times on some days.
  private mutating func add(days: String, times: Substring, title: String?) -> Bool {
    // A time in the days is that of a session, too.
    guard !days.contains(":"), WrittenDay(days)?.minute == nil, let dates = Self.dates(days) else {
      return false
    }
    return add(on: dates, times: times, title: title)
  }

  /// Adds times on some days.
  mutating func add(on dates: AnnotationDates, times: Substring, title: String?) -> Bool {
    var added: [Entry] = []
    for time in times.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = time.split(omittingEmptySubsequences: false) { Self.isDash($0) }
      guard (1...2).contains(ends.count), let start = Self.minute(ends[0]) else { return false }
      var end: Int?
      if ends.count == 2 {
        guard let minute = Self.minute(ends[1]) else { return false }
        end = Self.end(minute, after: start)
      }
      added.append(Entry(dates: dates, start: start, end: end, title: title))
    }
    entries += added
    return true
  }

  /// The end of a session by the hours of its business day.
  ///
  /// An end before the start is on the next day if that makes at most 12 hours. Otherwise it is a mistake in the
  /// source, and the result is nil.
  private static func end(_ minute: Int, after start: Int) -> Int? {
    if minute >= start { return minute }
    return (0...720).contains(minute + 1440 - start) ? minute + 1440 : nil
  }

  /// Adds a session whose start includes its date.
  private mutating func add(instant: Substring, end: String?, title: String?) -> Bool {
    guard let start = Self.instant(instant) else { return false }
    var entry = Entry(
      dates: AnnotationDates(rules: [.span(DateSpan(first: start.day, last: start.day))]),
      start: start.minute, title: title)
    if let end {
      if let instant = Self.instant(end[...]) {
        entry.end = (instant.day.dayNumber - start.day.dayNumber) * 1440 + instant.minute
      } else if let minute = Self.minute(end[...]) {
        entry.end = Self.end(minute, after: start.minute)
      } else {
        return false
      }
      if let end = entry.end, !(entry.start...entry.start + 14 * 1440).contains(end) {
        return false
      }
    }
    entries.append(entry)
    return true
  }

  /// Parses `2026-11-22T10:30`, with or without seconds and a local UTC offset; nil for `Z` and `+00:00`, which
  /// are not local time.
  private static func instant(_ text: Substring) -> (day: CalendarDate, minute: Int)? {
    let sides = text.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    guard sides.count == 2, let day = CalendarDate(String(sides[0])) else { return nil }
    var time = sides[1]
    if let sign = time.firstIndex(where: { $0 == "+" || $0 == "-" }) {
      guard isLocalOffset(time[sign...]) else { return nil }
      time = time[..<sign]
    }
    guard let minute = minute(time) else { return nil }
    return (day, minute)
  }

  /// Whether a text is a UTC offset of some place, −12:00 to +14:00, but not that of UTC itself.
  private static func isLocalOffset(_ text: Substring) -> Bool {
    var digits = String(text.dropFirst().filter { $0 != ":" })
    if digits.utf8.count == 2 { digits += "00" }
    guard digits.utf8.count == 4, digits.allSatisfy(isDigit), let number = Int(digits) else {
      return false
    }
    return number != 0 && [0, 30, 45].contains(number % 100)
      && number <= (text.first == "-" ? 1200 : 1400)
  }

  /// The minutes of `10:30`, `9:05` or `10:30:00`, hours up to 47; nil for anything else.
  static func minute(_ text: Substring) -> Int? {
    let parts = trimmed(text, where: \.isWhitespace)
      .split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...2).contains(parts[0].utf8.count),
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 48, minute < 60
    else { return nil }
    return hour * 60 + minute
  }
}

extension PropertyValue {
  /// The texts of an array joined into one list.
  fileprivate var joined: String? {
    guard case .array(let values) = self else { return nil }
    return values.compactMap(\.text).joined(separator: ",")
  }
}
