import CKernels

/// What a walk keeps of the positions it meets: the nearest `limit` by flat squared chord, and those
/// that are too close to the last of them to be told apart yet.
///
/// Memory is lent by the caller and never grows.
protocol NearestCollector {
  /// How many bytes of memory it needs, a multiple of 64.
  static func byteCount(limit: Int) -> Int

  /// How many slots `finish` may return.
  static func greatestCount(limit: Int) -> Int

  init(limit: Int, memory: UnsafeMutableRawPointer)

  /// An upper bound of the flat square of the `limit`-th nearest so far; nil while there are fewer,
  /// or while it costs something to tell.
  var farthest: Float? { get }

  /// Adds a position whose flat square is at most the limit in force.
  ///
  /// - Returns: The limit from now on.
  mutating func add(slot: Int, squared: Float, limit: Float, metric: LocalMetric) -> Float

  /// Does at the end of a leaf what has been put off.
  ///
  /// - Returns: As `farthest`.
  mutating func settle(metric: LocalMetric) -> Float?

  /// Ends the collection.
  ///
  /// - Returns: The slots whose flat square is at most the limit that follows from the farthest;
  ///   nil when there are fewer than `limit` or some of them are lost.
  mutating func finish(metric: LocalMetric) -> UnsafeMutableBufferPointer<UInt32>?
}

/// Keeps up to sixteen, unordered, each in a lane of its own, so that adding one takes a handful of
/// vector instructions and no branch that a processor could guess wrong.
struct FewNearest: NearestCollector {
  static let greatestLimit = 16
  /// Room for those that are as far as the last one, or nearly.
  private static let tieCapacity = 48
  /// Stands in lanes that no position has taken yet.
  private static let vacant: Float = 3e37

  /// Flat squares, rounded up, naming their lanes; lanes from `limit` on hold less than any.
  private let lanes: UnsafeMutablePointer<Float>
  private let limit: Int
  /// How many fours of lanes are in use.
  private let quads: Int32
  private var greatest: Float
  private let slots: UnsafeMutablePointer<UInt32>
  private let ties: UnsafeMutablePointer<UInt32>
  private let tieSquares: UnsafeMutablePointer<Float>
  private var tieCount = 0
  private var leastLost = Float.infinity

  static func byteCount(limit: Int) -> Int { 128 + 8 * tieCapacity }

  static func greatestCount(limit: Int) -> Int { limit + tieCapacity }

  init(limit: Int, memory: UnsafeMutableRawPointer) {
    self.limit = limit
    lanes = memory.assumingMemoryBound(to: Float.self)
    slots = (memory + 64).assumingMemoryBound(to: UInt32.self)
    ties = slots + FewNearest.greatestLimit
    tieSquares = (memory + 128 + 4 * FewNearest.tieCapacity).assumingMemoryBound(to: Float.self)
    for lane in 0..<FewNearest.greatestLimit {
      let bits = lane < limit ? FewNearest.vacant.bitPattern & ~15 : 0
      lanes[lane] = Float(bitPattern: bits | UInt32(truncatingIfNeeded: lane))
    }
    quads = Int32((limit + 3) / 4)
    greatest = lanes[limit - 1]
  }

  @inline(__always)
  var farthest: Float? { greatest < 2e37 ? greatest : nil }

  @inline(__always)
  mutating func add(
    slot: Int, squared: Float, limit: Float, metric: LocalMetric
  ) -> Float {
    let out = greatest
    guard squared < out else {
      addTie(UInt32(truncatingIfNeeded: slot), squared)
      return limit
    }
    let lane = Int(out.bitPattern & 15)
    let outSlot = slots[lane]
    slots[lane] = UInt32(truncatingIfNeeded: slot)
    let roundedUp = ((squared.bitPattern &+ 15) & ~15) &+ 16
    greatest = nearby_replace(
      lanes, quads, out, Float(bitPattern: roundedUp | UInt32(truncatingIfNeeded: lane)))
    // Vacant lanes are farther than any limit.
    let newLimit = min(limit, metric.positionLimit(upTo: greatest))
    if out <= newLimit { addTie(outSlot, out) }
    return newLimit
  }

  private mutating func addTie(_ slot: UInt32, _ squared: Float) {
    guard tieCount < FewNearest.tieCapacity else { return leastLost = min(leastLost, squared) }
    ties[tieCount] = slot
    tieSquares[tieCount] = squared
    tieCount += 1
  }

