extension Sequence<UInt8> {
  /// FNV-1a, 64 bits: the same everywhere, unlike Swift's own hashes.
  @inlinable
  package var fnvHash: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
