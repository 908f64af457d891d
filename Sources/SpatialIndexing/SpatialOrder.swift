import Geodesy

/// An order of places in which neighbors on the Earth mostly follow one another: that of their
/// geohashes, sixteen bits of latitude interleaved with sixteen of longitude.
enum SpatialOrder {
  /// The offsets of places in that order.
  ///
  /// - Complexity: O(*n*): a radix sort of three passes.
  static func order(of places: [Coordinate]) -> [UInt32] {
    var entries = places.enumerated().map { index, place in
      UInt64(key(of: place)) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
    }
    var spare = entries
    for shift in [32, 43, 54] as [UInt64] { pass(&entries, &spare, shift: shift) }
    return entries.map { UInt32(truncatingIfNeeded: $0) }
  }

  private static func key(of place: Coordinate) -> UInt32 {
    // The last cell reaches up to 90° and 180°, which would open another.
    let y = UInt64(min(65_535, (place.latitude + 90) * (65_536 / 180)))
    let x = UInt64(min(65_535, (place.longitude + 180) * (65_536 / 360)))
    return UInt32(truncatingIfNeeded: spread(y) | spread(x) << 1)
  }

  /// The lowest sixteen bits, each followed by a zero.
  private static func spread(_ bits: UInt64) -> UInt64 {
    var spread = (bits | bits << 8) & 0x00ff_00ff
    spread = (spread | spread << 4) & 0x0f0f_0f0f
    spread = (spread | spread << 2) & 0x3333_3333
    return (spread | spread << 1) & 0x5555_5555
  }

  /// Puts entries in the order of eleven bits, keeping that of before among equals.
  private static func pass(_ entries: inout [UInt64], _ spare: inout [UInt64], shift: UInt64) {
    var ends = [Int](repeating: 0, count: 2_049)
    for entry in entries { ends[Int(entry >> shift & 0x7ff) + 1] += 1 }
    for digit in 1..<2_049 { ends[digit] += ends[digit - 1] }
    for entry in entries {
      let digit = Int(entry >> shift & 0x7ff)
      spare[ends[digit]] = entry
      ends[digit] += 1
    }
    swap(&entries, &spare)
  }
}