  @inline(__always)
  mutating func settle(metric: LocalMetric) -> Float? { farthest }

  mutating func finish(metric: LocalMetric) -> UnsafeMutableBufferPointer<UInt32>? {
    guard let farthest else { return nil }
    let reach = metric.positionLimit(upTo: farthest)
    guard leastLost > reach else { return nil }
    var count = limit
    for index in 0..<tieCount where tieSquares[index] <= reach {
      // No tie is written before it is read: there are at least as many ties as were kept.
      slots[count] = ties[index]
      count += 1
    }
    return UnsafeMutableBufferPointer(start: slots, count: count)
  }
}

/// Keeps any number, gathered as they come and now and then cut down by selection.
struct ManyNearest: NearestCollector {
  /// A flat square in the upper half and a slot in the lower. The bits of floats from 0 up are
  /// ordered as the floats are, so candidates are ordered by chord.
  private typealias Candidate = UInt64

  private let limit: Int
  private let memory: UnsafeMutablePointer<Candidate>
  private let capacity: Int
  private var count = 0
  /// At this many candidates it is worth looking for the farthest of the nearest.
  private var fullCount: Int
  private var leastLost = Float.infinity
  private(set) var farthest: Float?

  private static func capacity(limit: Int) -> Int { (2 * limit + 71) & ~7 }

  static func byteCount(limit: Int) -> Int { 8 * capacity(limit: limit) }

  static func greatestCount(limit: Int) -> Int { capacity(limit: limit) }

  init(limit: Int, memory: UnsafeMutableRawPointer) {
    self.limit = limit
    self.memory = memory.assumingMemoryBound(to: Candidate.self)
    capacity = ManyNearest.capacity(limit: limit)
    fullCount = limit
  }

  @inline(__always)
  private func square(_ candidate: Candidate) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: candidate >> 32))
  }

  @inline(__always)
  mutating func add(
    slot: Int, squared: Float, limit: Float, metric: LocalMetric
  ) -> Float {
    if count == capacity { makeRoom() }
    memory[count] = UInt64(squared.bitPattern) << 32 | UInt64(UInt32(truncatingIfNeeded: slot))
    count &+= 1
    return limit
  }

  /// Keeps the nearest `limit` and notes what is lost by that.
  private mutating func makeRoom() {
    select()
    for index in limit..<count { leastLost = min(leastLost, square(memory[index])) }
    count = limit
  }

  @inline(__always)
  mutating func settle(metric: LocalMetric) -> Float? {
    if count >= fullCount { narrow(metric: metric) }
    return farthest
  }

  /// Looks for the farthest of the nearest `limit` and drops what lies beyond it.
  private mutating func narrow(metric: LocalMetric) {
    select()
    var greatest = memory[0]
    for index in 1..<limit { greatest = max(greatest, memory[index]) }
    farthest = square(greatest)
    let reach = metric.positionLimit(upTo: square(greatest))
    var kept = limit
    for index in limit..<max(limit, count) {
      memory[kept] = memory[index]
      kept &+= square(memory[index]) <= reach ? 1 : 0
    }
    count = kept
    fullCount = min(count + max(limit / 4, 16), capacity)
  }

  mutating func finish(metric: LocalMetric) -> UnsafeMutableBufferPointer<UInt32>? {
    guard count >= limit else { return nil }
    narrow(metric: metric)
    guard leastLost > metric.positionLimit(upTo: farthest ?? .infinity) else { return nil }
    var candidates = UnsafeMutableBufferPointer(start: memory, count: count)
    candidates.sort()
    let slots = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt32.self)
    for index in 0..<count { slots[index] = UInt32(truncatingIfNeeded: memory[index]) }
    return UnsafeMutableBufferPointer(start: slots, count: count)
  }

  /// Moves the nearest `limit` to the front: Hoare's quickselect.
  private func select() {
    var low = 0, high = count - 1
    while low < high {
      let a = memory[low], b = memory[(low + high) >> 1], c = memory[high]
      let pivot = max(min(a, b), min(max(a, b), c))
      var left = low, right = high
      while left <= right {
        while memory[left] < pivot { left &+= 1 }
        while memory[right] > pivot { right &-= 1 }
        if left <= right {
          (memory[left], memory[right]) = (memory[right], memory[left])
          left &+= 1
          right &-= 1
        }
      }
      if limit <= right {
        high = right
      } else if limit >= left {
        low = left
      } else {
        return
      }
    }
  }
}
