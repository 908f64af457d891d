import CNearbyKernels
import Geodesy

/// A 64-bit geohash and its position's offset; the same size as a site.
struct GeohashEntry {
  private let lowHalf, highHalf: UInt32
  let position: UInt32

  @inline(__always)
  init(code: UInt64, position: UInt32) {
    lowHalf = UInt32(truncatingIfNeeded: code)
    highHalf = UInt32(truncatingIfNeeded: code &>> 32)
    self.position = position
  }

  @inline(__always)
  var code: UInt64 { UInt64(highHalf) &<< 32 | UInt64(lowHalf) }
}

/// Writes the geohashes of positions in ascending order, ties in input order.
///
/// A radix sort. The codes of a long range are made twice: once to count their highest digit, once to write them where
/// they belong by it, which is less work than to write and read them once more. Parts that are still long are split
/// by their next digit, until they fit the caches; each is then sorted by two digits, the lower one first, by way of
/// memory that stays in the caches, and ties of both digits by insertion. If many codes of a range are equal that
/// far, as in a city, digits start again at the first bit in which they differ. Codes that already ascend, as those
/// of a database do, are left alone.
struct GeohashSorting {
  typealias Entries = UnsafeMutablePointer<GeohashEntry>
  fileprivate typealias Counters = UnsafeMutablePointer<UInt32>

  /// The buffer for the sorted entries, and one for a cached range.
  private let target, cached: Entries
  private let spare: Spare

  private static let splitBits = 8
  /// Up to this many entries, with as many to copy them to, fit the second-level cache.
  private static let mostCached = 32_768
  /// The number of bits the two digits have beyond those of the entry count, so that few entries agree
  /// in both.
  private static let spareBits = 5
  /// Up to this many are sorted by insertion.
  private static let few = 12

  /// What reading a range of positions has found out about their codes.
  struct Reading: Sendable {
    private let start: Int
    private let codes: nearby_codes
    /// The digit that was counted, and how many codes have each value of it.
    private let digit: Digit
    fileprivate let counts: [UInt32]

    /// Whether each coordinate is the double nearest to a multiple of 10⁻⁷ degrees.
    var isDecimal: Bool { codes.is_decimal }

    /// Reads a range of positions, the nearest multiples of 10⁻⁷ degrees.
    ///
    /// - Parameter digit: The digit to count; nil to guess by which one a long range would be split first.
    init(
      _ coordinates: UnsafeBufferPointer<Coordinate>, _ range: Range<Int>,
      counting digit: Digit? = nil
    ) {
      start = range.lowerBound
      let digit = digit ?? Digit.first(ofKnown: Reading.guessedBits(coordinates))
      self.digit = digit
      var counts = [UInt32](repeating: 0, count: 1 << splitBits)
      codes = GeohashSorting.withDegrees(coordinates) {
        nearby_count_codes($0, range.lowerBound, range.count, digit.shift, &counts)
      }
      self.counts = counts
    }

    /// The number of lowest bits that include every difference between the codes of a few of the positions.
    private static func guessedBits(_ coordinates: UnsafeBufferPointer<Coordinate>) -> Int {
      guard let first = coordinates.first else { return 0 }
      func code(_ place: Coordinate) -> UInt64 { BinaryGeohash(place, bitCount: 64).bits }
      let differing = stride(from: 0, to: coordinates.count, by: coordinates.count / 64 + 1)
        .reduce(into: 0) { $0 |= code(coordinates[$1]) ^ code(first) }
      return 64 - differing.leadingZeroBitCount
    }

    /// How many codes of all parts have each value of a digit; nil if another one was counted.
    fileprivate static func counts(of digit: Digit, _ parts: [Reading]) -> [UInt32]? {
      guard parts.allSatisfy({ $0.digit == digit }) else { return nil }
      return parts.reduce(into: [UInt32](repeating: 0, count: 1 << splitBits)) { sums, part in
        for value in part.counts.indices { sums[value] += part.counts[value] }
      }
    }

