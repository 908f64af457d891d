import Foundation
import Geodesy
import NearbySearch
import NearbyTestSupport
import Testing

@Suite struct `A distance label` {
  /// The edges that are told of an app which shows the nearest cinemas.
  @Test(arguments: [
    (0, "0 m"), (0.99, "0 m"), (203.4, "203 m"), (999, "999 m"), (999.99, "999 m"),
    (1_000, "1.0 km"), (1_098, "1.1 km"), (9_949, "9.9 km"), (9_999, "10.0 km"),
    (9_999.99, "10.0 km"), (10_000, "10 km"), (10_499.9, "10 km"), (10_500, "10 km"),
    (10_501, "11 km"), (11_500, "12 km"), (13_152_000, "13152 km"),
    (20_003_931.4, "20004 km"),
  ])
  func `is rounded as apps round it`(meters: Double, text: String) {
    #expect(DistanceText(.meters(meters))?.description == text)
    #expect(DistanceText(meters: meters)?.description == text)
  }

  @Test func `has a blank in English alone`() {
    for (meters, texts) in [
      (203.0, ["203 m", "203m", "203m"]), (1_098, ["1.1 km", "1.1km", "1.1km"]),
      (144_000, ["144 km", "144km", "144km"]),
    ] {
      let written = LabelLanguage.allCases.map { DistanceText(meters: meters, in: $0) }
      #expect(written.map { $0?.description } == texts)
    }
  }

  /// What the apps do, by the C library: cut to whole meters, divide, print.
  private func printed(_ meters: Double) -> String {
    let whole = Int(meters)
    if whole < 1_000 { return String(format: "%d m", whole) }
    return String(format: whole < 10_000 ? "%.1f km" : "%.0f km", Double(whole) / 1_000)
  }

  @Test func `agrees with printf on every meter up to 30 km`() {
    for meters in 0..<30_000 {
      #expect(DistanceText(meters: Double(meters))?.description == printed(Double(meters)))
    }
  }

  @Test(arguments: UInt64(0)..<20)
  func `agrees with printf on any length`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let meters = pow(10, Double.random(in: -3..<12, using: &generator))
      #expect(DistanceText(meters: meters)?.description == printed(meters), "\(meters)")
      // Halves of a kilometer, which are exact.
      let half = Double(Int.random(in: 10..<1_000_000, using: &generator)) * 1_000 + 500
      #expect(DistanceText(meters: half)?.description == printed(half), "\(half)")
    }
  }

  @Test(arguments: [-1, -0.001, -.infinity, .infinity, .nan, .signalingNaN, 1e12, 1e300])
  func `is left out where nothing was measured`(meters: Double) {
    #expect(DistanceText(meters: meters) == nil)
    if !meters.isNaN { #expect(DistanceText(.meters(meters)) == nil) }
  }

  @Test func `takes a negative zero and the longest length`() {
    #expect(DistanceText(meters: -0.0)?.description == "0 m")
    #expect(DistanceText(meters: 1e12.nextDown)?.description == "1000000000 km")
  }
}

@Suite struct `A walking time` {
  @Test(arguments: [
    (0, 0), (41.6, 0), (41.7, 1), (83, 1), (124.9, 1), (125, 2), (208.4, 3), (416.7, 5),
    (1_000, 12), (2_500, 30), (4_999.99, 60),
  ])
  func `is whole minutes, halves up`(meters: Double, minutes: Int) {
    #expect(WalkingTime(of: .meters(meters))?.minutes == minutes)
  }

  @Test func `is shown below 5,000 meters alone`() {
    for meters in [5_000, 5_000.01, 1e9, .infinity, -0.001, -.infinity] {
      #expect(WalkingTime(of: .meters(meters)) == nil, "\(meters)")
    }
    #expect(WalkingTime(of: .meters(5_000.0.nextDown))?.minutes == 60)
  }

  /// Exact in whole numbers: a meter is 3/250 of a minute.
  @Test func `agrees with fractions of whole numbers on every meter`() {
    for meters in 0..<5_000 {
      let (below, rest) = (meters * 3).quotientAndRemainder(dividingBy: 250)
      #expect(
        WalkingTime(of: .meters(Double(meters)))?.minutes == (rest >= 125 ? below + 1 : below))
    }
  }

  @Test func `is written in three languages`() throws {
    let walk = try #require(WalkingTime(of: .meters(420)))
    #expect(
      LabelLanguage.allCases.map { walk.text(in: $0) } == ["5 min walk", "도보 5분", "徒歩5分"])
    #expect(try #require(WalkingTime(of: .meters(100))) < walk)
  }
}
