import BusinessHours

extension CalendarDate {
  /// Days since 1970-01-01, as in `LocalTime.day`.
  public var dayNumber: Int { LocalTime(year: year, month: month, day: day).day }

  /// Makes a day from its days since 1970-01-01; nil outside the years 1 to 9999.
  public init?(dayNumber: Int) {
    // The first and the last day of these years.
    guard (-719_162...2_932_896).contains(dayNumber) else { return nil }
    let date = LocalTime(day: dayNumber, secondOfDay: 0).date
    self.init(year: date.year, month: date.month, day: date.day)
  }

  /// The day a number of days later; nil outside the years 1 to 9999.
  public func adding(days: Int) -> CalendarDate? {
    let (sum, overflows) = dayNumber.addingReportingOverflow(days)
    return overflows ? nil : CalendarDate(dayNumber: sum)
  }

  /// The weekday, 0 for Monday to 6 for Sunday.
  public var weekday: Int { CivilDay.weekday(dayNumber) }

  /// The last day of its month.
  public var endOfMonth: CalendarDate {
    CalendarDate(year: year, month: month, day: CivilDay.daysInMonth(year, month)) ?? self
  }

  /// The days of its month, as on a calendar page.
  public var wholeMonth: ClosedRange<CalendarDate> {
    (CalendarDate(year: year, month: month, day: 1) ?? self)...endOfMonth
  }
}
