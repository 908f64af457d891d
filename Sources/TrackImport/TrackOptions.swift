import AnnotationImport

/// Options for reading a track, for what the text does not show.
public struct TrackOptions: Hashable, Sendable {
  /// The name of the text in messages: its file name.
  public var source = "the track"
  /// The format; nil to detect it from the first bytes.
  public var format: TrackFormat?
  /// The latitude column in rows; nil to find it by name, as for the others.
  public var latitudeField: String?
  /// The longitude column.
  public var longitudeField: String?
  /// The time column.
  public var timeField: String?
  /// The accuracy column, in meters.
  public var accuracyField: String?
  /// Whether the first row names the columns; otherwise they are called `1`, `2`, ….
  public var hasHeader = true
  /// The maximum unpacked size of a gzip text, in bytes.
  public var unpackingLimit = UnpackingLimit.standard

  /// Makes options that detect everything.
  public init() {}
}
