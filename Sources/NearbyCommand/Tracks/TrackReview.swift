import LocationFiltering
import TrackImport

/// A point of a track with what those before and after it say of its fix.
struct ReviewedPoint {
  let point: TrackPoint
  let fix: ReviewedFix
}

/// The points of a track on their way through hindsight, in their order.
struct TrackReview {
  private var filter: OutlierFilter
  private var waiting: [TrackPoint] = []

  /// - Parameter policy: That of the gate behind it.
  init(_ policy: GatePolicy) { filter = OutlierFilter(for: policy) }

  /// Takes the next point, and gives back the one whose turn it is.
  mutating func take(_ point: TrackPoint, now: Double?) -> ReviewedPoint? {
    waiting.append(point)
    // A text that could not be read has no position, whatever could be made of its parts.
    let fix = point.problem == nil ? point.fix : Fix(latitude: nil, longitude: nil)
    return filter.take(fix, now: now).map { next($0) }
  }

  /// Gives back those that still wait.
  mutating func finish() -> [ReviewedPoint] { filter.finish().map { next($0) } }

  private mutating func next(_ fix: ReviewedFix) -> ReviewedPoint {
    ReviewedPoint(point: waiting.removeFirst(), fix: fix)
  }
}
