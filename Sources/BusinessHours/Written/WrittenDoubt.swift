/// A part of a written text that leaves something undecided, in its own words.
public struct WrittenDoubt: Hashable, Sendable, CustomStringConvertible {
  /// What is undecided, as words about the text.
  public enum Kind: String, Hashable, Sendable {
    /// The words were not understood.
    case notUnderstood = "was not understood"
    /// The words have two meanings; days on which these differ are *unknown*.
    case ambiguous = "can be read in two ways"
    /// The words mention days without giving dates.
    case notDated = "does not say which days"
    /// A time may be on a clock of twelve hours: `5:00~9:00`.
    case halfOfDay = "may be in the morning or in the evening"
    /// The words close the place for a part of a day.
    case partOfDay = "closes a part of a day that it does not time"
    /// The words name holidays, some of which fall on a Sunday, and do not say what applies then.
    case sundays = "does not say what applies on Sundays"
    /// The words give empty times, such as `00:00~00:00`.
    case emptyTimes = "may mean all day or not at all"
    /// A date is given with a wrong weekday: `2026-12-13 (월)`.
    case otherWeekday = "has a date and a weekday that do not fit; correct one of the two"
    /// Two parts contradict each other.
    case contradiction = "contradicts the rest"
  }

  /// The original words.
  public var text: String
  /// The character position at which the words begin, from 1.
  public var column = 1
  /// What is undecided.
  public var kind: Kind

  /// One sentence.
  public var description: String {
    "column \(column): \"\(text)\" \(kind.rawValue)"
  }
}

/// Comments of rules; removes quotation marks, which would end the comment.
enum HoursComment {
  static let maximumLength = 80

  static func cleaned(_ text: String) -> String {
    var view = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(maximumLength) {
      view.append(scalar == "\"" ? "'" : scalar.value < 0x20 ? " " : scalar)
    }
    return String(view)
  }
}
