import Geodesy

/// Writes the points of one track as a GPX 1.1 file, one by one.
///
///     var writer = GPXTrackWriter()
///     writer.begin()
///     for point in points { writer.write(point.coordinate, part: point.part, time: point.time) }
///     writer.end()
///
/// A point of another part begins a new segment. Accuracies go into `extensions`, GPX's element for
/// other data, and are read back from there.
public struct GPXTrackWriter: Sendable {
  /// The bytes written since `takeBytes()` was last called.
  public private(set) var bytes: [UInt8] = []
  private var part: Int?

  /// Makes a writer with an empty buffer.
  public init() {}

  /// Returns and clears the bytes written so far.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes the text before the first point.
  public mutating func begin() {
    append(GPXWriter.head)
    append("<trk>\n")
  }

  /// Writes a point.
  ///
  /// - Parameters:
  ///   - coordinate: The position.
  ///   - part: The number of the unbroken part of the track.
  ///   - elevation: Meters above sea level.
  ///   - time: Seconds since 1970 in UTC; written in whole milliseconds, and only for years of four
  ///     digits.
  ///   - accuracy: In meters.
  public mutating func write(
    _ coordinate: Coordinate, part: Int, elevation: Double? = nil, time: Double? = nil,
    accuracy: Double? = nil
  ) {
    if part != self.part {
      append(self.part == nil ? "<trkseg>\n" : "</trkseg>\n<trkseg>\n")
      self.part = part
    }
    append("<trkpt lat=\"\(plainDecimal(coordinate.latitude))\"")
    append(" lon=\"\(plainDecimal(coordinate.longitude))\">")
    if let elevation, elevation.isFinite { append("<ele>\(plainDecimal(elevation))</ele>") }
    if let time = time.flatMap(GPXTime.text) { append("<time>\(time)</time>") }
    if let accuracy, accuracy.isFinite {
      append(
        "<extensions><nearby:accuracy>\(plainDecimal(accuracy))</nearby:accuracy></extensions>")
    }
    append("</trkpt>\n")
  }

  /// Writes the text after the last point.
  public mutating func end() {
    if part != nil { append("</trkseg>\n") }
    append("</trk>\n</gpx>\n")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
