/// Moves elements so that none before a rank has a greater key than the one there, and none after it
/// a lesser one.
///
/// - Returns: The key at the rank.
/// - Complexity: O(*n*) expected, O(*n* log *n*) at worst.
///
/// Source: C. A. R. Hoare, "Algorithm 65: Find", CACM 4(7), 1961, doi:10.1145/366622.366647.
@inline(__always)
func select<Element: BitwiseCopyable, Key: Comparable>(
  _ rank: Int, of elements: UnsafeMutableBufferPointer<Element>,
  by key: (UnsafePointer<Element>) -> Key
) -> Key {
  let start = elements.baseAddress.unsafelyUnwrapped
  var low = 0, high = elements.count - 1
  var rounds = 0
  while low < high {
    rounds += 1
    // If the order keeps bisection from working, fall back on a sort, whose cost is bounded.
    guard rounds < 64 else {
      var rest = UnsafeMutableBufferPointer(rebasing: elements[low...high])
      rest.sort { left, right in
        withUnsafePointer(to: left) { left in
          withUnsafePointer(to: right) { key(left) < key($0) }
        }
      }
      return key(start + rank)
    }
    let (a, b, c) = (key(start + low), key(start + (low + high) / 2), key(start + high))
    let pivot = max(min(a, b), min(max(a, b), c))
    var left = low, right = high
    while left <= right {
      while key(start + left) < pivot { left &+= 1 }
      while pivot < key(start + right) { right &-= 1 }
      if left <= right {
        let element = start[left]
        start[left] = start[right]
        start[right] = element
        left &+= 1
        right &-= 1
      }
    }
    if rank <= right {
      high = right
    } else if rank >= left {
      low = left
    } else {
      return pivot
    }
  }
  return key(start + low)
}
