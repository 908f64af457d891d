/// Numbers that look random and are the same in every run.
///
/// Nothing here calls the platform's mathematics, whose last bits differ from one to the next.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
/// doi:10.1145/2660193.2660195.
public struct SplitMix64: RandomNumberGenerator {
  @usableFromInline var state: UInt64

  /// Starts at a seed; every seed is as good as another.
  @inlinable
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Uniform in 0..<1.
  @inlinable
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
