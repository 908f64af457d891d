import Geodesy
import MapAnnotations

/// Writes features as GeoJSON (RFC 7946), one by one.
///
///     var writer = GeoJSONWriter(.featureCollection)
///     writer.begin()
///     for feature in features {
///       writer.write(feature)
///       send(writer.takeBytes())
///     }
///     writer.end()
///     send(writer.takeBytes())
///
/// The same features give the same bytes. Each feature is on its own line.
public struct GeoJSONWriter: Sendable {
  /// How the features are arranged.
  public enum Format: Hashable, Sendable {
    /// One feature collection.
    case featureCollection
    /// One feature on each line; with separators, each after byte 0x1E (RFC 8142).
    case sequence(recordSeparators: Bool)
  }

  /// How the features are arranged.
  public let format: Format
  private var json = JSONWriter()

  /// Makes a writer with an empty buffer.
  public init(_ format: Format) {
    self.format = format
  }

  /// The bytes written since `takeBytes()` was last called.
  public var bytes: [UInt8] { json.bytes }

  /// Returns and clears the bytes written so far.
  public mutating func takeBytes() -> [UInt8] {
    defer { json.removeAll() }
    return json.bytes
  }

  /// Writes the text before the first feature; nothing in a sequence.
  ///
  /// - Parameters:
  ///   - bbox: The box around all features; see `BoundingBox.init(around:)`.
  ///   - members: Further members of the collection, such as `validRadius`; their names must not be
  ///     those of RFC 7946.
  public mutating func begin(bbox: BoundingBox? = nil, members: Properties = Properties()) {
    guard format == .featureCollection else { return }
    json.beginObject()
    json.member("type", "FeatureCollection")
    if let bbox { json.bbox(bbox.edges) }
    json.members(members)
    json.name("features")
    json.beginArray()
  }

  /// Writes a feature.
  public mutating func write(_ feature: Feature) {
    switch format {
    case .featureCollection:
      json.breakLine()
      json.feature(feature)
    case .sequence(let recordSeparators):
      if recordSeparators { json.separateRecord() }
      json.feature(feature)
      json.endLine()
    }
  }

  /// Writes the text after the last feature; nothing in a sequence.
  public mutating func end() {
    guard format == .featureCollection else { return }
    json.endArray()
    json.endObject()
    json.endLine()
  }

  /// Features as one text.
  public static func bytes(
    of features: some Sequence<Feature>, as format: Format = .featureCollection,
    bbox: BoundingBox? = nil, members: Properties = Properties()
  ) -> [UInt8] {
    var writer = GeoJSONWriter(format)
    writer.begin(bbox: bbox, members: members)
    for feature in features { writer.write(feature) }
    writer.end()
    return writer.takeBytes()
  }
}
