import Geodesy

/// Latitudes from heights in the Mercator plane, several times as fast as `atan(sinh t)`, since a screen needs
/// hundreds.
///
/// φ = gd(t) with t = π(1 − 2y) is tabulated at 1,025 points. A value is computed from the nearest point by Taylor's
/// series, whose terms are polynomials in the sine s and cosine c of the latitude there:
///
///     φ′ = c   φ″ = −sc   φ‴ = c(1 − 2c²)   φ⁗ = sc(6c² − 1)   φ⁽⁵⁾ = c(1 − 20c² + 24c⁴)
///
/// The nearest point is at most δ = π/1024 away, and |φ⁽⁶⁾| < 14, so the remainder is below 14 δ⁶ / 720 < 2·10⁻¹⁷
/// radians, less than rounding error.
struct MercatorLatitude: Sendable {
  static let table = MercatorLatitude()

  private struct Place {
    let latitude: Double, sine: Double, cosine: Double
  }

  private let places: [Place]
  private static var intervals: Double { 1024 }

  private init() {
    places = (0...Int(MercatorLatitude.intervals)).map { number in
      let t = MercatorLatitude.argument(Double(number) / MercatorLatitude.intervals)
      // sin gd t = tanh t and cos gd t = 1 / cosh t.
      let cosine = 1 / hyperbolicCosine(t)
      return Place(
        latitude: arcTangent(hyperbolicSine(t)), sine: hyperbolicSine(t) * cosine, cosine: cosine)
    }
  }

  private static func argument(_ y: Double) -> Double { .pi * (1 - 2 * y) }

  /// The latitude in degrees at a height of 0…1.
  @inline(__always)
  func degrees(ofHeight y: Double) -> Double {
    let number = Int(y * MercatorLatitude.intervals + 0.5)
    let place = places[number]
    // In units of t, which falls as y rises; exact except for the factor.
    let d = (Double(number) / MercatorLatitude.intervals - y) * (2 * .pi)
    let s = place.sine, c = place.cosine, square = c * c
    let third = 1 - 2 * square
    let fourth = s * (6 * square - 1)
    let fifth = 1 - 20 * square + 24 * square * square
    let series =
      1 + d * (-s / 2 + d * (third / 6 + d * (fourth / 24 + d * fifth / 120)))
    return Geodesy.degrees(place.latitude + d * c * series)
  }
}
