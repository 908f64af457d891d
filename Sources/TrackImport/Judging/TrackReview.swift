import LocationFiltering

/// A point of a track with what those before and after it say of its fix.
package struct ReviewedPoint {
  package let point: TrackPoint
  package let fix: ReviewedFix
}

/// The points of a track on their way to a gate, in their order: at once, or through hindsight.
package struct TrackReview {
  /// nil where points go on at once, and nothing speaks against any.
  private var filter: OutlierFilter?
  private var waiting: [TrackPoint] = []
  private let usualAccuracy: Double?
  /// What time it is; nil where nobody asks.
  private let now: (() -> Double)?

  /// - Parameters:
  ///   - policy: That of the gate behind it.
  ///   - usualAccuracy: What a fix is taken to be wrong by that does not say, in meters.
  package init(
    _ policy: GatePolicy, hasHindsight: Bool, usualAccuracy: Double? = nil,
    now: (() -> Double)? = nil
  ) {
    filter = hasHindsight ? OutlierFilter(for: policy) : nil
    self.usualAccuracy = usualAccuracy
    self.now = now
  }

  /// Takes the next point, and gives back the one whose turn it is; nil where none is yet.
  package mutating func take(_ point: TrackPoint) -> ReviewedPoint? {
    var point = point
    point.fix.accuracy = point.fix.accuracy ?? usualAccuracy
    let now = now?()
    guard filter != nil else {
      return ReviewedPoint(point: point, fix: ReviewedFix(point.fix, now: now))
    }
    waiting.append(point)
    // A text that could not be read has no position, whatever could be made of its parts.
    let fix = point.problem == nil ? point.fix : Fix(latitude: nil, longitude: nil)
    return filter?.take(fix, now: now).map { next($0) }
  }

  /// Gives back those that still wait.
  package mutating func finish() -> [ReviewedPoint] { (filter?.finish() ?? []).map { next($0) } }

  private mutating func next(_ fix: ReviewedFix) -> ReviewedPoint {
    ReviewedPoint(point: waiting.removeFirst(), fix: fix)
  }
}
