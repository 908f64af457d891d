/// SplitMix64, so that every run asks the same.
///
/// Nothing here calls the platform's mathematics, whose last bits differ from one to the next.
struct SplitMix64 {
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

  /// Uniform in −1..<1.
  mutating func around() -> Double { 2 * unit() - 1 }

  /// A number below a bound.
  mutating func below(_ bound: Int) -> Int { Int(unit() * Double(bound)) }

  /// Nearly normal, of standard deviation 1: the sum of three.
  mutating func bell() -> Double { around() + around() + around() }
}
