/// A list for access at its end, without an array's checks.
struct PlainList<Element: BitwiseCopyable>: BitwiseCopyable {
  private var start: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    start.unsafelyUnwrapped[count] = element
    count &+= 1
  }

  private mutating func grow() {
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: max(64, 2 * capacity))
    if let start {
      grown.update(from: start, count: count)
      start.deallocate()
    }
    start = grown
    capacity = max(64, 2 * capacity)
  }

  /// - Precondition: The list is not empty.
  @inline(__always)
  mutating func removeLast() -> Element {
    count &-= 1
    return start.unsafelyUnwrapped[count]
  }

  /// - Precondition: There is an element at `index`.
  mutating func remove(at index: Int) {
    let place = start.unsafelyUnwrapped + index
    count &-= 1
    place.update(from: place + 1, count: count &- index)
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { start.unsafelyUnwrapped[index] }
    nonmutating _modify { yield &start.unsafelyUnwrapped[index] }
  }

  func deallocate() { start?.deallocate() }
}
