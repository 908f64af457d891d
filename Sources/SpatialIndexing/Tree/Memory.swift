import CNearbyKernels

/// Memory operations for code outside the indexes.
package enum Memory {
  /// Prefetches the cache line at an address, without waiting; any address will do.
  @inline(__always)
  package static func prefetch(_ address: UInt) {
    nearby_prefetch(UnsafeRawPointer(bitPattern: address))
  }

  /// Prefetches the first and the last cache line of some bytes: every other row of 32 bytes lies in two.
  package static func prefetch(_ address: UInt, byteCount: Int) {
    prefetch(address)
    prefetch(address &+ UInt(byteCount &- 1))
  }
}
