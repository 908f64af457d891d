import Geodesy

/// The records that splitting moves: latitude and longitude in 10⁻⁷ degrees, and the offset in the
/// input, as three consecutive 32-bit integers.
///
/// The integers only shape the tree, so rounding them loses nothing.
typealias Sites = UnsafeMutablePointer<Int32>

/// Splits ranges of sites at exact ranks.
///
/// The result depends on the range alone, not on which task splits it or when.
enum KDOrder {
  /// The number of 32-bit words in a site.
  static let siteWords = 3

  /// The number of sites on the left of a split: the largest power of two of leaves that leaves
  /// some for the right, so that the left part is complete.
  static func leftCount(of count: Int) -> Int {
    let leafCount = (count + TreeShape.fanOut - 1) / TreeShape.fanOut
    return (1 << (Int.bitWidth - 1 - (leafCount - 1).leadingZeroBitCount)) * TreeShape.fanOut
  }

  /// Copies sites so that the first `rank` are the least along the longer side of their box.
  ///
  /// The source is read twice: once to find the value at the rank among candidates chosen by a
  /// sample, and once to move. `target` is scratch until then.
  ///
  /// - Parameter axis: 0 for latitude, 1 for longitude; nil for the longer one.
  static func split(
    _ source: Sites, count: Int, rank: Int, into target: Sites, axis: Int? = nil
  ) {
    let sample = Sample(
      of: source, count: count, size: Sample.size(for: count), scratch: target)
    let axis = axis ?? longerAxis(of: sample.latitudes, sample.longitudes, count: sample.count)
    let pivot =
      count <= Sample.wholeCount
      ? exactPivot(
        target + axis * count, count: count, rank: rank)
      : pivot(of: source, count: count, axis: axis, rank: rank, sample: sample, scratch: target)
    if pivot.equalOnLeft == 0 {
      move(source, count: count, axis: axis, leftBelow: pivot.value, rank: rank, into: target)
    } else if pivot.equalOnLeft == pivot.equal {
      move(source, count: count, axis: axis, leftBelow: pivot.value &+ 1, rank: rank, into: target)
    } else {
      move(source, count: count, axis: axis, pivot: pivot, rank: rank, into: target)
    }
  }

  // MARK: Sampling

  /// Coordinates of sites drawn evenly from a range.
  struct Sample {
    /// Ranges of up to this many sites are their own sample.
    static let wholeCount = 256

    let count: Int
    let latitudes: UnsafeMutablePointer<Int32>
    let longitudes: UnsafeMutablePointer<Int32>

    static func size(for count: Int) -> Int {
      count <= wholeCount ? count : max(64, min(count / 16, 2_048))
    }

    init(of sites: Sites, count: Int, size: Int, scratch: UnsafeMutablePointer<Int32>) {
      self.count = size
      latitudes = scratch
      longitudes = scratch + size
      // One from each of `size` equal parts, at an offset that follows no lattice.
      let step = count / size
      for index in 0..<size {
        let hash = (UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15) >> 32
        let offset = Int((hash &* UInt64(truncatingIfNeeded: step)) >> 32)
        let site = sites + (index &* count / size &+ offset) &* siteWords
        latitudes[index] = site[0]
        longitudes[index] = site[1]
      }
    }
  }

  /// The axis along which the sites spread farther on the ground: 0 for latitude, 1 for longitude.
  static func longerAxis(
    of latitudes: UnsafeMutablePointer<Int32>, _ longitudes: UnsafeMutablePointer<Int32>,
    count: Int
  ) -> Int {
    let (south, north) = extremes(latitudes, count: count)
    let (west, east) = extremes(longitudes, count: count)
    let middle = (Double(south) + Double(north)) * 0.5e-7
    let width = (Double(east) - Double(west)) * cosine(radians(middle))
    return width > Double(north) - Double(south) ? 1 : 0
  }

  /// The least and the greatest of values that lie `step` apart.
  @inline(__always)
  static func extremes(
    _ values: UnsafePointer<Int32>, count: Int, step: Int = 1
  ) -> (low: Int32, high: Int32) {
    var low = values[0], high = values[0]
    for index in 1..<max(count, 1) {
      low = min(low, values[index &* step])
      high = max(high, values[index &* step])
    }
    return (low, high)
  }

