import Geodesy

/// Puts the candidates of a walk in the order of the geodesics to them.
///
/// They are ordered by their chords, or by the distances that follow from these. Where two of those
/// are so close that the geodesics might come in the other order, or be equal, Karney's geodesic
/// decides, and then the position.
struct NearestRanking {
  private let tree: TreeView
  private let origin: Coordinate

  /// What the memory holds, each for as many candidates as it has room for.
  private let latitudes: UnsafeMutablePointer<Double>
  private let longitudes: UnsafeMutablePointer<Double>
  private let squaredChords: UnsafeMutablePointer<Double>
  private let distances: UnsafeMutablePointer<Double>
  /// A squared chord or a distance whose lowest bits name the candidate.
  private let keys: UnsafeMutablePointer<UInt64>
  private let spareKeys: UnsafeMutablePointer<UInt64>
  private let positions: UnsafeMutablePointer<UInt32>
  private let bucketEnds: UnsafeMutablePointer<UInt32>

  /// More candidates than the lowest bits of a key can name.
  static let greatestCount = 1 << nameBits
  private static let nameBits = 12
  private static let nameMask: UInt64 = 1 << UInt64(nameBits) - 1

  /// How much memory it needs for so many candidates, in bytes.
  static func byteCount(_ count: Int) -> Int { 56 * count + 64 }

  /// - Parameter memory: Of `byteCount(count)`, aligned to 8 bytes.
  init(tree: TreeView, origin: Coordinate, count: Int, memory: UnsafeMutableRawPointer) {
    self.tree = tree
    self.origin = origin
    latitudes = memory.assumingMemoryBound(to: Double.self)
    longitudes = latitudes + count
    squaredChords = longitudes + count
    distances = squaredChords + count
    let after = UnsafeMutableRawPointer(distances + count)
    keys = after.assumingMemoryBound(to: UInt64.self)
    spareKeys = keys + count
    positions = UnsafeMutableRawPointer(spareKeys + count).assumingMemoryBound(to: UInt32.self)
    bucketEnds = positions + count
  }

  /// Takes the one candidate there is, which needs no order.
  @inline(__always)
  func takeOnly(_ slot: UInt32) {
    positions[0] = tree.position(Int(slot))
    keys[0] = 0
  }

  /// Puts candidates in order without measuring them.
  ///
  /// - Parameter slots: At most as many as there is memory for, and `greatestCount`.
  /// - Returns: How many geodesics were computed.
  func rank(_ slots: UnsafeMutableBufferPointer<UInt32>) -> Int {
    read(slots)
    LineOrigin(origin).squaredChords(
      latitudes: latitudes, longitudes: longitudes, count: slots.count, into: squaredChords)
    sort(squaredChords, count: slots.count)
    return settleTies(of: squaredChords, count: slots.count, where: mayTie)
  }

  /// Puts candidates in order and measures them.
  ///
  /// - Parameter slots: At most as many as there is memory for, and `greatestCount`.
  /// - Returns: How many geodesics were computed.
  func measure(_ slots: UnsafeMutableBufferPointer<UInt32>) -> Int {
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

  /// The distance of the candidate at some rank, in meters; after `measure`.
  @inline(__always)
  func distance(rank: Int) -> Double { distances[candidate(rank)] }

  /// The position that came out at some rank.
  @inline(__always)
  func position(rank: Int) -> UInt32 { positions[candidate(rank)] }

  /// The candidate at some rank.
  @inline(__always)
  private func candidate(_ rank: Int) -> Int {
    Int(truncatingIfNeeded: keys[rank] & NearestRanking.nameMask)
  }

  /// Puts the candidates in the order of some values, 0 or more.
  ///
  /// Round an origin the squares of distances are spread evenly, more or less, so that handing them
  /// out to as many buckets leaves little to do.
  private func sort(_ values: UnsafeMutablePointer<Double>, count: Int) {
    let keys = keys, buckets = spareKeys
    if count <= 12 || count > 256 {
      for index in 0..<count { keys[index] = key(values[index], index) }
      if count <= 12 { return insertionSort(keys, count: count) }
      var sorted = UnsafeMutableBufferPointer(start: keys, count: count)
      return sorted.sort()
    }
    var greatest = squaredChords[0], least = greatest
    for index in 1..<count {
      let value = squaredChords[index]
      greatest = value > greatest ? value : greatest
      least = value < least ? value : least
    }
    let scale = greatest > least ? Double(count) * (1 - 1e-9) / (greatest - least) : 0
    bucketEnds.update(repeating: 0, count: count)
    for index in 0..<count {
      let bucket = Int64((squaredChords[index] - least) * scale)
      buckets[index] = UInt64(truncatingIfNeeded: bucket)
      bucketEnds[Int(truncatingIfNeeded: bucket)] &+= 1
    }
    var end: UInt32 = 0
    for bucket in 0..<count {
      end &+= bucketEnds[bucket]
      bucketEnds[bucket] = end
    }
    for index in 0..<count {
      let bucket = Int(truncatingIfNeeded: buckets[index])
      let place = bucketEnds[bucket] &- 1
      bucketEnds[bucket] = place
      keys[Int(truncatingIfNeeded: place)] = key(values[index], index)
    }
    insertionSort(keys, count: count)
  }

  @inline(__always)
  private func key(_ value: Double, _ index: Int) -> UInt64 {
    value.bitPattern & ~NearestRanking.nameMask | UInt64(truncatingIfNeeded: index)
  }

  private func insertionSort(_ keys: UnsafeMutablePointer<UInt64>, count: Int) {
    var index = 1
    while index < count {
      let key = keys[index]
      var place = index
      while place > 0, keys[place &- 1] > key {
        keys[place] = keys[place &- 1]
        place &-= 1
      }
      keys[place] = key
      index &+= 1
    }
  }

  /// Orders runs of candidates of whom it is not certain which is nearer.
  ///
  /// - Parameters:
  ///   - values: What the candidates were sorted by, so far as the keys hold it.
  ///   - mayTie: Whether that holds for two values, the lesser first.
  /// - Returns: How many geodesics that took.
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
        // No value from here on is less than what this key holds of one.
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
    return farther <= NearestOrigin.squaredReach(past: nearer)
  }

  /// Orders one run by geodesics, and by position where they are equal.
  private func settle(_ run: Range<Int>) -> Int {
    let first = candidate(run.lowerBound)
    let isOnePlace = run.dropFirst().allSatisfy {
      latitudes[candidate($0)] == latitudes[first] && longitudes[candidate($0)] == longitudes[first]
    }
    if !isOnePlace {
      for rank in run { distances[candidate(rank)] = geodesic(candidate(rank)) }
    } else {
      // What stands there may be nothing yet, but must be equal.
      for rank in run { distances[candidate(rank)] = distances[first] }
    }
    func name(_ key: UInt64) -> Int {
      Int(truncatingIfNeeded: key & NearestRanking.nameMask)
    }
    // Up to some thirty are sorted where they stand; longer runs take memory.
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
