import Geodesy

/// Numbers as results show them: always with a dot, never with an exponent.
package enum ResultNumber {
  /// Meters with four decimals.
  package static func meters(_ distance: Distance) -> String {
    fixedDecimal(distance.meters, decimals: decimals)
  }

  /// Meters with four decimals, rounded down: a promise that holds.
  package static func least(_ distance: Distance) -> String {
    fixedDecimal((distance.meters * 1e4).rounded(.down) / 1e4, decimals: decimals)
  }

  /// Degrees from 0 up to, and never reaching, 360.
  package static func bearing(_ degrees: Double) -> String {
    fixedDecimal(shown(bearing: degrees), decimals: decimals)
  }

  /// How many decimals meters and bearings have.
  package static let decimals = 4

  /// A bearing that is not rounded to 360.
  package static func shown(bearing degrees: Double) -> Double {
    (degrees * 1e4).rounded(.toNearestOrEven) < 360e4 ? degrees : 0
  }
}
