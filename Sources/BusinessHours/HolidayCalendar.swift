import Geodesy

/// The holidays of a place as dated data, and the days for which the data is complete.
///
/// Outside that range the holidays of the data are holidays; on any other day there, rules that depend on holidays are
/// *unknown*.
public struct HolidayCalendar: Hashable, Sendable {
  /// One holiday.
  public struct Holiday: Hashable, Sendable {
    /// Days since 1970-01-01, as in ``LocalTime/day``.
    public var day: Int
    /// The name in the country's language.
    public var name: String

    /// Makes a holiday from a day number.
    public init(day: Int, name: String) {
      self.day = day
      self.name = name
    }

    /// Makes a holiday from its date.
    ///
    /// - Precondition: `month` is 1 to 12; `year` and `day` are within ±10¹².
    public init(year: Int, month: Int, day: Int, name: String) {
      self.init(day: CivilDay.number(year, month, day), name: name)
    }
  }

  /// The holidays in order of day; one day may have several.
  public let holidays: [Holiday]
  /// The first and last day for which the calendar is complete.
  public let known: ClosedRange<Int>
  /// A bit set of holiday days modulo 16,384 (44 years): most days are not a holiday, and one bit
  /// is enough to say so.
  private let folded: [UInt64]

  /// Makes a calendar from the caller's data.
  ///
  /// - Parameters:
  ///   - holidays: In any order; those outside `known` are holidays, too.
  ///   - known: The first and last day for which the holidays are complete.
  @inline(never)  // Compiled once, not for every built-in calendar.
  public init(_ holidays: [Holiday], known: ClosedRange<Int>) {
    self.holidays = holidays.sorted { ($0.day, $0.name) < ($1.day, $1.name) }
    self.known = known
    var folded = [UInt64](repeating: 0, count: 256)
    for holiday in holidays { folded[Self.word(holiday.day)] |= Self.bit(holiday.day) }
    self.folded = folded
  }

  private static func word(_ day: Int) -> Int { day >> 6 & 255 }
  private static func bit(_ day: Int) -> UInt64 { 1 &<< UInt64(day & 63) }

  /// Makes a calendar that is complete for whole years, within ±300 million years.
  public init(_ holidays: [Holiday], knownYears: ClosedRange<Int>) {
    let years = knownYears.clamped(to: -300_000_000...300_000_000)
    self.init(
      holidays,
      known: CivilDay.number(years.lowerBound, 1, 1)...CivilDay.number(years.upperBound, 12, 31))
  }

  /// This calendar with more holidays, such as a temporary holiday or a town's own.
  ///
  /// If `known` is given, it replaces the range of complete days.
  public func adding(_ more: [Holiday], known: ClosedRange<Int>? = nil) -> HolidayCalendar {
    HolidayCalendar(holidays + more, known: known ?? self.known)
  }

  /// Whether the calendar says of a day whether it is a holiday, because it is complete for that day or has it in its
  /// data.
  public func knows(day: Int) -> Bool { known.contains(day) || contains(day: day) }

  /// Whether a day is a holiday in the calendar's data.
  public func contains(day: Int) -> Bool {
    guard folded[Self.word(day)] & Self.bit(day) != 0 else { return false }
    let low = holidays.partitioningCount { $0.day < day }
    return low < holidays.count && holidays[low].day == day
  }

  /// The names of a day's holidays.
  public func names(on day: Int) -> [String] { holidays.filter { $0.day == day }.map(\.name) }

  /// The calendar of a country by its ISO 3166 code, and of a region in it; nil if the program has
  /// none.
  ///
  /// - Parameters:
  ///   - country: `KR`, `JP` or `DE`, ignoring case.
  ///   - region: For `DE`, a state such as `BW` or `DE-BW`; nil for the nationwide holidays.
  ///     Holidays in `KR` and `JP` are the same everywhere, so any region is accepted.
  public static func country(_ country: String, region: String? = nil) -> HolidayCalendar? {
    switch country.uppercased() {
    case "KR": return .korea
    case "JP": return .japan
    case "DE":
      guard let region, !region.isEmpty else { return .germany }
      let code = region.uppercased()
      let state = code.hasPrefix("DE-") ? String(code.dropFirst(3)) : code
      return GermanState(rawValue: state).map { germany(state: $0) }
    default: return nil
    }
  }

  /// The years of the built-in calendars.
  static let shippedYears = 2005...2035

  /// A built-in calendar, from the holidays of each year.
  init(_ holidays: (Int) -> [Holiday]) {
    self.init(Self.shippedYears.flatMap(holidays), knownYears: Self.shippedYears)
  }
}
