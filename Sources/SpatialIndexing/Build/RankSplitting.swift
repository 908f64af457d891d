import Geodesy

/// Splits a few thousand sites into leaves by their ranks along both axes.
///
/// The sites are sorted once by latitude and once by longitude. Splitting a range then needs no
/// selection: its middle along either axis is known, one axis's list is cut there, and the other's
/// is stably partitioned by a mark on each site. Only 16-bit numbers move, and no branch depends on
/// the data.
///
/// Source: J. L. Bentley and J. H. Friedman's presorting, as in R. A. Brown, "Building a Balanced
/// k-d Tree in O(kn log n) Time", JCGT 4(1), 2015.
struct RankSplitting {
  /// The maximum number of sites split together: their working memory stays in the second-level
  /// cache.
  static let mostSites = 1 << numberBits
  static let numberBits = 14
  /// The bits of a digit: two digits of a coordinate and a site's number share 32 bits.
  private static let digitBits = (32 - numberBits) / 2
  private static let digits = 1 << digitBits

  private let memory: UnsafeMutableRawPointer
  private let byLatitude, byLongitude: UnsafeMutablePointer<UInt16>
  private let parted: UnsafeMutablePointer<UInt16>
  private let marks: UnsafeMutablePointer<UInt8>
  private let entries, sorted: UnsafeMutablePointer<UInt32>
  private let counts: UnsafeMutablePointer<UInt32>

  /// Allocates memory for up to `mostSites` sites.
  init(mostSites size: Int) {
    // Whole cache lines for each list.
    let size = (size + 63) & ~63
    memory = .allocate(byteCount: size * 16 + RankSplitting.digits * 8, alignment: 64)
    entries = memory.bindMemory(to: UInt32.self, capacity: 2 * size)
    sorted = entries + size
    byLatitude = (memory + size * 8).bindMemory(to: UInt16.self, capacity: 3 * size)
    byLongitude = byLatitude + size
    parted = byLongitude + size
    marks = (memory + size * 14).bindMemory(to: UInt8.self, capacity: size)
    counts = (memory + size * 16).bindMemory(
      to: UInt32.self, capacity: 2 * RankSplitting.digits)
  }

  func deallocate() { memory.deallocate() }

  /// Splits sites into leaves, and passes on each leaf as the numbers of its sites.
  func split(
    _ sites: Sites, count: Int, leaf: (_ start: Int, _ numbers: UnsafeBufferPointer<UInt16>) -> Void
  ) {
    sort(sites, count: count, into: byLatitude)
    sort(sites + 1, count: count, into: byLongitude)
    marks.update(repeating: 0, count: count)
    split(sites, 0..<count, mark: 0, shrink: 0, leaf: leaf)
  }

  private func split(
    _ sites: Sites, _ range: Range<Int>, mark: UInt8, shrink: Double,
    leaf: (_ start: Int, _ numbers: UnsafeBufferPointer<UInt16>) -> Void
  ) {
    let count = range.count
    let first = range.lowerBound
    guard count > TreeShape.fanOut else {
      leaf(first, UnsafeBufferPointer(start: byLatitude + first, count: count))
      return
    }
    let last = range.upperBound - 1
    let south = Int(sites[Int(byLatitude[first]) &* 3])
    let north = Int(sites[Int(byLatitude[last]) &* 3])
    let west = Int(sites[Int(byLongitude[first]) &* 3 &+ 1])
    let east = Int(sites[Int(byLongitude[last]) &* 3 &+ 1])
    // A small range uses the cosine of its enclosing range.
    let shrink =
      count > 1_024 || shrink == 0 ? cosine(radians(Double(south &+ north) * 0.5e-7)) : shrink
    let left = KDOrder.leftCount(of: count)
    let isWide = Double(east &- west) * shrink > Double(north &- south)
    if count <= 2 * TreeShape.fanOut {
      // Two leaves need only the list of the axis.
      let list = (isWide ? byLongitude : byLatitude) + first
      leaf(first, UnsafeBufferPointer(start: list, count: left))
      leaf(first + left, UnsafeBufferPointer(start: list + left, count: count - left))
      return
    }
    part(
      isWide ? byLatitude : byLongitude, by: isWide ? byLongitude : byLatitude, range,
      left: left, mark: mark)
    split(sites, first..<first + left, mark: 1, shrink: shrink, leaf: leaf)
    split(sites, first + left..<range.upperBound, mark: 0, shrink: shrink, leaf: leaf)
  }

