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
