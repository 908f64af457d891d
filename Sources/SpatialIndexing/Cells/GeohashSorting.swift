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

/// Turns sites into the geohashes of their positions in ascending order, ties in input order.
///
/// A radix sort. A long range is split by its highest digit until its parts fit the caches; each part is sorted by
/// two digits, the lower one first, and ties of both digits by insertion. If many codes of a range are equal that
/// far, as in a city, digits start again at the first bit in which they differ. Codes that already ascend, as those
/// of a database do, are left alone.
struct GeohashSorting {
  typealias Entries = UnsafeMutablePointer<GeohashEntry>
  fileprivate typealias Counters = UnsafeMutablePointer<UInt32>

  /// The buffer for the sorted entries, and the other buffer.
  private let target, spare: Entries

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
    /// What the number of known bits of all positions is guessed to be, and how many codes have each value of the
    /// digit that a long range would be split by first if so.
    private let guessedBits: Int
    private let counts: [UInt32]

    /// Whether each coordinate is the double nearest to a multiple of 10⁻⁷ degrees.
    var isDecimal: Bool { codes.is_decimal }

    /// Replaces the sites of a range of positions by entries, made from the nearest multiples of 10⁻⁷ degrees.
    init(
      _ coordinates: UnsafeBufferPointer<Coordinate>, _ range: Range<Int>, into sites: Sites
    ) {
      start = range.lowerBound
      let guessedBits = Reading.guessedBits(coordinates)
      self.guessedBits = guessedBits
      var counts = [UInt32](repeating: 0, count: 1 << splitBits)
      // A coordinate is two doubles: latitude, longitude.
      codes = UnsafeRawPointer(coordinates.baseAddress.unsafelyUnwrapped).withMemoryRebound(
        to: Double.self, capacity: 2 * coordinates.count
      ) { degrees in
        UnsafeMutableRawPointer(sites).withMemoryRebound(
          to: UInt32.self, capacity: 3 * coordinates.count
        ) {
          nearby_read_codes(
            degrees, UInt32(truncatingIfNeeded: range.lowerBound),
            UInt32(truncatingIfNeeded: range.count), $0,
            Int32(truncatingIfNeeded: max(0, guessedBits - splitBits)), &counts)
        }
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

    /// Adds up how many codes of all parts have each value of their first digit; false if none were counted for
    /// that number of known bits.
    fileprivate static func count(_ parts: [Reading], known: Int, _ counters: Counters) -> Bool {
      guard known >= splitBits, parts.allSatisfy({ $0.guessedBits == known }) else { return false }
      counters.update(repeating: 0, count: 1 << splitBits)
      for part in parts {
        for digit in part.counts.indices { counters[digit] += part.counts[digit] }
      }
      return true
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

  /// Sorts entries in place.
  ///
  /// - Parameters:
  ///   - entries: As made by `Reading`, at least one.
  ///   - spare: Room for as many.
  ///   - parts: The results of reading.
  ///   - coordinates: The coordinates of all positions. If they are not all multiples of 10⁻⁷ degrees, the codes
  ///     are made from them again.
  /// - Complexity: O(*n*).
  static func sort(
    _ entries: Entries, by spare: Entries, _ parts: [Reading],
    _ coordinates: UnsafeBufferPointer<Coordinate>
  ) {
    let sorting = GeohashSorting(target: entries, spare: spare)
    let isDecimal = parts.allSatisfy(\.isDecimal)
    let known =
      isDecimal
      ? Reading.knownBits(parts) : sorting.encode(coordinates)
    guard let known else { return }
    // Each level of splitting has its own counters, and the two digits of a cached range use the
    // last two.
    let digitBits = max(splitBits, (length(mostCached) + spareBits + 1) / 2)
    let counters = Counters.allocate(capacity: (64 / splitBits + 2) << digitBits)
    defer { counters.deallocate() }
    sorting.order(
      0..<coordinates.count, of: entries, spare, counters, known: known,
      isCounted: isDecimal && Reading.count(parts, known: known, counters))
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

  // MARK: Digits

  /// A field of bits in the codes.
  private struct Digit {
    private let shift: UInt64
    let mask: Int

    init(shift: Int, bits: Int) {
      self.shift = UInt64(truncatingIfNeeded: shift)
      mask = 1 << bits &- 1
    }

    @inline(__always)
    func callAsFunction(_ code: UInt64) -> Int {
      Int(truncatingIfNeeded: code &>> shift) & mask
    }
  }

  /// The number of bits of an entry count.
  private static func length(_ count: Int) -> Int { Int.bitWidth &- count.leadingZeroBitCount }

  /// Copies a range of entries, grouped by the value of a digit, in stable order.
  ///
  /// - Parameters:
  ///   - ends: The number of entries of each value; afterwards the end of each value's part.
  ///   - look: Called with each entry on the way.
  @inline(__always)
  private func scatter(
    _ range: Range<Int>, of from: Entries, by digit: Digit, to: Entries, _ ends: Counters,
    _ look: (GeohashEntry) -> Void = { _ in }
  ) {
    var start = UInt32(truncatingIfNeeded: range.lowerBound)
    for part in 0...digit.mask {
      let size = ends[part]
      ends[part] = start
      start &+= size
    }
    for index in range {
      let entry = from[index]
      let part = digit(entry.code)
      look(entry)
      to[Int(ends[part])] = entry
      ends[part] &+= 1
    }
  }

  /// Counts the entries of each value of a digit.
  private func count(
    _ range: Range<Int>, of entries: Entries, by digit: Digit, _ counters: Counters
  ) {
    counters.update(repeating: 0, count: digit.mask &+ 1)
    for index in range { counters[digit(entries[index].code)] &+= 1 }
  }

  // MARK: Ranges

  /// Sorts a range of one buffer, by way of the other.
  ///
  /// - Parameters:
  ///   - known: The number of lowest bits that include every difference between its codes.
  ///   - isCounted: Whether the counters have what splitting counts first.
  private func order(
    _ range: Range<Int>, of from: Entries, _ to: Entries, _ counters: Counters, known: Int,
    isCounted: Bool = false
  ) {
    // Ranges this short are always nearly in order.
    if range.count <= GeohashSorting.few || known == 0, isFinished(range, of: from) { return }
    if range.count <= GeohashSorting.mostCached {
      return orderCached(range, of: from, to, counters, known: known)
    }
    let bits = min(known, GeohashSorting.splitBits)
    let digit = Digit(shift: known &- bits, bits: bits)
    if !isCounted { count(range, of: from, by: digit, counters) }
    scatter(range, of: from, by: digit, to: to, counters)
    var begin = range.lowerBound
    for part in 0...digit.mask {
      let end = Int(counters[part])
      if end > begin {
        let part = begin..<end
        order(
          part, of: to, from, counters + (digit.mask &+ 1),
          known: part.count > GeohashSorting.mostCached
            ? differingBits(part, of: to) : known &- bits)
      }
      begin = end
    }
  }

  /// The number of lowest bits that include every difference between codes of a range.
  private func differingBits(_ range: Range<Int>, of entries: Entries) -> Int {
    let first = entries[range.lowerBound].code
    var differing: UInt64 = 0
    for index in range { differing |= entries[index].code ^ first }
    return 64 &- differing.leadingZeroBitCount
  }

  /// Sorts a range that fits the caches.
  private func orderCached(
    _ range: Range<Int>, of from: Entries, _ to: Entries, _ counters: Counters, known: Int
  ) {
    let bits = min(known, GeohashSorting.length(range.count) &+ GeohashSorting.spareBits)
    let shift = known &- bits
    let low = Digit(shift: shift, bits: bits / 2)
    let high = Digit(shift: shift &+ bits / 2, bits: bits &- bits / 2)
    let highCounters = counters + (low.mask &+ 1)
    highCounters.update(repeating: 0, count: high.mask &+ 1)
    count(range, of: from, by: low, counters)
    scatter(range, of: from, by: low, to: to, counters) { highCounters[high($0.code)] &+= 1 }
    scatter(range, of: to, by: high, to: from, highCounters)
    if isFinished(range, of: from) { return }
    // The entries are in their final buffer, but runs of equal digits are too long for insertion.
    let leading = UInt64(truncatingIfNeeded: shift)
    var start = range.lowerBound
    while start < range.upperBound {
      let digits = target[start].code &>> leading
      var end = start &+ 1
      while end < range.upperBound, target[end].code &>> leading == digits { end &+= 1 }
      let run = start..<end
      order(run, of: target, spare, counters, known: differingBits(run, of: target))
      start = end
    }
  }

  /// Sorts a range that is nearly in order into its final buffer, by insertion.
  ///
  /// - Returns: False if it is too far from order; then the entries are there, but unsorted.
  private func isFinished(_ range: Range<Int>, of entries: Entries) -> Bool {
    for index in range {
      let entry = entries[index]
      var place = index
      while place > range.lowerBound, target[place &- 1].code > entry.code {
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

/// 64-bit geohashes of positions in integer 10⁻⁷ degrees.
///
/// A cell of the finest grid is narrower than 10⁻⁷ degrees, so it holds at most one such position: the
/// geohash identifies it exactly.
///
/// The double nearest to a multiple of 10⁻⁷ lies in the same cell as the multiple itself. Borders of
/// cells are multiples of 45/2³⁰ degrees for latitudes and of 45/2²⁹ for longitudes. So a multiple of
/// 10⁻⁷ is either on a border or at least 2⁷ / (10⁷ × 2³⁰) = 1.2 × 10⁻¹⁴ degrees away from it, for
/// longitudes twice that. Rounding to a double moves latitudes by at most 0.7 × 10⁻¹⁴ degrees and
/// longitudes by at most 1.4 × 10⁻¹⁴, which is less.
enum DecimalGeohash {
  /// The geohash of a position.
  @inline(__always)
  static func code(_ latitude: Int32, _ longitude: Int32) -> UInt64 {
    nearby_decimal_code(latitude, longitude)
  }

  /// The position with a geohash: the only one in its cell.
  static func site(_ code: UInt64) -> (latitude: Int32, longitude: Int32) {
    var latitude: Int32 = 0, longitude: Int32 = 0
    nearby_decimal_site(code, &latitude, &longitude)
    return (latitude, longitude)
  }
}
