import Foundation
import Geodesy
import NearbyTestSupport
import Testing

@Suite struct InstantTests {
  @Test func `whole seconds are rounded down, before 1970, too`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      let milliseconds = Int64.random(in: -9_000_000_000_000...9_000_000_000_000, using: &generator)
      let floor = (Double(milliseconds) / 1000).rounded(.down)
      #expect(Double(Instant(milliseconds: milliseconds).seconds) == floor)
    }
    #expect(Instant(milliseconds: -1).seconds == -1)
    #expect(Instant(milliseconds: -1000).seconds == -1)
    #expect(Instant(milliseconds: .min).seconds == -9_223_372_036_854_776)
    #expect(Instant(milliseconds: .max).seconds == 9_223_372_036_854_775)
  }

  @Test func `what is farther away than numbers go is the last or the first instant`() {
    #expect(Instant(seconds: .max) == Instant(milliseconds: .max))
    #expect(Instant(seconds: .min) == Instant(milliseconds: .min))
    #expect(
      Instant(seconds: Int64(9_223_372_036_854_775)).milliseconds == 9_223_372_036_854_775_000)
    #expect(Instant(secondsSince1970: 1e16) == nil)
    #expect(Instant(secondsSince1970: .nan) == nil)
    #expect(Instant(secondsSince1970: -.infinity) == nil)
  }

  @Test func `a date is the instant of its seconds`() {
    let date = Date(timeIntervalSince1970: 1_795_435_200.25)
    #expect(
      Instant(secondsSince1970: date.timeIntervalSince1970)?.milliseconds == 1_795_435_200_250)
  }

  @Test(
    arguments: [
      (-5, "0 s"), (119, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h"),
      (172_799, "47 h"), (172_800, "2 days"),
    ])
  func `a rough length has the largest unit of which there are two`(seconds: Int, text: String) {
    #expect(Duration.seconds(seconds).roughText == text)
  }

  @Test func `lengths of time lead from one to another`() {
    let (one, other) = (Instant(milliseconds: 1_500), Instant(milliseconds: -250))
    #expect(one.duration(to: other) == .milliseconds(-1_750))
    #expect(one.advanced(by: one.duration(to: other)) == other)
    #expect(other < one)
    let (first, last) = (Instant(milliseconds: .min), Instant(milliseconds: .max))
    #expect(first.advanced(by: .milliseconds(-1)) == first)
    #expect(last.advanced(by: .seconds(1)) == last)
    for start in [first, other, one, last] {
      #expect(start.advanced(by: .seconds(Int64.max)) == last)
      #expect(start.advanced(by: .seconds(Int64.min)) == first)
    }
    #expect(first.advanced(by: first.duration(to: last)) == last)
    #expect(first.duration(to: last) == .milliseconds(Int64.max) - .milliseconds(Int64.min))
  }

  @Test(
    arguments: [
      (0, "0"), (1_795_435_200_000, "1795435200"), (1_795_435_200_250, "1795435200.25"),
      (-1, "-0.001"),
    ] as [(Int64, String)])
  func `is written in seconds, and read back`(milliseconds: Int64, text: String) throws {
    let instant = Instant(milliseconds: milliseconds)
    let written = try JSONEncoder().encode([instant])
    #expect(String(decoding: written, as: UTF8.self) == "[\(text)]")
    #expect(try JSONDecoder().decode([Instant].self, from: written) == [instant])
  }

  @Test(arguments: ["[1e300]", "[9223372036854778]", "[-1e16]", "[\"now\"]", "[null]"])
  func `what is no moment is refused`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Instant].self, from: Data(text.utf8))
    }
  }

  @Test(
    arguments: [
      .max, .min, 9_007_199_254_740_993_000, -9_007_199_254_740_993_000, 9_223_372_036_854_775_000,
    ] as [Int64])
  func `is read back however far away it is`(milliseconds: Int64) throws {
    let instant = Instant(milliseconds: milliseconds)
    let written = try JSONEncoder().encode([instant])
    #expect(try JSONDecoder().decode([Instant].self, from: written) == [instant])
  }
}
