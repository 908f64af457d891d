import Geodesy

/// What is wrong with a condition, and where in its text.
///
///     do { … } catch { print("\(error.column): \(error.message)") }
public struct ConditionError: CodedError, Hashable {
  /// The kind of mistake; its raw value is the `code`.
  public enum Reason: String, CaseIterable, Sendable {
    /// The text is not in the language.
    case syntax = "where-syntax"
    /// Values that cannot be compared: a number with a text, the name with a number.
    case type = "where-type"
    /// No annotation has a field of that name.
    case field = "where-field"
    /// The condition uses the distance, and the query has no origin.
    case position = "missing-position"
    /// Nested deeper than `Condition.depthLimit`.
    case depth = "where-depth"
    /// Longer than `Condition.lengthLimit`.
    case length = "where-length"
  }

  /// Which mistake it is.
  public let reason: Reason
  /// What is wrong and what to do, in one lower-case sentence without the place.
  public let message: String
  /// The place in the text, from 1, in Unicode scalars.
  public let column: Int

  init(_ reason: Reason, _ message: String, column: Int) {
    self.reason = reason
    self.message = message
    self.column = column
  }

  /// The mistake's name, as `where-syntax`; that of `reason`.
  public var code: String { reason.rawValue }

  /// The place and the message, as `column 8: …`.
  public var description: String { "column \(column): \(message)" }
}
