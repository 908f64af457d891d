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
  /// The nonstandard spellings that were accepted, by column.
  public let warnings: [HoursWarning]

  let compiled: CompiledHours

  /// Parses a value.
  ///
  /// Nonstandard spellings with one meaning are accepted and reported in ``warnings``; ambiguous ones are refused.
  ///
  /// - Throws: ``HoursError`` with the column, when the text is not a value of the language.
  /// - Complexity: O(*n*); a text longer than ``maximumLength`` is refused unread.
  public init(_ text: String) throws(HoursError) {
    let length = text.utf8.count
    guard length <= Self.maximumLength else {
      throw HoursError(reason: .tooLong(bytes: length), column: 1)
    }
    var reading = HoursParser(text)
    rules = try reading.rules()
    warnings = reading.warnings
    compiled = CompiledHours(rules)
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
