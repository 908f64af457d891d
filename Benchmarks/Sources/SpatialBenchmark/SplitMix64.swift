import Foundation

/// SplitMix64, so that every run makes the same data.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in 0..<1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next(upperBound: UInt64(bound))) }

  /// Standard normal, after Box and Muller.
  mutating func normal() -> Double {
    let radius = sqrt(-2 * log(1 - unit()))
    return radius * cos(2 * .pi * unit())
  }
}
