/// How many positions belong to each of the 64 categories.
struct CategoryCounts: Hashable, Sendable {
  private(set) var numbers: [UInt32]

  static let categoryCount = 64

  /// What a file says; none of any category by default.
  init(numbers: [UInt32] = Array(repeating: 0, count: CategoryCounts.categoryCount)) {
    self.numbers = numbers
  }

  /// Counts the categories of some sets.
  ///
  /// - Complexity: O(sets), and as many additions as they have categories.
  init(_ sets: some Sequence<CategorySet>) {
    self.init()
    numbers.withUnsafeMutableBufferPointer { numbers in
      for set in sets {
        var bits = set.rawValue
        while bits != 0 {
          numbers[bits.trailingZeroBitCount] &+= 1
          bits &= bits &- 1
        }
      }
    }
  }

  subscript(category: Int) -> Int { Int(numbers[category]) }

  /// The categories that some position belongs to.
  var held: CategorySet { categories { $0 > 0 } }

  /// The categories whose number is as wanted.
  func categories(where isWanted: (Int) -> Bool) -> CategorySet {
    CategorySet(
      (0..<CategoryCounts.categoryCount).filter { isWanted(self[$0]) }
        .map(CategorySet.init(category:)))
  }
}

extension CategorySet {
  /// The numbers of the categories, in ascending order.
  var numbers: [Int] {
    (0..<CategoryCounts.categoryCount).filter { rawValue >> UInt64($0) & 1 == 1 }
  }
}
