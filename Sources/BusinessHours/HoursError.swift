import Geodesy

/// Why an opening-hours value cannot be used: what is wrong, where, and what to write instead.
public struct HoursError: CodedError, Hashable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// Nothing is in the value.
    case empty
    /// The value is longer than ``OpeningHours/maximumLength`` bytes.
    case tooLong(bytes: Int)
    /// The value has more rules than ``OpeningHours/maximumRules``, or more parts than a rule holds.
    case tooManyParts(limit: Int)
    /// Something else was to stand here.
    case expected(String, found: String)
    /// A number or date that does not exist.
    case outOfRange(String, value: String)
    /// It can be read in more than one way.
    case ambiguous(String, remedy: String)
    /// The rules need holidays that nobody gave.
    case holidaysUnknown(kind: String)
  }

  /// What is wrong.
  public var reason: Reason
  /// The character at which it is, from 1.
  public var column: Int

  /// `hours-syntax` or `holidays-unknown`.
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
      "the rules need the \(kind) holidays of the place; give a country the program knows"
    }
  }
}

/// A spelling that is not to the letter but has one meaning only, and was read so.
public struct HoursWarning: Hashable, Sendable, CustomStringConvertible {
  /// What was found.
  public enum Kind: Hashable, Sendable {
    /// A word in other letters, or a longer name: `mon` for `Mo`.
    case wordForm
    /// A dash, colon, digit or space from outside ASCII.
    case characterForm
    /// An hour of one digit.
    case hourOfOneDigit
    /// A dot or nothing in place of the colon and minutes.
    case minuteForm
    /// A clock of twelve hours.
    case twelveHours
    /// Parts of a rule in an unusual order.
    case order
    /// A rule without anything in it.
    case emptyRule
    /// A last day that the month does not have: its last day was taken.
    case dayBeyondMonth
    /// A day range that ends before it starts: it was taken into the next month.
    case pastMonthEnd
    /// A step of one, which says nothing.
    case stepOfOne
    /// Single times, which say nothing about how long.
    case singleTimes
    /// A colon after the days.
    case colon
    /// Two spans of times with nothing but a blank between them.
    case blankBetweenSpans
    /// An open end after 48:00, two days on: it was read as any other.
    case openEndAfterTwoDays
  }

  /// What was found.
  public var kind: Kind
  /// At which character, from 1.
  public var column: Int

  /// A short sentence.
  public var description: String {
    let what =
      switch kind {
      case .wordForm: "a word not spelled as specified"
      case .characterForm: "a character read as its ASCII form"
      case .hourOfOneDigit: "an hour of one digit"
      case .minuteForm: "a time without a colon"
      case .twelveHours: "a clock of twelve hours"
      case .order: "parts in an unusual order"
      case .emptyRule: "an empty rule"
      case .dayBeyondMonth: "a day that the month does not have, read as its last"
      case .pastMonthEnd: "days that end before they start, read into the next month"
      case .stepOfOne: "a step of one"
      case .singleTimes: "single times, of unknown length"
      case .colon: "a colon after the days"
      case .blankBetweenSpans: "a blank between two spans, read as a comma"
      case .openEndAfterTwoDays: "an open end two days after it opened, read as eight hours more"
      }
    return "column \(column): \(what)"
  }
}