    /// The number of lowest bits that include every difference between codes of all parts; nil if they ascend
    /// already.
    static func knownBits(_ parts: [Reading]) -> Int? {
      let parts = parts.sorted { $0.start < $1.start }
      guard let first = parts.first?.codes.first else { return nil }
      var descends = false
      var differing: UInt64 = 0
      var last = first
      for part in parts {
        descends = descends || part.codes.descends || part.codes.first < last
        differing |= part.codes.differing | (part.codes.first ^ last)
        last = part.codes.last
      }
      return descends ? 64 - differing.leadingZeroBitCount : nil
    }
  }

  /// Writes the entries of positions in the order of their codes.
  ///
  /// - Parameters:
  ///   - entries: Gets them; room for one for each position.
  ///   - spare: Room for as many; nil to make some if need be.
  ///   - parts: The results of reading.
  ///   - coordinates: The coordinates of all positions, at least one. If they are not all multiples of 10⁻⁷ degrees, the
  ///     codes are those of the coordinates themselves.
  /// - Complexity: O(*n*).
  static func sort(
    _ entries: Entries, by spare: Entries?, _ parts: [Reading],
    _ coordinates: UnsafeBufferPointer<Coordinate>
  ) {
    let cached = Entries.allocate(capacity: min(coordinates.count, mostCached))
    defer { cached.deallocate() }
    let sorting = GeohashSorting(
      target: entries, cached: cached, spare: Spare(spare, count: coordinates.count))
    // Each level of splitting has its own counters, and the two digits of a cached range use the
    // last two.
    let digitBits = max(splitBits, (length(mostCached) + spareBits + 1) / 2)
    let counters = Counters.allocate(capacity: (64 / splitBits + 2) << digitBits)
    defer { counters.deallocate() }
    let all = coordinates.indices
    if parts.allSatisfy(\.isDecimal) {
      let known = Reading.knownBits(parts)
      guard let known, all.count > mostCached else {
        sorting.scatter(coordinates, by: .none, counters)
        if let known { sorting.order(all, isInSpare: false, counters, known: known) }
        return
      }
      let digit = Digit.first(ofKnown: known)
      let counts =
        Reading.counts(of: digit, parts)
        ?? Reading(coordinates, all, counting: digit).counts
      counters.update(from: counts, count: counts.count)
      sorting.scatter(coordinates, by: digit, counters)
      sorting.orderParts(all, isInSpare: false, by: digit, counters)
    } else if let known = sorting.encode(coordinates) {
      sorting.order(all, isInSpare: false, counters, known: known)
    }
  }

  /// Makes entries from the coordinates themselves.
  ///
  /// - Returns: The number of lowest bits that include every difference between codes; nil if they ascend
  ///   already.
  private func encode(_ coordinates: UnsafeBufferPointer<Coordinate>) -> Int? {
    var descends = false
    var differing: UInt64 = 0
    for (position, coordinate) in coordinates.enumerated() {
      let code = BinaryGeohash(coordinate, bitCount: 64).bits
      let last = position == 0 ? code : target[position &- 1].code
      descends = descends || code < last
      differing |= code ^ last
      target[position] = GeohashEntry(
        code: code, position: UInt32(truncatingIfNeeded: position))
    }
    return descends ? 64 - differing.leadingZeroBitCount : nil
  }

  /// The entries in the memory of sites.
  static func entries(_ sites: Sites, _ count: Int) -> Entries {
    UnsafeMutableRawPointer(sites).bindMemory(to: GeohashEntry.self, capacity: count)
  }

  /// A coordinate is two doubles: latitude, longitude.
  private static func withDegrees<Result>(
    _ coordinates: UnsafeBufferPointer<Coordinate>, _ body: (UnsafePointer<Double>) -> Result
  ) -> Result {
    UnsafeRawPointer(coordinates.baseAddress.unsafelyUnwrapped).withMemoryRebound(
      to: Double.self, capacity: 2 * coordinates.count, body)
  }

  // MARK: Digits

  /// A field of bits in the codes.
  struct Digit: Equatable {
    let shift: Int32
    let mask: Int

