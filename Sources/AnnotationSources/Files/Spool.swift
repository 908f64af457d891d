#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Bytes that are wanted only once all of them are there: in memory while they are few, then in a
/// file without a name, which is gone with the program however it ends.
package final class Spool {
  private var bytes: [UInt8] = []
  /// Of the file; −1 until there is more than fits into memory.
  private var descriptor: Int32 = -1

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func append(_ more: [UInt8]) throws(ReportedError) {
    bytes += more
    if bytes.count > OutputSink.chunk { try store() }
  }

  /// Hands over all bytes, some at a time, and forgets them.
  func drain(_ receive: ([UInt8]) throws(ReportedError) -> Void) throws(ReportedError) {
    if descriptor >= 0 {
      try store()
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Spool.failure() }
      var piece = [UInt8](repeating: 0, count: OutputSink.chunk)
      while true {
        let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw Spool.failure() }
        if count == 0 { break }
        try receive(count == piece.count ? piece : Array(piece[..<count]))
      }
      guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
        throw Spool.failure()
      }
    }
    if !bytes.isEmpty { try receive(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }

  private func store() throws(ReportedError) {
    if descriptor < 0 { descriptor = try Spool.nameless() }
    guard Files.send(bytes, to: descriptor) else { throw Spool.failure() }
    bytes.removeAll(keepingCapacity: true)
  }

  /// A new file in `$TMPDIR`, or else in `/tmp`, that has lost its name already.
  private static func nameless() throws(ReportedError) -> Int32 {
    let folder =
      getenv("TMPDIR").flatMap { $0.pointee == 0 ? nil : $0 }
      .map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? Array("/tmp".utf8)
    var template = folder + Array("/nearby-XXXXXX".utf8) + [0]
    let descriptor = template.withUnsafeMutableBytes { name -> Int32 in
      guard let start = name.bindMemory(to: CChar.self).baseAddress else { return -1 }
      let descriptor = mkstemp(start)
      if descriptor >= 0 { unlink(start) }
      return descriptor
    }
    guard descriptor >= 0 else { throw failure() }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func failure() -> ReportedError {
    ReportedError(
      "write-failed",
      "no temporary file: \(String(cString: strerror(errno)).lowercased()); "
        + "set TMPDIR to a folder with room", fault: .inputOutput)
  }
}
