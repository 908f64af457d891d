import Geodesy

/// What is wrong with a condition, and where in its text.
///
///     do { … } catch { print("\(error.column): \(error.message)") }
public struct ConditionError: CodedError, Hashable {
  /// The kind of mistake; its raw value is the `code`.
  public enum Reason: String, CaseIterable, Sendable {
    /// The text is not valid syntax.
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

  /// The kind of mistake.
  public let reason: Reason
  /// What is wrong and what to do, in one lower-case sentence without the column.
  public let message: String
  /// The column in the text, from 1, in Unicode scalars; 0 for a condition that was made in code.
  public let column: Int

  init(_ reason: Reason, _ message: String, column: Int) {
    self.reason = reason
    self.message = message
    self.column = column
  }

  /// The error code, such as `where-syntax`: the raw value of `reason`.
  public var code: String { reason.rawValue }

  /// The column, if there is a text, and the message: `column 8: …`.
  public var description: String { column > 0 ? "column \(column): \(message)" : message }
}
