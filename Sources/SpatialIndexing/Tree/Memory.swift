import CNearbyKernels

/// Memory operations for code outside the indexes.
package enum Memory {
  /// Prefetches the cache line at an address, without waiting; any address will do.
  @inline(__always)
  package static func prefetch(_ address: UInt) {
    nearby_prefetch_later(UnsafeRawPointer(bitPattern: address))
  }

  /// Prefetches bytes that are read next: their first and their last cache line, because every other row of 32 bytes lies
  /// in two.
  package static func prefetch(_ address: UInt, byteCount: Int) {
    nearby_prefetch(UnsafeRawPointer(bitPattern: address))
    nearby_prefetch(UnsafeRawPointer(bitPattern: address &+ UInt(byteCount &- 1)))
  }
}
