import Geodesy

/// An error in an opening-hours value: what is wrong, where, and what to write instead.
public struct HoursError: CodedError, Hashable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The value is empty.
    case empty
    /// The value is longer than ``OpeningHours/maximumLength`` bytes.
    case tooLong(bytes: Int)
    /// The value has more rules than ``OpeningHours/maximumRules``, or more parts than a rule holds.
    case tooManyParts(limit: Int)
    /// The parser expected something else here.
    case expected(String, found: String)
    /// A number or date that does not exist.
    case outOfRange(String, value: String)
    /// The text has more than one meaning.
    case ambiguous(String, remedy: String)
    /// The rules need a holiday calendar that was not given.
    case holidaysUnknown(kind: String)
  }

  /// What is wrong.
  public var reason: Reason
  /// The character position of the error, from 1.
  public var column: Int

  /// The code: `hours-syntax` or `holidays-unknown`.
  public var code: String {
    if case .holidaysUnknown = reason { "holidays-unknown" } else { "hours-syntax" }
  }

  /// One sentence whose last words say what to do.
  public var description: String {
    switch reason {
    case .empty: "the opening hours are empty; leave the value out or write 24/7"
    case .tooLong(let bytes):
      "the opening hours have \(bytes) bytes; write at most \(OpeningHours.maximumLength)"
    case .tooManyParts(let limit):
      "too many parts at column \(column); write at most \(limit)"
    case .expected(let expected, let found):
      "column \(column) holds \(found); write \(expected)"
    case .outOfRange(let range, let value):
      "column \(column) holds \(value); write \(range)"
    case .ambiguous(let what, let remedy): "column \(column): \(what); write \(remedy)"
    case .holidaysUnknown(let kind):
      "the rules need the \(kind) holidays of the place; "
        + (kind == "public"
          ? "give its country, KR, JP or DE, and for DE no region or a state such as BW; or leave PH out"
          : "no country's are built in; leave SH out")
    }
  }
}

/// A nonstandard spelling with only one meaning, or a rule that is hardly meant as it is read; both were accepted.
public struct HoursWarning: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a spelling or rule, as the words that describe it.
  public enum Kind: String, Hashable, Sendable {
    /// A word with other letter case, or a longer name: `mon` for `Mo`.
    case wordForm = "a word not spelled as specified"
    /// A dash, colon, digit or space outside ASCII.
    case characterForm = "a character read as its ASCII form"
    /// An hour with one digit.
    case hourOfOneDigit = "an hour of one digit"
    /// Minutes after a dot instead of a colon, or no minutes.
    case minuteForm = "a time without a colon"
    /// A time on the 12-hour clock.
    case twelveHours = "a clock of twelve hours"
    /// Parts of a rule in an unusual order.
    case order = "parts in an unusual order"
    /// An empty rule.
    case emptyRule = "an empty rule"
    /// A last day that the month does not have; read as the last day of the month.
    case dayBeyondMonth = "a day that the month does not have, read as its last"
    /// A range of days that ends before it starts; read as ending in the next month.
    case pastMonthEnd = "days that end before they start, read into the next month"
    /// A span that ends with its first day or year: `Jan 5-5`, `2026-2026`.
    case spanOfOne = "a span of one day or year"
    /// A step of one, which has no effect.
    case stepOfOne = "a step of one"
    /// Single times, which do not say how long the place is open.
    case singleTimes = "single times, of unknown length"
    /// A colon after the days.
    case colon = "a colon after the days"
    /// Two time spans separated only by a space.
    case blankBetweenSpans = "a blank between two spans, read as a comma"
    /// An open end after 48:00, two days later; read like any other open end.
    case openEndAfterTwoDays = "an open end two days after it opened, read as eight hours more"
    /// A rule that applies on all days of an earlier one, which therefore has no effect: `11:30-14:30; 17:30-23:00`.
    case replacement =
      "a rule that replaces all of an earlier one; to keep both, write \",\" or \"||\" before it, or write it first"
    /// A closing rule with one time span within another, `08:00-18:00, 12:00-13:00 off`, or with several in a value
    /// that never opens.
    case closedTimes =
      "times that are all closed; to open the others, write \";\" before those that are closed"
    /// A month and days of another month: `Jul Aug 15`.
    case noDay =
      "days of different months, none of which is in both; write \",\" or \";\" between them"
    /// Years whose digits may be times without colons: `10:00-12:00; 2000-2200`.
    case yearOrTime = "digits read as years, which may be times; write times as 20:00-22:00"

    /// Whether the kind is of a spelling; the others are of what the rules mean.
    package var isOfSpelling: Bool {
      ![.replacement, .closedTimes, .noDay, .yearOrTime].contains(self)
    }
  }

  /// The kind of spelling or rule.
  public var kind: Kind
  /// The character position, from 1.
  public var column: Int

  /// A short sentence.
  public var description: String { "column \(column): \(kind.rawValue)" }
}
