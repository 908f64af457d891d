import MapAnnotations

/// One feature of a GeoJSON text, or the reason why it is invalid, and its location.
public struct GeoJSONRecord: Hashable, Sendable {
  /// The number of the record, from 1, invalid ones included.
  public let number: Int
  /// The feature, or its first error; a bare geometry becomes a feature with null properties.
  public let feature: Result<Feature, GeoJSONError>
  /// The bytes of the record in the input, without white space around it.
  public let byteRange: Range<Int>
  /// The line where the record begins, from 1.
  public let line: Int
  /// How many rings did not end where they start, against RFC 7946 §3.1.6; they were closed.
  public let closedRings: Int
}

/// A record whose feature is not decoded yet; see `ScannedFeature`.
package struct ScannedRecord {
  /// The number of the record, from 1, invalid ones included.
  package let number: Int
  /// The feature, or its first error.
  package let feature: Result<ScannedFeature, GeoJSONError>
  /// The bytes of the record in the input, without white space around it.
  package let byteRange: Range<Int>
  /// The line where the record begins, from 1.
  package let line: Int
  /// How many rings did not end where they start; they were closed.
  package let closedRings: Int

  /// Makes a record, possibly with a feature from another reader.
  package init(
    number: Int, feature: Result<ScannedFeature, GeoJSONError>, byteRange: Range<Int>, line: Int,
    closedRings: Int = 0
  ) {
    self.number = number
    self.feature = feature
    self.byteRange = byteRange
    self.line = line
    self.closedRings = closedRings
  }
}

/// The content of a GeoJSON text outside its features.
public struct GeoJSONDocument: Hashable, Sendable {
  /// The overall form of the text.
  public enum Form: Hashable, Sendable {
    case featureCollection, feature, geometry
    /// A sequence of features (RFC 8142, or one on each line).
    case sequence
  }

  /// One collection, feature or geometry, or several in a sequence.
  public internal(set) var form: Form
  /// The number of records, invalid ones included.
  public internal(set) var recordCount = 0
  /// The collection's `bbox`, four or six numbers; nil if it has none.
  public internal(set) var bbox: [Double]?
  /// The collection's members outside RFC 7946, such as the older `crs`; empty for the other forms,
  /// whose foreign members belong to their features.
  public internal(set) var foreignMembers = Properties()
  /// The first `crs` of the older GeoJSON of 2008 that is not WGS 84, wherever it is: also in a
  /// feature or a geometry.
  package internal(set) var firstCRS: PropertyValue?
  /// Whether the text was read to its end; false if the receiver stopped.
  public internal(set) var isComplete = true
}
