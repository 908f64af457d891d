import Geodesy

/// An error in a recurrence: what is wrong, where, and what to write instead.
public struct RecurrenceError: CodedError, Hashable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The text is longer than ``RecurrenceRule/maximumLength`` bytes.
    case tooLong(bytes: Int)
    /// A part is missing.
    case missing(String)
    /// A part is not defined in RFC 5545, or occurs twice.
    case unexpected(String)
    /// A value is not allowed for its part.
    case outOfRange(part: String, value: String, range: String)
    /// Two parts exclude each other.
    case excluded(String, with: String)
    /// There are more rules than ``Recurrence/maximumRules``.
    case tooManyRules
    /// The last occurrence of a count is beyond ``Recurrence/maximumSteps``.
    case countTooFar(Int)
  }

  /// What is wrong.
  public var reason: Reason

  static func outOfRange(
    _ part: String, _ value: some StringProtocol, _ range: String
  ) -> RecurrenceError {
    RecurrenceError(
      reason: .outOfRange(part: part, value: String(value.prefix(40)), range: range))
  }

  /// The code: `recurrence-syntax`, or `recurrence-limit` for a valid text beyond a limit.
  public var code: String {
    switch reason {
    case .tooLong, .tooManyRules, .countTooFar: "recurrence-limit"
    default: "recurrence-syntax"
    }
  }

  /// One sentence whose last words say what to do.
  public var description: String {
    switch reason {
    case .tooLong(let bytes):
      "the recurrence has \(bytes) bytes; write at most \(RecurrenceRule.maximumLength)"
    case .missing("DTSTART"):
      "the recurrence has no DTSTART; begin with one, such as DTSTART:20261122T090000"
    case .missing(let part): "the recurrence has no \(part); begin with FREQ=WEEKLY or the like"
    case .unexpected(let part):
      "the recurrence has \"\(part)\", which is unknown or appears twice; leave it out"
    case .outOfRange(let part, let value, let range):
      "\(part) holds \"\(value)\"; write \(range)"
    case .tooManyRules:
      "the recurrence has more than \(Recurrence.maximumRules) rules; write them as separate recurrences"
    case .countTooFar(let count):
      "COUNT=\(count) takes more than \(Recurrence.maximumSteps) days and occurrences to reach; write a smaller COUNT or UNTIL"
    case .excluded(let part, let other): "\(part) does not go with \(other); leave one out"
    }
  }
}
