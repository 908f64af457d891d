/// The opening hours of a place, in the `opening_hours` language of OpenStreetMap.
///
///     let hours = try OpeningHours("Mo-Sa 10:00-23:00; Su[2,4] off")
///     let noon = LocalTime(year: 2026, month: 11, day: 22, hour: 12)
///     hours.state(at: noon)          // .closed, the fourth Sunday
///     hours.nextChange(after: noon)  // 2026-11-23 10:00
///
/// The value is parsed once into a compact form; answering allocates nothing.
/// <doc:OpeningHoursLanguage> says which meaning this package uses where interpretations differ.
public struct OpeningHours: Sendable {
  /// The maximum length of a text in bytes; OpenStreetMap itself allows 255 characters.
  public static let maximumLength = 4096
  /// The maximum number of rules in a value.
  public static let maximumRules = 128

  /// The rules in their order; never empty.
  public let rules: [HoursRule]
  /// The nonstandard spellings that were accepted and the rules that are hardly meant as they are read, by column.
  public let warnings: [HoursWarning]

  let compiled: CompiledHours

  /// Parses a value.
  ///
  /// Nonstandard spellings with one meaning are accepted and reported in ``warnings``; ambiguous ones are refused. A
  /// rule that is hardly meant as it is read, such as one that replaces all of an earlier one, is also reported there;
  /// that changes no answer.
  ///
  /// - Throws: ``HoursError`` with the column, when the text is not a value of the language.
  /// - Complexity: O(*n* + *d*²) for *d* days, months and dates, of which there are 1,024 at most; a text longer than
  ///   ``maximumLength`` is refused unread.
  public init(_ text: String) throws(HoursError) {
    let length = text.utf8.count
    guard length <= Self.maximumLength else {
      throw HoursError(reason: .tooLong(bytes: length), column: 1)
    }
    var reading = HoursParser(text)
    rules = try reading.rules()
    compiled = CompiledHours(rules)
    compiled.findDoubtfulRules(of: rules) { reading.warn($0, ofRule: $1) }
    warnings = reading.scanner.warnings
  }

  /// Makes a value from rules built by the program.
  init(rules: [HoursRule]) {
    self.rules = rules
    warnings = []
    compiled = CompiledHours(rules)
  }

  /// An *unknown* value with a comment.
  package static func unknown(_ words: String) -> OpeningHours {
    OpeningHours(rules: [HoursRule(state: .unknown, comment: words)])
  }

  /// Whether the answers depend on public holidays.
  public var usesPublicHolidays: Bool { compiled.uses.contains(.publicHolidays) }
  /// Whether the answers depend on school holidays.
  public var usesSchoolHolidays: Bool { compiled.uses.contains(.schoolHolidays) }
  /// Whether the answers depend on the sun.
  public var usesSun: Bool { compiled.uses.contains(.sun) }

  /// Throws if a setting lacks the public holidays that the rules name.
  package func requirePublicHolidays(of setting: HoursSetting) throws(HoursError) {
    if usesPublicHolidays && setting.publicHolidays == nil {
      throw HoursError(reason: .holidaysUnknown(kind: "public"), column: 1)
    }
  }

  /// Throws if a setting lacks holidays that the rules name, for callers that prefer an error to
  /// *unknown*.
  public func requireHolidays(of setting: HoursSetting) throws(HoursError) {
    try requirePublicHolidays(of: setting)
    if usesSchoolHolidays && setting.schoolHolidays == nil {
      throw HoursError(reason: .holidaysUnknown(kind: "school"), column: 1)
    }
  }
}

extension OpeningHours: Hashable {
  /// Values are equal when their rules are.
  public static func == (one: OpeningHours, other: OpeningHours) -> Bool {
    one.rules == other.rules
  }

  /// Hashes the rules.
  public func hash(into hasher: inout Hasher) { hasher.combine(rules) }
}

extension OpeningHours {
  /// Hours that are closed on every day of a range and unchanged on all other days of the years 1900 to 9999, which the
  /// language can name.
  ///
  ///     let mart = OpeningHours.closing(try OpeningHours("10:00-22:00"), from: lastDay + 1, to: nil)
  ///
  /// Hours that begin the evening before the range continue past midnight. The text of the result can be read back,
  /// unless the hours name dates or years themselves.
  ///
  /// - Parameters:
  ///   - hours: The hours on other days; nil for *unknown*.
  ///   - first: The first closed day, in days since 1970-01-01; nil for all days up to `last`.
  ///   - last: The last closed day; nil for all days from `first` on.
  /// - Complexity: O(rules).
  public static func closing(
    _ hours: OpeningHours?, from first: Int?, to last: Int?
  ) -> OpeningHours {
    // The remaining days become one more condition of every rule: where no rule matches, the place
    // is closed, and no fallback matches either.
    var left: [DaySelector] = []
    let start = CivilDay.number(1900, 1, 1)
    let end = dayAfterAll - 1
    if let first, first > start {
      let before = DatePoint(day: min(first - 1, end))
      left.append(.dates(DateRange(start: DatePoint(day: start), end: .date(before))))
    }
    if let last, last < end {
      let after = DatePoint(day: max(last + 1, start))
      left.append(.dates(DateRange(start: after, end: .never)))
    }
    guard !left.isEmpty else { return OpeningHours(rules: [HoursRule(state: .closed)]) }
    var rules = hours?.rules ?? [HoursRule(state: .unknown)]
    for index in rules.indices { rules[index].days.insert(left, at: 0) }
    return OpeningHours(rules: rules)
  }

  /// The day after the year 9999, with which the language and all searches end.
  static let dayAfterAll = CivilDay.number(10_000, 1, 1)
}

extension DatePoint {
  /// One day of one year.
  init(day: Int) {
    let parts = CivilDay.parts(day)
    self.init(year: parts.year, day: .day(month: parts.month, day: parts.day))
  }
}

extension DateRange {
  /// One day of one year, in days since 1970-01-01.
  init(day: Int) { self.init(start: DatePoint(day: day)) }

  /// One day of every year.
  init(month: Int, day: Int) { self.init(start: DatePoint(day: .day(month: month, day: day))) }
}
