import CNearbyKernels

/// The bytes of an index: its own, or borrowed from an owner such as a mapped file.
///
/// They do not change while this object lives, so any number of threads may read them.
final class TreeMemory: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  /// Keeps borrowed bytes alive; nil for the index's own.
  private let lender: AnyObject?

  /// Makes bytes of its own, written once by `fill` and aligned to 64, as cache lines are.
  init(byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    let size = max(byteCount, 64)
    let memory = UnsafeMutableRawBufferPointer(
      start: LargePages.allocate(byteCount: size), count: size)
    fill(memory)
    bytes = UnsafeRawBufferPointer(memory)
    lender = nil
  }

  /// Borrows bytes that `lender` keeps in place and unchanged as long as it lives.
  init(lent bytes: UnsafeRawBufferPointer, by lender: AnyObject) {
    self.bytes = bytes
    self.lender = lender
  }

  deinit {
    if lender == nil { bytes.deallocate() }
  }
}

/// Memory with scattered reads.
package enum LargePages {
  /// Allocates memory aligned to 64 bytes, in large pages if it is big enough.
  ///
  /// A query's reads are scattered over an index. With pages of 4 KB, address translation takes as
  /// long as the reads themselves, and getting the pages from the system takes a fifth of the build
  /// time.
  package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    let largePage = 1 << 21
    guard byteCount >= largePage else { return .allocate(byteCount: byteCount, alignment: 64) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: largePage)
    nearby_prefer_large_pages(memory, byteCount)
    return memory
  }

  /// Allocates memory for some 32-bit numbers.
  static func allocate(_ count: Int) -> UnsafeMutablePointer<Int32> {
    allocate(byteCount: count * 4).bindMemory(to: Int32.self, capacity: count)
  }
}

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
