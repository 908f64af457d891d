import Geodesy

/// Numbers as results show them: always with a dot, never with an exponent.
package enum ResultNumber {
  /// Meters with four decimals.
  package static func meters(_ distance: Distance) -> String {
    fixedDecimal(distance.meters, decimals: 4)
  }

  /// Meters with four decimals, rounded down: a promise that holds.
  package static func least(_ distance: Distance) -> String {
    fixedDecimal((distance.meters * 1e4).rounded(.down) / 1e4, decimals: 4)
  }

  /// Degrees from 0 up to, and never reaching, 360.
  package static func bearing(_ degrees: Double) -> String {
    let text = fixedDecimal(degrees, decimals: 4)
    return text == "360.0000" ? "0.0000" : text
  }
}
