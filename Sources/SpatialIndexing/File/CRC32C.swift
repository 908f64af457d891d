import CNearbyKernels

/// CRC-32C (Castagnoli), the checksum of iSCSI (RFC 3720, B.4), SCTP and ext4.
///
/// It detects every burst error of up to 32 bits, and in a page of 4 KiB any three single-bit
/// errors.
struct CRC32C {
  /// Lookup tables that process eight bytes at a time.
  ///
  /// Source: M. E. Kounavis and F. L. Berry, "A Systematic Approach
  /// to Building High Performance Software-based CRC Generators", ISCC 2005.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82f6_3b78 : value >> 1 }
      tables[byte] = value
    }
    for table in 1..<8 {
      for byte in 0..<256 {
        let value = tables[(table - 1) * 256 + byte]
        tables[table * 256 + byte] = value >> 8 ^ tables[Int(value & 255)]
      }
    }
    return tables
  }()

  private var state = ~UInt32(0)

  /// The checksum of the bytes added so far.
  var value: UInt32 { ~state }

  /// The checksum of some bytes.
  static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(bytes)
    return checksum.value
  }

  /// Adds bytes to the end.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    if !nearby_checksum(&state, start, bytes.count) { addByTables(bytes) }
  }

  /// Adds bytes without hardware support: a sixth as fast.
  mutating func addByTables(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    state = CRC32C.tables.withUnsafeBufferPointer { tables in
      let table = tables.baseAddress.unsafelyUnwrapped
      var state = state
      var place = 0
      while place &+ 8 <= bytes.count {
        let eight =
          UInt64(littleEndian: start.loadUnaligned(fromByteOffset: place, as: UInt64.self))
          ^ UInt64(state)
        let low = UInt32(truncatingIfNeeded: eight)
        let high = UInt32(truncatingIfNeeded: eight >> 32)
        let first = table[1_792 &+ Int(low & 255)] ^ table[1_536 &+ Int(low >> 8 & 255)]
        let second = table[1_280 &+ Int(low >> 16 & 255)] ^ table[1_024 &+ Int(low >> 24)]
        let third = table[768 &+ Int(high & 255)] ^ table[512 &+ Int(high >> 8 & 255)]
        let fourth = table[256 &+ Int(high >> 16 & 255)] ^ table[Int(high >> 24)]
        state = first ^ second ^ third ^ fourth
        place &+= 8
      }
      while place < bytes.count {
        let byte = UInt32(start.load(fromByteOffset: place, as: UInt8.self))
        state = state >> 8 ^ table[Int((state ^ byte) & 255)]
        place &+= 1
      }
      return state
    }
  }
}
