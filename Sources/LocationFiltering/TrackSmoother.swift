import Geodesy

/// Moves good fixes toward the probable position of the device; optional, and separate from judging.
///
/// It takes a verdict with each fix and ignores rejected ones.
///
///     var gate = LocationGate(policy), smoother = TrackSmoother(speed: 1.5)
///     for fix in fixes {
///       if let shown = smoother.smooth(fix, gate.judge(fix)) { draw(shown) }
///     }
///
/// The estimate is a position and its variance in square meters. Between fixes the variance grows with time and speed.
/// A fix then pulls the position toward itself, more strongly the better its accuracy is relative to the estimate's. If
/// the device does not move, the estimate comes to rest.
///
/// Source: R. E. Kálmán, "A New Approach to Linear Filtering and Prediction Problems", J. Basic Engineering 82, 1960,
/// doi:10.1115/1.3662552, for a state of a position alone.
public struct TrackSmoother: Hashable, Sendable {
  /// The usual speed of the device, in meters per second.
  public let speed: Double
  /// The accuracy assumed for fixes without one, in meters.
  public let usualAccuracy: Double

  /// The probable position of the device; nil before the first good fix.
  public private(set) var position: Coordinate?
  private var variance = 0.0
  private var time: Double?

  /// - Parameters:
  ///   - speed: Meters per second, more than 0; a greater value follows faster and smooths less.
  ///   - usualAccuracy: Meters, more than 0.
  public init(speed: Double, usualAccuracy: Double = 10) {
    precondition(speed > 0 && speed.isFinite, "a speed of \(speed) m/s smooths nothing")
    precondition(
      usualAccuracy > 0 && usualAccuracy.isFinite, "nothing is \(usualAccuracy) m accurate")
    self.speed = speed
    self.usualAccuracy = usualAccuracy
  }

  /// Takes the next fix and returns the probable position of the device.
  ///
  /// Returns nil for a rejected fix, and for one held because it contradicts earlier fixes; both
  /// are ignored. After the gate re-anchors, smoothing starts again.
  public mutating func smooth(_ fix: Fix, _ verdict: GateVerdict) -> Coordinate? {
    guard !verdict.isRejected, !verdict.isDoubted, let measured = fix.coordinate else { return nil }
    // Accuracies are limited to a plausible range.
    let accuracy = min(max(fix.accuracy ?? usualAccuracy, 0.1), 1e6)
    let isAnew = verdict.reasons.contains { $0.code == .reanchored }
    guard let last = position, !isAnew else {
      position = measured
      variance = accuracy * accuracy
      time = fix.time
      return measured
    }
    var elapsed = 1.0
    if let now = fix.time, let time, now.isFinite, time.isFinite { elapsed = max(0, now - time) }
    variance = min(variance + elapsed * speed * speed, 1e12)
    let gain = variance / (variance + accuracy * accuracy)
    variance *= 1 - gain
    time = fix.time ?? time
    let east = Coordinate.wrappedLongitude(measured.longitude - last.longitude)
    let estimate =
      (try? Coordinate(
        latitude: last.latitude + gain * (measured.latitude - last.latitude),
        wrappingLongitude: last.longitude + gain * east)) ?? measured
    position = estimate
    return estimate
  }
}
