import GPXCoding

/// How many of what a track's text holds.
public struct TrackCounts: Hashable, Sendable {
  /// The format it was read as; nil before that is known.
  public internal(set) var format: TrackFormat?
  /// Fixes, good or bad.
  public internal(set) var fixes = 0
  /// Fixes of which the text itself is broken.
  public internal(set) var broken = 0
  /// Unbroken parts that hold a fix.
  public internal(set) var parts = 0
  /// Lines of NMEA that are no sentence of a position, and features of GeoJSON with areas.
  public internal(set) var otherRecords = 0
  /// Features of GeoJSON with lines that run on past ±180°, which are read as crossing the antimeridian.
  public internal(set) var wrappedFeatures = 0
  /// What GPX says of itself, waypoints and routes among it; nil for other formats, and before the
  /// end.
  public internal(set) var document: GPXDocument?

  /// The segment of GPX that the last point belongs to.
  private var segment: Segment?

  private struct Segment: Hashable { let track, segment: Int }

  mutating func enter(track: Int, segment: Int) {
    let entered = Segment(track: track, segment: segment)
    guard self.segment != entered else { return }
    self.segment = entered
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
