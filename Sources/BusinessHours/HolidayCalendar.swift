/// The holidays of a place as dated data, with the days for which it is complete.
///
/// A day outside those is neither a holiday nor not one: rules that ask for it are *unknown*.
public struct HolidayCalendar: Hashable, Sendable {
  /// One holiday.
  public struct Holiday: Hashable, Sendable {
    /// Days since 1970-01-01, as in ``LocalTime/day``.
    public var day: Int
    /// Its name in the country's language.
    public var name: String

    /// A holiday.
    public init(day: Int, name: String) {
      self.day = day
      self.name = name
    }

    /// A holiday by its date.
    public init(year: Int, month: Int, day: Int, name: String) {
      self.init(day: CivilDay.number(year, month, day), name: name)
    }
  }

  /// The holidays by day; one day may have several.
  public let holidays: [Holiday]
  /// The first and last day for which the calendar is complete.
  public let known: ClosedRange<Int>
  /// Bits of the holidays' days, folded together every 16,384, which is 44 years: most days are no holiday, and one
  /// bit says so.
  private let folded: [UInt64]

  /// A calendar of the caller's own data.
  ///
  /// - Parameters:
  ///   - holidays: In any order; those outside `known` are kept but never asked for.
  ///   - known: The first and last day for which they are all there are.
  public init(_ holidays: [Holiday], known: ClosedRange<Int>) {
    self.holidays = holidays.sorted { ($0.day, $0.name) < ($1.day, $1.name) }
    self.known = known
    var folded = [UInt64](repeating: 0, count: 256)
    for holiday in holidays { folded[Self.word(holiday.day)] |= Self.bit(holiday.day) }
    self.folded = folded
  }

  private static func word(_ day: Int) -> Int { day >> 6 & 255 }
  private static func bit(_ day: Int) -> UInt64 { 1 &<< UInt64(day & 63) }

  /// A calendar of whole years.
  public init(_ holidays: [Holiday], knownYears: ClosedRange<Int>) {
    self.init(
      holidays,
      known: CivilDay.number(
        knownYears.lowerBound, 1, 1)...CivilDay.number(
          knownYears.upperBound, 12, 31))
  }

  /// This calendar with more holidays, complete for more days if so said: a temporary holiday, a
  /// town's own.
  public func adding(_ more: [Holiday], known: ClosedRange<Int>? = nil) -> HolidayCalendar {
    HolidayCalendar(holidays + more, known: known ?? self.known)
  }

  /// Whether the calendar is complete for a day.
  public func knows(day: Int) -> Bool { known.contains(day) }

  /// Whether a day is a holiday, as far as the calendar knows.
  public func contains(day: Int) -> Bool {
    guard folded[Self.word(day)] & Self.bit(day) != 0 else { return false }
    var (low, high) = (0, holidays.count)
    while low < high {
      let middle = (low + high) / 2
      if holidays[middle].day < day { low = middle + 1 } else { high = middle }
    }
    return low < holidays.count && holidays[low].day == day
  }

  /// The names of a day's holidays.
  public func names(on day: Int) -> [String] {
    holidays.filter { $0.day == day }.map(\.name)
  }

  /// The calendar of a country by its ISO 3166 code, and of a part of it; nil where the program has
  /// none.
  ///
  /// - Parameters:
  ///   - country: `KR`, `JP` or `DE`, in either case.
  ///   - region: For `DE`, a state such as `BW` or `DE-BW`; nil for the nationwide holidays. The
  ///     holidays of the other two are the same throughout, so any part of them is accepted.
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

  /// The years of the calendars that come with the program.
  static let shippedYears = 2005...2035
}
