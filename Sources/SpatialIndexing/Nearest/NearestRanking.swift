import CNearbyKernels
import Geodesy

/// Sorts the candidates of a walk by their geodesics.
///
/// They are sorted by chord, or by the distance derived from it. If two are so close that their
/// geodesics might be equal or in the other order, Karney's geodesic decides, and then the
/// position.
struct NearestRanking {
  private let tree: TreeView
  private let origin: Coordinate

  /// The arrays in the memory, each with room for all candidates.
  private let latitudes: UnsafeMutablePointer<Double>
  private let longitudes: UnsafeMutablePointer<Double>
  private let squaredChords: UnsafeMutablePointer<Double>
  private let distances: UnsafeMutablePointer<Double>
  /// A squared chord or a distance whose lowest bits hold the candidate's number.
  private let keys: UnsafeMutablePointer<UInt64>
  private let spareKeys: UnsafeMutablePointer<UInt64>
  /// The candidates by flat square.
  private let flat: UnsafeMutablePointer<FlatCandidate>
  private let positions: UnsafeMutablePointer<UInt32>
  /// The slots whose chords are requested.
  private let slots: UnsafeMutablePointer<UInt32>
  /// For sorting by flat squares, before any chords are known: eight per candidate.
  private let counts: UnsafeMutablePointer<UInt16>
  /// Whether positions are stored by rank, and not by candidate.
  private var isInPlace = false

  /// The number of candidates that the lowest bits of a key can name.
  static let greatestCount = 1 << nameBits
  private static let nameBits = 15
  private static let nameMask: UInt64 = 1 << UInt64(nameBits) - 1

  /// The memory needed for a number of candidates, in bytes.
  static func byteCount(_ count: Int) -> Int { 64 * count + 1_024 }

  /// - Parameter memory: `byteCount(count)` bytes, aligned to 8.
  init(tree: TreeView, origin: Coordinate, count: Int, memory: UnsafeMutableRawPointer) {
    self.tree = tree
    self.origin = origin
    latitudes = memory.assumingMemoryBound(to: Double.self)
    longitudes = latitudes + count
    squaredChords = longitudes + count
    distances = squaredChords + count
    counts = UnsafeMutableRawPointer(squaredChords).assumingMemoryBound(to: UInt16.self)
    // Room for at least 256 counts.
    let after = UnsafeMutableRawPointer(distances + count) + 512
    keys = after.assumingMemoryBound(to: UInt64.self)
    spareKeys = keys + count
    flat = spareKeys + count
    positions = UnsafeMutableRawPointer(flat + count).assumingMemoryBound(to: UInt32.self)
    slots = positions + count
  }

  /// Sorts candidates without measuring more of them than necessary.
  ///
  /// Flat squares tell most of them apart. The remaining runs are sorted by chord.
  ///
  /// - Parameters:
  ///   - candidates: At most as many as there is memory for, and `greatestCount`.
  ///   - limit: The number of ranks wanted.
  /// - Returns: The number of geodesics computed.
  mutating func order(
    _ candidates: UnsafeMutableBufferPointer<FlatCandidate>, limit: Int, metric: LocalMetric
  ) -> Int {
    let count = candidates.count
    isInPlace = true
    if count == 1 {
      positions[0] = tree.position(candidates[0].slot)
      return 0
    }
    sort(candidates)
    let (factor, slope, offset) = metric.tieLine(upTo: flat[count &- 1].square)
    var geodesics = 0
    var start = 0
    while true {
      start = Int(
        truncatingIfNeeded: nearby_first_tie(
          flat, Int64(start), Int64(count), factor, slope, offset))
      guard start < limit, start &+ 1 < count else { break }
      var end = start &+ 2
      while end < count {
        let nearer = flat[end &- 1].square
        guard flat[end].square <= nearer * (nearer * slope + factor) + offset else { break }
        end &+= 1
      }
      geodesics &+= settleFlat(start..<end, limit: limit &- start)
      start = end
    }
    for rank in 0..<limit { positions[rank] = tree.position(flat[rank].slot) }
    return geodesics
  }

  /// Sorts a run of candidates, of which the first `limit` are wanted, by chord.
  private func settleFlat(_ run: Range<Int>, limit: Int) -> Int {
    if isOnePlace(run) {
      orderByPosition(run, limit: limit)
      return 0
    }
    let slots = UnsafeMutableBufferPointer(start: slots, count: run.count)
    for (index, rank) in run.enumerated() {
      slots[index] = UInt32(truncatingIfNeeded: flat[rank].slot)
    }
    let geodesics = rank(slots)
    for index in 0..<run.count { spareKeys[index] = flat[run.lowerBound &+ candidate(index)] }
    (flat + run.lowerBound).update(from: spareKeys, count: run.count)
    return geodesics
  }

  /// Whether a run consists of coincident points, like many annotations of one building.
  private func isOnePlace(_ run: Range<Int>) -> Bool {
    let first = flat[run.lowerBound].slot
    var rank = run.lowerBound &+ 1
    while rank < run.upperBound, tree.slot(flat[rank].slot, isAtPlaceOf: first) { rank &+= 1 }
    return rank == run.upperBound
  }

