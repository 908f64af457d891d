/// A part of a written text that leaves something undecided, in its own words.
public struct WrittenDoubt: Hashable, Sendable, CustomStringConvertible {
  /// What is undecided.
  public enum Kind: Hashable, Sendable {
    /// The words were not understood.
    case notUnderstood
    /// The words have two meanings; days on which these differ are *unknown*.
    case ambiguous
    /// The words mention days without giving dates.
    case notDated
    /// The words close the place for a part of a day.
    case partOfDay
    /// The words name holidays, some of which fall on a Sunday, and do not say what applies then.
    case sundays
    /// The words give empty times, such as `00:00~00:00`.
    case emptyTimes
    /// A date is given with a wrong weekday: `2026-12-13 (월)`.
    case otherWeekday
    /// Two parts contradict each other.
    case contradiction
  }

  /// The original words.
  public var text: String
  /// The character position at which the words begin, from 1.
  public var column: Int
  /// What is undecided.
  public var kind: Kind

  /// One sentence.
  public var description: String {
    let what =
      switch kind {
      case .notUnderstood: "was not understood"
      case .ambiguous: "can be read in two ways"
      case .notDated: "does not say which days"
      case .partOfDay: "closes a part of a day that it does not time"
      case .sundays: "does not say what applies on Sundays"
      case .emptyTimes: "may mean all day or not at all"
      case .otherWeekday: "has a date and a weekday that do not fit; correct one of the two"
      case .contradiction: "contradicts the rest"
      }
    return "column \(column): \"\(text)\" \(what)"
  }
}

/// Comments of rules; removes quotation marks, which would end the comment.
enum HoursComment {
  static let maximumLength = 80

  static func cleaned(_ text: String) -> String {
    var view = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where view.count < maximumLength {
      view.append(scalar == "\"" ? "'" : scalar.value < 0x20 ? " " : scalar)
    }
    return String(view)
  }
}
