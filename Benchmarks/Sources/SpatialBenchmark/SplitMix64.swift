import Foundation
import SeededNumbers

extension SplitMix64 {
  /// A number below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next(upperBound: UInt64(bound))) }

  /// Standard normal, after Box and Muller.
  mutating func normal() -> Double {
    let radius = sqrt(-2 * log(1 - unit()))
    return radius * cos(2 * .pi * unit())
  }
}
