import Geodesy
import MapProjections

extension ClusterOrder {
  /// A position to be sorted.
  struct Entry {
    var code: UInt64
    var place: UInt32
  }

  /// Sorts positions by their cells.
  ///
  /// A radix sort by the 44 upper bits, 11 at a time, which are cells of 9 m. The positions in such
  /// a cell are few or equal, and are sorted by comparisons.
  ///
  /// - Parameters:
  ///   - coordinates: The positions.
  ///   - places: The offset of each in the input.
  ///   - comesBefore: Whether the input at the first offset has the lower id.
  init(
    _ coordinates: [Coordinate], places: [UInt32], grid: MercatorGrid,
    comesBefore: (UInt32, UInt32) -> Bool
  ) {
    let count = coordinates.count
    let entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: count)
    defer { entries.deallocate() }
    for rank in 0..<count {
      entries.initializeElement(
        at: rank, to: Entry(code: grid.code(coordinates[rank]), place: places[rank]))
    }
    ClusterOrder.sort(entries, comesBefore: comesBefore)
    self.init(grid: grid, codes: entries.map(\.code), places: entries.map(\.place))
  }

  private static var digitBits: Int { 11 }
  private static var digitCount: Int { 4 }
  /// The number of lower bits that the radix sort ignores.
  private static var unsortedBits: UInt64 { UInt64(64 - digitBits * digitCount) }

  private static func sort(
    _ entries: UnsafeMutableBufferPointer<Entry>, comesBefore: (UInt32, UInt32) -> Bool
  ) {
    let count = entries.count
    let other = UnsafeMutableBufferPointer<Entry>.allocate(capacity: count)
    defer { other.deallocate() }
    let size = 1 << digitBits
    func digit(_ code: UInt64, _ pass: Int) -> Int {
      Int(code >> (unsortedBits + UInt64(pass * digitBits))) & (size - 1)
    }
    withUnsafeTemporaryAllocation(of: Int.self, capacity: digitCount * size) { starts in
      starts.initialize(repeating: 0)
      for entry in entries {
        for pass in 0..<digitCount { starts[pass * size + digit(entry.code, pass)] += 1 }
      }
      var (from, to) = (entries, other)
      for pass in 0..<digitCount where count > 0 {
        let own = UnsafeMutableBufferPointer(rebasing: starts[pass * size..<(pass + 1) * size])
        // All have the same digit: nothing to do.
        if own[digit(from[0].code, pass)] == count { continue }
        var start = 0
        for value in 0..<size { (own[value], start) = (start, start + own[value]) }
        for entry in from {
          let value = digit(entry.code, pass)
          to.initializeElement(at: own[value], to: entry)
          own[value] += 1
        }
        (from, to) = (to, from)
      }
      if from.baseAddress != entries.baseAddress { _ = entries.update(fromContentsOf: from) }
    }
    sortTies(entries, comesBefore: comesBefore)
  }

  /// Sorts entries that the radix sort considers equal.
  private static func sortTies(
    _ entries: UnsafeMutableBufferPointer<Entry>, comesBefore: (UInt32, UInt32) -> Bool
  ) {
    func precedes(_ left: Entry, _ right: Entry) -> Bool {
      left.code != right.code ? left.code < right.code : comesBefore(left.place, right.place)
    }
    var start = 0
    while start < entries.count {
      let upper = entries[start].code >> unsortedBits
      var end = start + 1
      var isSorted = true
      while end < entries.count, entries[end].code >> unsortedBits == upper {
        if isSorted, precedes(entries[end], entries[end - 1]) { isSorted = false }
        end += 1
      }
      if !isSorted {
        var tied = UnsafeMutableBufferPointer(rebasing: entries[start..<end])
        tied.sort(by: precedes)
      }
      start = end
    }
  }

  /// The order with some positions replaced by others.
  ///
  /// - Parameters:
  ///   - isDropped: Whether the position at an offset is removed; called once for each.
  ///   - coordinates: The added positions.
  ///   - places: Their offsets.
  /// - Complexity: O(*n* + *m* log *m*) for *m* added positions.
  func replacing(
    where isDropped: (UInt32) -> Bool, by coordinates: [Coordinate], places: [UInt32],
    comesBefore: (UInt32, UInt32) -> Bool
  ) -> ClusterOrder {
    let new = ClusterOrder(coordinates, places: places, grid: grid, comesBefore: comesBefore)
    var codes: [UInt64] = []
    var merged: [UInt32] = []
    codes.reserveCapacity(count + new.count)
    merged.reserveCapacity(count + new.count)
    var next = 0
    func take() {
      codes.append(new.codes[next])
      merged.append(new.places[next])
      next += 1
    }
    for rank in 0..<count where !isDropped(self.places[rank]) {
      let code = self.codes[rank], place = self.places[rank]
      while next < new.count,
        new.codes[next] < code
          || (new.codes[next] == code && comesBefore(new.places[next], place))
      {
        take()
      }
      codes.append(code)
      merged.append(place)
    }
    while next < new.count { take() }
    return ClusterOrder(grid: grid, codes: codes, places: merged)
  }
}
