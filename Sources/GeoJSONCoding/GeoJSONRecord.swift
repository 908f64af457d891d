import MapAnnotations

/// One feature of a GeoJSON text, or the reason why it could not be read, and where it is.
public struct GeoJSONRecord: Hashable, Sendable {
  /// Counted from 1, bad ones included.
  public let number: Int
  /// The feature, or its first mistake; a bare geometry is a feature with null properties.
  public let feature: Result<Feature, GeoJSONError>
  /// The bytes of the record in the input, white space around it left out.
  public let byteRange: Range<Int>
  /// The line where the record begins, from 1.
  public let line: Int
  /// How many rings of its geometry did not end where they start, as RFC 7946 §3.1.6 asks; they are closed.
  public let closedRings: Int

  init(
    number: Int, feature: Result<Feature, GeoJSONError>, byteRange: Range<Int>, line: Int,
    closedRings: Int = 0
  ) {
    self.number = number
    self.feature = feature
    self.byteRange = byteRange
    self.line = line
    self.closedRings = closedRings
  }

  /// A record that was made of something else than GeoJSON.
  package init(number: Int, feature: Feature, byteRange: Range<Int>, line: Int) {
    self.init(number: number, feature: .success(feature), byteRange: byteRange, line: line)
  }
}

/// A record whose feature is not taken apart yet; see `ScannedFeature`.
package struct ScannedRecord {
  /// Counted from 1, bad ones included.
  package let number: Int
  /// The feature, or its first mistake.
  package let feature: Result<ScannedFeature, GeoJSONError>
  /// The bytes of the record in the input, white space around it left out.
  package let byteRange: Range<Int>
  /// The line where the record begins, from 1.
  package let line: Int
  /// How many rings of its geometry did not end where they start; they are closed.
  package let closedRings: Int

  /// A record, which may be one that another reader has made a feature of.
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

/// What a GeoJSON text says outside its features.
public struct GeoJSONDocument: Hashable, Sendable {
  /// What the text is as a whole.
  public enum Form: Hashable, Sendable {
    case featureCollection, feature, geometry
    /// Features one after the other (RFC 8142, or one on a line).
    case sequence
  }

  /// One collection, feature or geometry, or several in a sequence.
  public let form: Form
  /// How many records were delivered, bad ones included.
  public let recordCount: Int
  /// The collection's `bbox`, four or six numbers; nil when it has none.
  public let bbox: [Double]?
  /// The collection's members that RFC 7946 does not name, `crs` of the older GeoJSON among them;
  /// empty for the other forms, whose foreign members are their features' own.
  public let foreignMembers: Properties
  /// Whether the text was read to its end; false after the receiver said `stop`.
  public let isComplete: Bool
}
