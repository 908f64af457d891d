import CNearbyKernels

/// The bytes of an index: its own, or lent by somebody who keeps them, as a mapped file.
///
/// They do not change while this object lives, so any number of threads may read them.
final class TreeMemory: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  /// Keeps lent bytes alive; nil for bytes of our own.
  private let lender: AnyObject?

  /// Bytes of our own, written once by `fill`; 64-aligned, as cache lines are.
  init(byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    let size = max(byteCount, 64)
    let memory = UnsafeMutableRawBufferPointer(
      start: LargePages.allocate(byteCount: size), count: size)
    fill(memory)
    bytes = UnsafeRawBufferPointer(memory)
    lender = nil
  }

  /// Bytes that `lender` keeps in place and unchanged as long as it lives.
  init(lent bytes: UnsafeRawBufferPointer, by lender: AnyObject) {
    self.bytes = bytes
    self.lender = lender
  }

  deinit {
    if lender == nil { bytes.deallocate() }
  }
}

/// Memory that is read all over.
package enum LargePages {
  /// Allocates memory aligned to 64 bytes, in large pages where it is that much.
  ///
  /// What a query touches lies all over an index. In pages of 4 KB, finding them takes as long as
  /// reading them, and to get them from the system a fifth of the time that building takes.
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
