import CNearbyKernels

/// What lies in memory where indexes do not read it themselves.
package enum Memory {
  /// Asks for the cache line at an address, and does not wait for it; any address will do.
  @inline(__always)
  package static func prefetch(_ address: UInt) {
    nearby_prefetch_later(UnsafeRawPointer(bitPattern: address))
  }
}
