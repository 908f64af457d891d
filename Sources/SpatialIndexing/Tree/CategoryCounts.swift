/// The number of positions in each of the 64 categories.
struct CategoryCounts: Hashable, Sendable {
  /// Not an array: making the first array of an element type takes a program longer than opening an
  /// index file.
  private(set) var numbers: SIMD64<UInt32>

  static let categoryCount = 64

  /// Takes counts from a file; by default all are 0.
  init(numbers: SIMD64<UInt32> = .zero) {
    self.numbers = numbers
  }

  /// Counts the categories of some sets.
  ///
  /// - Complexity: O(sets), plus one addition for each category in a set.
  init(_ sets: some Sequence<CategorySet>) {
    self.init()
    withUnsafeMutableBytes(of: &numbers) { memory in
      let numbers = memory.assumingMemoryBound(to: UInt32.self)
      for set in sets {
        set.rawValue.forEachBit { numbers[$0] &+= 1 }
      }
    }
  }

  subscript(category: Int) -> Int { Int(numbers[category]) }

  /// Calls `body` with the number of positions in each of some categories, in ascending order.
  @inline(__always)
  func forEach(of categories: CategorySet, _ body: (Int) -> Void) {
    categories.rawValue.forEachBit { body(self[$0]) }
  }

  /// The categories that some position belongs to.
  var held: CategorySet { categories { $0 > 0 } }

  /// The categories whose count satisfies a condition.
  func categories(where isWanted: (Int) -> Bool) -> CategorySet {
    var bits: UInt64 = 0
    for category in 0..<CategoryCounts.categoryCount where isWanted(self[category]) {
      bits |= 1 << UInt64(category)
    }
    return CategorySet(rawValue: bits)
  }
}

extension CategorySet {
  /// The numbers of the categories, in ascending order.
  var numbers: [Int] {
    (0..<CategoryCounts.categoryCount).filter { rawValue >> UInt64($0) & 1 == 1 }
  }
}

extension FixedWidthInteger {
  /// Calls `body` with the numbers of the bits that are set, in ascending order.
  @inline(__always)
  func forEachBit(_ body: (Int) -> Void) {
    var bits = self
    while bits != 0 {
      body(bits.trailingZeroBitCount)
      bits &= bits &- 1
    }
  }
}