  /// Stably partitions a list into sites on the left and on the right of another list's middle.
  ///
  /// All sites of the range are marked the same; then those on the left are marked 1, those on the
  /// right 0.
  @inline(__always)
  private func part(
    _ list: UnsafeMutablePointer<UInt16>, by other: UnsafeMutablePointer<UInt16>,
    _ range: Range<Int>, left: Int, mark: UInt8
  ) {
    let count = range.count
    let marks = self.marks
    let changed = other + range.lowerBound + (mark == 0 ? 0 : left)
    for index in 0..<(mark == 0 ? left : count &- left) { marks[Int(changed[index])] = mark ^ 1 }

    let list = list + range.lowerBound
    var source = list, onLeft = list, onRight = parted
    for _ in 0..<count {
      let number = source.pointee
      let isLeft = Int(marks[Int(number)])
      onLeft.pointee = number
      onRight.pointee = number
      source += 1
      onLeft += isLeft
      onRight += 1 &- isLeft
    }
    (list + left).update(from: parted, count: count &- left)
  }

  /// Lists the sites by a coordinate, equal ones in input order: a radix sort in two passes.
  private func sort(
    _ coordinate: UnsafePointer<Int32>, count: Int, into list: UnsafeMutablePointer<UInt16>
  ) {
    let (low, high) = KDOrder.extremes(coordinate, count: count, step: KDOrder.siteWords)
    // As fine as the bits allow.
    let reach = UInt64(UInt32(bitPattern: high &- low)) + 1
    let digitBits = UInt64(RankSplitting.digitBits), digits = RankSplitting.digits
    let scale = (UInt64(1) << (32 + 2 * digitBits)) / reach
    let lowCounts = counts, highCounts = counts + digits
    counts.update(repeating: 0, count: 2 * digits)
    let numberBits = UInt64(RankSplitting.numberBits)
    for number in 0..<count {
      let offset = UInt64(UInt32(bitPattern: coordinate[number &* 3] &- low))
      let key = (offset &* scale) >> 32
      entries[number] = UInt32(truncatingIfNeeded: key << numberBits | UInt64(number))
      lowCounts[Int(key & (1 << digitBits - 1))] &+= 1
      highCounts[Int(key >> digitBits)] &+= 1
    }
    var lowSum: UInt32 = 0, highSum: UInt32 = 0
    for digit in 0..<digits {
      let lowCount = lowCounts[digit], highCount = highCounts[digit]
      lowCounts[digit] = lowSum
      highCounts[digit] = highSum
      lowSum &+= lowCount
      highSum &+= highCount
    }
    let mask = UInt32(truncatingIfNeeded: digits - 1)
    for index in 0..<count {
      let entry = entries[index]
      let digit = Int((entry >> UInt32(numberBits)) & mask)
      let place = lowCounts[digit]
      lowCounts[digit] = place &+ 1
      sorted[Int(place)] = entry
    }
    let highShift = UInt32(numberBits + digitBits)
    let numberMask = UInt32(1) << UInt32(numberBits) - 1
    for index in 0..<count {
      let entry = sorted[index]
      let digit = Int(entry >> highShift)
      let place = highCounts[digit]
      highCounts[digit] = place &+ 1
      list[Int(place)] = UInt16(truncatingIfNeeded: entry & numberMask)
    }
  }
}
