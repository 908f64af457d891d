import Geodesy

/// Turns coordinates into sites, and detects whether that loses precision.
enum SiteReading {
  /// Reads a range of positions into the same number of sites.
  ///
  /// - Returns: Whether every coordinate is the double nearest to its multiple of 10⁻⁷ degrees.
  static func read(
    _ coordinates: UnsafeBufferPointer<Coordinate>, _ range: Range<Int>, into sites: Sites
  ) -> Bool {
    guard let start = coordinates.baseAddress else { return true }
    let words = UnsafeRawPointer(start)
    // Added to a number below 2⁵¹, it leaves the nearest integer in the lowest bits.
    let rounding = SIMD2<Double>(repeating: 0x1.8p52)
    let grain = SIMD2<Double>(repeating: 1e7)
    var isDecimal = SIMD2<Int64>(repeating: -1)
    for position in range {
      // A coordinate is two doubles: latitude, longitude.
      let degrees = words.loadUnaligned(
        fromByteOffset: position &* MemoryLayout<Coordinate>.stride, as: SIMD2<Double>.self)
      let shifted = degrees * grain + rounding
      let whole = shifted - rounding
      isDecimal &= unsafeBitCast(whole / grain .== degrees, to: SIMD2<Int64>.self)
      let integers = unsafeBitCast(shifted, to: SIMD4<Int32>.self)
      let site = sites + position &* KDOrder.siteWords
      site[0] = integers[0]
      site[1] = integers[2]
      site[2] = Int32(truncatingIfNeeded: position)
    }
    return isDecimal[0] & isDecimal[1] == -1
  }
}
