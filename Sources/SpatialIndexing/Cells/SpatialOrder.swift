import Geodesy

/// An order of places in which neighbors on the Earth mostly follow one another: geohash order,
/// with sixteen bits of latitude interleaved with sixteen of longitude.
enum SpatialOrder {
  /// Writes the offsets of some places in that order to `offsets`.
  ///
  /// - Complexity: O(*n*): a radix sort with two passes, or three from 65,536 places on; with
  ///   fewer, places in a cell of a tenth of a degree count as equal.
  static func order(
    _ places: [Coordinate], _ part: Range<Int>, into offsets: UnsafeMutablePointer<UInt32>
  ) {
    let count = part.count
    let shifts = count < 65_536 ? [42, 53] : [32, 42, 53] as [UInt64]
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * count + 3 * digitCount) {
      memory in
      var entries = memory.baseAddress.unsafelyUnwrapped
      var spare = entries + count
      let ends = spare + count
      ends.update(repeating: 0, count: shifts.count * digitCount)
      places.withUnsafeBufferPointer { places in
        for index in 0..<count {
          let offset = part.lowerBound + index
          let entry = UInt64(key(of: places[offset])) << 32 | UInt64(truncatingIfNeeded: offset)
          entries[index] = entry
          for pass in 0..<shifts.count {
            ends[pass * digitCount + digit(entry, shifts[pass])] &+= 1
          }
        }
      }
      for pass in 0..<shifts.count {
        spread(entries, count, shifts[pass], into: spare, ends: ends + pass * digitCount)
        swap(&entries, &spare)
      }
      for index in 0..<count { offsets[index] = UInt32(truncatingIfNeeded: entries[index]) }
    }
  }

  private static let digitCount = 2_048

  @inline(__always)
  private static func digit(_ entry: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: entry >> shift) & (digitCount &- 1)
  }

  /// Sorts entries stably by one digit.
  ///
  /// - Parameter ends: The number of entries with each digit; afterwards where they end.
  private static func spread(
    _ entries: UnsafeMutablePointer<UInt64>, _ count: Int, _ shift: UInt64,
    into sorted: UnsafeMutablePointer<UInt64>, ends: UnsafeMutablePointer<UInt64>
  ) {
    var start: UInt64 = 0
    for digit in 0..<digitCount {
      let size = ends[digit]
      ends[digit] = start
      start &+= size
    }
    for index in 0..<count {
      let entry = entries[index]
      let digit = digit(entry, shift)
      sorted[Int(truncatingIfNeeded: ends[digit])] = entry
      ends[digit] &+= 1
    }
  }

  private static func key(of place: Coordinate) -> UInt32 {
    // The last cell includes 90° and 180°, which would otherwise begin another.
    let y = Int32(truncatingIfNeeded: Int((place.latitude + 90) * (65_536 / 180)))
    let x = Int32(truncatingIfNeeded: Int((place.longitude + 180) * (65_536 / 360)))
    let both =
      UInt64(truncatingIfNeeded: min(y, 65_535)) << 32 | UInt64(truncatingIfNeeded: min(x, 65_535))
    // Latitude and longitude side by side, so that both are spread at once.
    let apart = spread(both)
    return UInt32(truncatingIfNeeded: apart >> 32 | apart << 1)
  }

  /// The lowest sixteen bits of both halves, each followed by a zero.
  private static func spread(_ bits: UInt64) -> UInt64 {
    var spread = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff
    spread = (spread | spread << 4) & 0x0f0f_0f0f_0f0f_0f0f
    spread = (spread | spread << 2) & 0x3333_3333_3333_3333
    return (spread | spread << 1) & 0x5555_5555_5555_5555
  }
}
