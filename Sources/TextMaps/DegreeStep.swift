import Geodesy

/// A round distance between the lines of a graticule, stored as an integer to avoid rounding.
struct DegreeStep: Hashable, Sendable {
  /// The step in units of 10 to the power of −`decimals` degrees.
  let units: Int
  /// The number of decimals needed to distinguish neighboring lines.
  let decimals: Int

  /// All steps, finest first: 1, 2 and 5 of each decimal place, then divisors of a right angle.
  private static let all: [DegreeStep] =
    (1...5).reversed().flatMap { decimals in
      [1, 2, 5].map { DegreeStep(units: $0, decimals: decimals) }
    } + [1, 2, 5, 10, 15, 30, 45, 90].map { DegreeStep(units: $0, decimals: 0) }

  /// The finest step of at least `degrees`; 90° if there is none.
  static func atLeast(_ degrees: Double) -> DegreeStep {
    all.first { $0.degrees(of: 1) >= degrees } ?? DegreeStep(units: 90, decimals: 0)
  }

  private var unitsPerDegree: Int { (0..<decimals).reduce(1) { power, _ in power * 10 } }

  /// The degrees of a numbered line; line 0 is the equator or the meridian of Greenwich.
  func degrees(of line: Int) -> Double { Double(line * units) / Double(unitsPerDegree) }

  /// The numbers of the lines in a range of degrees, both ends included.
  func lines(in range: ClosedRange<Double>) -> Range<Int> {
    let step = degrees(of: 1)
    let first = Int((range.lowerBound / step).rounded(.up))
    let last = Int((range.upperBound / step).rounded(.down))
    return first..<max(first, last + 1)
  }

  /// The label of a parallel: `37.57°N`; without the degree sign in 7-bit text.
  func latitudeLabel(of line: Int, style: TextMap.Style) -> String {
    label(units: line * units, positive: "N", negative: "S", style: style)
  }

  /// The label of a meridian, −180…180 whatever line the count starts from: `126.98°E`, `180°`.
  func longitudeLabel(of line: Int, style: TextMap.Style) -> String {
    let turn = 360 * unitsPerDegree
    var east = line * units % turn
    if east > turn / 2 { east -= turn }
    if east < -turn / 2 { east += turn }
    return abs(east) == turn / 2
      ? (style == .ascii ? "180" : "180°")
      : label(units: east, positive: "E", negative: "W", style: style)
  }

  private func label(
    units: Int, positive: String, negative: String, style: TextMap.Style
  ) -> String {
    var text = fixedDecimal(Double(abs(units)) / Double(unitsPerDegree), decimals: decimals)
    if style != .ascii { text += "°" }
    return units == 0 ? text : text + (units > 0 ? positive : negative)
  }
}
