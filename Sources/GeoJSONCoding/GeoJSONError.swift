import Geodesy

/// An error in a GeoJSON text, and where.
///
///     do { … } catch { print("shops.geojson:\(error.line):\(error.column): \(error.message)") }
public struct GeoJSONError: CodedError, Hashable {
  /// The kind of error; its raw value is the `code`.
  public enum Reason: String, CaseIterable, Sendable {
    /// The text has only white space.
    case emptyInput = "empty-input"
    /// The bytes are not UTF-8.
    case encoding = "encoding"
    /// The text is not JSON (RFC 8259).
    case syntax = "json-syntax"
    /// Arrays and objects are nested too deeply.
    case depth = "json-depth"
    /// A feature, a row, or the members outside the features have too many values or positions.
    case size = "json-size"
    /// A `type` is missing, is not a string, or is not allowed there.
    case type = "geojson-type"
    /// A required member is missing, or a forbidden one is present.
    case member = "geojson-member"
    /// An object repeats a member name.
    case duplicateMember = "geojson-duplicate-member"
    /// A position is not at least two numbers, or an array has the wrong nesting depth.
    case coordinates = "geojson-coordinates"
    /// A line has only one position.
    case line = "geojson-line"
    /// A ring has fewer than four positions, including its end, or ends at a different altitude.
    case ring = "geojson-ring"
    /// A geometry collection contains another one.
    case nestedCollection = "geojson-nested-collection"
    /// A `bbox` is not four or six numbers.
    case box = "geojson-bbox"
    /// An `id` is neither a string nor a number.
    case id = "geojson-id"
    /// `properties` is neither an object nor null.
    case properties = "geojson-properties"
  }

  /// The kind of error.
  public let reason: Reason
  /// What is wrong and what to do, in one lower-case sentence without the location.
  public let message: String
  /// The number of bytes before the error.
  public let byteOffset: Int
  /// The line of the error, from 1; lines end with a line feed.
  public let line: Int
  /// The column in that line, from 1, in Unicode scalars.
  public let column: Int

  /// The code, such as `geojson-ring`; the raw value of `reason`.
  public var code: String { reason.rawValue }

  /// The location and the message, as `line 3, column 17 (byte 88): …`.
  public var description: String {
    "line \(line), column \(column) (byte \(byteOffset)): \(message)"
  }
}
