import Geodesy

/// The Web Mercator plane as a grid of 2³² columns and 2³² rows, 9 mm wide at the equator.
///
/// Columns run from west to east and wrap around the Earth, rows from north to south.
///
/// The poles and all positions beyond ±85.0511° belong to the first and the last row, so every position has a cell.
/// Positions are integers, because sums of integers do not depend on their order.
package struct MercatorGrid: Hashable, Sendable {
  /// How many columns the first one lies west of −180°.
  package let shift: UInt32

  package static let tiles = MercatorGrid(shift: 0)
  /// The grid shifted by a third of the world: (2³² − 1) / 3.
  ///
  /// In base 2 the shift is 0.010101…, so at no zoom does a cell border fall on ±180° or 0°.
  package static let unbroken = MercatorGrid(shift: 0x5555_5555)

  /// The number of times the world is halved to reach the grid's own cells.
  package static var levels: Int { 32 }

  // MARK: From degrees

  /// The column of a longitude of −180…180; 180 counts as −180.
  ///
  /// Exact: borders are whole multiples of 45 · 2⁻²⁹ degrees. A quotient may be rounded up onto the
  /// next border; one comparison corrects that.
  @inline(__always)
  package func column(_ longitude: Double) -> UInt32 {
    var column = Int64((longitude / 360 + 0.5) * 0x1p32)
    if longitude < MercatorGrid.longitude(ofUnshifted: column) { column -= 1 }
    return UInt32(truncatingIfNeeded: column) &+ shift
  }

  /// The row of a latitude of −90…90.
  @inline(__always)
  package static func row(_ latitude: Double) -> UInt32 {
    let y = height(latitude)
    // Never NaN: the poles give ±infinity.
    return y <= 0 ? 0 : y >= 1 ? .max : UInt32(y * 0x1p32)
  }

  /// The southward height of a latitude in the plane: 0 at 85.0511°, 1/2 at the equator, 1 at −85.0511°.
  @inline(__always)
  package static func height(_ latitude: Double) -> Double {
    0.5 - areaHyperbolicTangent(sine(radians(latitude))) / (2 * .pi)
  }

  /// The same in the square of the world, 0…1: beyond ±85.0511° that of its edge.
  package static func heightInSquare(_ latitude: Double) -> Double {
    min(max(height(latitude), 0), 1)
  }

  // MARK: To degrees

  /// The longitude of the western border of an unshifted column, counted from −180°, possibly beyond 180°.
  @inline(__always)
  private static func longitude(ofUnshifted column: Int64) -> Double {
    Double(column - 1 << 31) * (360 * 0x1p-32)
  }

  /// The longitude of the western border of a column, −180 ≤ longitude < 180.
  package func west(ofColumn column: UInt32) -> Double {
    MercatorGrid.longitude(ofUnshifted: Int64(column &- shift))
  }

  /// The easternmost longitude in a column.
  package func east(ofColumn column: UInt32) -> Double {
    MercatorGrid.longitude(ofUnshifted: Int64(column &- shift) + 1).nextDown
  }

  /// The northernmost latitude in a row; 90 in the first one.
  package static func north(ofRow row: UInt32) -> Double {
    row == 0 ? 90 : border(aboveRow: row).south
  }

  /// The southernmost latitude in a row; −90 in the last one.
  package static func south(ofRow row: UInt32) -> Double {
    row == .max ? -90 : border(aboveRow: row + 1).north
  }

  /// The two neighboring `Double`s on both sides of the northern border of a row: the northernmost
  /// latitude in or south of it by `row(_:)`, and the southernmost north of it.
  ///
  /// The inverse formula is within about 10⁻¹⁴ degrees; bisection finds the exact numbers.
  private static func border(aboveRow row: UInt32) -> (south: Double, north: Double) {
    let guess = latitude(ofHeight: Double(row) * 0x1p-32)
    var margin = 1e-12
    var south = guess, north = guess
    while MercatorGrid.row(south) < row { (south, margin) = (guess - margin, margin * 1024) }
    while MercatorGrid.row(north) >= row { (north, margin) = (guess + margin, margin * 1024) }
    while true {
      let middle = south + (north - south) / 2
      guard south < middle, middle < north else { return (south, north) }
      if MercatorGrid.row(middle) >= row { south = middle } else { north = middle }
    }
  }

  /// The latitude at a height of 0…1 in the plane.
  @inline(__always)
  package static func latitude(ofHeight y: Double) -> Double {
    MercatorLatitude.table.degrees(ofHeight: y)
  }

  /// The position of a point of the grid, given in fractional columns and rows.
  package func coordinate(column: Double, row: Double) -> Coordinate {
    let longitude = ((column - Double(shift)) * 0x1p-32 - 0.5) * 360
    return Coordinate(
      unchecked: MercatorGrid.latitude(ofHeight: row * 0x1p-32),
      longitude < -180 ? longitude + 360 : longitude)
  }
}

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
