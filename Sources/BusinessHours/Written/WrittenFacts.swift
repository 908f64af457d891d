/// What a written text says, before it is a value.
struct WrittenFacts {
  /// Times of some days.
  struct Hours {
    /// Bit 0 is Monday; all seven where no days are named.
    var weekdays: UInt8 = 0x7F
    var includesHolidays = false
    /// `평일`: the weekdays but for public holidays.
    var excludesHolidays = false
    var namesDays = false
    /// Set off by a part of the day, so that it adds to the other times of its days.
    var isPartOfDay = false
    var times: [TimeSpan] = []
  }

  /// Days that are named, most often to close on them.
  struct Item {
    enum Days: Equatable {
      case weekdays(UInt8, nths: UInt16)
      case publicHolidays
      case substitutes
      case nationalDays
      case feast(KoreanFeast, holidays: Bool, dayAlone: Bool, includesSubstitutes: Bool)
      case dates([DateRange])
      case daysOfMonth([Int])
      case newYear(isYearEnd: Bool)
      case bon
      /// Public holidays on certain weekdays.
      case holidaysOn(UInt8)
    }
    /// What is said of Sundays beside public holidays.
    enum Sundays {
      case notSaid
      /// Holidays but for Sundays; of holidays on a Sunday nothing is said.
      case excepted
      /// Holidays but for Sundays, unless another holiday is on the Sunday.
      case exceptedAlone
      /// Sundays along with the holidays, or holidays even on Sundays.
      case included
    }
    /// What becomes of a weekday that is a public holiday.
    enum OnHoliday {
      case open, nextDay
    }
    var days: Days
    var place: Range<Int>
    var sundays = Sundays.notSaid
    /// Holidays by the Korean decree, whose first is every Sunday.
    var isOfDecree = false
    var onHoliday: OnHoliday?
    /// `평일`, `平日`.
    var excludesHolidays = false
    /// The weekday that these dates must have, as its bit; 0 where none is said.
    ///
    /// `12/13(일)` is of the years in which 13 December is a Sunday.
    var onWeekday: UInt8 = 0
    /// Which of these days is not certain.
    var isUncertain = false
    /// The nths may or may not hold for these weekdays.
    var hasDoubtfulNths = false
  }

  var hours: [Hours] = []
  /// The only days on which the place opens.
  var openDays: [Item] = []
  var closings: [Item] = []
  /// Dates on which it opens all the same.
  var asUsual: [Item] = []
  var doubts: [WrittenDoubt] = []
  /// A part was not understood that may close more days.
  var mayCloseMore = false
  /// A part was not understood that may change anything.
  var mayBeOtherwise = false
  /// Days that are announced when they come.
  var announced: String?
  /// Shut until further notice.
  var shut: String?
  /// Whether anything at all was said of hours or days.
  var saysSomething = false
}
