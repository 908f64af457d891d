import Geodesy

/// Why a recurrence cannot be used: what is wrong, where, and what to write instead.
public struct RecurrenceError: CodedError, Hashable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The text is longer than ``RecurrenceRule/maximumLength`` bytes.
    case tooLong(bytes: Int)
    /// A part is missing.
    case missing(String)
    /// A part is none that RFC 5545 names, or is there twice.
    case unexpected(String)
    /// A value is not one that its part can have.
    case outOfRange(part: String, value: String, range: String)
    /// Two parts exclude each other.
    case excluded(String, with: String)
  }

  /// What is wrong.
  public var reason: Reason

  /// Always `recurrence-syntax`.
  public var code: String { "recurrence-syntax" }

  /// One sentence whose last words say what to do.
  public var description: String {
    switch reason {
    case .tooLong(let bytes):
      "the recurrence has \(bytes) bytes; write at most \(RecurrenceRule.maximumLength)"
    case .missing(let part): "the recurrence has no \(part); begin with FREQ=WEEKLY or the like"
    case .unexpected(let part):
      "the recurrence has \"\(part)\", which is no part or there twice; leave it out"
    case .outOfRange(let part, let value, let range):
      "\(part) holds \"\(value)\"; write \(range)"
    case .excluded(let part, let other): "\(part) does not go with \(other); leave one out"
    }
  }
}
