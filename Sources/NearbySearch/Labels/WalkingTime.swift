import Geodesy

/// The walking time to a place within walking distance: `5 min walk`, `도보 5분`, `徒歩5분`.
///
///     if let walk = WalkingTime(of: result.distance) { print(walk.text(in: .korean)) }  // 도보 5분
///
/// It assumes 5 km/h along the straight line: an estimate for a label, not a route. To find whether
/// a place is still open on arrival, use ``Journey``, which includes a detour.
public struct WalkingTime: Hashable, Comparable, Sendable {
  /// Whole minutes, rounded to the nearest and halves up; 0 for less than half a minute.
  public let minutes: Int

  /// ``Journey/walkingSpeed`` in meters per hour, a whole number, so that half minutes are exact.
  private static let speed = 5_000.0

  /// From this distance on the label is left out, since people would not walk.
  public static let reach = Distance.meters(5_000)

  /// The time for a distance.
  ///
  /// - Returns: nil from ``reach`` on, and for a negative length: there is nothing to show then.
  public init?(of distance: Distance) {
    guard distance >= .zero, distance < WalkingTime.reach else { return nil }
    minutes = Int((distance.meters * 60 / WalkingTime.speed).rounded(.toNearestOrAwayFromZero))
  }

  /// The time as a label.
  public func text(in language: LabelLanguage = .english) -> String {
    switch language {
    case .english: "\(minutes) min walk"
    case .korean: "도보 \(minutes)분"
    case .japanese: "徒歩\(minutes)分"
    }
  }

  /// Whether the left time is shorter.
  public static func < (left: WalkingTime, right: WalkingTime) -> Bool {
    left.minutes < right.minutes
  }
}
