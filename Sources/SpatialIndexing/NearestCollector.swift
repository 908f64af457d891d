import CKernels

/// What a walk keeps of the positions it meets: the nearest `limit` by flat squared chord, and those
/// that are too close to the last of them to be told apart yet.
///
/// Memory is lent by the caller and never grows.
protocol NearestCollector {
  /// How many bytes of memory it needs, a multiple of 64.
  static func byteCount(limit: Int) -> Int

  /// How many candidates `finish` may return.
  static func greatestCount(limit: Int) -> Int

  init(limit: Int, memory: UnsafeMutableRawPointer)

  /// An upper bound of the flat square of the `limit`-th nearest so far; nil while there are fewer,
  /// or while it costs something to tell.
  var farthest: Float? { get }

  /// Adds the positions of a leaf whose bits are set and whose flat square is at most the limit in
  /// force.
  ///
  /// - Parameters:
  ///   - slot: The first slot of the leaf.
  ///   - squares: The flat squares of its sixteen positions.
  ///   - growth: As in `LocalMetric.positionLimit(upTo:growth:)`.
  /// - Returns: The limit from now on.
  mutating func add(
    slot: Int, bits: UInt32, squares: UnsafePointer<Float>, limit: Float, growth: Float
  ) -> Float

  /// Does at the end of a leaf what has been put off.
  ///
  /// - Returns: As `farthest`.
  mutating func settle(metric: LocalMetric) -> Float?

  /// Ends the collection.
  ///
  /// - Returns: Those whose flat square is at most the limit that follows from the farthest;
  ///   nil when there are fewer than `limit` or some of them are lost.
  mutating func finish(metric: LocalMetric) -> UnsafeMutableBufferPointer<FlatCandidate>?
}

/// The bits of a flat square, which are ordered as the squares are, above those of a slot.
///
/// The square may be rounded up by 4·10⁻⁶ of itself.
typealias FlatCandidate = UInt64

extension FlatCandidate {
  @inline(__always)
  init(square: Float, slot: UInt32) { self = UInt64(square.bitPattern) << 32 | UInt64(slot) }

  @inline(__always) var square: Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: self >> 32))
  }
  @inline(__always) var slot: Int { Int(UInt32(truncatingIfNeeded: self)) }
}

/// Keeps up to sixteen, unordered, each in a lane of its own, so that adding one takes a handful of
/// vector instructions and no branch that a processor could guess wrong.
struct FewNearest: NearestCollector {
  static let greatestLimit = 16
  /// Room for those that are as far as the last one, or nearly.
  private static let tieCapacity = 48
  /// Flat squares, rounded up, naming their lanes; lanes from `limit` on hold less than any.
  private let lanes: UnsafeMutablePointer<Float>
  private let limit: Int
  /// How many fours of lanes are in use.
  private let quads: Int32
  private var filledCount = 0
  private var greatest: Float = 0
  private let slots: UnsafeMutablePointer<UInt32>
  private let ties: UnsafeMutablePointer<UInt32>
  private let tieSquares: UnsafeMutablePointer<Float>
  private let candidates: UnsafeMutablePointer<FlatCandidate>
  private var tieCount = 0
  private var leastLost = Float.infinity

  static func byteCount(limit: Int) -> Int { 128 + 16 * tieCapacity + 128 }

  static func greatestCount(limit: Int) -> Int { limit + tieCapacity }

  init(limit: Int, memory: UnsafeMutableRawPointer) {
    self.limit = limit
    lanes = memory.assumingMemoryBound(to: Float.self)
    slots = (memory + 64).assumingMemoryBound(to: UInt32.self)
    ties = slots + FewNearest.greatestLimit
    tieSquares = (memory + 128 + 4 * FewNearest.tieCapacity).assumingMemoryBound(to: Float.self)
    candidates = (memory + 128 + 8 * FewNearest.tieCapacity)
      .assumingMemoryBound(to: FlatCandidate.self)
    quads = Int32((limit + 3) / 4)
    // Less than any square, in the lanes of the last four that stay without a position.
    for lane in limit..<Int(quads) * 4 { lanes[lane] = -1 }
  }

  @inline(__always)
  var farthest: Float? { filledCount == limit ? greatest : nil }

  @inline(__always)
  mutating func add(
    slot: Int, bits: UInt32, squares: UnsafePointer<Float>, limit: Float, growth: Float
  ) -> Float {
    var bits = bits, limit = limit
    while bits != 0 {
      let lane = bits.trailingZeroBitCount
      bits &= bits &- 1
      if squares[lane] <= limit {
        limit = add(slot: slot &+ lane, squared: squares[lane], limit: limit, growth: growth)
      }
    }
    return limit
  }

