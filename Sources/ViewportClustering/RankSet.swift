import Geodesy

/// A set of positions of a `ClusterOrder` by rank: one bit for each, and sums before each word of
/// 64.
///
/// It gives the count and the mean of a run without reading most of the run.
struct RankSet: Sendable {
  private let words: [UInt64]
  /// The number of set bits before each word, and at the end.
  private let counts: [UInt32]
  /// The sums of columns and rows before each word, and at the end.
  private let sums: [SIMD2<UInt64>]

  /// - Parameter contains: Called once for each rank, in ascending order.
  init(of order: ClusterOrder, where contains: (Int) -> Bool) {
    let wordCount = (order.count + 63) / 64
    var words = [UInt64](repeating: 0, count: wordCount)
    var counts: [UInt32] = []
    var sums: [SIMD2<UInt64>] = []
    counts.reserveCapacity(wordCount + 1)
    sums.reserveCapacity(wordCount + 1)
    var count: UInt32 = 0
    var sum = SIMD2<UInt64>.zero
    for place in 0..<wordCount {
      counts.append(count)
      sums.append(sum)
      var word: UInt64 = 0
      for rank in place * 64..<min(place * 64 + 64, order.count) where contains(rank) {
        word |= 1 << UInt64(rank % 64)
        let code = order.codes[rank]
        sum &+= gridPlace(code)
      }
      words[place] = word
      count += UInt32(word.nonzeroBitCount)
    }
    counts.append(count)
    sums.append(sum)
    self.words = words
    self.counts = counts
    self.sums = sums
  }

  /// The number of ranks in the set.
  var count: Int { counts.last.map { Int($0) } ?? 0 }

  func contains(_ rank: Int) -> Bool { words[rank / 64] >> UInt64(rank % 64) & 1 == 1 }

  /// The number of ranks of a run in the set.
  @inline(__always)
  func count(in run: Range<Int>) -> Int {
    count(before: run.upperBound) - count(before: run.lowerBound)
  }

  @inline(__always)
  private func count(before rank: Int) -> Int {
    let place = rank / 64
    let rest = rank % 64 == 0 ? 0 : words[place] & (1 << UInt64(rank % 64) - 1)
    return Int(counts[place]) + rest.nonzeroBitCount
  }

  /// The sums of the columns and rows of the ranks of a run in the set.
  func sum(in run: Range<Int>, of order: ClusterOrder) -> SIMD2<UInt64> {
    sum(before: run.upperBound, of: order) &- sum(before: run.lowerBound, of: order)
  }

  private func sum(before rank: Int, of order: ClusterOrder) -> SIMD2<UInt64> {
    let place = rank / 64
    var sum = sums[place]
    guard rank % 64 > 0 else { return sum }
    var rest = words[place] & (1 << UInt64(rank % 64) - 1)
    while rest != 0 {
      let code = order.codes[place * 64 + rest.trailingZeroBitCount]
      sum &+= gridPlace(code)
      rest &= rest - 1
    }
    return sum
  }

  /// Calls `body` for each rank of a run in the set, ascending.
  @inline(__always)
  func forEach(in run: Range<Int>, _ body: (Int) -> Void) {
    var place = run.lowerBound / 64
    while place * 64 < run.upperBound {
      var word = words[place]
      if place * 64 < run.lowerBound { word &= ~0 << UInt64(run.lowerBound - place * 64) }
      if run.upperBound - place * 64 < 64 { word &= 1 << UInt64(run.upperBound - place * 64) - 1 }
      while word != 0 {
        body(place * 64 + word.trailingZeroBitCount)
        word &= word - 1
      }
      place += 1
    }
  }

  /// The first and the last rank of a run in the set; nil if there is none.
  func ends(in run: Range<Int>) -> (first: Int, last: Int)? {
    let before = count(before: run.lowerBound), inside = count(in: run)
    guard inside > 0 else { return nil }
    return (rank(of: before), rank(of: before + inside - 1))
  }

  /// The rank at an index of the set.
  func rank(of number: Int) -> Int {
    // The last word with at most that many ranks before it.
    let place = words.indices.partitioningCount { Int(counts[$0 + 1]) <= number }
    var word = words[place]
    for _ in 0..<number - Int(counts[place]) { word &= word - 1 }
    return place * 64 + word.trailingZeroBitCount
  }
}
