/// Elements by number, of which a copy shares all that was not changed since.
///
/// A tree of arrays of sixteen, four deep, under a root with one entry for every 65,536 elements: changing
/// an element of a shared value copies four arrays of sixteen references and the root, so a snapshot costs
/// what changes after it was taken, and a batch of changes to neighbors little more than one.
struct LiveSlots<Element: AnyObject & Sendable>: Sendable {
  /// Not `[Element?]`: code for arrays of references of one type is compiled once, that for any type not at
  /// all, and then takes ten times as long.
  private typealias Leaf = [(any AnyObject & Sendable)?]

  private var root: [[[[Leaf]]]] = []
  /// Numbers that had an element and have none now, taken again first.
  private var free: [Int] = []
  /// How many numbers have been given out.
  private(set) var end = 0

  private static var fanOut: Int { 16 }

  /// How many elements there are.
  var count: Int { end - free.count }

  /// The element with a number that was given out; nil once it is removed.
  subscript(number: Int) -> Element? {
    root[number >> 16][number >> 12 & 15][number >> 8 & 15][number >> 4 & 15][number & 15]
      .map { unsafeDowncast($0, to: Element.self) }
  }

  /// Where the element with a number stands in memory; 0 once it is removed.
  func address(_ number: Int) -> UInt {
    root[number >> 16][number >> 12 & 15][number >> 8 & 15][number >> 4 & 15][number & 15]
      .map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
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
    if number & 0xFFFF == 0 { root.append([]) }
    if number & 0xFFF == 0 { root[number >> 16].append([]) }
    if number & 0xFF == 0 { root[number >> 16][number >> 12 & 15].append([]) }
    if number & 0xF == 0 {
      root[number >> 16][number >> 12 & 15][number >> 8 & 15]
        .append(Array(repeating: nil, count: LiveSlots.fanOut))
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
    root[number >> 16][number >> 12 & 15][number >> 8 & 15][number >> 4 & 15][number & 15] = element
  }
}