  @inline(__always)
  private mutating func add(
    slot: Int, squared: Float, limit: Float, growth: Float
  ) -> Float {
    if filledCount < self.limit { return fill(slot: slot, squared: squared, limit, growth) }
    let out = greatest
    guard squared < out else {
      addTie(UInt32(truncatingIfNeeded: slot), squared)
      return limit
    }
    let lane = Int(out.bitPattern & 15)
    let outSlot = slots[lane]
    slots[lane] = UInt32(truncatingIfNeeded: slot)
    greatest = nearby_replace(lanes, quads, out, named(squared, lane: lane))
    let newLimit = min(limit, LocalMetric.positionLimit(upTo: greatest, growth: growth))
    if out <= newLimit { addTie(outSlot, out) }
    return newLimit
  }

  /// Takes the first ones as they come.
  @inline(__always)
  private mutating func fill(
    slot: Int, squared: Float, _ limit: Float, _ growth: Float
  ) -> Float {
    lanes[filledCount] = named(squared, lane: filledCount)
    slots[filledCount] = UInt32(truncatingIfNeeded: slot)
    filledCount &+= 1
    guard filledCount == self.limit else { return limit }
    greatest = nearby_greatest(lanes, quads)
    return min(limit, LocalMetric.positionLimit(upTo: greatest, growth: growth))
  }

  /// A square rounded up, with the name of its lane.
  @inline(__always)
  private func named(_ squared: Float, lane: Int) -> Float {
    Float(
      bitPattern: ((squared.bitPattern &+ 15) & ~15) &+ 16 | UInt32(truncatingIfNeeded: lane))
  }

  private mutating func addTie(_ slot: UInt32, _ squared: Float) {
    guard tieCount < FewNearest.tieCapacity else { return leastLost = min(leastLost, squared) }
    ties[tieCount] = slot
    tieSquares[tieCount] = squared
    tieCount += 1
  }

  @inline(__always)
  mutating func settle(metric: LocalMetric) -> Float? { farthest }

  mutating func finish(metric: LocalMetric) -> UnsafeMutableBufferPointer<FlatCandidate>? {
    guard let farthest else { return nil }
    let reach = metric.positionLimit(upTo: farthest)
    guard leastLost > reach else { return nil }
    for lane in 0..<limit {
      candidates[lane] = FlatCandidate(square: lanes[lane], slot: slots[lane])
    }
    var count = limit
    for index in 0..<tieCount where tieSquares[index] <= reach {
      candidates[count] = FlatCandidate(square: tieSquares[index], slot: ties[index])
      count &+= 1
    }
    return UnsafeMutableBufferPointer(start: candidates, count: count)
  }
}

/// Keeps any number as they come, with a histogram that tells within which square there are enough.
struct ManyNearest: NearestCollector {
  private static let bucketCount = 64
  /// With fewer buckets than this in use, the histogram is made anew over a smaller range.
  private static let leastBuckets = 8

  private let limit: Int
  private let candidates: UnsafeMutablePointer<FlatCandidate>
  private let capacity: Int
  private var count = 0
  /// How many candidates lie in each bucket.
  ///
  /// The buckets share the squares from `base` on; what is less lies in the first.
  private let histogram: UnsafeMutablePointer<UInt32>
  private var base: Float = 0
  private var least = Float.infinity
  private var perBucket: Float = 0
  private var bucketsPerSquare: Float = 0
  /// Whether buckets are so narrow, and nothing lies before them, that others would tell no more.
  private var isFinest = false
  /// Buckets from here on hold nothing that matters; 0 while there is no histogram.
  private var bucketEnd = 0
  /// How many candidates lie in the buckets below `bucketEnd`.
  private var heldCount = 0
  /// Whether there were more candidates than room, so that there will be no answer.
  private var isLost = false
  private(set) var farthest: Float?

  /// One bucket more than are in use, for what lies past them.
  private static let histogramBytes = 4 * bucketCount + 64

  private static func capacity(limit: Int) -> Int { (2 * limit + 87) & ~7 }

  static func byteCount(limit: Int) -> Int { histogramBytes + 8 * capacity(limit: limit) }

  static func greatestCount(limit: Int) -> Int { capacity(limit: limit) }

  init(limit: Int, memory: UnsafeMutableRawPointer) {
    self.limit = limit
    histogram = memory.assumingMemoryBound(to: UInt32.self)
    candidates = (memory + ManyNearest.histogramBytes).assumingMemoryBound(to: FlatCandidate.self)
    capacity = ManyNearest.capacity(limit: limit)
  }

