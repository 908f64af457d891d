import Geodesy

/// Why a text is no GPX, and where.
public struct GPXError: CodedError, Hashable {
  /// The kind of mistake; its raw value is the `code`.
  public enum Reason: String, CaseIterable, Sendable {
    /// There is nothing in it.
    case emptyInput = "empty-input"
    /// The text is not XML.
    case syntax = "xml-syntax"
    /// It declares a document type, in which entities could be defined that fill the memory.
    case documentType = "xml-doctype"
    /// The bytes are not in the encoding they claim, or that is not known.
    case encoding = "encoding"
    /// The outermost element is not `gpx`.
    case root = "gpx-root"
  }

  /// Which mistake it is.
  public let reason: Reason
  /// What is wrong and what to do, in one lower-case sentence without the place.
  public let message: String
  /// The line of the mistake, from 1.
  public let line: Int
  /// The place in that line, from 1, in bytes.
  public let column: Int
  /// How many bytes stand before it.
  public let byteOffset: Int

  /// The mistake's name, as `xml-syntax`; that of `reason`.
  public var code: String { reason.rawValue }

  /// The place and the message, as `line 3, column 17 (byte 88): …`.
  public var description: String {
    "line \(line), column \(column) (byte \(byteOffset)): \(message)"
  }
}
