/// Elements by number, of which a copy shares all that was not changed since.
///
/// Arrays of arrays of arrays, 64 to a leaf and 64 leaves to a branch: changing an element of a
/// shared value copies one of each and a root with one entry for every 4,096 elements, so a snapshot
/// costs what changes after it was taken.
struct LiveSlots<Element> {
  private var branches: [[[Element?]]] = []
  /// Numbers that had an element and have none now, taken again first.
  private var free: [Int] = []
  /// How many numbers have been given out.
  private(set) var end = 0

  private static var fanOut: Int { 64 }

  /// How many elements there are.
  var count: Int { end - free.count }

  /// The element with a number that was given out; nil once it is removed.
  subscript(number: Int) -> Element? {
    let leaf = number / LiveSlots.fanOut
    return branches[leaf / LiveSlots.fanOut][leaf % LiveSlots.fanOut][number % LiveSlots.fanOut]
  }

  /// Puts an element in place of the one with a number.
  mutating func replace(_ number: Int, with element: Element) { set(number, to: element) }

  /// Adds an element and returns its number.
  mutating func insert(_ element: Element) -> Int {
    if let number = free.popLast() {
      set(number, to: element)
      return number
    }
    let number = end
    end += 1
    let leaf = number / LiveSlots.fanOut
    let branch = leaf / LiveSlots.fanOut
    if branch == branches.count { branches.append([]) }
    if leaf % LiveSlots.fanOut == branches[branch].count {
      branches[branch].append(Array(repeating: nil, count: LiveSlots.fanOut))
    }
    set(number, to: element)
    return number
  }

  /// Removes the element with a number, which may be given to another.
  mutating func remove(_ number: Int) {
    set(number, to: nil)
    free.append(number)
  }

  private mutating func set(_ number: Int, to element: Element?) {
    let leaf = number / LiveSlots.fanOut
    branches[leaf / LiveSlots.fanOut][leaf % LiveSlots.fanOut][number % LiveSlots.fanOut] = element
  }
}

extension LiveSlots: Sendable where Element: Sendable {}
