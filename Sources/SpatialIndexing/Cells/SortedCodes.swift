import Geodesy

/// The geohashes of 64 bits of positions that stand in their order: a sorted list that is not kept,
/// since each follows from its position, but for the first of each leaf.
struct SortedCodes {
  let tree: TreeView

  var count: Int { tree.shape.count }

  /// The geohash of a slot's position.
  @inline(__always)
  func code(_ slot: Int) -> UInt64 {
    BinaryGeohash(tree.coordinate(slot), bitCount: 64).bits
  }

  /// The offset in the input of a slot's position.
  func position(_ slot: Int) -> UInt32 {
    _ = tree.leaf(slot >> 4)
    return tree.position(slot)
  }

  /// The first slot in a range whose code is at least `code`; the end of the range when none is.
  func firstSlot(in range: Range<Int>, atOrAbove code: UInt64) -> Int {
    guard !range.isEmpty else { return range.upperBound }
    // The last leaf that may begin below the code, then a look into it.
    var low = range.lowerBound >> 4, high = (range.upperBound &- 1) >> 4
    while low < high {
      let middle = (low &+ high &+ 1) >> 1
      if tree.firstCode(ofLeaf: middle) < code { low = middle } else { high = middle &- 1 }
    }
    _ = tree.leaf(low)
    var first = max(range.lowerBound, low << 4)
    var end = min(range.upperBound, (low &+ 1) << 4)
    while first < end {
      let middle = first &+ (end &- first) / 2
      if self.code(middle) < code { first = middle &+ 1 } else { end = middle }
    }
    return first
  }

  /// The slots whose codes begin with the bits of a cell.
  func slots(of cell: BinaryGeohash) -> Range<Int> {
    let first = cell.leftAligned
    let last = first | (cell.bitCount == 64 ? 0 : UInt64.max >> UInt64(cell.bitCount))
    let start = firstSlot(in: 0..<count, atOrAbove: first)
    let end = last == .max ? count : firstSlot(in: start..<count, atOrAbove: last + 1)
    return start..<end
  }

  /// The first slot after `start` whose code is above `last`.
  ///
  /// Looks ahead in doubling steps, so that a run of *m* takes O(log *m*), and a run of one is cheap.
  func endOfRun(from start: Int, in range: Range<Int>, last: UInt64) -> Int {
    guard last < .max else { return range.upperBound }
    var step = 1
    var known = start
    while known + step < range.upperBound, codeRead(known + step) <= last {
      known += step
      step *= 2
    }
    return firstSlot(in: known + 1..<min(known + step, range.upperBound), atOrAbove: last + 1)
  }

  /// The code of a slot whose leaf has not been asked for yet.
  func codeRead(_ slot: Int) -> UInt64 {
    _ = tree.leaf(slot >> 4)
    return code(slot)
  }
}