    init(shift: Int, bits: Int) {
      self.shift = Int32(truncatingIfNeeded: shift)
      mask = 1 << bits &- 1
    }

    /// No bits: all codes have the same.
    static let none = Digit(shift: 0, bits: 0)

    /// The one that a range is split by whose codes differ in so many of the lowest bits.
    static func first(ofKnown known: Int) -> Digit {
      Digit(shift: max(0, known &- splitBits), bits: splitBits)
    }

    @inline(__always)
    func callAsFunction(_ code: UInt64) -> Int {
      Int(truncatingIfNeeded: code &>> UInt64(truncatingIfNeeded: shift)) & mask
    }
  }

  /// The number of bits of an entry count.
  private static func length(_ count: Int) -> Int { Int.bitWidth &- count.leadingZeroBitCount }

  /// Turns numbers of entries of each value of a digit into where each value's part begins.
  private func begin(at start: Int, _ counters: Counters, _ digit: Digit) {
    var start = UInt32(truncatingIfNeeded: start)
    for part in 0...digit.mask {
      let size = counters[part]
      counters[part] = start
      start &+= size
    }
  }

  /// Writes the entries of all positions into the target, grouped by the value of a digit, in stable order.
  ///
  /// - Parameter ends: The number of entries of each value; afterwards the end of each value's part.
  private func scatter(
    _ coordinates: UnsafeBufferPointer<Coordinate>, by digit: Digit, _ ends: Counters
  ) {
    if digit == .none { ends[0] = 0 } else { begin(at: 0, ends, digit) }
    UnsafeMutableRawPointer(target).withMemoryRebound(
      to: UInt32.self, capacity: 3 * coordinates.count
    ) { entries in
      GeohashSorting.withDegrees(coordinates) {
        nearby_scatter_codes(
          $0, coordinates.count, digit.shift, UInt32(truncatingIfNeeded: digit.mask), ends, entries)
      }
    }
  }

  /// Copies entries, grouped by the value of a digit, in stable order.
  ///
  /// - Parameters:
  ///   - start: Where the first one goes.
  ///   - ends: The number of entries of each value; afterwards the end of each value's part.
  ///   - look: Called with each entry on the way.
  @inline(__always)
  private func scatter(
    _ entries: UnsafeBufferPointer<GeohashEntry>, by digit: Digit, to: Entries, from start: Int,
    _ ends: Counters, _ look: (GeohashEntry) -> Void = { _ in }
  ) {
    begin(at: start, ends, digit)
    for entry in entries {
      let part = digit(entry.code)
      look(entry)
      to[Int(ends[part])] = entry
      ends[part] &+= 1
    }
  }

  /// Counts the entries of each value of a digit.
  private func count(
    _ entries: UnsafeBufferPointer<GeohashEntry>, by digit: Digit, _ counters: Counters
  ) {
    counters.update(repeating: 0, count: digit.mask &+ 1)
    for entry in entries { counters[digit(entry.code)] &+= 1 }
  }

  // MARK: Ranges

  @inline(__always)
  private func slice(_ range: Range<Int>, of entries: Entries) -> UnsafeBufferPointer<GeohashEntry>
  {
    UnsafeBufferPointer(start: entries + range.lowerBound, count: range.count)
  }

  /// Sorts a range of one buffer into the target, by way of the other.
  ///
  /// - Parameter known: The number of lowest bits that include every difference between its codes.
  private func order(_ range: Range<Int>, isInSpare: Bool, _ counters: Counters, known: Int) {
    let from = isInSpare ? spare.entries : target
    // Ranges this short are always nearly in order.
    if range.count <= GeohashSorting.few || known == 0, isFinished(range, of: from) { return }
    if range.count <= GeohashSorting.mostCached {
      return orderCached(range, of: from, counters, known: known)
    }
    let digit = Digit.first(ofKnown: known)
    let entries = slice(range, of: from)
    count(entries, by: digit, counters)
    scatter(
      entries, by: digit, to: isInSpare ? target : spare.entries, from: range.lowerBound, counters)
    orderParts(range, isInSpare: !isInSpare, by: digit, counters)
  }