  // MARK: Selecting

  /// The value at a rank, and the number of equal values below the rank.
  private struct Pivot {
    let value: Int32
    let equalOnLeft: Int
    let equal: Int
  }

  private static func pivot(
    of sites: Sites, count: Int, axis: Int, rank: Int, sample: Sample,
    scratch: UnsafeMutablePointer<Int32>
  ) -> Pivot {
    let keys = axis == 0 ? sample.latitudes : sample.longitudes
    // The rank in the sample, give or take two and a half standard deviations.
    let middle = rank * sample.count / count
    let margin = Int((1.25 * Double(sample.count).squareRoot()).rounded(.up))
    let low = approximate(keys, count: sample.count, rank: middle - margin)
    let high = approximate(keys, count: sample.count, rank: middle + margin)
    let band = Int(UInt32(bitPattern: high &- low))
    var below = 0, within = 0
    var site = sites + axis
    for _ in 0..<count {
      let key = site[0]
      scratch[within] = key
      within &+= isBelow(Int(UInt32(bitPattern: key &- low)), band)
      below &+= isBelow(Int(key), Int(low))
      site += 3
    }
    if below <= rank, rank < below + within {
      return exactPivot(scratch, count: within, rank: rank - below)
    }
    // The sample was misleading, so use all keys.
    for index in 0..<count { scratch[index] = sites[index * 3 + axis] }
    return exactPivot(scratch, count: count, rank: rank)
  }

  /// 1 if a number is less than another, else 0; without a branch, which could not be predicted.
  @inline(__always)
  static func isBelow(_ a: Int, _ b: Int) -> Int {
    Int(bitPattern: UInt(bitPattern: a &- b) >> 63)
  }

  /// Counts the keys that are at most a value.
  @inline(__always)
  private static func count(
    of keys: UnsafeMutablePointer<Int32>, count: Int, upTo value: Int32
  ) -> Int {
    // Eight at a time by hand: the compiler turns the plain loop into branches.
    var sums = SIMD8<Int32>()
    let limit = SIMD8<Int32>(repeating: value)
    let whole = count & ~7
    var index = 0
    while index < whole {
      let eight = UnsafeRawPointer(keys + index).loadUnaligned(as: SIMD8<Int32>.self)
      sums &-= unsafeBitCast(eight .<= limit, to: SIMD8<Int32>.self)
      index &+= 8
    }
    var sum = Int(UInt32(bitPattern: sums.wrappedSum()))
    while index < count {
      sum &+= isBelow(Int(keys[index]), Int(value) &+ 1)
      index &+= 1
    }
    return sum
  }

  /// The least value that more than `rank` keys do not exceed; reorders the keys.
  private static func exactPivot(
    _ keys: UnsafeMutablePointer<Int32>, count: Int, rank: Int
  ) -> Pivot {
    var count = count, rank = rank
    let (least, greatest) = extremes(keys, count: count)
    var low = Int(least) - 1, high = Int(greatest)
    while count > 16, high - low > 1 {
      let found = bracket(
        keys, count: count, low: low, high: high, rank: rank, until: max(count / 8, 8))
      low = found.low
      high = found.high
      // Moves the keys in between to the front.
      let first = Int32(truncatingIfNeeded: low &+ 1)
      let width = high &- low
      var within = 0
      for index in 0..<count {
        let key = keys[index]
        keys[within] = key
        within &+= isBelow(Int(UInt32(bitPattern: key &- first)), width)
      }
      rank -= found.lowCount
      count = within
    }
    if high - low <= 1 {
      return Pivot(value: Int32(truncatingIfNeeded: high), equalOnLeft: rank, equal: count)
    }
    return pivotOfFew(keys, count: count, rank: rank)
  }

