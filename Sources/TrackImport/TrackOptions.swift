import AnnotationImport

/// How a track is read, where the text does not tell.
public struct TrackOptions: Hashable, Sendable {
  /// What messages call the text: its file's name.
  public var source = "the track"
  /// The format; nil to tell it by the first bytes.
  public var format: TrackFormat?
  /// The column of latitudes in rows; nil to find it by its name, as the others.
  public var latitudeField: String?
  /// The column of longitudes.
  public var longitudeField: String?
  /// The column of times.
  public var timeField: String?
  /// The column of accuracies, in meters.
  public var accuracyField: String?
  /// Whether the first row names the columns; without it they are called `1`, `2`, ….
  public var hasHeader = true
  /// How many bytes may come out of a text packed with gzip.
  public var unpackingLimit = UnpackingLimit.standard

  /// Everything is detected from the text.
  public init() {}
}