  /// Sorts a run of coincident points, of which the first `limit` are wanted.
  private func orderByPosition(_ run: Range<Int>, limit: Int) {
    let entries = flat + run.lowerBound
    for index in 0..<run.count {
      let slot = entries[index].slot
      spareKeys[index] = UInt64(tree.position(slot)) << 32 | UInt64(truncatingIfNeeded: slot)
    }
    var sorted = UnsafeMutableBufferPointer(start: spareKeys, count: run.count)
    sorted.sort()
    let square = entries[0].square
    for index in 0..<min(limit, run.count) {
      entries[index] = FlatCandidate(
        square: square, slot: UInt32(truncatingIfNeeded: spareKeys[index]))
    }
  }

  /// Sorts candidates by flat square into `flat`.
  private func sort(_ candidates: UnsafeMutableBufferPointer<FlatCandidate>) {
    let count = candidates.count
    let source = candidates.baseAddress.unsafelyUnwrapped
    guard count > 16 else {
      flat.update(from: source, count: count)
      insertionSort(flat, count: count)
      return
    }
    // Around an origin, squares are spread more or less evenly, so distributing them into four to
    // eight times as many buckets leaves little to do.
    let bucketCount = min(
      1 << 16, 1 << (Int.bitWidth - (4 &* count &- 1).leadingZeroBitCount))
    let buckets = UnsafeMutableRawPointer(spareKeys).assumingMemoryBound(to: UInt32.self)
    nearby_share_out(source, Int64(count), Float(bucketCount), buckets)
    counts.update(repeating: 0, count: bucketCount)
    for index in 0..<count { counts[Int(UInt16(truncatingIfNeeded: buckets[index]))] &+= 1 }
    nearby_running_sums(counts, Int64(bucketCount >> 3))
    // From the last, so that equal ones stay in order.
    var index = count
    while index > 0 {
      index &-= 1
      let bucket = Int(UInt16(truncatingIfNeeded: buckets[index]))
      let place = counts[bucket] &- 1
      counts[bucket] = place
      flat[Int(place)] = source[index]
    }
    // If many share a bucket, this does not pay.
    if !insertionSort(flat, count: count, ignoring: 0xFFFF_FFFF, mostMoves: 8 &* count) {
      var sorted = UnsafeMutableBufferPointer(start: flat, count: count)
      sorted.sort()
    }
  }

  /// Sorts slots by chord.
  ///
  /// - Returns: The number of geodesics computed.
  private func rank(_ slots: UnsafeMutableBufferPointer<UInt32>) -> Int {
    read(slots)
    LineOrigin(origin).squaredChords(
      latitudes: latitudes, longitudes: longitudes, count: slots.count, into: squaredChords)
    sort(squaredChords, count: slots.count)
    return settleTies(of: squaredChords, count: slots.count, where: mayTie)
  }

  /// Sorts candidates and measures them.
  ///
  /// - Parameter candidates: At most as many as there is memory for, and `greatestCount`.
  /// - Returns: The number of geodesics computed.
  func measure(_ candidates: UnsafeMutableBufferPointer<FlatCandidate>) -> Int {
    sort(candidates)
    let slots = UnsafeMutableBufferPointer(start: slots, count: candidates.count)
    for index in slots.indices { slots[index] = UInt32(truncatingIfNeeded: flat[index].slot) }
    read(slots)
    LineOrigin(origin).lines(
      latitudes: latitudes, longitudes: longitudes, count: slots.count,
      squaredChords: squaredChords, distances: distances)
    var geodesics = 0
    for index in 0..<slots.count where distances[index].isNaN {
      distances[index] = geodesic(index)
      geodesics &+= 1
    }
    sort(distances, count: slots.count)
    return geodesics
      + settleTies(of: distances, count: slots.count) { $1 - $0 <= LineOrigin.tie }
  }

  private func read(_ slots: UnsafeMutableBufferPointer<UInt32>) {
    for index in 0..<slots.count {
      let slot = Int(slots[index])
      latitudes[index] = tree.latitude(slot)
      longitudes[index] = tree.longitude(slot)
      positions[index] = tree.position(slot)
    }
  }

  private func geodesic(_ index: Int) -> Double {
    Geodesic.distance(
      latitude1: origin.latitude, longitude1: origin.longitude,
      latitude2: latitudes[index], longitude2: longitudes[index])
  }

  /// The distance of the candidate at a rank, in meters; valid after `measure`.
  @inline(__always)
  func distance(rank: Int) -> Double { distances[candidate(rank)] }

  /// The position at a rank.
  @inline(__always)
  func position(rank: Int) -> UInt32 { positions[isInPlace ? rank : candidate(rank)] }

  /// Writes the positions of the first ranks.
  @inline(__always)
  func write(_ limit: Int, to memory: UnsafeMutablePointer<UInt32>) {
    if isInPlace { return memory.update(from: positions, count: limit) }
    for rank in 0..<limit { memory[rank] = position(rank: rank) }
  }