  /// Sorts the parts of a range that was split by a digit.
  ///
  /// - Parameter ends: The end of each value's part.
  private func orderParts(
    _ range: Range<Int>, isInSpare: Bool, by digit: Digit, _ ends: Counters
  ) {
    let from = isInSpare ? spare.entries : target
    var begin = range.lowerBound
    for value in 0...digit.mask {
      let part = begin..<Int(ends[value])
      begin = part.upperBound
      if part.isEmpty { continue }
      order(
        part, isInSpare: isInSpare, ends + (digit.mask &+ 1),
        known: part.count > GeohashSorting.mostCached
          ? differingBits(part, of: from) : Int(digit.shift))
    }
  }

  /// The number of lowest bits that include every difference between codes of a range.
  private func differingBits(_ range: Range<Int>, of entries: Entries) -> Int {
    let first = entries[range.lowerBound].code
    var differing: UInt64 = 0
    for entry in slice(range, of: entries) { differing |= entry.code ^ first }
    return 64 &- differing.leadingZeroBitCount
  }

  /// Sorts a range that fits the caches.
  private func orderCached(_ range: Range<Int>, of from: Entries, _ counters: Counters, known: Int)
  {
    let bits = min(known, GeohashSorting.length(range.count) &+ GeohashSorting.spareBits)
    let shift = known &- bits
    let low = Digit(shift: shift, bits: bits / 2)
    let high = Digit(shift: shift &+ bits / 2, bits: bits &- bits / 2)
    let highCounters = counters + (low.mask &+ 1)
    highCounters.update(repeating: 0, count: high.mask &+ 1)
    let entries = slice(range, of: from)
    count(entries, by: low, counters)
    scatter(entries, by: low, to: cached, from: 0, counters) {
      highCounters[high($0.code)] &+= 1
    }
    scatter(
      slice(0..<range.count, of: cached), by: high, to: target, from: range.lowerBound,
      highCounters)
    if isFinished(range, of: target) { return }
    // Runs of equal digits are too long for insertion.
    let leading = UInt64(truncatingIfNeeded: shift)
    var start = range.lowerBound
    while start < range.upperBound {
      let digits = target[start].code &>> leading
      var end = start &+ 1
      while end < range.upperBound, target[end].code &>> leading == digits { end &+= 1 }
      let run = start..<end
      order(run, isInSpare: false, counters, known: differingBits(run, of: target))
      start = end
    }
  }

  /// Sorts a range that is nearly in order into the target, by insertion.
  ///
  /// - Returns: False if it is too far from order; then the entries are there, but unsorted.
  private func isFinished(_ range: Range<Int>, of entries: Entries) -> Bool {
    var greatest: UInt64 = 0
    for index in range {
      let entry = entries[index], code = entry.code
      if code >= greatest {
        greatest = code
        target[index] = entry
        continue
      }
      var place = index
      while place > range.lowerBound, target[place &- 1].code > code {
        target[place] = target[place &- 1]
        place &-= 1
      }
      target[place] = entry
      if index &- place > GeohashSorting.few {
        if entries != target {
          (target + (index &+ 1)).update(
            from: entries + (index &+ 1), count: range.upperBound &- index &- 1)
        }
        return false
      }
    }
    return true
  }
}

extension GeohashSorting {
  /// Room for parts that do not fit the caches: lent, or made when the first of them comes.
  fileprivate final class Spare {
    private let lent: Entries?
    private let count: Int
    private var made: Entries?

    init(_ lent: Entries?, count: Int) {
      self.lent = lent
      self.count = count
    }

    deinit { made?.deallocate() }

    var entries: Entries {
      if let entries = lent ?? made { return entries }
      let entries = LargePages.allocate(byteCount: count * MemoryLayout<GeohashEntry>.stride)
        .bindMemory(to: GeohashEntry.self, capacity: count)
      made = entries
      return entries
    }
  }
}
