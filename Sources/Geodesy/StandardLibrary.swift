import Synchronization

// What the standard library lacks: nothing here knows of the Earth, and every floor needs it.

// MARK: Sharing

/// A `Mutex` that thread sanitizer understands.
///
/// On Linux the kernel passes a contended `Mutex` to the waiting thread. The sanitizer sees only
/// the program and reports the next reads as a race: 20 lines with only a `Mutex` are enough. Here
/// each turn also ends with a store that the next turn loads, which costs nothing beside the lock.
/// So a race that the tool reports for a `SharedValue` is real.
package struct SharedValue<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let turn = Atomic(0)

  @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Calls `body` with exclusive access to the value.
  ///
  /// Always inlined: called, it would look up the types of value and result each time, which takes longer than most
  /// bodies.
  @inlinable @inline(__always) package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { (value) throws(Failure) in
      _ = turn.load(ordering: .acquiring)
      defer { turn.store(0, ordering: .releasing) }
      return try body(&value)
    }
  }
}

extension SharedValue {
  /// What is kept, made if nothing is yet; two threads that come at once may both make it.
  @inlinable @inline(__always) package borrowing func kept<Kept: Sendable>(orMade make: () -> Kept)
    -> Kept
  where Value == Kept? {
    if let known = withLock({ $0 }) { return known }
    let made = make()
    withLock { $0 = made }
    return made
  }
}

// MARK: Searching

extension RandomAccessCollection where Index == Int {
  /// The number of leading elements that satisfy a condition that no later element satisfies.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func partitioningCount(_ satisfies: (Element) -> Bool) -> Int {
    // Without a branch on what is read, which would be mispredicted every other time.
    var low = startIndex
    var size = count
    while size > 0 {
      let half = size / 2
      let isBefore = satisfies(self[low + half])
      low = isBefore ? low + half + 1 : low
      size = isBefore ? size - half - 1 : half
    }
    return low - startIndex
  }
}

/// The minimum of a function that falls and then rises, and where it is.
///
/// By golden-section search: 40 steps narrow the range to 4·10⁻⁹ of itself. For a range of one degree that is less than
/// a millimeter on the ground, and far less in distance, which is flat at its minimum. The ends are not evaluated.
///
/// - Complexity: 42 calls of the function.
///
/// Source: J. Kiefer, "Sequential Minimax Search for a Maximum", Proceedings of the AMS 4, 1953, doi:10.2307/2032161.
package func leastPlace(
  in range: ClosedRange<Double>, of function: (Double) -> Double
) -> (place: Double, value: Double) {
  let ratio = (5.0.squareRoot() - 1) / 2
  var low = range.lowerBound, high = range.upperBound
  var left = high - ratio * (high - low), right = low + ratio * (high - low)
  var atLeft = function(left), atRight = function(right)
  for _ in 0..<40 {
    if atLeft < atRight {
      (high, right, atRight) = (right, left, atLeft)
      left = high - ratio * (high - low)
      atLeft = function(left)
    } else {
      (low, left, atLeft) = (left, right, atRight)
      right = low + ratio * (high - low)
      atRight = function(right)
    }
  }
  return atLeft < atRight ? (left, atLeft) : (right, atRight)
}

/// How many elements to insert, delete or replace: the Levenshtein distance, computed row by row.
///
/// - Parameter countsSwaps: Whether two neighbors in the other order are one edit instead of two.
package func editDistance<Element: Equatable>(
  from source: [Element], to target: [Element], countsSwaps: Bool = false
) -> Int {
  var before: [Int] = []
  var last = Array(0...target.count)
  for i in source.indices {
    var row = [i + 1]
    for j in target.indices {
      let replaced = last[j] + (source[i] == target[j] ? 0 : 1)
      var least = min(replaced, last[j + 1] + 1, row[j] + 1)
      if countsSwaps, i > 0, j > 0, source[i] == target[j - 1], source[i - 1] == target[j] {
        least = min(least, before[j - 1] + 1)
      }
      row.append(least)
    }
    (before, last) = (last, row)
  }
  return last[target.count]
}

// MARK: Bits

/// Puts a zero above each bit: bit i moves to bit 2 i.
///
/// Two such numbers are interleaved like shuffled cards: in geohashes, and in the cells of clusters. Five
/// steps; each moves the upper half of every group up by the size of the half.
///
/// Source: "Interleave bits by Binary Magic Numbers", S. E. Anderson, Bit Twiddling Hacks.
@inlinable
package func spreadBits(_ value: UInt32) -> UInt64 {
  var bits = UInt64(value)
  bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
  bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
  bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
  bits = (bits | bits << 2) & 0x3333_3333_3333_3333
  return (bits | bits << 1) & 0x5555_5555_5555_5555
}