  /// The candidate at a rank.
  @inline(__always)
  private func candidate(_ rank: Int) -> Int {
    Int(truncatingIfNeeded: keys[rank] & NearestRanking.nameMask)
  }

  /// Sorts the candidates by some values, 0 or more.
  ///
  /// Most are in that order already, or nearly, since they are sorted by flat square.
  private func sort(_ values: UnsafeMutablePointer<Double>, count: Int) {
    for index in 0..<count { keys[index] = key(values[index], index) }
    if !insertionSort(keys, count: count, mostMoves: 16 &* count) {
      var sorted = UnsafeMutableBufferPointer(start: keys, count: count)
      sorted.sort()
    }
  }

  @inline(__always)
  private func key(_ value: Double, _ index: Int) -> UInt64 {
    value.bitPattern & ~NearestRanking.nameMask | UInt64(truncatingIfNeeded: index)
  }

  /// - Parameter ignored: Bits at the low end that do not count; keys that differ only there keep their order.
  /// - Returns: Whether they are sorted; false once that would take more moves than allowed.
  @inline(__always)
  @discardableResult
  private func insertionSort(
    _ keys: UnsafeMutablePointer<UInt64>, count: Int, ignoring ignored: UInt64 = 0,
    mostMoves: Int = .max
  ) -> Bool {
    var moves = 0
    var index = 1
    while index < count {
      let key = keys[index], before = key | ignored
      if keys[index &- 1] > before {
        var place = index
        repeat {
          keys[place] = keys[place &- 1]
          place &-= 1
        } while place > 0 && keys[place &- 1] > before
        keys[place] = key
        moves &+= index &- place
        if moves > mostMoves { return false }
      }
      index &+= 1
    }
    return true
  }

  /// Settles runs of candidates whose order is uncertain.
  ///
  /// - Parameters:
  ///   - values: The sort values of the candidates, to the precision of the keys.
  ///   - mayTie: Whether the order of two values is uncertain, the lesser given first.
  /// - Returns: The number of geodesics computed.
  @inline(__always)
  private func settleTies(
    of values: UnsafeMutablePointer<Double>, count: Int, where mayTie: (Double, Double) -> Bool
  ) -> Int {
    var geodesics = 0
    var start = 0
    while start < count {
      var end = start &+ 1
      var greatest = values[candidate(start)]
      while end < count {
        // No value from here on is less than the one in this key.
        let least = Double(bitPattern: keys[end] & ~NearestRanking.nameMask)
        guard least <= greatest || mayTie(greatest, least) else { break }
        let value = values[candidate(end)]
        greatest = value > greatest ? value : greatest
        end &+= 1
      }
      if end &- start > 1 { geodesics += settle(start..<end) }
      start = end
    }
    return geodesics
  }

  @inline(__always)
  private func mayTie(_ nearer: Double, _ farther: Double) -> Bool {
    // Up to 1,000 km (c (1 + 2.2e-17 c²) + m)² is less than this, as 2cm ≤ 1e-9 c² + 1e-5 for m = 1e-7.
    let reach = nearer + nearer * (nearer * 4.5e-17 + 1e-9) + 1.1e-5
    guard farther <= reach || nearer > 1e12 else { return false }
    return farther <= ChordBracket.squaredReach(past: nearer)
  }

  /// Sorts one run by geodesic, with ties by offset.
  private func settle(_ run: Range<Int>) -> Int {
    let first = candidate(run.lowerBound)
    let isOnePlace = run.dropFirst().allSatisfy {
      latitudes[candidate($0)] == latitudes[first] && longitudes[candidate($0)] == longitudes[first]
    }
    if !isOnePlace {
      for rank in run { distances[candidate(rank)] = geodesic(candidate(rank)) }
    } else {
      // The present values may be unset, but must be equal.
      for rank in run { distances[candidate(rank)] = distances[first] }
    }
    func name(_ key: UInt64) -> Int {
      Int(truncatingIfNeeded: key & NearestRanking.nameMask)
    }
    // Up to about thirty are sorted in place; longer runs need memory.
    var ties = UnsafeMutableBufferPointer(start: keys + run.lowerBound, count: run.count)
    ties.sort { left, right in
      let left = name(left), right = name(right)
      return isOnePlace
        ? positions[left] < positions[right]
        : (distances[left], positions[left]) < (distances[right], positions[right])
    }
    return isOnePlace ? 0 : run.count
  }
}

/// The bits of a flat square, which have the order of the squares, above those of a slot.
typealias FlatCandidate = UInt64

extension FlatCandidate {
  @inline(__always)
  init(square: Float, slot: UInt32) { self = UInt64(square.bitPattern) << 32 | UInt64(slot) }

  @inline(__always) var square: Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: self >> 32))
  }
  @inline(__always) var slot: Int { Int(UInt32(truncatingIfNeeded: self)) }
}