  /// The pivot of up to sixteen keys, each compared with every other.
  private static func pivotOfFew(
    _ keys: UnsafeMutablePointer<Int32>, count: Int, rank: Int
  ) -> Pivot {
    var all = SIMD16<Int32>(repeating: .max)
    for index in 0..<count { all[index] = keys[index] }
    var below = SIMD16<Int32>(), upTo = SIMD16<Int32>()
    for index in 0..<count {
      let key = SIMD16<Int32>(repeating: keys[index])
      below.replace(with: below &+ 1, where: key .< all)
      upTo.replace(with: upTo &+ 1, where: key .<= all)
    }
    for index in 0..<count where Int(below[index]) <= rank && rank < Int(upTo[index]) {
      return Pivot(
        value: keys[index], equalOnLeft: rank - Int(below[index]),
        equal: Int(upTo[index] - below[index]))
    }
    preconditionFailure("no key at rank \(rank) of \(count)")
  }

  /// A value with about `rank` keys below it; beyond all keys for a rank out of range.
  static func approximate(
    _ keys: UnsafeMutablePointer<Int32>, count: Int, rank: Int
  ) -> Int32 {
    if rank <= 0 { return .min }
    if rank >= count { return .max }
    let (least, greatest) = extremes(keys, count: count)
    let found = bracket(
      keys, count: count, low: Int(least) - 1, high: Int(greatest), rank: rank,
      until: max(2, Int(Double(count).squareRoot()) / 8))
    return Int32(truncatingIfNeeded: found.high)
  }

  /// Narrows a range of values around the key at a rank until few keys are left in it.
  ///
  /// At most `rank` keys are up to `low`, and more are up to `high`. Alternating bisection with
  /// linear interpolation takes a handful of counts, and at most 64.
  @inline(__always)
  private static func bracket(
    _ keys: UnsafeMutablePointer<Int32>, count: Int, low: Int, high: Int, rank: Int, until few: Int
  ) -> (low: Int, high: Int, lowCount: Int) {
    var low = low, high = high
    var lowCount = 0, highCount = count
    var halves = false
    while high - low > 1, highCount - lowCount > few {
      var middle = (low + high) >> 1
      if !halves {
        let share = (Double(rank - lowCount) + 0.5) / Double(highCount - lowCount)
        middle = max(low + 1, min(high - 1, low + Int(Double(high - low) * share)))
      }
      halves.toggle()
      let upTo = self.count(of: keys, count: count, upTo: Int32(truncatingIfNeeded: middle))
      if upTo > rank {
        high = middle
        highCount = upTo
      } else {
        low = middle
        lowCount = upTo
      }
    }
    return (low, high, lowCount)
  }

  // MARK: Moving

  /// Copies the sites below a value to the front and the others behind them, each in their old
  /// order.
  @inline(__always)
  private static func move(
    _ source: Sites, count: Int, axis: Int, leftBelow pivot: Int32, rank: Int, into target: Sites
  ) {
    var site = source
    var left = 0, end = rank
    let pivot = Int(pivot)
    for _ in 0..<count {
      // All ones where the site goes left: no branch, which could not be predicted.
      let isLeft = (Int(site[axis]) &- pivot) >> 63
      let place = target + (end &+ ((left &- end) & isLeft)) &* 3
      let latitude = site[0], longitude = site[1], position = site[2]
      place[0] = latitude
      place[1] = longitude
      place[2] = position
      left &-= isLeft
      end &+= 1 &+ isLeft
      site += 3
    }
  }

  /// As above, but some of the sites equal to the pivot, the first ones, go left.
  private static func move(
    _ source: Sites, count: Int, axis: Int, pivot: Pivot, rank: Int, into target: Sites
  ) {
    var site = source
    var left = 0, end = rank, equalLeft = pivot.equalOnLeft
    for _ in 0..<count {
      let key = site[axis]
      let isTaken = key == pivot.value && equalLeft > 0
      equalLeft &-= isTaken ? 1 : 0
      let isLeft = key < pivot.value || isTaken
      let place = target + (isLeft ? left : end) &* 3
      place[0] = site[0]
      place[1] = site[1]
      place[2] = site[2]
      left &+= isLeft ? 1 : 0
      end &+= isLeft ? 0 : 1
      site += 3
    }
  }
}
