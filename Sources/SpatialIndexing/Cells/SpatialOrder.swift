import Geodesy

/// An order of places in which neighbors on the Earth mostly follow one another: geohash order,
/// with sixteen bits of latitude interleaved with sixteen of longitude.
enum SpatialOrder {
  /// The offsets of places in that order.
  static func offsets(of places: [Coordinate]) -> [UInt32] {
    [UInt32](unsafeUninitializedCapacity: places.count) { offsets, count in
      guard let start = offsets.baseAddress, !places.isEmpty else { return }
      order(places, into: start)
      count = places.count
    }
  }

  /// Writes the offsets of places in that order to `offsets`.
  ///
  /// - Complexity: O(*n*): a radix sort with two passes, or three from 65,536 places on; with
  ///   fewer, places in a cell of a tenth of a degree count as equal.
  static func order(_ places: [Coordinate], into offsets: UnsafeMutablePointer<UInt32>) {
    let count = places.count
    let shifts = count < 65_536 ? [42, 53] : [32, 42, 53] as [UInt64]
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * count + 3 * digitCount) {
      memory in
      var entries = memory.baseAddress.unsafelyUnwrapped
      var spare = entries + count
      let ends = spare + count
      ends.update(repeating: 0, count: shifts.count * digitCount)
      places.withUnsafeBufferPointer { places in
        for index in 0..<count {
          let entry = UInt64(key(of: places[index])) << 32 | UInt64(truncatingIfNeeded: index)
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
    let y = UInt32(truncatingIfNeeded: Int((place.latitude + 90) * (65_536 / 180)))
    let x = UInt32(truncatingIfNeeded: Int((place.longitude + 180) * (65_536 / 360)))
    return UInt32(
      truncatingIfNeeded: spreadBits(min(x, 65_535)) << 1 | spreadBits(min(y, 65_535)))
  }
}

/// Processes many places on all cores, neighboring places consecutively, so that data cached for one serves
/// the next.
///
/// - Parameter work: Takes the offset of a place.
/// - Returns: The results, in the order of `places`.
/// - Throws: `CancellationError` if the task is canceled, after 256 places at most on each core.
package func mappedInSpatialOrder<Result: Sendable>(
  _ places: [Coordinate], _ work: @escaping @Sendable (Int) -> Result
) async throws(CancellationError) -> [Result] {
  let order = SpatialOrder.offsets(of: places)
  // A share takes long compared with a task.
  let share = max(16, min(256, places.count / 64))
  let results = await withTaskGroup(of: (ArraySlice<UInt32>, [Result]).self) { group in
    for start in stride(from: 0, to: order.count, by: share) {
      let part = order[start..<min(start + share, order.count)]
      group.addTask { (part, Task.isCancelled ? [] : part.map { work(Int($0)) }) }
    }
    var results = [Result?](repeating: nil, count: places.count)
    for await (part, found) in group {
      for (offset, result) in zip(part, found) { results[Int(offset)] = result }
    }
    return results
  }
  if Task.isCancelled { throw CancellationError() }
  return results.map { $0! }
}
