// English: `closed Dec 13 and 27, 2026`, `Sunday 13 December`, `2nd and 4th Sundays`.

extension WrittenLexer {
  static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x61 && scalar.value <= 0x7A
  }

  /// The letters at an index, unless other letters come directly before them.
  private func letters(_ place: Int) -> (text: String, end: Int)? {
    if place > 0, Self.isLatin(text.scalars[place - 1]) { return nil }
    var end = place
    var letters = String.UnicodeScalarView()
    while let scalar = scalar(end), Self.isLatin(scalar), end - place <= 12 {
      letters.append(scalar)
      end += 1
    }
    return end > place ? (String(letters), end) : nil
  }

  /// A whole English word: `sun` matches, but the beginning of `sunset` does not.
  ///
  /// In a text with Korean or Japanese, only weekdays and `closed` count: other English words occur there in names and
  /// slogans.
  mutating func englishWord() -> WrittenWord? {
    guard Self.isLatin(text.scalars[index]), let (letters, end) = letters(index) else { return nil }
    if Self.publicly.contains(letters), let holidays = self.letters(skippingSpaces(end)),
      ["holiday", "holidays"].contains(holidays.text)
    {
      index = holidays.end
      return .publicHolidays(isOfDecree: false)
    }
    if text.isForeign, let (word, end) = phrase(letters, end) {
      index = end
      return word
    }
    if let word = Self.english[letters] ?? (text.isForeign ? Self.englishAlone[letters] : nil) {
      index = scalar(end) == "." && letters.utf8.count <= 4 ? end + 1 : end
      return word
    }
    // `Sundays` means all of them, not the weekday of a date; the final letter becomes a word of its own.
    guard letters.hasSuffix("s"), let word = Self.english[String(letters.dropLast())],
      word.singleWeekday != nil
    else { return nil }
    tokens.append(Token(word: .everyWeek, place: index..<index))
    index = end
    return word
  }

  /// An ordinal such as `2nd` or `4th`, unless a month follows.
  mutating func englishOrdinal(_ number: (value: Int, end: Int)) -> WrittenWord? {
    guard text.isForeign, let end = suffix(number.end), (1...5).contains(number.value) else {
      return nil
    }
    index = end
    return .nths(1 << UInt16(number.value - 1))
  }

  /// The index after a suffix `st`, `nd`, `rd` or `th`.
  private func suffix(_ place: Int) -> Int? {
    guard let (letters, end) = letters(place), ["st", "nd", "rd", "th"].contains(letters) else {
      return nil
    }
    return end
  }

  private func isWeekday(_ place: Int) -> Bool {
    guard let (letters, _) = letters(place) else { return false }
    return (Self.english[letters] ?? Self.english[String(letters.dropLast())])?.singleWeekday != nil
  }

  /// Whether a weekday follows an ordinal or a list of ordinals: `2nd & 4th Sundays`.
  private func leadsToWeekday(_ place: Int) -> Bool {
    var place = place
    while let next = separator(place), let number = number(next), let end = suffix(number.end) {
      place = skippingSpaces(end)
    }
    return isWeekday(place)
  }

  /// The weekday after `every`, if the words between mean some of these weekdays: `every other Tuesday`.
  ///
  /// `every second Tuesday` means that, too, or the second of a month, unless `of the month` follows.
  private func everyOther(_ place: Int) -> Int? {
    let start = skippingSpaces(place)
    let numbered = number(start).flatMap { (2...5).contains($0.value) ? suffix($0.end) : nil }
    let words = ["other", "second", "third", "fourth", "fifth"]
    guard
      let end = numbered ?? letters(start).flatMap({ words.contains($0.text) ? $0.end : nil }),
      let day = letters(skippingSpaces(end)), Self.english[day.text]?.singleWeekday != nil
    else { return nil }
    var next = letters(skippingSpaces(scalar(day.end) == "." ? day.end + 1 : day.end))
    while let word = next, ["of", "in", "the", "each", "every", "a", "month"].contains(word.text) {
      if word.text == "month" { return nil }
      next = letters(skippingSpaces(word.end))
    }
    return skippingSpaces(end)
  }

  private static let months = CivilDay.monthNames.map { $0.lowercased() }

  func month(_ place: Int) -> (month: Int, end: Int)? {
    guard let (letters, end) = letters(place), letters.utf8.count >= 3,
      let month = Self.months.firstIndex(where: {
        $0 == letters || $0.prefix(3) == letters || letters == "sept" && $0 == "september"
      })
    else { return nil }
    return (month + 1, scalar(end) == "." && letters.utf8.count <= 4 ? end + 1 : end)
  }

  /// A year after a date: `, 2026`, ` 2026`.
  private func year(_ place: Int) -> (year: Int, end: Int)? {
    var start = skippingSpaces(place)
    if scalar(start) == "," { start = skippingSpaces(start + 1) }
    guard start > place, let number = number(start), number.end == start + 4,
      Self.years.contains(number.value),
      !isClock(skippingSpaces(number.end))
    else { return nil }
    // `Dec 13, 2027-01-03`: the year belongs to another date.
    if let sign = scalar(number.end), ["-", "/", "."].contains(sign),
      let month = self.number(number.end + 1), month.end <= number.end + 3,
      scalar(month.end) == sign
    {
      return nil
    }
    if month(skippingSpaces(number.end)) != nil { return nil }
    return (number.value, number.end)
  }

  /// Whether the colon of a time follows, not that of a label.
  private func isClock(_ place: Int) -> Bool {
    scalar(place) == ":" && isDigit(skippingSpaces(place + 1))
  }

  /// A list of days: `13`, `13th and 27th`, `13, 27`, `13-15`.
  private func dayList(_ start: Int) -> (days: [Day], end: Int) {
    var days: [Day] = []
    var place = start
    var end = start
    var endsRange = false
    while let number = number(place), number.end - place <= 2, (1...31).contains(number.value) {
      let ordinal = suffix(number.end)
      let after = ordinal ?? number.end
      let next = skippingSpaces(after)
      let isDash = scalar(next) == "-" && days.isEmpty
      // `Dec 25, 10:00`, `Dec 25, 9-18`, `Dec 2nd Sunday`, `Dec 25, 3 Jan`: not days of this month.
      let isOther =
        isClock(next) || isLatin(after)
        || [".", "-", "/"].contains(scalar(next)) && !isDash && isDigit(next + 1)
        || ordinal != nil && number.value <= 5 && leadsToWeekday(next)
        || !days.isEmpty && month(skippingOf(next)) != nil
      if isOther { break }
      days.append(Day(day: number.value, place: place..<after, endsRange: endsRange))
      end = after
      guard let following = separator(next), isDash || scalar(next) != "-" else { break }
      endsRange = isDash
      place = following
    }
    return (days, end)
  }

  private func skippingOf(_ place: Int) -> Int {
    guard let (letters, end) = letters(place), letters == "of" else { return place }
    return skippingSpaces(end)
  }

  /// The index of the next list item, after `,`, `&`, `and`, or the dash of a range.
  private func separator(_ place: Int) -> Int? {
    var place = place
    let isSign = [",", "&", "-"].contains(scalar(place))
    if isSign { place = skippingSpaces(place + 1) }
    if let (letters, end) = letters(place), letters == "and" { return skippingSpaces(end) }
    return isSign ? place : nil
  }

  /// Reads `Dec 13`, `December 13th and 27th, 2026`, with or without the year before it.
  mutating func readEnglishMonth(_ given: Int?, from start: Int? = nil) -> Bool {
    guard let month = month(start ?? index) else { return false }
    let (days, end) = dayList(skippingSpaces(month.end))
    guard !days.isEmpty else { return false }
    return take(days, until: end, given, month.month)
  }

  /// Reads `13 December`, `13th and 27th of Dec. 2026`.
  mutating func readEnglishDays() -> Bool {
    guard let first = number(index), first.end - index <= 2 else { return false }
    let (days, end) = dayList(index)
    guard !days.isEmpty, let month = month(skippingOf(skippingSpaces(end))) else { return false }
    return take(days, until: month.end, nil, month.month)
  }

  /// Makes words of days that begin here and end at an index, or with the year after it if none is given.
  private mutating func take(_ days: [Day], until end: Int, _ given: Int?, _ month: Int) -> Bool {
    let following = given == nil ? year(end) : nil
    var days = days
    let last = days.count - 1
    days[0].place = index..<days[0].place.upperBound
    days[last].place = days[last].place.lowerBound..<(following?.end ?? end)
    return take(days, given ?? following?.year, month)
  }

  /// Whether an English text has lunch before all times and dinner behind some, so that both are served.
  ///
  /// Otherwise lunch may be a break, and dinner what is served in some of the hours.
  var servesMeals: Bool {
    let beginning = text.scalars.prefix { !$0.isASCIIDigit }
    let rest = text.scalars[beginning.endIndex...]
    return WrittenReader.contains(beginning, anyOf: Self.lunch)
      && WrittenReader.contains(rest, anyOf: Self.dinner)
  }

  private static let lunch = WrittenReader.spelled("lunch")
  private static let dinner = WrittenReader.spelled("dinner")

  /// Weekdays by their initials: `M-F`, `M-Th`, and `F` behind that.
  ///
  /// Other letters may be several days.
  private func initials(_ letters: String, _ end: Int) -> (WrittenWord, Int)? {
    let toThursday = WrittenWord.weekdays(0b0001111, excludesHolidays: false)
    let toFriday = WrittenWord.weekdays(0b0011111, excludesHolidays: false)
    switch letters {
    case "m":
      for (spelling, word) in [("m-f", toFriday), ("m-th", toThursday)] {
        if let end = self.end(ofAnyOf: [spelling], from: index), !isLatin(end) {
          return (word, end)
        }
      }
      return nil
    case "f" where tokens.contains { $0.word == toThursday }:
      return (.weekdays(0b0010000, excludesHolidays: false), end)
    default: return nil
    }
  }

  /// Words of several words, which count only in English texts: `every day`, `last entry`.
  ///
  /// - Parameter end: The end of the first word.
  private func phrase(_ letters: String, _ end: Int) -> (WrittenWord, Int)? {
    if let days = initials(letters, end) { return days }
    if letters == "every", let end = everyOther(end) { return (.everyOtherWeek, end) }
    // `from 7 am`, but not `from Dec 24`.
    if letters == "from", isTimeWritten(skippingSpaces(end)) { return (.filler, end) }
    guard let (word, spellings) = Self.phrases[letters],
      let end = self.end(ofAnyOf: spellings, from: index), !isLatin(end)
    else { return nil }
    return (word, end)
  }

  /// The phrases without spaces, by their first word; a longer one stands before its beginning.
  private static let phrases: [String: (WrittenWord, [String])] = {
    var phrases: [String: (WrittenWord, [String])] = [:]
    func add(_ first: String, _ word: WrittenWord, _ rests: String) {
      phrases[first] = (word, rests.split(separator: " ").map { first + $0 })
    }
    add("every", .weekdays(0b1111111, excludesHolidays: false), "day")
    add("last", .lastOrders, "entry admission orders order")
    add("open", .asUsual, "asusual asnormal normally usualhours normalhours regularhours")
    for first in ["normal", "regular", "usual"] {
      add(first, .asUsual, "openinghours businesshours hours")
    }
    add("business", .asUsual, "asusual")
    return phrases
  }()

  private static let publicly: Set<String> = ["public", "national", "bank", "legal"]

  /// Weekdays, and words for open and closed.
  private static let english: [String: WrittenWord] = {
    let weekdays = [
      "mon monday", "tue tues tuesday", "wed weds wednesday", "thu thur thurs thursday",
      "fri friday", "sat saturday", "sun sunday",
    ]
    let words: [(WrittenWord, String)] = weekdays.enumerated().map { day, names in
      (.weekdays(1 << UInt8(day), excludesHolidays: false), names)
    }
    return byName(words + [(.closed, "closed"), (.opens, "open opens"), (.closes, "close closes")])
  }()

  /// Words that count only in English texts.
  private static let englishAlone: [String: WrittenWord] = {
    let nths = ["first", "second", "third", "fourth", "fifth", "last"]
    let words: [(WrittenWord, String)] = nths.enumerated().map { (.nths(1 << UInt16($0)), $1) }
    return byName(
      words + [
        (.weekdays(0b1111111, excludesHolidays: false), "daily everyday"),
        (.weekdays(0b0011111, excludesHolidays: true), "weekday weekdays"),
        (.weekdays(0b1100000, excludesHolidays: false), "weekend weekends"),
        (.publicHolidays(isOfDecree: false), "holidays"), (.clock(720), "noon"),
        (.clock(0), "midnight"),
        (.openHours, "hours"), (.closed, "off"), (.everyWeek, "every each"),
        (.separator, "and plus"),
        (.dash, "to through thru until till"), (.except, "except excluding without"),
        (.including, "including"), (.but, "but"), (.filler, "on the of month only"),
      ])
  }()

  /// The words by each of their spellings, which blanks separate.
  static func byName(_ words: [(WrittenWord, String)]) -> [String: WrittenWord] {
    var named: [String: WrittenWord] = [:]
    for (word, names) in words {
      for name in names.split(separator: " ") { named[String(name)] = word }
    }
    return named
  }
}
