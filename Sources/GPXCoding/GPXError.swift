import Geodesy

/// An error in a GPX text, and where.
public struct GPXError: CodedError, Hashable {
  /// The kind of error; its raw value is the `code`.
  public enum Reason: String, CaseIterable, Sendable {
    /// The text is empty.
    case emptyInput = "empty-input"
    /// The text is not XML.
    case syntax = "xml-syntax"
    /// The text ends before its elements do.
    case cutOff = "xml-cut-off"
    /// The text declares a document type, whose entities could exhaust memory.
    case documentType = "xml-doctype"
    /// The bytes do not match their declared encoding, or the encoding is unknown.
    case encoding = "encoding"
    /// The outermost element is not `gpx`.
    case root = "gpx-root"
  }

  /// The kind of error.
  public let reason: Reason
  /// What is wrong and what to do, in one lower-case sentence without the location.
  public let message: String
  /// The line of the error, from 1.
  public let line: Int
  /// The column in that line, from 1, in bytes.
  public let column: Int
  /// The number of bytes before the error.
  public let byteOffset: Int

  /// The code, such as `xml-syntax`; the raw value of `reason`.
  public var code: String { reason.rawValue }

  /// The location and the message, as `line 3, column 17 (byte 88): …`.
  public var description: String {
    "line \(line), column \(column) (byte \(byteOffset)): \(message)"
  }
}
