import Geodesy
import MapAnnotations
import SpatialIndexing

/// The places of ids that are numbers but not in canonical form, such as `007` and `7.0`.
///
/// They are found when a number is first looked up, and cached.
final class OddNumbers: Sendable {
  private let places = SharedValue<[DecimalNumber: [Int]]?>(nil)

  /// - Parameter find: Called once at most.
  func places(of number: DecimalNumber, _ find: () -> [DecimalNumber: [Int]]) -> [Int] {
    if let known = places.withLock({ $0.map { $0[number] ?? [] } }) { return known }
    // Two threads that come at once find the same.
    let found = find()
    places.withLock { $0 = found }
    return found[number] ?? []
  }
}
