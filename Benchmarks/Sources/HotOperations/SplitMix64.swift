import SeededNumbers

extension SplitMix64 {
  /// Uniform in −1..<1.
  mutating func around() -> Double { 2 * unit() - 1 }

  /// A number below a bound.
  mutating func below(_ bound: Int) -> Int { Int(unit() * Double(bound)) }

  /// Nearly normal, of standard deviation 1: the sum of three.
  mutating func bell() -> Double { around() + around() + around() }
}
