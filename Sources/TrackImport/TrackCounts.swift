import GPXCoding

/// The contents of a track's text, counted.
public struct TrackCounts: Hashable, Sendable {
  /// The format of the text; nil until it is known.
  ///
  /// A line of GeoJSON counts as a sequence until the text ends without a second one.
  public internal(set) var format: TrackFormat?
  /// Fixes, valid or not.
  public internal(set) var fixes = 0
  /// Fixes whose text is broken.
  public internal(set) var broken = 0
  /// Unbroken parts with a fix.
  public internal(set) var parts = 0
  /// NMEA lines that are not sentences with a position, and GeoJSON features with areas.
  public internal(set) var otherRecords = 0
  /// GeoJSON features with lines that continue past ±180°, which are read as crossing the antimeridian.
  public internal(set) var wrappedFeatures = 0
  /// The counts of a GPX file, including waypoints and routes; nil for other formats, and before
  /// the end.
  public internal(set) var document: GPXDocument?

  /// The GPX track and segment of the last point, counted from 1.
  private var track = 0, segment = 0

  mutating func enter(track: Int, segment: Int) {
    guard (track, segment) != (self.track, self.segment) else { return }
    (self.track, self.segment) = (track, segment)
    parts += 1
  }

  mutating func add(_ features: TrackFeatures) {
    otherRecords = features.otherFeatures
    wrappedFeatures = features.wrappedFeatures
  }

  mutating func add(_ points: [TrackPoint]) {
    fixes += points.count
    broken += points.count { $0.problem != nil }
    if format != .gpx, let last = points.last { parts = max(parts, last.part) }
  }
}
