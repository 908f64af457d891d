/// The bytes of an index: its own, or lent by somebody who keeps them, as a mapped file.
///
/// They do not change while this object lives, so any number of threads may read them.
final class TreeMemory: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  /// Keeps lent bytes alive; nil for bytes of our own.
  private let lender: AnyObject?

  /// Bytes of our own, written once by `fill`; 64-aligned, as cache lines are.
  init(byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(byteCount, 64), alignment: 64)
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
