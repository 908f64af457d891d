/// The values of all features in tile encoding, each stored once, with its index.
struct TileValueTexts: Sendable {
  /// The messages of all values, each preceded by its length.
  private(set) var bytes: [UInt8] = []
  /// The offset where each message begins, and the end.
  private(set) var starts: [Int] = [0]
  /// A hash table of indices, at most half full: the upper half of the hash above the index, from 1.
  private var slots: [UInt64] = Array(repeating: 0, count: 1 << 10)

  /// The number of values.
  var count: Int { starts.count - 1 }

  /// Whether the value at an index is this text; false if there is no such index.
  @inline(__always)
  func holds(_ text: UnsafeRawBufferPointer, at place: UInt32) -> Bool {
    guard place < count else { return false }
    let start = starts[Int(place)], end = starts[Int(place) + 1]
    guard end - start == TileValueTexts.messageLength(text.count) else { return false }
    return bytes.withUnsafeBytes {
      UnsafeRawBufferPointer(rebasing: $0[end - text.count..<end]).elementsEqual(text)
    }
  }

  /// The size of a text's message in bytes, including its length.
  private static func messageLength(_ count: Int) -> Int {
    let inner = 1 + varintLength(UInt64(count)) + count
    return varintLength(UInt64(inner)) + inner
  }

  /// Appends the message of a value, with its length.
  @inline(__always)
  func append(_ place: Int, to message: inout [UInt8]) {
    message.append(contentsOf: bytes[starts[place]..<starts[place + 1]])
  }

  /// The index of a text.
  ///
  /// - Parameter message: A buffer for its message, with any content.
  mutating func place(ofText text: UnsafeRawBufferPointer, _ message: inout [UInt8]) -> UInt32 {
    message.removeAll(keepingCapacity: true)
    message.appendVarint(1 + varintLength(UInt64(text.count)) + text.count)
    message.appendField(1, length: text.count)
    message.append(contentsOf: text)
    return place(of: message)
  }

  /// The index of a message, which is stored if it is new.
  mutating func place(of message: [UInt8]) -> UInt32 {
    let hash = message.withUnsafeBytes { TileHash.hash($0) }
    let upper = hash >> 32
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      if slots[slot] >> 32 == upper {
        let place = Int(slots[slot] & 0xFFFF_FFFF) - 1
        if bytes[starts[place]..<starts[place + 1]].elementsEqual(message) { return UInt32(place) }
      }
      slot = (slot + 1) & mask
    }
    precondition(count < Int(UInt32.max) - 1, "4,294,967,294 values; divide the annotations")
    let place = count
    bytes.append(contentsOf: message)
    starts.append(bytes.count)
    slots[slot] = upper << 32 | UInt64(place + 1)
    if count * 2 > slots.count { grow() }
    return UInt32(place)
  }

  private mutating func grow() {
    let count = slots.count * 2
    slots = Array(repeating: 0, count: count)
    bytes.withUnsafeBytes { bytes in
      for place in 0..<self.count {
        let message = UnsafeRawBufferPointer(rebasing: bytes[starts[place]..<starts[place + 1]])
        let hash = TileHash.hash(message)
        var slot = Int(truncatingIfNeeded: hash) & (count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
        slots[slot] = (hash >> 32) << 32 | UInt64(place + 1)
      }
    }
  }
}

/// A hash that is the same in every run, unlike the standard library's, so that a limit always
/// keeps the same features.
enum TileHash {
  /// - Complexity: O(*n*), eight bytes at a time.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = mixed(UInt64(bytes.count) ^ 0x9E37_79B9_7F4A_7C15)
    var place = 0
    while place + 8 <= bytes.count {
      hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian)
      place += 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 | UInt64(bytes[place])
      place += 1
    }
    return mixed(hash ^ rest)
  }

  /// Mixes bits: for every changed input bit, each output bit changes about half the time.
  ///
  /// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
  /// 2014 (the finalizer of SplitMix64).
  @inline(__always)
  static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
