/// Splits a large range of sites at four levels while moving each site once.
///
/// A sample tells roughly where the fifteen splits lie. A site that is clear of every split on its
/// path goes to its part at once; the others, about a tenth, wait. Then each part's shortfall is
/// known, and the waiting sites are split at the ranks that complete every part. Large ranges are
/// bound by memory bandwidth, and this reads and writes memory once instead of four or more times.
///
/// Source: the idea of super scalar sample sort: P. Sanders and S. Winkel, ESA 2004,
/// doi:10.1007/978-3-540-30140-0_69.
struct SitePartition {
  private static let levels = 4
  private static let partCount = 1 << levels
  /// Smaller ranges fit the caches well enough for splitting in two to be as quick.
  static let leastCount = 1 << 21
  /// The number of sites moved between two checks of the room left.
  private static let blockSize = 1_024

  private let count: Int
  /// The number of sites of each node: the root at 1, the parts last.
  private let counts: [Int]

  /// Nil if the range, or one of its parts, would be too small.
  init?(count: Int, leastCount: Int = SitePartition.leastCount) {
    guard count >= leastCount else { return nil }
    self.count = count
    var counts = [0, count]
    for node in 1..<SitePartition.partCount {
      guard counts[node] > SitePartition.blockSize else { return nil }
      let left = KDOrder.leftCount(of: counts[node])
      counts += [left, counts[node] - left]
    }
    self.counts = counts
  }

  /// The number of sites in each part, in order.
  var partCounts: ArraySlice<Int> { counts[SitePartition.partCount...] }

  /// Copies the sites part by part.
  ///
  /// - Returns: False if too many sites lie on the splits, for example a million equal ones; the
  ///   source is then unchanged.
  func split(_ source: Sites, into target: Sites) -> Bool {
    let sampleSize = min(max(count / 64, 16_384), 131_072)
    var splits = Splits(sampleSize: sampleSize)
    let sample = KDOrder.Sample(of: source, count: count, size: sampleSize, scratch: target)
    let scratch = target + 2 * sampleSize
    chooseSplits(
      node: 1, sample.latitudes, sample.longitudes, count: sampleSize, scratch: scratch, &splits)

    let waitingCount = count / 3
    let waiting = LargePages.allocate(waitingCount * KDOrder.siteWords)
    defer { waiting.deallocate() }
    var places = Places(repeating: waiting, ends: waiting + waitingCount * KDOrder.siteWords)
    var start = target
    for part in SitePartition.partCount..<2 * SitePartition.partCount {
      places.next[part] = start
      start += counts[part] * KDOrder.siteWords
      places.ends[part] = start
    }
    guard move(source, splits, &places) else { return false }
    resolve(
      node: 1, waiting, count: (places.next[0] - waiting) / KDOrder.siteWords, spare: source,
      splits, &places)
    return true
  }

  // MARK: Splits

  /// The splits: a site below `low` goes left, one from `high` on goes right, and one in between
  /// waits.
  private struct Splits {
    let sampleSize: Int
    var axis = [Int](repeating: 0, count: SitePartition.partCount)
    var low = [Int](repeating: 0, count: SitePartition.partCount)
    var high = [Int](repeating: 0, count: SitePartition.partCount)
  }

  private func chooseSplits(
    node: Int, _ latitudes: UnsafeMutablePointer<Int32>,
    _ longitudes: UnsafeMutablePointer<Int32>, count: Int, scratch: UnsafeMutablePointer<Int32>,
    _ splits: inout Splits
  ) {
    guard node < SitePartition.partCount, count > 0 else { return }
    let axis = KDOrder.longerAxis(of: latitudes, longitudes, count: count)
    let keys = axis == 0 ? latitudes : longitudes
    // The wanted rank, plus or minus two standard deviations at the root: among successive splits
    // along one axis, each has the same error in terms of all sites.
    let rank = count * counts[2 * node] / counts[node]
    let margin = Int(Double(splits.sampleSize).squareRoot())
    splits.axis[node] = axis
    splits.low[node] = Int(KDOrder.approximate(keys, count: count, rank: rank - margin))
    splits.high[node] = Int(KDOrder.approximate(keys, count: count, rank: rank + margin))

    let pivot = Int(KDOrder.approximate(keys, count: count, rank: rank))
    var left = 0, right = 0
    for index in 0..<count {
      let latitude = latitudes[index], longitude = longitudes[index]
      let isLeft = KDOrder.isBelow(Int(keys[index]), pivot)
      scratch[2 &* right] = latitude
      scratch[2 &* right &+ 1] = longitude
      latitudes[left] = latitude
      longitudes[left] = longitude
      left &+= isLeft
      right &+= 1 &- isLeft
    }
    for index in 0..<right {
      latitudes[left &+ index] = scratch[2 &* index]
      longitudes[left &+ index] = scratch[2 &* index &+ 1]
    }
    chooseSplits(
      node: 2 * node, latitudes, longitudes, count: left, scratch: scratch, &splits)
    chooseSplits(
      node: 2 * node + 1, latitudes + left, longitudes + left, count: right, scratch: scratch,
      &splits)
  }

