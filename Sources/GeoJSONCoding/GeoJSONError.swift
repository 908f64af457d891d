import Geodesy

/// What is wrong with a text that should be GeoJSON, and where.
///
///     do { … } catch { print("shops.geojson:\(error.line):\(error.column): \(error.message)") }
public struct GeoJSONError: CodedError, Hashable {
  /// The kind of mistake; its raw value is the `code`.
  public enum Reason: String, CaseIterable, Sendable {
    /// There is nothing but white space.
    case emptyInput = "empty-input"
    /// The bytes are not UTF-8.
    case encoding = "encoding"
    /// The text is not JSON (RFC 8259).
    case syntax = "json-syntax"
    /// Arrays and objects are nested too deep.
    case depth = "json-depth"
    /// A feature, a row, or what stands beside the features, holds more values or positions than are
    /// read.
    case size = "json-size"
    /// A `type` is missing, is not a string, or names nothing that may stand there.
    case type = "geojson-type"
    /// A member that must be there is missing, or one that must not be is there.
    case member = "geojson-member"
    /// An object names a member twice.
    case duplicateMember = "geojson-duplicate-member"
    /// A position is not two or more numbers, or an array is nested too deep or not deep enough.
    case coordinates = "geojson-coordinates"
    /// A line has a single position.
    case line = "geojson-line"
    /// A ring has fewer than four positions, its end included, or ends at another altitude than it starts.
    case ring = "geojson-ring"
    /// A geometry collection holds another.
    case nestedCollection = "geojson-nested-collection"
    /// A `bbox` is not four or six numbers.
    case box = "geojson-bbox"
    /// An `id` is neither a string nor a number.
    case id = "geojson-id"
    /// `properties` is neither an object nor null.
    case properties = "geojson-properties"
  }

  /// Which mistake it is.
  public let reason: Reason
  /// What is wrong and what to do, in one lower-case sentence without the place.
  public let message: String
  /// How many bytes stand before the mistake.
  public let byteOffset: Int
  /// The line of the mistake, from 1; lines end with a line feed.
  public let line: Int
  /// The place in that line, from 1, in Unicode scalars.
  public let column: Int

  /// The mistake's name, as `geojson-ring`; that of `reason`.
  public var code: String { reason.rawValue }

  /// The place and the message, as `line 3, column 17 (byte 88): …`.
  public var description: String {
    "line \(line), column \(column) (byte \(byteOffset)): \(message)"
  }
}
