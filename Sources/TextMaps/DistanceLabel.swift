import Geodesy

extension Distance {
  /// The distance for display: `639 m`, `1.03 km`, `14.2 km`, `144 km`.
  ///
  /// Three digits from one kilometer up, whole meters below, always rounded to the nearest value
  /// with halves upward: 999.4 m is `999 m` and 999.5 m is `1.00 km`, never `1000 m`. The decimal
  /// separator is always a point.
  ///
  /// Negative and infinite distances are `–`.
  package var label: String {
    guard meters >= 0, meters < 1e12 else { return "–" }
    let whole = Int(meters.rounded())
    if whole < 1_000 { return "\(whole) m" }
    let hundredths = Int((meters / 10).rounded())
    if hundredths < 1_000 { return "\(fixedDecimal(Double(hundredths) / 100, decimals: 2)) km" }
    let tenths = Int((meters / 100).rounded())
    if tenths < 1_000 { return "\(fixedDecimal(Double(tenths) / 10, decimals: 1)) km" }
    return "\(Int((meters / 1_000).rounded())) km"
  }
}

/// One of eight directions.
enum CompassPoint: Int, CaseIterable, Sendable {
  case north, northEast, east, southEast, south, southWest, west, northWest

  /// The direction nearest to a bearing in degrees clockwise from north; halves are rounded clockwise.
  ///
  /// Nil for a bearing that is not finite.
  init?(bearing degrees: Double) {
    guard degrees.isFinite else { return nil }
    let eighths = Int((degrees.truncatingRemainder(dividingBy: 360) / 45 + 8.5).rounded(.down))
    self.init(rawValue: eighths % 8)
  }

  var letters: String { ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][rawValue] }
  var arrow: String { ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][rawValue] }
}