  // MARK: Moving

  /// Where the next site of each part goes, and where the part ends; part 0 holds the waiting
  /// sites.
  private struct Places {
    var next: [Sites]
    var ends: [Sites]

    init(repeating next: Sites, ends: Sites) {
      self.next = Array(repeating: next, count: 2 * SitePartition.partCount)
      self.ends = Array(repeating: ends, count: 2 * SitePartition.partCount)
    }
  }

  /// Moves each site to its part, or to the waiting sites; false if too many have to wait.
  private func move(_ source: Sites, _ splits: Splits, _ places: inout Places) -> Bool {
    places.next.withUnsafeMutableBufferPointer { next in
      places.ends.withUnsafeBufferPointer { ends in
        splits.axis.withUnsafeBufferPointer { axis in
          splits.low.withUnsafeBufferPointer { low in
            splits.high.withUnsafeBufferPointer { high in
              move(
                source, axis: axis.baseAddress!, low: low.baseAddress!, high: high.baseAddress!,
                next: next.baseAddress!, ends: ends.baseAddress!)
            }
          }
        }
      }
    }
  }

  private func move(
    _ source: Sites, axis: UnsafePointer<Int>, low: UnsafePointer<Int>, high: UnsafePointer<Int>,
    next: UnsafeMutablePointer<Sites>, ends: UnsafePointer<Sites>
  ) -> Bool {
    let room = SitePartition.blockSize * KDOrder.siteWords
    for start in stride(from: 0, to: count, by: SitePartition.blockSize) {
      let size = min(count - start, SitePartition.blockSize)
      if ends[0] - next[0] < room { return false }
      var isRoomy = true
      for part in SitePartition.partCount..<2 * SitePartition.partCount {
        isRoomy = isRoomy && ends[part] - next[part] >= room
      }
      var site = source + start * KDOrder.siteWords
      for _ in 0..<size {
        // No branch depends on the site.
        var node = 1, waits = 0
        for _ in 0..<SitePartition.levels {
          let key = Int(site[axis[node]])
          let isRight = 1 &- KDOrder.isBelow(key, low[node])
          waits |= isRight & KDOrder.isBelow(key, high[node])
          node = node &* 2 &+ isRight
        }
        var place = next + (node &- node &* waits)
        if !isRoomy, place.pointee == ends[place - next] {
          // If a part is already full, its further sites wait.
          place = next
        }
        let target = place.pointee
        place.pointee = target + KDOrder.siteWords
        let latitude = site[0], longitude = site[1], position = site[2]
        target[0] = latitude
        target[1] = longitude
        target[2] = position
        site += KDOrder.siteWords
      }
    }
    return true
  }

  /// Splits the waiting sites so that each part gets what it lacks.
  private func resolve(
    node: Int, _ sites: Sites, count: Int, spare: Sites, _ splits: Splits, _ places: inout Places
  ) {
    guard node < SitePartition.partCount else {
      places.next[node].update(from: sites, count: count * KDOrder.siteWords)
      return
    }
    // The parts below the left child.
    var first = 2 * node, last = 2 * node
    while first < SitePartition.partCount {
      first = 2 * first
      last = 2 * last + 1
    }
    let lacking = (first...last).reduce(0) { $0 + (places.ends[$1] - places.next[$1]) }
    let rank = lacking / KDOrder.siteWords
    if rank == 0 || rank == count {
      resolve(node: 2 * node, sites, count: rank, spare: spare, splits, &places)
      resolve(node: 2 * node + 1, sites, count: count - rank, spare: spare, splits, &places)
      return
    }
    KDOrder.split(sites, count: count, rank: rank, into: spare, axis: splits.axis[node])
    resolve(node: 2 * node, spare, count: rank, spare: sites, splits, &places)
    let middle = rank * KDOrder.siteWords
    resolve(
      node: 2 * node + 1, spare + middle, count: count - rank, spare: sites + middle, splits,
      &places)
  }
}
