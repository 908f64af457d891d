import Geodesy

/// The 64-bit geohashes of positions in geohash order.
///
/// The sorted list is not stored, except for the first code of each leaf: each code follows from
/// its position.
struct SortedCodes {
  let tree: TreeView

  var count: Int { tree.shape.count }

  /// The geohash of the position in a slot.
  @inline(__always)
  func code(_ slot: Int) -> UInt64 {
    tree.encoding.geohash(
      tree.firstLeaf + (slot >> 4) &* tree.encoding.leafSize, lane: slot & 15)
  }

  /// The offset in the input of the position in a slot.
  func position(_ slot: Int) -> UInt32 {
    _ = tree.leaf(slot >> 4)
    return tree.position(slot)
  }

  /// The first slot in a range whose code is at least `code`; the end of the range if there is
  /// none.
  func firstSlot(in range: Range<Int>, atOrAbove code: UInt64) -> Int {
    guard !range.isEmpty else { return range.upperBound }
    // Find the last leaf that may begin below the code, then search it.
    let low = lastLeaf(
      in: range.lowerBound >> 4..<(range.upperBound &+ 15) >> 4, beginningBelow: code)
    _ = tree.leaf(low)
    var first = max(range.lowerBound, low << 4)
    var end = min(range.upperBound, (low &+ 1) << 4)
    while first < end {
      let middle = first &+ (end &- first) / 2
      if self.code(middle) < code { first = middle &+ 1 } else { end = middle }
    }
    return first
  }

  /// The last leaf after one whose first code is below another; that leaf if there is none.
  ///
  /// Gallops in doubling steps, so a leaf nearby is found in a few.
  func lastLeaf(from start: Int, beginningBelow code: UInt64) -> Int {
    let end = (count &+ 15) >> 4
    var known = start, step = 1
    while known &+ step < end, tree.firstCode(ofLeaf: known &+ step) < code {
      known &+= step
      step *= 2
    }
    return lastLeaf(in: known..<min(known &+ step, end), beginningBelow: code)
  }

  /// The last of some leaves whose first code is below another; the first of them if there is none.
  @inline(__always)
  private func lastLeaf(in leaves: Range<Int>, beginningBelow code: UInt64) -> Int {
    var known = leaves.lowerBound, above = leaves.upperBound
    while known &+ 1 < above {
      let middle = (known &+ above) >> 1
      if tree.firstCode(ofLeaf: middle) < code { known = middle } else { above = middle }
    }
    return known
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
  /// Gallops in doubling steps, so a run of *m* takes O(log *m*), and a run of one is cheap.
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

  /// The code of a slot whose leaf has not been requested yet.
  func codeRead(_ slot: Int) -> UInt64 {
    _ = tree.leaf(slot >> 4)
    return code(slot)
  }
}
