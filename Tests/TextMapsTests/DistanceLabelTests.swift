import Geodesy
import Testing

@testable import TextMaps

@Suite struct `Label of a distance` {
  @Test(arguments: [
    (0, "0 m"), (0.49, "0 m"), (0.5, "1 m"), (639.337, "639 m"), (999.4, "999 m"),
    (999.5, "1.00 km"), (1_000, "1.00 km"), (1_027.56, "1.03 km"), (9_994.9, "9.99 km"),
    (9_995, "10.0 km"), (14_230, "14.2 km"), (99_949, "99.9 km"), (99_950, "100 km"),
    (144_230, "144 km"), (999_500, "1000 km"), (20_003_931, "20004 km"),
  ])
  func `has three digits from a kilometer up`(meters: Double, expected: String) {
    #expect(Distance.meters(meters).label == expected)
  }

  @Test func `is a dash where there is no number to write`() {
    #expect(Distance.infinity.label == "–")
    #expect(Distance.meters(-1).label == "–")
  }
}

@Suite struct `Compass point` {
  @Test(arguments: [
    (0, "N"), (22.4, "N"), (22.5, "NE"), (45, "NE"), (90, "E"), (135, "SE"), (180, "S"),
    (225, "SW"), (270, "W"), (315, "NW"), (337.4, "NW"), (337.5, "N"), (359.9, "N"), (360, "N"),
    (-45, "NW"), (765, "NE"),
  ])
  func `is the nearest of eight`(bearing: Double, letters: String) {
    #expect(CompassPoint(bearing: bearing)?.letters == letters)
  }

  @Test func `is none for what is no bearing`() {
    #expect(CompassPoint(bearing: .nan) == nil)
    #expect(CompassPoint(bearing: .infinity) == nil)
  }

  @Test func `has an arrow one column wide`() {
    for point in CompassPoint.allCases { #expect(DisplayWidth.columns(of: point.arrow) == 1) }
    #expect(CompassPoint.southWest.arrow == "↙")
  }
}
