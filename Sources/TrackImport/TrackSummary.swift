import Geodesy

/// Statistics of a track before judging: length, speeds, and times that do not advance.
///
/// Lengths are geodesics between consecutive positions of one part; points off the Earth or without
/// a position are skipped. Steps and speeds are between consecutive points of one part that both
/// have a time.
public struct TrackSummary: Hashable, Sendable {
  /// Fixes, valid or not.
  public private(set) var fixes = 0
  /// Fixes without a position, including broken ones.
  public private(set) var unplaced = 0
  /// Fixes whose position is off the Earth.
  public private(set) var outOfRange = 0
  /// Fixes with a position and a finite time.
  public private(set) var timed = 0
  /// Steps to the same position, bit for bit.
  public private(set) var stillSteps = 0
  /// Steps with equal times.
  public private(set) var sameTimeSteps = 0
  /// Steps whose time goes back.
  public private(set) var backwardSteps = 0
  /// The total length of all parts.
  public private(set) var length = Distance.zero
  /// The time from the earliest to the latest fix with a known day, in seconds; nil if there is none.
  public var duration: Double? { times.map { $0.upperBound - $0.lowerBound } }
  /// The earliest and the latest time with a known day.
  public private(set) var times: ClosedRange<Double>?
  /// The speeds of steps with a duration, in meters per second, in order; empty if they are not
  /// kept.
  public private(set) var speeds: [Double] = []
  /// Whether speeds are kept, eight bytes for each step; not for endless streams.
  public let keepsSpeeds: Bool

  private var last: TrackPoint?

  /// Makes an empty summary.
  public init(keepsSpeeds: Bool = true) { self.keepsSpeeds = keepsSpeeds }

  /// Makes the summary of some points.
  public init(_ points: some Sequence<TrackPoint>) {
    self.init()
    for point in points { add(point) }
  }

  /// Adds the next point.
  public mutating func add(_ point: TrackPoint) {
    var point = point
    if point.fix.time?.isFinite == false { point.fix.time = nil }
    fixes += 1
    guard point.fix.latitude != nil, point.fix.longitude != nil else {
      unplaced += 1
      return
    }
    if point.fix.time != nil { timed += 1 }
    // A time of day alone does not show when the track began.
    if let time = point.fix.time, point.isDated {
      times = min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time)
    }
    let position = point.fix.coordinate
    if position == nil { outOfRange += 1 }
    defer { last = point }
    guard let last, last.part == point.part else { return }
    var meters: Double?
    if let position, let before = last.fix.coordinate {
      let step = before.distance(to: position)
      length = length + step
      meters = step.meters
      if (last.fix.latitude, last.fix.longitude) == (point.fix.latitude, point.fix.longitude) {
        stillSteps += 1
      }
    }
    guard let time = point.fix.time, let before = last.fix.time else { return }
    if time == before { sameTimeSteps += 1 }
    if time < before { backwardSteps += 1 }
    if keepsSpeeds, time > before, let meters { speeds.append(meters / (time - before)) }
  }

  /// The speed below which a fraction of the steps lies; nil without speeds.
  ///
  /// A fraction below 0 counts as 0, as does NaN, and one above 1 as 1.
  public func speed(quantile: Double) -> Double? {
    guard !speeds.isEmpty else { return nil }
    let sorted = speeds.sorted()
    let fraction = quantile > 0 ? min(quantile, 1) : 0
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]
  }
}
