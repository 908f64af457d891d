import CNearbyKernels

/// Memory operations for code outside the indexes.
package enum Memory {
  /// Prefetches the cache line at an address, without waiting; any address will do.
  @inline(__always)
  package static func prefetch(_ address: UInt) {
    nearby_prefetch_later(UnsafeRawPointer(bitPattern: address))
  }
}
