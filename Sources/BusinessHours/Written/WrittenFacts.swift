/// The facts read from a written text, before they become a value.
struct WrittenFacts {
  /// Opening times on some days.
  struct Hours {
    /// The weekdays; bit 0 is Monday, and all seven are set if no days are named.
    var weekdays: UInt8 = 0x7F
    /// Which of these weekdays in a month, as in ``WrittenWord/nths(_:)``; 0 for all of them.
    var nths: UInt16 = 0
    /// The months, as in ``WrittenWord/months(_:)``; 0 for the whole year.
    var months: UInt16 = 0
    var includesHolidays = false
    /// `평일`: weekdays except public holidays.
    var excludesHolidays = false
    var namesDays = false
    /// Whether a part of the day was named (lunch, dinner), so that these times add to others of the same days.
    var isPartOfDay = false
    var times: [TimeSpan] = []

    /// The weekdays that the words name.
    var namedWeekdays: UInt8 { namesDays ? weekdays : 0 }

    /// Whether these hours and others may be of one day.
    func mayShareDays(with other: Hours) -> Bool {
      // Bit 5 is the last of a month, which may be the fourth or the fifth.
      let areApart =
        nths != 0 && other.nths != 0 && (nths | other.nths) < 32 && nths & other.nths == 0
      return months == other.months && !areApart
    }
  }

  /// Named days, usually closing days.
  struct Item {
    enum Days: Equatable {
      case weekdays(UInt8, nths: UInt16 = 0)
      case publicHolidays
      case substitutes
      case nationalDays
      case feast(KoreanFeast, FeastDays, includesSubstitutes: Bool)
      case dates([DateRange])
      case daysOfMonth([Int])
      case newYear(isYearEnd: Bool)
      case bon
      /// Public holidays on certain weekdays.
      case holidaysOn(UInt8)
    }
    /// Which days of a feast are meant: all its holidays, or the day of the feast alone.
    enum FeastDays {
      case all, dayAlone, notSaid
    }
    /// How Sundays relate to public holidays.
    enum Sundays {
      case notSaid
      /// Holidays except Sundays; holidays on a Sunday are not mentioned.
      case excepted
      /// Holidays except Sundays, unless another holiday falls on the Sunday.
      case exceptedAlone
      /// Holidays and Sundays, or holidays even on Sundays.
      case included
    }
    /// What happens when a closing weekday is a public holiday.
    enum OnHoliday: Equatable {
      case open
      /// It closes on the next day or workday instead, in the text's own words.
      case next(isWorkday: Bool, words: String)
    }
    var days: Days
    var place: Range<Int>
    var sundays = Sundays.notSaid
    /// Whether these are holidays by the Korean decree, which lists every Sunday first.
    var isOfDecree = false
    var onHoliday: OnHoliday?
    /// `평일`, `平日`: weekdays except public holidays.
    var excludesHolidays = false
    /// The weekday that these dates must fall on, as its bit; 0 for none.
    ///
    /// `12/13(일)` applies to years in which 13 December is a Sunday.
    var onWeekday: UInt8 = 0
    /// Whether it is uncertain which of these days are meant.
    var isUncertain = false
    /// Whether it is uncertain that the nths apply to these weekdays.
    var hasDoubtfulNths = false

    var isOfWeekdays: Bool { if case .weekdays = days { true } else { false } }

    /// The weekdays that are certainly meant in every week, holidays or not.
    var certainWeekdays: UInt8 {
      guard case .weekdays(let days, nths: 0) = days, !isUncertain, onHoliday == nil,
        !hasDoubtfulNths
      else { return 0 }
      return days
    }
  }

  var hours: [Hours] = []
  /// The months of which a text with the hours of others says nothing.
  var otherMonths: UInt16 = 0
  /// The only days on which the place opens.
  var openDays: [Item] = []
  var closings: [Item] = []
  /// Dates on which the place opens as usual.
  var asUsual: [Item] = []
  var doubts: [WrittenDoubt] = []
  /// Whether a part that was not understood may close more days.
  var mayCloseMore = false
  /// Whether a part that was not understood may change anything.
  var mayBeOtherwise = false
  /// Whether words other than times and their weekdays may open days that another text closes.
  var mayOpenDays = false
  /// Words about closing days that are announced later.
  var announced: String?
  /// Words that say the place is shut until further notice.
  var shut: String?
  /// Whether the text says anything about hours or days.
  var saysSomething = false
}
