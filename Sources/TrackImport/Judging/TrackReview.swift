import LocationFiltering

/// A point of a track with what those before and after it say of its fix.
package struct ReviewedPoint {
  package let point: TrackPoint
  /// The fix for a gate; its time is on the clock of the fixes before it, which may have no date.
  package let fix: ReviewedFix
}

/// The points of a track on their way to a gate, in their order: at once, or through hindsight.
package struct TrackReview {
  /// nil where points go on at once, and nothing speaks against any.
  private var filter: OutlierFilter?
  private var waiting: [TrackPoint] = []
  private let usualAccuracy: Double?
  /// Whether the gate asks how accurate fixes are.
  private let limitsAccuracy: Bool
  /// What time it is; nil where nobody asks.
  private let now: (() -> Double)?
  /// The last time without a date, if no time had one yet.
  private var undatedTime: Double?
  /// From 1970 to the midnight from which times without a date count, in seconds; 0 while it is unknown.
  private var undatedMidnight = 0.0

  /// - Parameters:
  ///   - policy: That of the gate behind it.
  ///   - usualAccuracy: What a fix is taken to be wrong by that does not say, in meters.
  package init(
    _ policy: GatePolicy, hasHindsight: Bool, usualAccuracy: Double? = nil,
    now: (() -> Double)? = nil
  ) {
    filter = hasHindsight ? OutlierFilter(for: policy) : nil
    self.usualAccuracy = usualAccuracy
    limitsAccuracy = policy.worstAccuracy != nil
    self.now = now
  }

  /// Takes the next point, and gives back the one whose turn it is; nil where none is yet.
  package mutating func take(_ point: TrackPoint) -> ReviewedPoint? {
    var point = point
    point.fix.accuracy = point.fix.accuracy ?? usualAccuracy
    // A text that could not be read has no position, whatever could be made of its parts.
    var fix =
      filter == nil || point.problem == nil ? point.fix : Fix(latitude: nil, longitude: nil)
    fix.time = timeOnOneClock(point)
    // Not a number, so that a gate can report it.
    if limitsAccuracy, point.unreadAccuracy != nil { fix.accuracy = .nan }
    // How old a time without a date is, nobody knows.
    let now = point.isDated ? now.map { $0() - undatedMidnight } : nil
    guard filter != nil else { return ReviewedPoint(point: point, fix: ReviewedFix(fix, now: now)) }
    waiting.append(point)
    return filter?.take(fix, now: now).map { next($0) }
  }

  /// The time of a point on the clock of those before it.
  ///
  /// Times without a date, and dates after them, would be decades apart. The first date is taken to be
  /// less than half a day from the time before it, as between any two sentences.
  private mutating func timeOnOneClock(_ point: TrackPoint) -> Double? {
    guard let time = point.fix.time else { return nil }
    guard point.isDated else {
      undatedTime = time
      return time
    }
    if let last = undatedTime {
      undatedMidnight = ((time - last) / 86_400).rounded() * 86_400
      undatedTime = nil
    }
    return time - undatedMidnight
  }

  /// Gives back those that still wait.
  package mutating func finish() -> [ReviewedPoint] { (filter?.finish() ?? []).map { next($0) } }

  private mutating func next(_ fix: ReviewedFix) -> ReviewedPoint {
    ReviewedPoint(point: waiting.removeFirst(), fix: fix)
  }
}