  @inline(__always)
  mutating func add(
    slot: Int, bits: UInt32, squares: UnsafePointer<Float>, limit: Float, growth: Float
  ) -> Float {
    var limit = limit
    if count &+ TreeShape.fanOut > capacity { limit = makeRoom(limit: limit, growth: growth) }
    var bits = bits, least = least
    let first = count
    while bits != 0 {
      let lane = bits.trailingZeroBitCount
      bits &= bits &- 1
      let squared = squares[lane]
      candidates[count] = FlatCandidate(
        square: squared, slot: UInt32(truncatingIfNeeded: slot &+ lane))
      count &+= 1
      least = squared < least ? squared : least
    }
    self.least = least
    return bucketEnd > 0 ? narrowed(from: first, limit: limit, growth: growth) : limit
  }

  /// Counts the candidates from one on, and lets go of the last buckets as long as there are enough
  /// without them.
  @inline(__always)
  private mutating func narrowed(from first: Int, limit: Float, growth: Float) -> Float {
    if least < base { isFinest = false }
    var held = heldCount
    for index in first..<count {
      let bucket = self.bucket(of: candidates[index].square)
      histogram[bucket] &+= 1
      held &+= bucket < bucketEnd ? 1 : 0
    }
    var end = bucketEnd
    while held &- Int(histogram[end &- 1]) >= self.limit {
      held &-= Int(histogram[end &- 1])
      end &-= 1
    }
    heldCount = held
    guard end < bucketEnd else { return limit }
    bucketEnd = end
    let edge = endOfBuckets
    farthest = edge
    return min(limit, LocalMetric.positionLimit(upTo: edge, growth: growth))
  }

  /// Up to where the buckets in use reach, and a little more, for the rounding of both.
  @inline(__always)
  private var endOfBuckets: Float { (base + Float(bucketEnd) * perBucket) * 1.000_001 }

  @inline(__always)
  private func bucket(of squared: Float) -> Int {
    let bucket = (squared - base) * bucketsPerSquare
    // What lies before the first is in the first; what lies past the last has a bucket after it.
    let end = Float(ManyNearest.bucketCount)
    return Int(truncatingIfNeeded: Int32(bucket < 0 ? 0 : bucket < end ? bucket : end))
  }

  mutating func settle(metric: LocalMetric) -> Float? {
    if isLost { return -1 }
    if count >= limit, bucketEnd < ManyNearest.leastBuckets, !isFinest {
      makeHistogram(upTo: farthest ?? .infinity)
    }
    return farthest
  }

  /// Counts the candidates anew between the least of them and `most`, below which there are `limit`.
  private mutating func makeHistogram(upTo most: Float) {
    var greatest = most
    if most == .infinity {
      greatest = 0
      for index in 0..<count {
        let squared = candidates[index].square
        greatest = squared > greatest ? squared : greatest
      }
    }
    base = least
    // A little more, so that rounding puts none of them past the end.
    let finest = max(base * 1e-5, 1e-30)
    let range = max(greatest - base, finest) * 1.0001
    isFinest = range < 2 * finest
    perBucket = range / Float(ManyNearest.bucketCount)
    bucketsPerSquare = Float(ManyNearest.bucketCount) / range
    histogram.update(repeating: 0, count: ManyNearest.bucketCount + 1)
    heldCount = 0
    for index in 0..<count {
      let bucket = self.bucket(of: candidates[index].square)
      histogram[bucket] &+= 1
      heldCount &+= bucket < ManyNearest.bucketCount ? 1 : 0
    }
    bucketEnd = ManyNearest.bucketCount
    while heldCount &- Int(histogram[bucketEnd &- 1]) >= limit {
      heldCount &-= Int(histogram[bucketEnd &- 1])
      bucketEnd &-= 1
    }
    farthest = endOfBuckets
  }

  /// Drops what lies beyond the limit, or gives up.
  private mutating func makeRoom(limit reach: Float, growth: Float) -> Float {
    makeHistogram(upTo: .infinity)
    let reach = min(reach, LocalMetric.positionLimit(upTo: endOfBuckets, growth: growth))
    keep { $0.square <= reach }
    // A leaf has to find room, whatever is kept.
    guard count > capacity - max(capacity / 8, TreeShape.fanOut) else { return reach }
    // A crowd as far away as the last one: nothing that could be kept would tell who is nearer.
    isLost = true
    count = 0
    return -1
  }

  private mutating func keep(_ isKept: (FlatCandidate) -> Bool) {
    var kept = 0
    for index in 0..<count {
      candidates[kept] = candidates[index]
      kept &+= isKept(candidates[index]) ? 1 : 0
    }
    count = kept
  }

  mutating func finish(metric: LocalMetric) -> UnsafeMutableBufferPointer<FlatCandidate>? {
    guard !isLost, let farthest = settle(metric: metric) else { return nil }
    let reach = metric.positionLimit(upTo: farthest)
    var kept = 0
    for index in 0..<count {
      candidates[kept] = candidates[index]
      kept &+= candidates[index].square <= reach ? 1 : 0
    }
    return UnsafeMutableBufferPointer(start: candidates, count: kept)
  }
}
