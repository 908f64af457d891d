import Geodesy
import MapProjections

extension ClusterOrder {
  /// Sorts positions by their cells.
  ///
  /// A radix sort by the 44 upper bits, which are cells of 9 m. The positions in such a cell are few or equal, and
  /// are sorted by comparisons.
  ///
  /// - Parameters:
  ///   - coordinates: The positions.
  ///   - places: The offset of each in the input.
  ///   - comesBefore: Whether the input at the first offset has the lower id.
  init(
    _ coordinates: [Coordinate], places: [UInt32], grid: MercatorGrid,
    comesBefore: (UInt32, UInt32) -> Bool
  ) {
    var entries = zip(coordinates, places).map { CurveEntry(key: grid.code($0), number: $1) }
    entries.sortStably(fromBit: ClusterOrder.unsortedBits)
    entries.withUnsafeMutableBufferPointer {
      ClusterOrder.sortTies($0, comesBefore: comesBefore)
    }
    self.init(grid: grid, codes: entries.map(\.key), places: entries.map(\.number))
  }

  /// The number of lower bits that the radix sort ignores.
  private static var unsortedBits: Int { 20 }

  /// Sorts entries that the radix sort considers equal.
  private static func sortTies(
    _ entries: UnsafeMutableBufferPointer<CurveEntry>, comesBefore: (UInt32, UInt32) -> Bool
  ) {
    func precedes(_ left: CurveEntry, _ right: CurveEntry) -> Bool {
      left.key != right.key ? left.key < right.key : comesBefore(left.number, right.number)
    }
    var start = 0
    while start < entries.count {
      let upper = entries[start].key >> unsortedBits
      var end = start + 1
      var isSorted = true
      while end < entries.count, entries[end].key >> unsortedBits == upper {
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
