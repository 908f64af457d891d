import Geodesy

/// Writes the points of one track as a GPX 1.1 file, one by one.
///
///     var writer = GPXTrackWriter()
///     writer.begin()
///     for point in points { writer.write(point.coordinate, part: point.part, time: point.time) }
///     writer.end()
///
/// A point of another part begins a new segment. Accuracies stand in `extensions`, where GPX keeps
/// what it has no element for; they are read back from there.
public struct GPXTrackWriter: Sendable {
  /// What has been written since it was last taken.
  public private(set) var bytes: [UInt8] = []
  private var part: Int?

  /// Makes a writer that has written nothing yet.
  public init() {}

  /// Hands over what has been written since it was last taken.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes what stands before the first point.
  public mutating func begin() {
    append(GPXWriter.head)
    append("<trk>\n")
  }

  /// Writes a point.
  ///
  /// - Parameters:
  ///   - coordinate: Where it is.
  ///   - part: Which unbroken part of the track it belongs to.
  ///   - elevation: Meters above sea level.
  ///   - time: Seconds since 1970 in UTC; written in whole milliseconds, and only with four digits
  ///     of a year.
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

  /// Writes what stands behind the last point.
  public mutating func end() {
    if part != nil { append("</trkseg>\n") }
    append("</trk>\n</gpx>\n")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
